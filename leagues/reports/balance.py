"""Balance: how evenly a league was played, also where entrants came and went.

Counts are of what counts: games, who met whom, who sat beside and opposite to whom, and
who sat where. Where games share their deals a block is counted once, since that is what
a schedule plans; it is all rotations of one table, so everybody's seats are even. Where
some blocks are not whole, games are counted one by one, and those of a match always,
since each block is all its tables.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import chain, combinations
from typing import Final

from leagues.appeals import EXCLUDED, LATE
from leagues.blocks import ROTATE
from leagues.kept_apart import apart_text
from leagues.reports.document import Column, Report, Rows, Table
from leagues.reports.source import Source
from leagues.reports.words import counted, listed
from leagues.scheduling.balance import (
    AIM,
    AIM_APART,
    Balance,
    Pair,
    Spreads,
    kinds_of_pairs,
)

__all__ = ["GAMES_ANEW", "balance"]

GAMES_ANEW: Final = 2
"""How far games are apart, at most, after games were planned anew: round by round those
play who have played least, so that they are one apart, and two while a round is
played."""
_BEHIND_MAX: Final = 1
"""How many games fewer those have played, at most, who have caught up."""

_STAYED: Final = "all along"
_KINDS: Final = {
    "games": "Games",
    "pairs": "Meetings",
    "lefts": "Left neighbours",
    "across": "Opposites",
    "seats": "Seats",
}
_NAME: Final = Column("Entrant", "entrant", is_text=True)
_STATUS: Final = Column("Was there", "status", is_text=True)
_KIND: Final = Column("Of", "kind", is_text=True)
_FIGURES: Final = (
    Column("Least", "least"),
    Column("Most", "most"),
    Column("Apart", "apart"),
    Column("At most", "aim"),
)
_NOTE: Final = (
    "Meetings: how often two sat at one table; left neighbours: how often one sat to "
    "the left of another; opposites: across from it; seats: how often one sat in each, "
    "and how far its own are apart. At most: how far counts are apart at the end of a "
    "round where a schedule is even."
)
_ALIKE: Final = (
    "Bots of one owner never meet, which makes them meet others more often: so apart "
    "is told of meetings, left neighbours and opposites between pairs of a kind, where "
    "as many bots are kept from the one and from the other."
)
_BLOCKS: Final = (
    "A block of games with the same deals is one table, played in all rotations, so "
    "that everybody sits in every seat equally often."
)


@dataclass(frozen=True, slots=True)
class _Line:
    """What is counted of one kind."""

    kind: str
    least: int
    most: int
    apart: int
    aim: int

    @property
    def is_even(self) -> bool:
        return self.apart <= self.aim

    @property
    def cells(self) -> tuple[int, int, int, int]:
        return self.least, self.most, self.apart, self.aim

    @property
    def range(self) -> str:
        """The least and the greatest, for people."""
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class _Counts:
    """What was counted, and of whom."""

    names: tuple[str, ...]
    status: dict[str, str]
    """Who came and went, by name."""
    balance: Balance
    apart: frozenset[Pair]
    """Those of one owner who have never met."""
    owned: tuple[tuple[str, tuple[str, ...]], ...]
    """Owners with several bots of which no two have met, and these."""
    kinds: tuple[str, ...]
    """What can be counted in these games."""
    size: int
    """How many seats a table has."""
    blocks: int
    """How many blocks of several games there are; 0 where each game is one."""
    blocks_open: int
    """Of how many of them some games are missing, which are counted one by one."""

    @property
    def stayed(self) -> list[int]:
        """The places of those in `names` who were there all along."""
        return [at for at, name in enumerate(self.names) if name not in self.status]

    @property
    def told(self) -> list[int]:
        """Whom there is something to tell of: those, and then who came or went."""
        others = [
            at
            for at, name in enumerate(self.names)
            if self.status.get(name, EXCLUDED) != EXCLUDED
        ]
        return [*self.stayed, *others]

    @property
    def aim(self) -> Spreads:
        aim = AIM_APART if self.apart else AIM
        aim = replace(aim, games=GAMES_ANEW) if self.status else aim
        if not self.blocks_open:
            return aim
        # A schedule is even in whole blocks, of as many games as there are seats.
        of_games = [size * self.size for size in astuple(aim)]
        return replace(Spreads(*of_games), seats=aim.seats)

    def of(self, kind: str, one: int) -> list[int]:
        """Return an entrant's counts of a kind, with those who were there all along."""
        if kind == "games":
            return [self.balance.games[one]]
        if kind == "seats":
            return self.balance.seats[one]
        rows: list[list[int]] = getattr(self.balance, kind)
        return [
            rows[one][other]
            for other in self.stayed
            if other != one and frozenset((one, other)) not in self.apart
        ]

    def line(self, kind: str, entrants: Sequence[int]) -> _Line:
        """Sum up what is counted of some entrants."""
        found = [self.of(kind, one) or [0] for one in entrants] or [[0]]
        least, most = min(map(min, found)), max(map(max, found))
        apart = self._apart(kind, entrants) if entrants else 0
        return _Line(kind, least, most, apart, getattr(self.aim, kind))

    def _apart(self, kind: str, entrants: Sequence[int]) -> int:
        """Return how far those counts are apart that should be alike."""
        if kind == "games":
            alike = [[self.balance.games[one] for one in entrants]]
        elif kind == "seats":
            # Who plays more sits in each seat more often.
            alike = [self.balance.seats[one] for one in entrants]
        else:
            rows: list[list[int]] = getattr(self.balance, kind)
            alike = [
                [rows[one][other] for one, other in pairs]
                for pairs in kinds_of_pairs(entrants, self.stayed, self.apart)
            ]
        return max((max(some) - min(some) for some in alike if some), default=0)

    def lines(self, *entrants: int) -> list[_Line]:
        """Sum up what is counted of some entrants, for each kind."""
        return [self.line(kind, entrants) for kind in self.kinds]


def balance(source: Source) -> Report:
    """Tell how evenly everybody has played, with whom, and where."""
    counts = _counts(source)
    whole = counts.lines(*counts.stayed)
    data: Rows = (
        *(("", _STAYED, line.kind, *line.cells) for line in whole),
        *(
            (name, counts.status.get(name, _STAYED), line.kind, *line.cells)
            for one in counts.told
            for name in [counts.names[one]]
            for line in counts.lines(one)
        ),
    )
    shown: Rows = tuple((_KINDS[line.kind], *line.cells) for line in whole)
    return source.report(
        "balance",
        _summary(source, counts, whole),
        Table((_NAME, _STATUS, _KIND, *_FIGURES), data),
        tables=(Table((_KIND, *_FIGURES), shown, _title(counts)), _each(counts)),
        notes=(
            _NOTE,
            *([_ALIKE] if counts.apart else []),
            *([] if "seats" in counts.kinds else [_BLOCKS]),
        ),
    )


def _counts(source: Source) -> _Counts:
    facts, results = source.facts, source.results
    tables = [tuple(_bot(seat.entrant) for seat in game.seats) for game in results]
    names = dict.fromkeys([*facts.entrants, *chain.from_iterable(tables)])
    places = {name: place for place, name in enumerate(names)}
    seats = len(tables[0]) if tables else facts.players
    sizes = Counter(game.block for game in results)
    are_shared = facts.match is None and (
        facts.luck == ROTATE or len(sizes) < len(tables)
    )
    blocks_open = sum(size != seats for size in sizes.values()) if are_shared else 0
    are_tables = are_shared and not blocks_open
    counted_tables = tables
    if are_tables:
        by_block = zip((game.block for game in results), tables, strict=True)
        counted_tables = list(dict(by_block).values())
    found = Balance(len(places), seats)
    for table in counted_tables:
        found.add([places[name] for name in table])
    groups = _apart(facts.owners, places, found)
    return _Counts(
        names=tuple(places),
        status=dict(facts.came_and_went),
        balance=found,
        apart=frozenset(
            frozenset((places[one], places[other]))
            for _, bots in groups
            for one, other in combinations(bots, 2)
        ),
        owned=groups,
        kinds=tuple(
            kind
            for kind in _KINDS
            if not (kind == "across" and seats % 2)
            and not (kind == "seats" and are_tables)
        ),
        size=seats,
        blocks=len(sizes) if are_shared else 0,
        blocks_open=blocks_open,
    )


def _apart(
    owners: Mapping[str, str], places: Mapping[str, int], found: Balance
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the owners with several bots of which no two have met, and these."""
    owned: defaultdict[str, list[str]] = defaultdict(list)
    for name in places:
        if owner := owners.get(name):
            owned[owner].append(name)
    return tuple(
        (owner, tuple(bots))
        for owner, bots in owned.items()
        if len(bots) > 1
        and not any(
            found.pairs[places[one]][places[other]]
            for one, other in combinations(bots, 2)
        )
    )


def _bot(name: str) -> str:
    """Return the bot behind a name that may have its version."""
    return name.partition("@")[0]


def _each(counts: _Counts) -> Table:
    """Return the table with a line for each entrant."""
    has_status = bool(counts.status)
    rows: list[tuple[str, ...]] = []
    for one in counts.told:
        name = counts.names[one]
        status = [counts.status.get(name, _STAYED)] if has_status else []
        rows.append((name, *status, *(line.range for line in counts.lines(one))))
    return Table(
        (
            _NAME,
            *([_STATUS] if has_status else []),
            *(Column(_KINDS[kind], kind) for kind in counts.kinds),
        ),
        tuple(rows),
        "Each entrant, with those who were there all along",
    )


def _title(counts: _Counts) -> str:
    if counts.status:
        return f"Between the {len(counts.stayed)} who were there all along"
    return f"Between all {len(counts.names)}"


def _summary(source: Source, counts: _Counts, whole: Sequence[_Line]) -> str:
    """Say in sentences how even it is, and for whom it is not."""
    facts = source.facts
    if not source.results:
        return "No game counts yet."
    is_over = facts.state == "finished" or not facts.games_planned
    so_far = "" if is_over else " so far"
    if facts.match is not None:
        return (
            f"Even{so_far} between the two sides, which sit in all arrangements; "
            "between entrants of a side counts differ by what the table says."
        )
    who = "those who were there all along" if counts.status else "all"
    uneven = [
        f"{_KINDS[line.kind].lower()} ({line.apart}, at most {line.aim})"
        for line in whole
        if not line.is_even
    ]
    first = f"Even{so_far}: between {who} nothing is further apart than it should be."
    if uneven:
        first = (
            f"Not quite even{so_far}: between {who} it is further apart than it should "
            f"be in {listed(uneven)}."
        )
    apart = apart_text(counts.owned)
    excluded = _excluded(source, is_uneven=bool(uneven))
    said = [first, _open_text(counts), apart, excluded, *_moved(counts)]
    return " ".join(filter(None, said))


def _open_text(counts: _Counts) -> str:
    """Say how many blocks are not whole."""
    if not counts.blocks_open:
        return ""
    verb = "is" if counts.blocks_open == 1 else "are"
    of_all = f"{counts.blocks_open} of {counted(counts.blocks, 'block')}"
    return f"{of_all} {verb} not whole, so games are counted one by one."


def _excluded(source: Source, *, is_uneven: bool) -> str:
    """Say who is excluded, and how many games do not count because of it."""
    facts = source.facts
    names = [name for name, what in facts.came_and_went.items() if what == EXCLUDED]
    if not names:
        return ""
    verb = "was" if len(names) == 1 else "were"
    if not (games := facts.excluded_games):
        return f"{listed(names)} {verb} excluded."
    lost = "1 game does" if games == 1 else f"{games} games do"
    cause = ", which may be why" if is_uneven else ""
    return f"{listed(names)} {verb} excluded, so that {lost} not count{cause}."


def _moved(counts: _Counts) -> Iterator[str]:
    """Say of each who came or went how often it has played."""
    unit = "game" if "seats" in counts.kinds else "block"
    least = counts.line("games", counts.stayed).least
    for one in counts.told:
        name, played = counts.names[one], counts.balance.games[one]
        if name not in counts.status:
            continue
        text = f"{name} {counts.status[name]} and has played {counted(played, unit)}"
        behind = least - played
        if counts.status[name] != LATE:
            yield f"{text}."
        elif behind <= _BEHIND_MAX:
            yield f"{text}, as many as those who were there all along."
        else:
            yield f"{text}, {behind} fewer than any who was there all along."
