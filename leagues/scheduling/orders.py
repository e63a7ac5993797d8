"""In which order the entrants of a table sit."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.turns import turned

__all__ = ["LISTED_SEATS_MAX", "seated"]

LISTED_SEATS_MAX: Final = 5
"""The most seats of which all cyclic orders are gone through: 24."""


def seated(balance: Balance, table: Sequence[int]) -> Seating:
    """Seat a table: who are beside each other counts most, then who sits where."""
    if len(table) > LISTED_SEATS_MAX:
        return turned(balance, _settled(balance, table))
    orders = [[table[at] for at in order] for order in _cyclic_orders(len(table))]
    costs = [balance.neighbour_cost(order) for order in orders]
    least = min(costs)
    best = [order for order, cost in zip(orders, costs, strict=True) if cost == least]
    return min((turned(balance, order) for order in best), key=balance.seat_cost)


def _settled(balance: Balance, table: Sequence[int]) -> Seating:
    """Exchange two seats of a table for as long as that lessens its cost."""
    seating = list(table)
    cost, before = balance.neighbour_cost(seating), -1
    while before != cost:
        before = cost
        for one, other in combinations(range(len(seating)), 2):
            seating[one], seating[other] = seating[other], seating[one]
            exchanged = balance.neighbour_cost(seating)
            if exchanged < cost:
                cost = exchanged
            else:
                seating[one], seating[other] = seating[other], seating[one]
    return tuple(seating)


@lru_cache(maxsize=16)
def _cyclic_orders(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple((0, *rest) for rest in permutations(range(1, seats)))
