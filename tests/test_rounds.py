"""Rounds from the counts so far: late joiners, who withdraws, and owners."""

from __future__ import annotations

from itertools import chain, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.scheduling.balance import Balance, Seating, balance_of, check
from leagues.scheduling.greedy import next_round, rounds_from
from leagues.scheduling.owners import Owners, OwnersError
from leagues.scheduling.schedule import rounds, schedule


def played(balance: Balance, players: list[int], count: int) -> list[list[Seating]]:
    """Play some rounds and return them."""
    return list(islice(rounds_from(balance, players), count))


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [10, 13, 23, 40, 64])
def test_rounds_stay_even_for_as_long_as_they_go_on(entrants: int) -> None:
    """At every end of a round games differ by one and meetings by three."""
    planned = played(Balance(entrants, 4), list(range(entrants)), 2 * entrants)
    found = check(planned, entrants=entrants, seats=4)

    assert found.worst.games <= 1
    assert found.worst.pairs <= 3
    assert 0 == found.end.games


def test_a_round_depends_on_counts_players_and_seed_alone() -> None:
    """Counted afresh from what was played, the next round is the same."""
    balance = Balance(11, 4)
    first = played(balance, list(range(11)), 5)
    again = balance_of(chain(*first), entrants=11)
    expected = next_round(balance, range(11))

    assert expected == next_round(again, range(11))
    assert expected == next_round(again, tuple(range(11)), seed=0)
    assert any(
        expected != next_round(again, range(11), seed=seed) for seed in range(1, 9)
    )


def test_a_late_joiner_plays_until_it_has_caught_up() -> None:
    """Whoever joins half-way sits out no round until it is within one game."""
    balance = Balance(16, 4)
    played(balance, list(range(16)), 10)
    late = balance.join()
    for _ in range(200):
        if balance.games[late] >= max(balance.games) - 1:
            break
        (seatings,) = played(balance, list(range(17)), 1)

        assert late in chain(*seatings)
    spreads = balance.spreads()

    assert 16 == late
    assert spreads.games <= 1


def test_a_late_joiner_does_not_unsettle_the_others() -> None:
    """While a new one catches up, the others stay as even among themselves."""
    balance = Balance(16, 4)
    played(balance, list(range(16)), 10)
    late = balance.join()
    for _ in range(30):
        played(balance, list(range(17)), 1)
        among = balance.spreads(among=range(16))

        assert among.games <= 1
        assert among.pairs <= 3
    met = [balance.pairs[late][other] for other in range(16)]

    assert max(met) - min(met) <= 2


def test_whoever_withdraws_plays_no_more() -> None:
    """After a withdrawal the others go on evenly, without the one who left."""
    balance = Balance(14, 4)
    everybody = list(range(14))
    played(balance, everybody, 9)
    left = balance.games[5]
    stay = [one for one in everybody if one != 5]
    played(balance, stay, 30)
    spreads = balance.spreads(among=stay)

    assert left == balance.games[5]
    assert spreads.games <= 1
    assert spreads.pairs <= 3


def test_late_joiners_can_be_waited_for() -> None:
    """Where those ahead sit out, four that join twelve are soon no longer behind."""
    balance = Balance(12, 4)
    played(balance, list(range(12)), 6)
    for _ in range(4):
        balance.join()
    spreads = []
    waiting = rounds_from(balance, range(16), catches_up=True)
    for _, seatings in zip(range(9), waiting, strict=False):
        spreads.append((len(seatings), balance.spreads().games))

    assert [(1, games) for games in (5, 4, 3, 2, 1, 0)] == spreads[:6]
    assert [(4, 0)] * 3 == spreads[6:]


def test_a_league_of_thirteen_with_a_joiner_and_a_withdrawal_ends_even() -> None:
    """A cyclic schedule can be gone on with from its counts, whoever comes and goes."""
    begun = list(chain.from_iterable(islice(rounds(13), 7)))
    balance = balance_of(begun, entrants=13)
    late = balance.join()
    stay = [*(one for one in range(13) if one != 4), late]
    more = rounds_from(balance, stay, catches_up=True)
    for _ in range(40):
        next(more)
    spreads = balance.spreads(among=stay)

    assert spreads.games <= 1
    assert spreads.pairs <= 4
    assert spreads.seats <= 3


@settings(deadline=None, max_examples=25)
@given(
    sizes=st.lists(st.integers(1, 4), min_size=4, max_size=9),
    seats=st.integers(3, 5),
)
def test_bots_of_one_owner_never_meet(sizes: list[int], seats: int) -> None:
    """Whatever an owner has, no table seats two of them, and all play equally often."""
    names = [f"owner {at}" for at, size in enumerate(sizes) for _ in range(size)]
    owners = Owners(names)
    if len(names) < seats or max(sizes) > len(names) // seats:
        return
    planned = list(islice(rounds(len(names), seats=seats, owners=owners), 12))

    for seating in chain(*planned):
        assert seats == len({names[one] for one in seating})
    assert check(planned, entrants=len(names), seats=seats).worst.games <= 1


def test_owners_part_pairs_and_the_rest_meets_evenly() -> None:
    """Of twelve bots two pairs never meet, the other pairs all do so much alike."""
    owners = Owners(["ann", "ann", "bob", "bob", *[""] * 8])
    planned = list(islice(rounds(12, owners=owners), 22))
    apart = owners.apart(range(12))
    found = check(planned, entrants=12, seats=4, apart=apart)
    balance = balance_of(chain(*planned), entrants=12)

    assert {frozenset({0, 1}), frozenset({2, 3})} == apart
    assert 0 == balance.pairs[0][1] == balance.pairs[2][3]
    assert 0 == found.end.games
    assert found.end.pairs <= 3


def test_an_owner_of_too_many_is_refused_with_the_numbers() -> None:
    """Four of twelve bots would have to meet at tables of four, or play less."""
    owners = Owners(["ann"] * 4 + [""] * 8)
    with pytest.raises(OwnersError) as caught:
        schedule(12, games=1, owners=owners)

    assert (
        "owner 'ann' has 4 of 12 bots; at tables of 4 at most 3 of one owner can play "
        "as often as the others and never meet"
    ) == str(caught.value)


def test_a_round_seats_as_many_as_owners_allow() -> None:
    """Where too many of one owner are there, they take turns at the tables."""
    owners = Owners(["ann"] * 5 + [""] * 4)
    balance = Balance(9, 4)
    planned = list(islice(rounds_from(balance, range(9), owners=owners), 20))

    assert {1} == {len(tables) for tables in planned}
    assert [4] * 5 == balance.games[:5]


@pytest.mark.parametrize(
    ("owners", "problem"),
    [
        (["ann"] * 2 + ["bob"] * 2, "owner 'ann' has 2 of 4 bots; at tables of 4 "),
        (["ann", "bob", "cat"], "3 bots cannot fill 4 seats"),
    ],
)
def test_a_round_that_cannot_be_is_refused(owners: list[str], problem: str) -> None:
    """When not even one table can be filled the reason is told."""
    with pytest.raises(OwnersError, match=problem):
        next_round(Balance(4, 4), range(len(owners)), owners=Owners(owners))
