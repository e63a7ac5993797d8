"""Blocks: which games share their deals, and who plays them in which seats."""

from collections import Counter
from functools import partial
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.blocks import NONE, ROTATE, Blocks, blocks_of, planned, rotations
from leagues.scheduling.balance import balance_of
from leagues.scheduling.schedule import schedule

SIZES = [
    (4, 3),
    (5, 3),
    (4, 4),
    (6, 4),
    (9, 4),
    (13, 4),
    (5, 5),
    (8, 5),
    (7, 6),
    (7, 7),
]
"""Entrants and seats."""


def cyclic(seating: tuple[int, ...]) -> tuple[int, ...]:
    """What all rotations of a seating share."""
    first = seating.index(min(seating))
    return seating[first:] + seating[:first]


@given(st.integers(1, 10**7), st.integers(1, 11))
def test_a_game_is_one_of_its_block(number: int, size: int) -> None:
    """Numbers follow each other within a block, and the rotation counts them."""
    blocks = Blocks(size)
    games = blocks.games(blocks.block(number))

    assert size == len(games)
    assert number == games[blocks.rotation(number)]


def test_the_first_numbers_of_a_rotated_league() -> None:
    """Games, blocks and rotations count as the documents say."""
    blocks = blocks_of(ROTATE, seats=4)

    assert [1, 1, 1, 1, 2, 2] == [blocks.block(number) for number in range(1, 7)]
    assert [0, 1, 2, 3, 0, 1] == [blocks.rotation(number) for number in range(1, 7)]
    assert [7] == [blocks_of(NONE, seats=4).block(number) for number in [7]]


def test_a_block_is_open_from_its_first_game_to_its_last() -> None:
    """Whole blocks and those not begun are not open."""
    blocks = blocks_of(ROTATE, seats=3)

    assert {2, 4} == blocks.open([1, 2, 3, 5, 10, 12])
    assert set() == blocks_of(NONE, seats=3).open([1, 5])


def test_rotations_turn_the_table_clockwise() -> None:
    """Each turn moves everybody on by one seat, beside the same neighbours."""
    assert [(7, 8, 9), (9, 7, 8), (8, 9, 7)] == rotations((7, 8, 9))


@pytest.mark.parametrize(("entrants", "seats"), SIZES)
def test_each_block_is_one_seating_in_all_rotations(entrants: int, seats: int) -> None:
    """So in every block everybody sits in every seat once."""
    games = planned(entrants, games=30 * seats, seats=seats, luck=ROTATE)

    assert 30 * seats == len(games)
    for first in range(0, len(games), seats):
        assert rotations(games[first]) == games[first : first + seats]


@pytest.mark.parametrize(("entrants", "seats"), SIZES)
def test_the_tables_are_those_of_the_plain_schedule(entrants: int, seats: int) -> None:
    """Who meets whom in which block is as even as in a league of as many games."""
    tables = schedule(entrants, games=60, seats=seats)
    games = planned(entrants, games=60 * seats, seats=seats, luck=ROTATE)

    assert list(map(set, tables)) == list(map(set, games[::seats]))
    assert [0] * entrants == [
        max(counts) - min(counts)
        for counts in balance_of(games, entrants=entrants).seats
    ]


@pytest.mark.parametrize(("entrants", "seats"), [(4, 3), (4, 4), (5, 4), (5, 5)])
def test_no_cyclic_order_comes_again_before_all_others(
    entrants: int, seats: int
) -> None:
    """A block never repeats what rotations of an earlier one have played."""
    blocks = 3 * factorial(seats - 1) * entrants
    games = planned(entrants, games=blocks * seats, seats=seats, luck=ROTATE)
    played: dict[frozenset[int], Counter[tuple[int, ...]]] = {}
    for seating in games[::seats]:
        counts = played.setdefault(frozenset(seating), Counter())
        counts[cyclic(seating)] += 1
        laps, extra = divmod(counts.total(), factorial(seats - 1))

        assert laps + (extra > 0) == max(counts.values())
        assert extra == 0 or extra == sum(n == laps + 1 for n in counts.values())


def test_many_seats_find_new_orders_too() -> None:
    """Seven entrants at seven seats never sit in the same cyclic order again."""
    games = planned(7, games=7 * 1500, seats=7, luck=ROTATE)

    assert factorial(6) == len({cyclic(seating) for seating in games[: 7 * 720 : 7]})


@pytest.mark.parametrize(("entrants", "seats"), SIZES)
def test_a_longer_schedule_begins_with_the_shorter_one(
    entrants: int, seats: int
) -> None:
    """So a rotated league can be prolonged by whole blocks."""
    short = planned(entrants, games=7 * seats, seats=seats, luck=ROTATE)
    long = planned(entrants, games=40 * seats, seats=seats, luck=ROTATE)

    assert short == long[: len(short)]


@pytest.mark.parametrize(("entrants", "seats"), SIZES)
@pytest.mark.parametrize("luck", [NONE, ROTATE])
def test_games_that_are_planned_already_stay(
    entrants: int, seats: int, luck: str
) -> None:
    """Whatever a league began with is kept, and gone on with in whole blocks."""
    plan = partial(planned, entrants, seats=seats, luck=luck)
    own = plan(games=7 * seats)
    other = [game for block in range(3) for game in rotations(range(seats))]

    assert plan(games=20 * seats) == plan(games=20 * seats, begun=own)
    assert own == plan(games=3 * seats, begun=own)
    longer = plan(games=20 * seats, begun=other)

    assert other == longer[: len(other)]
    assert 20 * seats == len(longer)
    if luck == ROTATE:
        assert [0] * entrants == [
            max(counts) - min(counts)
            for counts in balance_of(longer, entrants=entrants).seats
        ]


def test_a_part_of_a_block_is_refused() -> None:
    """Nobody plans a block without all its rotations."""
    with pytest.raises(ValueError, match="10 games are no whole number of blocks of 4"):
        planned(5, games=10, seats=4, luck=ROTATE)


def test_without_rotations_the_plan_is_the_schedule() -> None:
    """Luck `none` changes nothing."""
    assert schedule(6, games=50) == planned(6, games=50, seats=4, luck=NONE)
