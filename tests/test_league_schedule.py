"""The schedule: who plays whom, in which seats, in which order."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.balance import Balance, Spreads, balance_of
from leagues.schedule import schedule

SIX_ENTRANTS_CYCLE = comb(6, 4) * 24


def worst_spreads(
    seatings: list[tuple[int, ...]], *, entrants: int, every: int = 1
) -> Spreads:
    """The worst of each spread over all beginnings of whole rounds."""
    balance = Balance(entrants, 4)
    worst = Spreads(0, 0, 0, 0)
    for number, seating in enumerate(seatings, 1):
        balance.add(seating)
        if number % every == 0:
            now = balance.spreads()
            worst = Spreads(
                max(worst.games, now.games),
                max(worst.pairs, now.pairs),
                max(worst.lefts, now.lefts),
                max(worst.seats, now.seats),
            )
    return worst


def test_a_cycle_of_six_entrants_holds_every_seating_once() -> None:
    """All subsets of four, all cyclic orders and all rotations come in turn."""
    seatings = schedule(6, games=SIX_ENTRANTS_CYCLE)

    assert SIX_ENTRANTS_CYCLE == len(set(seatings))
    assert Spreads(0, 0, 0, 0) == balance_of(seatings, entrants=6).spreads()


@pytest.mark.parametrize(
    ("entrants", "worst"),
    [
        (4, Spreads(0, 0, 2, 2)),
        (5, Spreads(1, 2, 2, 3)),
        (6, Spreads(1, 2, 3, 3)),
        (7, Spreads(1, 2, 3, 3)),
        (8, Spreads(1, 3, 3, 3)),
        (9, Spreads(2, 3, 3, 4)),
    ],
)
def test_every_beginning_of_a_small_league_is_even(
    entrants: int, worst: Spreads
) -> None:
    """Wherever 240 games of a small league stop, nobody is favoured."""
    seatings = schedule(entrants, games=240)

    assert worst == worst_spreads(seatings, entrants=entrants)


@pytest.mark.parametrize(
    ("entrants", "worst"),
    [
        (10, Spreads(1, 4, 3, 3)),
        (13, Spreads(1, 3, 3, 5)),
        (16, Spreads(0, 3, 4, 4)),
        (20, Spreads(0, 3, 4, 5)),
    ],
)
def test_every_round_of_a_larger_league_is_even(entrants: int, worst: Spreads) -> None:
    """At the end of every round of a larger league the counts are close."""
    tables = entrants // 4
    seatings = schedule(entrants, games=4 * entrants * tables)

    assert worst == worst_spreads(seatings, entrants=entrants, every=tables)


def test_the_tables_of_a_round_share_nobody() -> None:
    """The games of a round can all be played at the same time."""
    seatings = schedule(18, games=40)

    for start in range(0, 40, 4):
        seated = [one for table in seatings[start : start + 4] for one in table]

        assert len(seated) == len(set(seated))


def test_a_long_league_turns_its_cycle() -> None:
    """After a whole cycle of rounds the same tables come with turned seats."""
    cycle = 4 * 10 * 2 * 13
    seatings = schedule(10, games=4 * cycle)
    balance = balance_of(seatings, entrants=10)

    assert seatings[0][1:] + seatings[0][:1] == seatings[cycle]
    assert [[4 * cycle * 4 // 40] * 4] * 10 == balance.seats


@pytest.mark.parametrize(
    ("seats", "entrants", "worst"),
    [
        (3, 3, Spreads(0, 0, 0, 0)),
        (3, 7, Spreads(1, 1, 2, 2)),
        (5, 6, Spreads(0, 0, 2, 2)),
        (6, 7, Spreads(1, 2, 2, 3)),
        (7, 7, Spreads(0, 0, 2, 3)),
        (7, 12, Spreads(0, 3, 1, 4)),
        (8, 12, Spreads(0, 2, 2, 4)),
        (11, 13, Spreads(1, 2, 2, 4)),
    ],
)
def test_leagues_of_every_table_size_are_even(
    seats: int, entrants: int, worst: Spreads
) -> None:
    """After 480 games of three to eleven seats the counts are close."""
    seatings = schedule(entrants, games=480, seats=seats)

    assert worst == balance_of(seatings, entrants=entrants).spreads()


@pytest.mark.parametrize(("seats", "entrants"), [(4, 12), (7, 7), (7, 12), (8, 10)])
def test_a_long_schedule_stays_even(seats: int, entrants: int) -> None:
    """After 10,000 games meetings differ by a fortieth, neighbours by a tenth."""
    games = 10_000
    seatings = schedule(entrants, games=games, seats=seats)
    meetings = games * seats * (seats - 1) / (entrants * (entrants - 1))
    spreads = balance_of(seatings, entrants=entrants).spreads()

    assert spreads.pairs <= meetings / 40
    assert spreads.lefts <= meetings / (seats - 1) / 10


@pytest.mark.parametrize("seats", range(3, 12))
def test_thirty_entrants_are_scheduled_at_once(seats: int) -> None:
    """No schedule goes through all the sets of thirty entrants."""
    seatings = schedule(30, games=60, seats=seats)

    assert [seats] * 60 == [len(set(seating)) for seating in seatings]


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    entrants=st.integers(4, 24),
    games=st.integers(0, 60),
    more=st.integers(0, 30),
    seats=st.integers(3, 11),
)
def test_a_longer_schedule_begins_with_the_shorter_one(
    entrants: int, games: int, more: int, seats: int
) -> None:
    """A league that is prolonged keeps the games that it has."""
    entrants = max(entrants, seats)
    shorter = schedule(entrants, games=games, seats=seats)
    longer = schedule(entrants, games=games + more, seats=seats)

    assert shorter == longer[:games]
    assert games + more == len(longer)
    for seating in longer:
        assert seats == len(set(seating))
        assert set(seating) <= set(range(entrants))


def test_counts_are_those_of_a_plain_count() -> None:
    """The running counts equal counts made from the list."""
    seatings = schedule(7, games=50)
    balance = balance_of(seatings, entrants=7)

    for one, other in combinations(range(7), 2):
        met = sum(one in seating and other in seating for seating in seatings)

        assert met == balance.pairs[one][other]
    for seating in seatings[:1]:
        assert balance.lefts[seating[-1]][seating[0]] >= 1


def test_too_few_entrants_are_refused() -> None:
    """Three entrants cannot fill four seats."""
    with pytest.raises(ValueError, match="3 entrants cannot fill 4 seats"):
        schedule(3, games=1)
