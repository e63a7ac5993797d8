"""Other roles in a design: whoever has met before meets less."""

from __future__ import annotations

from itertools import combinations

from leagues.scheduling.balance import Balance
from leagues.scheduling.draws import draws, shuffled
from leagues.scheduling.roles import Again, in_other_roles
from leagues.scheduling.starters import Starter, starter_for


def begun(entrants: int) -> tuple[Starter, Balance]:
    """A starter, and the counts after its first cycle and a game more."""
    starter = starter_for(entrants, 4)
    assert starter is not None
    balance = Balance(entrants, 4)
    for tables in starter.cycle():
        for table in tables:
            balance.add(table)
    balance.add((3, 1, 4, 2))
    return starter, balance


def test_exchanged_roles_cannot_be_bettered_by_one_exchange() -> None:
    """Exchanging goes on until no exchange lessens the cost."""
    starter, balance = begun(14)
    again = Again(balance, starter.cycle())
    drawn = shuffled(range(14), draws("roles"))
    found = again.exchanged(drawn)

    assert list(range(14)) == sorted(found)
    assert again.cost(found) < again.cost(drawn)
    for one, other in combinations(range(14), 2):
        exchanged = list(found)
        exchanged[one], exchanged[other] = found[other], found[one]

        assert again.cost(found) <= again.cost(exchanged)


def test_a_second_cycle_makes_up_for_the_first() -> None:
    """After two cycles of ten entrants meetings differ no more than after one."""
    starter, balance = begun(10)
    for tables in in_other_roles(starter, balance, draws("cycle")):
        for table in tables:
            balance.add(table)

    assert balance.spreads().pairs <= 3
    assert balance.spreads().lefts <= 4


def test_an_exact_design_seats_others_together_in_its_next_cycle() -> None:
    """Nothing is left to make up for, and still the tables are other ones."""
    starter, balance = begun(13)
    first = {frozenset(table) for tables in starter.cycle() for table in tables}
    second = in_other_roles(starter, balance, draws("cycle"))
    tables = [frozenset(table) for tables in second for table in tables]

    assert 39 == len(set(tables))
    assert len(first & set(tables)) < 10
