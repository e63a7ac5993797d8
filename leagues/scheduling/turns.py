"""Turning tables: who sits where, when it is settled who sits beside whom.

In Hearts the seat itself decides nothing, for the first dealer is drawn; whom one
passes to does. So the cyclic order of a table is kept, and the table turned, such
that everybody sits in every seat nearly equally often at any time.
"""

from collections.abc import Sequence
from typing import Final

from leagues.scheduling.balance import Balance, Seating

__all__ = ["turned", "turned_rounds"]

_SPREAD_MAX: Final = 3
_END_SPREAD_MAX: Final = 2
"""How far apart the seats of an entrant should be at any time and at the end."""
_LOOK_BACK: Final = 8
"""How many games of an entrant are looked at to keep that."""
_PASSES_MAX: Final = 4


def turned(balance: Balance, order: Sequence[int]) -> Seating:
    """Turn a table so that everybody sits where it has sat least."""
    turns = _turns(order)
    return min(turns, key=balance.seat_cost)


def turned_rounds(
    balance: Balance, rounds: Sequence[Sequence[Seating]]
) -> list[list[Seating]]:
    """Turn the tables of rounds that are planned as a whole, and count them."""
    plan = _Plan(balance.seats)
    for tables in rounds:
        for table in tables:
            seating = turned(balance, table)
            balance.add(seating)
            plan.add(seating)
    before = list(plan.seatings)
    plan.mend()
    for old, new in zip(before, plan.seatings, strict=True):
        balance.sit(old, new)
    seatings = iter(plan.seatings)
    return [[next(seatings) for _ in tables] for tables in rounds]


class _Plan:
    """Seatings of which every beginning is to be even.

    Turning one table after the other leaves some entrant in a seat too often now and
    then; it may as well have sat elsewhere a few games before.
    """

    def __init__(self, seats: Sequence[Sequence[int]]) -> None:
        self.seatings: list[Seating] = []
        self._starts = [list(row) for row in seats]
        self._games: list[list[int]] = [[] for _ in seats]

    def add(self, seating: Seating) -> None:
        """Seat one more table."""
        for entrant in seating:
            self._games[entrant].append(len(self.seatings))
        self.seatings.append(seating)

    def mend(self) -> None:
        """Turn tables for as long as that helps those who are seated unevenly."""
        for _ in range(_PASSES_MAX):
            before = sum(map(self._excess, range(len(self._games))))
            if not before:
                return
            for entrant in range(len(self._games)):
                for game, _ in self._uneven(entrant):
                    self._mend_before(entrant, game)

    def _mend_before(self, entrant: int, game: int) -> None:
        """Turn one of the last tables of an entrant, where that helps."""
        for index in self._games[entrant][max(0, game - _LOOK_BACK) : game]:
            kept = self.seatings[index]
            least, best = sum(map(self._excess, kept)), kept
            for turn in _turns(kept)[1:]:
                self.seatings[index] = turn
                if (excess := sum(map(self._excess, turn))) < least:
                    least, best = excess, turn
            self.seatings[index] = best

    def _excess(self, entrant: int) -> int:
        """By how much its seats are further apart than they should be, over time."""
        return sum(excess for _, excess in self._uneven(entrant))

    def _uneven(self, entrant: int) -> list[tuple[int, int]]:
        """Return after which games, of its own, its seats are too far apart."""
        games = self._games[entrant]
        sat = self._starts[entrant].copy()
        found = []
        for game, index in enumerate(games, 1):
            sat[self.seatings[index].index(entrant)] += 1
            spread = max(sat) - min(sat)
            if spread > _END_SPREAD_MAX:
                most = _SPREAD_MAX if game < len(games) else _END_SPREAD_MAX
                if spread > most:
                    found.append((game, spread - most))
        return found


def _turns(order: Sequence[int]) -> list[Seating]:
    """Return the table in each of its turns, as it is first."""
    return [(*order[turn:], *order[:turn]) for turn in range(len(order))]
