"""How evenly a list of seatings treats its entrants.

A *seating* is a tuple of entrant indices, one for each seat, clockwise. What
counts: how many games an entrant plays, whom it meets, who sits on its left
(who receives its cards in a left pass), and in which seats it sits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

Seating = tuple[int, ...]
"""Entrant indices by seat."""

_PAIR_WEIGHT = 4
_LEFT_WEIGHT = 2


@dataclass(frozen=True, slots=True)
class Spreads:
    """The greatest count less the smallest one, each 0 when perfectly even."""

    games: int
    """Between the games of two entrants."""
    pairs: int
    """Between the meetings of two pairs of entrants."""
    lefts: int
    """Between how often two ordered pairs sat as left neighbours."""
    seats: int
    """Between how often an entrant sat in two seats, the worst entrant."""


class Balance:
    """Counts over a growing list of seatings."""

    def __init__(self, entrants: int, seats: int) -> None:
        self.games = [0] * entrants
        self.pairs = [[0] * entrants for _ in range(entrants)]
        self.lefts = [[0] * entrants for _ in range(entrants)]
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

    def pair_cost(self, entrants: Iterable[int]) -> int:
        """How often these entrants have met, summed over their pairs."""
        return sum(self.pairs[one][other] for one, other in combinations(entrants, 2))

    def order_cost(self, seating: Sequence[int]) -> int:
        """How familiar the neighbours and the seats of a seating are.

        Adding 1 to a count c raises the sum of squares by 2c + 1, so that the
        least sum of counts is the least growth of the sum of squares.
        """
        lefts, seats = self.lefts, self.seats
        cost = 0
        previous = seating[-1]
        for seat, entrant in enumerate(seating):
            cost += _LEFT_WEIGHT * lefts[previous][entrant] + seats[entrant][seat]
            previous = entrant
        return cost

    def cost(self, seating: Sequence[int]) -> int:
        """How much a seating repeats what was there, by one figure."""
        return _PAIR_WEIGHT * self.pair_cost(seating) + self.order_cost(seating)

    def spreads(self) -> Spreads:
        """The spreads of everything counted so far."""
        everybody = range(len(self.games))
        pairs = [self.pairs[a][b] for a, b in combinations(everybody, 2)]
        lefts = [self.lefts[a][b] for a in everybody for b in everybody if a != b]
        return Spreads(
            games=_spread(self.games),
            pairs=_spread(pairs),
            lefts=_spread(lefts),
            seats=max(_spread(counts) for counts in self.seats),
        )


def balance_of(seatings: Iterable[Sequence[int]], *, entrants: int) -> Balance:
    """Count a whole list of seatings, all with the same number of seats."""
    listed = list(seatings)
    balance = Balance(entrants, len(listed[0]) if listed else 1)
    for seating in listed:
        balance.add(seating)
    return balance


def _spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts)
