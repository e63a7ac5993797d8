"""Arrangements: two sides share a table evenly, in all ways."""

import doctest
from collections import Counter
from math import comb, factorial

import pytest

from arena import arrangements as module
from arena.arrangements import SEATS_MAX, arrangements, bots_per_side
from leagues.blocks import ARRANGE, blocks_of, planned

SEATS = range(2, SEATS_MAX + 1)


@pytest.mark.parametrize("seats", SEATS)
def test_all_ways_are_there_once(seats: int) -> None:
    """The sides have as many seats, or one more, and every way to do so is played."""
    ways = arrangements(seats)
    shares = {sum(way) for way in ways}

    assert len(ways) == len(set(ways))
    assert {seats // 2, seats - seats // 2} == shares
    assert sum(comb(seats, share) for share in shares) == len(ways)


@pytest.mark.parametrize("seats", SEATS)
def test_sides_are_exchanged_in_each_second_game(seats: int) -> None:
    """Whatever the one side has had, the other has in the next game."""
    ways = arrangements(seats)

    assert [tuple(1 - side for side in way) for way in ways[::2]] == [*ways[1::2]]


@pytest.mark.parametrize("seats", SEATS)
def test_a_block_favours_no_side(seats: int) -> None:
    """Both sides sit in each seat as often, so far apart from a friend as often."""
    places: Counter[tuple[int, int]] = Counter()
    friends: Counter[tuple[int, int]] = Counter()
    for way in arrangements(seats):
        for seat, side in enumerate(way):
            places[side, seat] += 1
            for distance in range(1, seats):
                friends[side, distance] += way[(seat + distance) % seats] == side

    assert {len(arrangements(seats)) // 2} == set(places.values())
    for distance in range(1, seats):
        assert friends[0, distance] == friends[1, distance]


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_tables_that_are_too_small_or_large_are_refused(seats: int) -> None:
    """One seat is no match, and nine have too many arrangements."""
    with pytest.raises(ValueError, match="two sides share 2 to 8 seats"):
        arrangements(seats)


@pytest.mark.parametrize("seats", range(3, SEATS_MAX + 1))
def test_the_games_of_a_match_are_arrangements(seats: int) -> None:
    """Each block seats the sides in all ways, each entrant once a game at most."""
    size, bots = blocks_of(ARRANGE, seats=seats).size, bots_per_side(seats)
    games = planned(2 * bots, games=4 * size, seats=seats, luck=ARRANGE)
    sides = [tuple(entrant // bots for entrant in game) for game in games]

    assert 4 * [*arrangements(seats)] == sides
    assert {seats} == {len(set(game)) for game in games}


@pytest.mark.parametrize("seats", range(3, SEATS_MAX + 1))
def test_bots_of_a_side_take_turns(seats: int) -> None:
    """Over blocks each entrant sits in each seat exactly as often as its twins."""
    size, bots = blocks_of(ARRANGE, seats=seats).size, bots_per_side(seats)
    blocks = 2 * factorial(bots)
    games = planned(2 * bots, games=blocks * size, seats=seats, luck=ARRANGE)
    sat = Counter(entrant for game in games for entrant in game)
    seated = Counter((one, seat) for game in games for seat, one in enumerate(game))

    first = Counter(
        (one, seat) for game in games[:size] for seat, one in enumerate(game)
    )

    assert 1 == len(set(sat.values()))
    if seats == 4:
        # Of one deal each has every hand.
        assert {1, 2} == set(first.values())
        assert 4 * 4 == len(first)
    assert 2 * bots * seats == len(seated)
    assert 1 == len(set(seated.values()))


def test_a_longer_match_begins_with_the_shorter_one() -> None:
    """What is planned stays, and what is no whole block is refused."""
    short = planned(4, games=12, seats=4, luck=ARRANGE)

    assert (
        short == planned(4, games=30, seats=4, luck=ARRANGE, begun=short)[: len(short)]
    )
    with pytest.raises(ValueError, match="13 games are no whole number of blocks of 6"):
        planned(4, games=13, seats=4, luck=ARRANGE)


def test_the_example_is_true() -> None:
    """The example in the documentation runs as it says."""
    assert 0 == doctest.testmod(module).failed
