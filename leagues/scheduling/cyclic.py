"""Rounds from a starter, cycle after cycle.

The rounds of a cycle come in the order in which games and meetings stay most even, and
the tables are turned so that seats do; who sits beside whom is the design's. A further
cycle is the same design with the entrants in other roles, those that make up best for
what is uneven so far.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.draws import Below, draws, shuffled
from leagues.scheduling.roles import in_other_roles
from leagues.scheduling.starters import Block, Starter
from leagues.scheduling.turns import turned_rounds

__all__ = ["cyclic_rounds"]

_ORDERS_TRIED: Final = 8
"""In how many orders the rounds of a cycle are tried."""


def cyclic_rounds(starter: Starter) -> Iterator[list[Seating]]:
    """Yield rounds for ever, each cycle as a whole."""
    balance = Balance(starter.entrants, len(starter.blocks[0]))
    below = draws("cyclic", starter.entrants, len(starter.blocks[0]))
    cycle = starter.cycle()
    while True:
        ordered = _ordered(balance, cycle, below)
        yield from turned_rounds(balance, ordered)
        cycle = in_other_roles(starter, balance, below)


def _ordered(
    balance: Balance, cycle: list[list[Block]], below: Below
) -> list[list[Block]]:
    """Put the rounds of a cycle into an order of which every beginning is even."""
    byes = len(balance.games) - sum(map(len, cycle[0]))
    tries = (
        _one_order(balance, shuffled(cycle, below))
        for _ in range(_ORDERS_TRIED if byes > 1 else 1)
    )
    return min(tries, key=lambda found: found[0])[1]


def _one_order(
    balance: Balance, waiting: list[list[Block]]
) -> tuple[tuple[int, int], list[list[Block]]]:
    """Take the evenest next round each time; tell how uneven it is at its worst."""
    games = balance.games.copy()
    pairs = [row.copy() for row in balance.pairs]
    ordered = []
    worst = (0, 0)
    while waiting:
        costs = [(_games_spread(games, some), _met(pairs, some)) for some in waiting]
        cost = min(costs)
        tables = waiting.pop(costs.index(cost))
        worst = max(worst, cost)
        ordered.append(tables)
        for table in tables:
            for one in table:
                games[one] += 1
                for other in table:
                    pairs[one][other] += 1
    return worst, ordered


def _games_spread(games: Sequence[int], tables: Sequence[Block]) -> int:
    """How far games come apart if these tables are next."""
    after = list(games)
    for table in tables:
        for one in table:
            after[one] += 1
    return max(after) - min(after)


def _met(pairs: Sequence[Sequence[int]], tables: Sequence[Block]) -> int:
    """How familiar those are who would meet."""
    return sum([pairs[a][b] ** 2 for some in tables for a, b in combinations(some, 2)])
