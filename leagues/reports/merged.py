"""Games from files, of one league or of several, that are rated together.

    games = FileGames()
    items = [games.of_record(record, place="mine.jsonl:1"), …]
    facts, results = merged(items, state="from 1 file")
    standings = standings_of(facts, results)

What can't be rated together is refused.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.excerpt import label, printable, shown
from arena.record import Record, RulesRecord
from arena.replay import VerifyError, rules_said
from arena.rules import RuleSet
from leagues.blocks import NONE, ROTATE, SHARED, are_rotated
from leagues.results import GameResult, has_moon, has_queen, result_of
from leagues.results_file import ResultLine
from leagues.rules_line import rules_line
from leagues.standings import UNIT, LeagueFacts
from leagues.versions import Versions

__all__ = ["FileGame", "FileGames", "MergeError", "merged"]

NO_LEAGUE: Final = "practice"
"""What games without a league are called."""
_NAME_MAX: Final = 2402
"""A text of a record has up to 200 characters, and an escape up to twelve."""


class MergeError(ValueError):
    """Games that can't be rated together."""


@dataclass(frozen=True, slots=True)
class FileGame:
    """A finished game as a file tells it."""

    place: str
    """Where it stands, for errors: the file and the line."""
    game: str
    """Its name, unique in its arena, such as `friday-17`."""
    league: str
    rules: str
    """The preset and what differs from it, for people."""
    rules_hash: str
    players: int
    tricks: int
    has_moon: bool
    has_queen: bool
    unit: str
    """What counts as one result."""
    dealt_from: str
    """What its cards come from: games with the same are one block."""
    owners: tuple[str, ...]
    """Whose bots they are, by seat; an empty text for nobody's."""
    result: GameResult


class FileGames:
    """Makes games of what files hold: records, and lines of results."""

    def __init__(self) -> None:
        # Making rules is slow, and those of most games are the same.
        self._rules: dict[_RulesKey, RuleSet] = {}

    def of_record(self, record: Record, *, place: str) -> FileGame:
        """Return the game of a record.

        Raises:
            MergeError: Its rules contradict themselves.
            ValueError: It is not finished.
        """
        is_by_hand = not int(record.sequence_seed, 16)
        return _file_game(
            place,
            game=record.game,
            league=record.league,
            rules=self._known(record.rules, place, record.game),
            unit=UNIT,
            dealt_from=record.game if is_by_hand else record.sequence_seed,
            owners=[seat.owner for seat in record.seats],
            result=result_of(record),
        )

    def of_result(self, line: ResultLine) -> FileGame:
        """Return the game of a line of results.

        Raises:
            MergeError: Its rules contradict themselves.
        """
        return _file_game(
            line.place,
            game=line.name,
            league=line.league,
            rules=self._known(line.rules, line.place, line.name),
            unit=line.unit,
            dealt_from=f"block {line.result.block} of {line.league}",
            owners=line.owners.values(),
            result=line.result,
        )

    def _known(self, said: RulesRecord, place: str, game: str) -> RuleSet:
        overrides = tuple(sorted(said.overrides.items()))
        key = (said.preset, said.players, said.hash, overrides)
        try:
            rules = self._rules.get(key) or rules_said(said, game=game)
        except VerifyError as error:
            raise MergeError(f"{place}: {error}") from None
        self._rules[key] = rules
        return rules


_RulesKey = tuple[str, int, str, tuple[tuple[str, str], ...]]


def _file_game(
    place: str,
    *,
    game: str,
    league: str,
    rules: RuleSet,
    unit: str,
    dealt_from: str,
    owners: Iterable[str],
    result: GameResult,
) -> FileGame:
    return FileGame(
        place=place,
        game=game,
        league=label(league) if league else "",
        rules=rules_line(rules),
        rules_hash=rules.hash,
        players=rules.players,
        tricks=rules.hand_size,
        has_moon=has_moon(rules),
        has_queen=has_queen(rules),
        unit=unit,
        dealt_from=dealt_from,
        owners=tuple(label(owner) if owner else "" for owner in owners),
        result=_clean(result),
    )


def _clean(result: GameResult) -> GameResult:
    """Return a result whose names can be told apart: files may be anybody's.

    Versions are told apart by `leagues.families`, and only have to print.
    """
    seats = (
        replace(seat, entrant=label(seat.entrant), version=printable(seat.version))
        for seat in result.seats
    )
    return replace(result, seats=tuple(seats))


def merged(
    games: Iterable[FileGame], *, state: str, anchor: str | None = None
) -> tuple[LeagueFacts, list[GameResult]]:
    """Put games together as if they were of one league.

    The games of a single league keep their numbers and blocks; those of several get
    new ones, and what was dealt from the same cards is one block in all.

    Args:
        games: At least one.
        state: What standings say of the league instead of whether it is finished.
        anchor: Who is rated 1500.

    Raises:
        MergeError: A game stands twice, a bot has two owners, or the rules or units
            differ.
    """
    known = _Known()
    found: list[FileGame] = []
    for item in games:
        _check(item, found[0] if found else item)
        known.check(item)
        found.append(item)
    if not found:
        raise MergeError("there is no finished game in these files")
    found.sort(key=lambda item: (item.league, item.result.number))
    leagues = sorted({item.league for item in found})
    results = [item.result for item in found]
    if len(leagues) > 1 or not leagues[0]:
        results = _renumbered(found)
    names = {
        result.number: label(item.game)
        for item, result in zip(found, results, strict=True)
        if result is not item.result
    }
    facts = _facts(found, results, leagues, state=state, anchor=anchor)
    return replace(facts, owners=known.owners, games=names), results


def _check(item: FileGame, first: FileGame) -> None:
    """Refuse a game that does not go with the first one."""
    if (item.rules_hash, item.players) != (first.rules_hash, first.players):
        raise MergeError(
            f"{item.place}: game {shown(item.game)} has the rules {item.rules}, "
            f"{item.rules_hash[:16]}, but {shown(first.game)} in {first.place} has "
            f"{first.rules}, {first.rules_hash[:16]}; ratings under different rules "
            "can't be put together"
        )
    if item.unit != first.unit:
        raise MergeError(
            f"{item.place}: a result of {shown(item.game)} is a {item.unit}, but one "
            f"of {shown(first.game)} in {first.place} is a {first.unit}; ratings of "
            "different units can't be put together"
        )
    names = [seat.entrant for seat in item.result.seats]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise MergeError(
            f"{item.place}: game {shown(item.game)} seats {shown(twice)} twice, and "
            "nobody can be rated against itself"
        )
    for name in [*names, item.league or NO_LEAGUE]:
        if not name.strip() or len(name) > _NAME_MAX or not name.isprintable():
            raise MergeError(
                f"{item.place}: game {shown(item.game)} names {shown(name)}, which is "
                f"no name; expected up to {_NAME_MAX} characters that can be printed"
            )


class _Known:
    """The games so far, each of which counts once, and whose the bots are."""

    def __init__(self) -> None:
        self._names: dict[str, FileGame] = {}
        self._records: dict[str, FileGame] = {}
        self._owned: dict[str, tuple[str, FileGame]] = {}

    @property
    def owners(self) -> dict[str, str]:
        """Whose the bots are, as far as games say."""
        return {entrant: owner for entrant, (owner, _) in self._owned.items()}

    def check(self, item: FileGame) -> None:
        """Refuse a game that contradicts one before, and note it."""
        name, record = item.game, item.result.record_hash
        first = self._names.setdefault(name, item)
        if first is not item:
            reason = "each game counts once"
            if first.result.record_hash != record:
                reason = "their records differ: two leagues of one name?"
            raise MergeError(
                f"{item.place}: game {shown(name)} stands twice, first in "
                f"{first.place}; {reason}"
            )
        first = self._records.setdefault(record, item)
        if first is not item:
            raise MergeError(
                f"{item.place}: game {shown(name)} has the same record as "
                f"{shown(first.game)} in {first.place}; each game counts once"
            )
        for seat, owner in zip(item.result.seats, item.owners, strict=True):
            if owner:
                self._check_owner(item, seat.entrant, owner)

    def _check_owner(self, item: FileGame, entrant: str, owner: str) -> None:
        known, first = self._owned.setdefault(entrant, (owner, item))
        if owner != known:
            raise MergeError(
                f"{item.place}: {shown(entrant)} is owned by {shown(owner)}, but by "
                f"{shown(known)} in {first.place}; a name stands for one bot"
            )


def _renumbered(games: list[FileGame]) -> list[GameResult]:
    blocks: dict[str, int] = {}
    return [
        replace(
            item.result,
            number=number,
            block=blocks.setdefault(item.dealt_from, len(blocks) + 1),
        )
        for number, item in enumerate(games, start=1)
    ]


def _facts(
    games: list[FileGame],
    results: list[GameResult],
    leagues: list[str],
    *,
    state: str,
    anchor: str | None,
) -> LeagueFacts:
    first = games[0]
    names = {seat.entrant for result in results for seat in result.seats}
    blocks: defaultdict[int, list[tuple[str, ...]]] = defaultdict(list)
    for result in results:
        blocks[result.block].append(tuple(seat.entrant for seat in result.seats))
    return LeagueFacts(
        name=" + ".join(league or NO_LEAGUE for league in leagues),
        state=state,
        entrants=tuple(sorted(names)),
        players=first.players,
        tricks=first.tricks,
        has_moon=first.has_moon,
        has_queen=first.has_queen,
        rules=first.rules,
        rules_hash=first.rules_hash,
        games_planned=len(results),
        commitment="",
        practice_seed=None,
        anchor=anchor,
        versions=Versions.ALL,
        luck=_luck(blocks.values()),
        blocks_planned=len(blocks),
    )


def _luck(blocks: Collection[Sequence[tuple[str, ...]]]) -> str:
    """Tell how games share their deals, from the seatings of each block."""
    if all(len(seatings) == 1 for seatings in blocks):
        return NONE
    return ROTATE if all(map(are_rotated, blocks)) else SHARED
