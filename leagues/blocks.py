"""Blocks: the games of a league that are dealt from the same cards.

With luck `none` every game has cards of its own and is a block by itself. With
`rotate` a seating is played in all its rotations, each time with the same deals, so
that everybody holds every hand once: the games of one block are k at k seats, and
their numbers follow each other. With `arrange` two bots share the seats in all
arrangements, as a match has it: six games at four seats. Whatever is said about errors
is said by block.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from math import factorial
from typing import Final

from arena.arrangements import arrangements, bots_per_side
from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.owners import NO_OWNERS, Owners
from leagues.scheduling.schedule import prolonged, schedule

__all__ = [
    "ARRANGE",
    "NONE",
    "NOTHING_WITHHELD",
    "ROTATE",
    "SHARED",
    "Blocks",
    "Withheld",
    "are_rotated",
    "blocks_of",
    "in_new_orders",
    "planned",
    "rotations",
]

NONE: Final = "none"
"""Every game has deals of its own."""
ROTATE: Final = "rotate"
"""Every seating is played in all its rotations, with the same deals."""
ARRANGE: Final = "arrange"
"""Two sides play each deal in all arrangements at the table."""
SHARED: Final = "shared"
"""Games share their deals in some other way: those of open leagues with one seed, say,
that are rated together. No league is planned so."""

_LISTED_SEATS_MAX: Final = 6
"""The most seats of which all cyclic orders are compared: 120."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """How the games of a league fall into blocks; all numbers count from 1."""

    size: int
    """How many games a block has."""

    @property
    def are_shared(self) -> bool:
        """Whether games share their deals."""
        return self.size > 1

    def block(self, number: int) -> int:
        """Return the block of a game."""
        return (number - 1) // self.size + 1

    def rotation(self, number: int) -> int:
        """Return by how many seats a game's seating is turned, from 0."""
        return (number - 1) % self.size

    def games(self, block: int) -> range:
        """Return the games of a block."""
        first = (block - 1) * self.size + 1
        return range(first, first + self.size)

    def open(self, finished: Iterable[int]) -> frozenset[int]:
        """Return the blocks of which some games are finished, and not all."""
        counts = Counter(map(self.block, finished))
        return frozenset(block for block, n in counts.items() if n < self.size)


@dataclass(frozen=True, slots=True)
class Withheld:
    """How much of a league is withheld."""

    games: int = 0
    """Finished games of open blocks."""
    blocks: int = 0
    """Open blocks."""

    def __str__(self) -> str:
        games = "1 game" if self.games == 1 else f"{self.games} games"
        blocks = "1 open block" if self.blocks == 1 else f"{self.blocks} open blocks"
        are, come = ("is", "comes") if self.blocks == 1 else ("are", "come")
        return (
            f"{games} of {blocks} {are} withheld until all games of each are "
            f"played, since the same deals {come} again"
        )


NOTHING_WITHHELD: Final = Withheld()


def blocks_of(luck: str, *, seats: int) -> Blocks:
    """Return the blocks of a league with this luck mode and tables of so many seats."""
    if luck == ARRANGE:
        return Blocks(len(arrangements(seats)))
    return Blocks(seats if luck == ROTATE else 1)


def rotations(seating: Sequence[int]) -> list[Seating]:
    """Return a seating turned by no seat, by one clockwise, and so on."""
    seats = len(seating)
    return [
        tuple(seating[(seat - turn) % seats] for seat in range(seats))
        for turn in range(seats)
    ]


def are_rotated(seatings: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether no two seatings are the same, and all are rotations of the first."""
    if len(set(seatings)) < len(seatings):
        return False
    first = seatings[0]
    turns = {(*first[turn:], *first[:turn]) for turn in range(len(first))}
    return turns.issuperset(seatings)


def planned(
    entrants: int,
    *,
    games: int,
    seats: int,
    luck: str,
    owners: Owners = NO_OWNERS,
    begun: Sequence[Seating] = (),
) -> list[Seating]:
    """Plan the games of a league.

    A schedule of rotated games takes its tables from the plain one. Whatever is a
    rotation of what the same entrants have played is seated in another cyclic order,
    until they have played in all of them.

    Args:
        entrants: How many there are.
        games: How many games are planned in all.
        seats: How many seats a table has.
        luck: `NONE`, `ROTATE` or `ARRANGE`.
        owners: Who owns each entrant; two of one owner never meet.
        begun: Games that are planned already, which stay as they are.

    Raises:
        ValueError: As `schedule` does, or the games are no whole number of blocks.
    """
    if luck == ARRANGE:
        return [*begun, *_arranged(games, seats=seats)[len(begun) :]]
    if luck != ROTATE:
        return prolonged(begun, entrants, games=games, seats=seats, owners=owners)
    if games % seats:
        raise ValueError(f"{games} games are no whole number of blocks of {seats}")
    blocks = max(games, len(begun)) // seats
    tables = schedule(entrants, games=blocks, seats=seats, owners=owners)
    rotated = _rotated(tables, entrants=entrants, seats=seats)
    if list(begun) == rotated[: len(begun)]:
        return rotated
    first = begun[::seats]
    tables = prolonged(first, entrants, games=blocks, seats=seats, owners=owners)
    rotated = _rotated(tables, entrants=entrants, seats=seats)
    return [*begun, *rotated[len(begun) :]]


def _arranged(games: int, *, seats: int) -> list[Seating]:
    """Seat two sides in all arrangements, again and again.

    Entrants of a side take turns: at which of its seats each sits, and who of them is
    left out where a side has fewer seats.
    """
    ways, bots = arrangements(seats), bots_per_side(seats)
    if games % len(ways):
        raise ValueError(f"{games} games are no whole number of blocks of {len(ways)}")
    turns = [*permutations(range(bots))]
    seatings = []
    for block in range(games // len(ways)):
        for number, way in enumerate(ways):
            turn = turns[(block + number // 2) % len(turns)]
            places = [way[:seat].count(side) for seat, side in enumerate(way)]
            seatings.append(
                tuple(
                    bots * side + turn[place]
                    for side, place in zip(way, places, strict=True)
                )
            )
    return seatings


def _rotated(tables: Iterable[Seating], *, entrants: int, seats: int) -> list[Seating]:
    """Turn each table through all its rotations, in orders that are new."""
    orders = in_new_orders(tables, entrants=entrants, seats=seats)
    return [seating for order in orders for seating in rotations(order)]


def in_new_orders(
    tables: Iterable[Seating],
    *,
    entrants: int,
    seats: int,
    begun: Iterable[Seating] = (),
) -> Iterator[Seating]:
    """Seat each table in a cyclic order in which its entrants have not sat yet.

    Args:
        tables: Who plays; a table's own order is kept where it is new.
        entrants: How many there are.
        seats: How many seats a table has.
        begun: Orders that were played before.
    """
    balance = Balance(entrants, seats)
    played: dict[frozenset[int], set[Seating]] = {}

    def known_orders(table: Seating) -> set[Seating]:
        known = played.setdefault(frozenset(table), set())
        if len(known) == factorial(seats - 1):
            known.clear()
        return known

    def note(order: Seating, known: set[Seating]) -> None:
        known.add(_cyclic(order))
        balance.add(order)

    for order in begun:
        note(order, known_orders(order))
    for table in tables:
        known = known_orders(table)
        order = table
        if _cyclic(table) in known:
            order = min(_unplayed(table, known), key=balance.order_cost)
        note(order, known)
        yield order


def _cyclic(order: Sequence[int]) -> Seating:
    """Return what is the same for all rotations of an order."""
    first = order.index(min(order))
    return (*order[first:], *order[:first])


def _unplayed(table: Seating, known: Collection[Seating]) -> list[Seating]:
    """Return cyclic orders of a table that are not known: all, or some of very many."""
    first, *others = sorted(table)
    orders = ((first, *rest) for rest in permutations(others))
    if len(table) <= _LISTED_SEATS_MAX:
        return [order for order in orders if order not in known]
    near = [_exchanged(table, one, other) for one, other in _pairs(len(table))]
    found = [order for order in near if _cyclic(order) not in known]
    return found or list(islice((one for one in orders if one not in known), 1))


def _pairs(seats: int) -> Iterator[tuple[int, int]]:
    return combinations(range(seats), 2)


def _exchanged(order: Seating, one: int, other: int) -> Seating:
    exchanged = list(order)
    exchanged[one], exchanged[other] = order[other], order[one]
    return tuple(exchanged)
