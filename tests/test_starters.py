"""Starters: rounds from which whole cycles follow."""

from __future__ import annotations

from itertools import chain

import pytest

from leagues.scheduling.balance import Spreads, balance_of
from leagues.scheduling.starters import (
    Starter,
    StarterError,
    formula,
    starter_for,
    verified,
)

FOUND = [n for n in range(5, 41) if formula(n, 4) is None]


def test_the_formula_gives_the_known_blocks() -> None:
    """For 13 entrants the powers of 2 give three tables that everybody can check."""
    starter = formula(13, 4)

    assert starter is not None
    assert ((1, 8, 12, 5), (2, 3, 11, 10), (4, 6, 9, 7)) == starter.blocks
    assert starter.is_exact


@pytest.mark.parametrize(
    ("seats", "primes"),
    [
        (3, [7, 13, 19, 31, 37]),
        (4, [5, 13, 17, 29, 37]),
        (5, [11, 31]),
        (6, [7, 13, 19, 31, 37]),
        (7, [29]),
    ],
)
def test_the_formula_is_exact_for_its_primes(seats: int, primes: list[int]) -> None:
    """Everybody meets everybody, in every relation, equally often."""
    found = {n: one for n in range(seats + 1, 41) if (one := formula(n, seats))}

    assert primes == list(found)
    for starter in found.values():
        cycle = [table for tables in starter.cycle() for table in tables]
        balance = balance_of(cycle, entrants=starter.entrants)

        assert Spreads(0, 0, 0, 0, 0) == balance.spreads()
        assert seats - 1 == balance.pairs[0][1]


@pytest.mark.parametrize("entrants", FOUND)
def test_every_starter_that_was_found_is_there(entrants: int) -> None:
    """Four seats have a starter for each number of entrants up to 40."""
    starter = starter_for(entrants, 4)
    assert starter is not None
    cycle = list(chain(*starter.cycle()))
    found = balance_of(cycle, entrants=entrants).spreads()
    counted = starter.spreads()

    assert (0, counted) == (
        found.games,
        {"pairs": found.pairs, "lefts": found.lefts, "across": found.across},
    )
    meetings = 3 * 4 * (entrants // 4)
    is_whole = entrants % 4 == 0 or meetings % (entrants - 1) == 0
    assert (0 if is_whole else 1) == found.pairs
    assert starter.rounds * (entrants // 4) == len(set(cycle))


def test_other_numbers_have_no_starter() -> None:
    """Neither the formula nor the search has one for 12 entrants at five seats."""
    assert starter_for(12, 5) is None
    assert starter_for(100, 4) is None


@pytest.mark.parametrize(
    ("starter", "problem"),
    [
        (Starter(6, "Z", ((3, 0, 2),)), "expected 1 blocks of 4"),
        (Starter(9, "Z", ((4, 2, 0, 3),)), "expected 2 blocks of 4"),
        (Starter(6, "Z", ((3, 0, 2, 3),)), "expected different entrants from 0 to 5"),
        (Starter(6, "Z", ((3, 0, 2, 6),)), "expected different entrants from 0 to 5"),
        (Starter(6, "Z", ((0, 1, 2, 3),)), "lefts differ by 3, expected at most 2"),
        (Starter(7, "Z", ((0, 1, 2, 3),)), "pairs differ by 2, expected at most 1"),
        (Starter(6, "Q8", ((3, 0, 2, 4),)), "'Q8' is no group of 6"),
        (Starter(10, "Z3x3", ((8, 2, 7, 0),)), "'Z3x3' is no group of 10"),
    ],
)
def test_a_starter_that_is_none_is_refused(starter: Starter, problem: str) -> None:
    """Blocks are looked at before anybody is seated by them."""
    with pytest.raises(StarterError) as caught:
        verified(starter, 4)

    assert f"starter of {starter.entrants} entrants: {problem}" == str(caught.value)
