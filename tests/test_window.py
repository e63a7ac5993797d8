"""A pool without an end: counts over a window, and rounds of whoever is there."""

import random
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.owners import Owners
from leagues.scheduling.window import Window, pool_games

SEATS = 4


def counted(games: list[Seating], players: list[int]) -> Balance:
    """The same counts, of games between these players only, from nothing."""
    found = Balance(max(players) + 1, SEATS)
    for seating in games:
        found.add(seating)
    return found


@given(st.randoms(use_true_random=False), st.integers(4, 9), st.integers(1, 40))
def test_a_window_counts_the_last_games_and_no_others(
    chance: random.Random, entrants: int, size: int
) -> None:
    """Whatever is put in, also in place of another game, the counts are as if new."""
    window = Window(size, seats=SEATS)
    games: dict[int, Seating] = {}
    for _ in range(80):
        number = len(games) + 1
        if games and chance.random() < 0.2:
            number = chance.randint(max(1, len(games) - size), len(games))
        games[number] = tuple(chance.sample(range(entrants), SEATS))
        window.put(number, games[number])
    last = [games[n] for n in sorted(games)[-size:]]
    players = list(range(entrants))
    expected, found = counted(last, players), window.balance(players)

    assert expected.games == found.games
    assert expected.pairs == found.pairs
    assert expected.lefts == found.lefts
    assert expected.across == found.across
    assert expected.seats == found.seats
    assert len(last) == len(window)


def test_counts_are_of_those_asked_for_in_their_order() -> None:
    """Entrants have high numbers where many have come and gone."""
    window = Window(10, seats=SEATS)
    window.put(1, (907, 3, 55, 12))
    found = window.balance([3, 907, 8])

    assert [1, 1, 0] == found.games
    assert [[0, 1, 0], [1, 0, 0], [0, 0, 0]] == found.pairs
    assert [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]] == found.seats


def test_games_are_for_those_who_have_places() -> None:
    """Nobody gets more games than it has places, and none without."""
    places = {0: 1, 1: 3, 2: 3, 3: 3, 4: 2, 5: 0, 6: -1}
    games = pool_games(Window(100, seats=SEATS), places, most=10)
    played = Counter(player for game in games for player in game)

    assert 2 <= len(games) <= 3
    assert all(played[player] <= max(0, places[player]) for player in places)
    assert 1 == len(pool_games(Window(100, seats=SEATS), places, most=1))
    assert [] == pool_games(Window(100, seats=SEATS), {0: 9, 1: 9, 2: 9}, most=5)


def test_bots_of_one_owner_do_not_meet() -> None:
    """Where an owner has so many that no table can be filled, nothing is planned."""
    owners = Owners(["ann", "ann", "", "", "bob", "ann"])
    games = pool_games(
        Window(100, seats=SEATS), dict.fromkeys(range(6), 5), most=20, owners=owners
    )
    none = pool_games(
        Window(100, seats=SEATS),
        dict.fromkeys((0, 1, 2, 3, 5), 5),
        most=9,
        owners=Owners(["ann", "ann", "ann", "", "", "ann"]),
    )

    assert games
    assert all(len({0, 1, 5} & set(game)) <= 1 for game in games)
    assert [] == none


def test_a_pool_stays_even_while_some_come_and_go() -> None:
    """Those who are there all the time meet each other about equally often."""
    chance = random.Random(7)
    window = Window(600, seats=SEATS)
    number = 0
    for step in range(300):
        here = [*range(10), *(n for n in range(10, 14) if (step // 40 + n) % 3)]
        places = {player: chance.choice([1, 2]) for player in here}
        for seating in pool_games(window, places, most=3, seed=number):
            number += 1
            window.put(number, seating)
    balance = window.balance(range(10))
    pairs = [balance.pairs[a][b] for a, b in combinations(range(10), 2)]
    seats = [count for row in balance.seats for count in row]
    mean = sum(pairs) / len(pairs)

    assert 600 == len(window)
    assert max(balance.games) - min(balance.games) <= 6
    assert max(pairs) - min(pairs) <= 0.25 * mean
    assert max(seats) - min(seats) <= 8


def test_the_same_pool_is_planned_alike() -> None:
    """Games follow from counts, places and seed, and leave the window as it is."""
    window = Window(50, seats=SEATS)
    places = dict.fromkeys(range(9), 3)
    first = pool_games(window, places, most=6, seed=3)

    assert first == pool_games(window, places, most=6, seed=3)
    assert first != pool_games(window, places, most=6, seed=4)
    assert 0 == len(window)


@given(st.lists(st.sampled_from(["", "Ann", "Bob", "Cat"]), max_size=12))
def test_what_is_lacking_is_said_if_and_only_if_no_table_can_be_filled(
    names: list[str],
) -> None:
    """With as many more bots of nobody's as it says a table is filled, and no fewer."""
    owners, players = Owners(names), list(range(len(names)))
    lack = owners.lack(players, SEATS)
    more = int(lack.split()[0]) if lack else 0
    tables = [
        owners.tables(list(range(len(names) + count)), SEATS) for count in range(5)
    ]

    assert [count >= more for count in range(5)] == [count > 0 for count in tables]
    assert not lack or f"{len(names)} here, {SEATS} needed" in lack
