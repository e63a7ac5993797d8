"""How evenly a list of seatings treats its entrants.

A *seating* is a tuple of entrant indices, one for each seat, clockwise. What
counts: how many games an entrant plays, whom it meets, who sits on its left
(who receives its cards in a left pass), who sits across, and in which seats it
sits.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import chain, combinations, permutations, product
from typing import Final

__all__ = [
    "AIM",
    "AIM_APART",
    "Balance",
    "Check",
    "Pair",
    "Range",
    "Ranges",
    "Seating",
    "Spreads",
    "balance_of",
    "check",
    "kinds_of_pairs",
]

Seating = tuple[int, ...]
"""Entrant indices by seat."""

Pair = frozenset[int]

Range = tuple[int, int]
"""The least and the greatest."""

_LEFT_WEIGHT: Final = 2
"""What a neighbour weighs against somebody across: two of three passes go to one."""


@dataclass(frozen=True, slots=True)
class Spreads:
    """The greatest count less the smallest one, each 0 when perfectly even."""

    games: int
    """Between the games of two entrants."""
    pairs: int
    """Between the meetings of two pairs of entrants."""
    lefts: int
    """Between how often two ordered pairs sat as left neighbours."""
    across: int
    """Between how often two pairs sat across; 0 where nobody does."""
    seats: int
    """Between how often an entrant sat in two seats, the worst entrant."""

    def worst(self, other: "Spreads") -> "Spreads":
        """Return the greater of each two."""
        return Spreads(*map(max, astuple(self), astuple(other)))


AIM: Final = Spreads(games=3, pairs=3, lefts=3, across=3, seats=2)
"""How far counts are apart at the end of a round, in an even schedule, at most."""
AIM_APART: Final = Spreads(games=3, pairs=4, lefts=4, across=4, seats=3)
"""The same where bots of one owner never meet, between pairs that are to meet alike
often (`kinds_of_pairs`): there are fewer ways to make up for what is missing."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """The least and the greatest count of each kind."""

    games: Range
    """Of the games of an entrant."""
    pairs: Range
    """Of the meetings of two."""
    lefts: Range
    """Of how often one sat left of another."""
    across: Range
    """Of how often one sat across from another."""
    seats: Range
    """Of how often one sat in a seat."""


@dataclass(frozen=True, slots=True)
class Check:
    """How even a schedule is at its end, and where it is least so."""

    end: Spreads
    worst: Spreads
    """The worst of each spread over the ends of all rounds."""


class Balance:
    """Counts over a growing list of seatings."""

    def __init__(self, entrants: int, seats: int) -> None:
        self.games = [0] * entrants
        self.pairs = _square(entrants)
        self.lefts = _square(entrants)
        self.across = _square(entrants)
        self.seats = [[0] * seats for _ in range(entrants)]

    def add(self, seating: Sequence[int]) -> None:
        """Count one more game."""
        previous = seating[-1]
        for seat, entrant in enumerate(seating):
            self.games[entrant] += 1
            self.seats[entrant][seat] += 1
            self.lefts[previous][entrant] += 1
            previous = entrant
        for one, other in combinations(seating, 2):
            self.pairs[one][other] += 1
            self.pairs[other][one] += 1
        half, odd = divmod(len(seating), 2)
        if not odd:
            for one, other in zip(seating[:half], seating[half:], strict=True):
                self.across[one][other] += 1
                self.across[other][one] += 1

    def sit(self, before: Seating, after: Seating) -> None:
        """Turn a table that was counted."""
        for seat, entrant in enumerate(before):
            self.seats[entrant][seat] -= 1
        for seat, entrant in enumerate(after):
            self.seats[entrant][seat] += 1

    def join(self) -> int:
        """Let one more entrant in, who has played nothing, and return its index."""
        entrant = len(self.games)
        self.games.append(0)
        self.seats.append([0] * len(self.seats[0]))
        for counts in (self.pairs, self.lefts, self.across):
            for row in counts:
                row.append(0)
            counts.append([0] * (entrant + 1))
        return entrant

    def pair_cost(self, entrants: Iterable[int]) -> int:
        """How often these entrants have met, summed over their pairs."""
        return sum(self.pairs[one][other] for one, other in combinations(entrants, 2))

    def neighbour_cost(self, order: Sequence[int]) -> int:
        """How familiar those beside and across from each other are.

        It grows with the squares of the counts, so that none of them runs ahead.
        """
        lefts = self.lefts
        cost = 0
        previous = order[-1]
        for entrant in order:
            cost += lefts[previous][entrant] ** 2
            previous = entrant
        half, odd = divmod(len(order), 2)
        if odd:
            return _LEFT_WEIGHT * cost
        facing = zip(order[:half], order[half:], strict=True)
        return _LEFT_WEIGHT * cost + sum([self.across[a][b] ** 2 for a, b in facing])

    def seat_cost(self, seating: Sequence[int]) -> int:
        """How often these entrants sat in these seats, beyond their rarest ones."""
        cost = 0
        for seat, entrant in enumerate(seating):
            sat = self.seats[entrant]
            cost += (sat[seat] - min(sat)) ** 2
        return cost

    def order_cost(self, seating: Sequence[int]) -> tuple[int, int]:
        """How familiar neighbours are, and when that is equal, seats."""
        return self.neighbour_cost(seating), self.seat_cost(seating)

    def spreads(
        self, *, among: Sequence[int] | None = None, apart: Collection[Pair] = ()
    ) -> Spreads:
        """The spreads of everything counted so far.

        Args:
            among: Between which entrants; by default between all.
            apart: Pairs that may not meet, and so are left out.
        """
        some = range(len(self.games)) if among is None else among
        return self._spreads(some, _met(some, apart))

    def ranges(
        self, *, among: Sequence[int] | None = None, apart: Collection[Pair] = ()
    ) -> "Ranges":
        """The least and the greatest of everything counted so far.

        Args:
            among: Between which entrants; by default between all.
            apart: Pairs that may not meet, and so are left out.
        """
        some = range(len(self.games)) if among is None else among
        met = _met(some, apart)
        return Ranges(
            games=_range([self.games[a] for a in some]),
            pairs=_range([self.pairs[a][b] for a, b in met]),
            lefts=_range([self.lefts[a][b] for a, b in met]),
            across=_range([self.across[a][b] for a, b in met]),
            seats=_range([sat for a in some for sat in self.seats[a]]),
        )

    def _spreads(self, some: Sequence[int], met: Sequence[tuple[int, int]]) -> Spreads:
        return Spreads(
            games=_spread([self.games[a] for a in some]),
            pairs=_spread([self.pairs[a][b] for a, b in met]),
            lefts=_spread([self.lefts[a][b] for a, b in met]),
            across=_spread([self.across[a][b] for a, b in met]),
            seats=max((_spread(self.seats[a]) for a in some), default=0),
        )


def balance_of(seatings: Iterable[Sequence[int]], *, entrants: int) -> Balance:
    """Count a whole list of seatings, all with the same number of seats."""
    listed = list(seatings)
    balance = Balance(entrants, len(listed[0]) if listed else 1)
    for seating in listed:
        balance.add(seating)
    return balance


def check(
    rounds: Iterable[Sequence[Seating]],
    *,
    entrants: int,
    seats: int,
    among: Sequence[int] | None = None,
    apart: Collection[Pair] = (),
) -> Check:
    """Tell how even a schedule is, round after round.

    Args:
        rounds: The seatings of each round.
        entrants: How many there are.
        seats: How many seats a table has.
        among: Between which entrants; by default between all.
        apart: Pairs that may not meet, and so are not compared.
    """
    balance = Balance(entrants, seats)
    some = range(entrants) if among is None else among
    met = _met(some, apart)
    now = worst = Spreads(0, 0, 0, 0, 0)
    for seatings in rounds:
        for seating in seatings:
            balance.add(seating)
        now = balance._spreads(some, met)
        worst = worst.worst(now)
    return Check(end=now, worst=worst)


def _square(size: int) -> list[list[int]]:
    return [[0] * size for _ in range(size)]


def _met(some: Sequence[int], apart: Collection[Pair]) -> list[tuple[int, int]]:
    """Return the ordered pairs that can meet."""
    if not apart:
        return list(permutations(some, 2))
    return [(a, b) for a, b in permutations(some, 2) if {a, b} not in apart]


def kinds_of_pairs(
    ones: Sequence[int], others: Sequence[int], apart: Collection[Pair]
) -> list[list[tuple[int, int]]]:
    """Part the ordered pairs that can meet into those that are to meet alike often.

    Whoever may not meet somebody meets the others more often, and those most of all
    who may not meet many either: so pairs are alike in how many each of the two may
    not meet.

    Args:
        ones: Who comes first in a pair.
        others: Who comes second.
        apart: Pairs that may not meet, and so are left out.
    """
    barred = Counter(chain.from_iterable(apart))
    kinds: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for one, other in product(ones, others):
        if one == other or (apart and frozenset((one, other)) in apart):
            continue
        few, many = sorted((barred[one], barred[other]))
        kinds[few, many].append((one, other))
    return list(kinds.values())


def _range(counts: Sequence[int]) -> Range:
    return (min(counts), max(counts)) if counts else (0, 0)


def _spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts) if counts else 0
