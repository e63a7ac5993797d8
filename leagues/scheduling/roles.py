"""Other roles in a design: which entrant plays the part of which.

A cycle that is played again meets the same people again. With the entrants in other
roles it is as good a cycle, and may make up for what was uneven.
"""

from collections.abc import Sequence
from itertools import combinations
from math import gcd
from operator import mul, sub
from typing import Final

from leagues.scheduling.balance import Balance
from leagues.scheduling.draws import Below, shuffled
from leagues.scheduling.starters import Block, Starter

__all__ = ["Again", "in_other_roles"]

Roles = Sequence[int]
"""Who plays the part of each entrant of the design."""

_WEIGHTS: Final = (4, 1, 2, 2)
"""What meetings, those across, and neighbours on either side weigh."""
_ROLES_DRAWN: Final = 4
"""How many ways to give the entrants other roles are drawn."""
_PASSES_MAX: Final = 6


def in_other_roles(
    starter: Starter, balance: Balance, below: Below
) -> list[list[Block]]:
    """Return a starter's cycle such that it makes up best for what is uneven."""
    cycle = starter.cycle()
    drawn = [shuffled(range(starter.entrants), below) for _ in range(_ROLES_DRAWN)]
    if starter.is_exact:
        # There is nothing to make up for, but there are others to sit with.
        return _renamed(cycle, drawn[0])
    reversed_cycle = [[table[::-1] for table in tables] for tables in cycle]
    found = []
    for design in (cycle, reversed_cycle):
        again = Again(balance, design)
        best = min([*_multiples(starter), *drawn], key=again.cost)
        found.append((again.cost(best), again, best, design))
    _, again, best, design = min(found, key=lambda one: one[0])
    return _renamed(design, again.exchanged(best))


class Again:
    """How often those meet again, in the same relation, who have met before."""

    def __init__(self, balance: Balance, design: list[list[Block]]) -> None:
        cycle = Balance(len(balance.games), len(balance.seats[0]))
        for tables in design:
            for table in tables:
                cycle.add(table)
        self._relations = list(
            zip(_WEIGHTS, _relations(balance), _relations(cycle), strict=True)
        )

    def cost(self, roles: Roles) -> int:
        """Return the cost of a cycle in these roles."""
        return sum(
            weight * sum(map(mul, row, map(before[role].__getitem__, roles)))
            for weight, before, cycle in self._relations
            for role, row in zip(roles, cycle, strict=True)
        )

    def exchanged(self, roles: Roles) -> Roles:
        """Exchange two roles for as long as that lessens the cost."""
        better = list(roles)
        for _ in range(_PASSES_MAX):
            before = better.copy()
            for one, other in combinations(range(len(better)), 2):
                if self._added(better, one, other) < 0:
                    better[one], better[other] = better[other], better[one]
            if before == better:
                break
        return better

    def _added(self, roles: Roles, one: int, other: int) -> int:
        """What an exchange adds to half the cost."""
        mine, its = roles[one], roles[other]
        added = 0
        for weight, before, cycle in self._relations:
            steps = list(map(sub, before[its], before[mine]))
            change = list(map(sub, cycle[one], cycle[other]))
            change[one] = change[other] = 0
            added += weight * sum(map(mul, change, map(steps.__getitem__, roles)))
        weight, lefts, sits = self._relations[-1]
        turned = (lefts[its][mine] - lefts[mine][its]) * (
            sits[one][other] - sits[other][one]
        )
        return added + weight * turned


def _relations(balance: Balance) -> list[list[list[int]]]:
    rights = list(map(list, zip(*balance.lefts, strict=True)))
    return [balance.pairs, balance.across, rights, balance.lefts]


def _renamed(design: list[list[Block]], roles: Roles) -> list[list[Block]]:
    return [
        [tuple(roles[one] for one in table) for table in tables] for tables in design
    ]


def _multiples(starter: Starter) -> list[Roles]:
    """Return the roles that keep a design cyclic, with other differences."""
    order = starter.rounds
    if starter.group == "Z3x3":
        return [range(order)]
    last = range(order, starter.entrants)
    return [
        [*(one * factor % order for one in range(order)), *last]
        for factor in range(1, order)
        if gcd(factor, order) == 1
    ]
