"""Games from files, of one league or of several, that are rated together."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.excerpt import shown
from leagues.blocks import NONE, ROTATE, SHARED, are_rotated
from leagues.results import GameResult
from leagues.standings import LeagueFacts

__all__ = ["FileGame", "MergeError", "merged"]

NO_LEAGUE: Final = "practice"
"""What games without a league are called."""
_NAME_MAX: Final = 80


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
    result: GameResult


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
        MergeError: A game stands twice, or the rules or units differ.
    """
    by_name: dict[str, FileGame] = {}
    for item in games:
        _check(item, next(iter(by_name.values()), item))
        first = by_name.setdefault(item.game, item)
        if first is not item:
            raise MergeError(
                f"{item.place}: game {shown(item.game)} stands twice, first in "
                f"{first.place}; each game counts once"
            )
    if not by_name:
        raise MergeError("there is no finished game in these files")
    found = sorted(by_name.values(), key=lambda item: (item.league, item.result.number))
    leagues = sorted({item.league for item in found})
    results = [item.result for item in found]
    if len(leagues) > 1 or not leagues[0]:
        results = _renumbered(found)
    return _facts(found, results, leagues, state=state, anchor=anchor), results


def _check(item: FileGame, first: FileGame) -> None:
    """Refuse a game that does not go with the first one."""
    if item.rules_hash != first.rules_hash:
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
    for name in [*names, item.league or NO_LEAGUE]:
        if not name.strip() or len(name) > _NAME_MAX or not name.isprintable():
            raise MergeError(
                f"{item.place}: game {shown(item.game)} names {shown(name)}, which is "
                f"no name; expected up to {_NAME_MAX} characters that can be printed"
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
        luck=_luck(blocks.values()),
        blocks_planned=len(blocks),
    )


def _luck(blocks: Collection[Sequence[tuple[str, ...]]]) -> str:
    """Tell how games share their deals, from the seatings of each block."""
    if all(len(seatings) == 1 for seatings in blocks):
        return NONE
    return ROTATE if all(map(are_rotated, blocks)) else SHARED
