"""Ratings: the published vectors, and the laws that they obey."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.rating.fit import excess, strengths
from leagues.rating.ratings import MEAN, Ratings, rate
from leagues.results import GameResult
from tests.sample_results import game_result, game_results

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "golden" / "ratings_vectors.json").read_text()
)

Game = list[tuple[str, int]]


def batch_results() -> list[GameResult]:
    """The 24 games of five bots in the vectors, in blocks of four."""
    batch = VECTORS["batch"]
    return [
        game_result(
            number,
            [
                (batch["names"][bot], points)
                for bot, points in zip(row[1:5], row[5:], strict=True)
            ],
            block=row[0],
        )
        for number, row in enumerate(batch["rows"])
    ]


def elo(ratings: Ratings) -> dict[str, float]:
    """The bare figures."""
    return dict(zip(ratings.names, ratings.elo.tolist(), strict=True))


def test_five_bots_have_the_ratings_of_the_vector() -> None:
    """Ratings, results won and results in all agree with the reference."""
    batch = VECTORS["batch"]
    ratings = rate(batch_results())

    assert elo(ratings) == pytest.approx(
        dict(zip(batch["names"], batch["rating"], strict=True)), abs=1e-5
    )
    assert batch["pair_points"] == ratings.wins.sum(axis=1).tolist()
    assert batch["pair_games"] == ratings.results.sum(axis=1).tolist()


def test_five_bots_have_the_errors_of_the_vector() -> None:
    """Errors by block, 95 % intervals and LOS agree with the reference."""
    batch = VECTORS["batch"]
    ratings = rate(batch_results())

    assert batch["clusters_per_bot"] == ratings.blocks.tolist()
    assert ratings.errors.tolist() == pytest.approx(batch["se_deal"], abs=1e-5)
    assert ratings.half_widths.tolist() == pytest.approx(
        batch["half_width95"], abs=1e-4
    )
    for pair, expected in batch["los"].items():
        one, other = pair.split(">")
        at = ratings.names.index(one), ratings.names.index(other)

        assert expected["se"] == pytest.approx(ratings.pair_errors[at], abs=1e-5)
        assert expected["los_t"] == pytest.approx(ratings.los(one, other), abs=1e-6)


def test_games_that_are_blocks_of_their_own() -> None:
    """With a block for each game the errors are those of the reference, too."""
    games = game_results(
        [(seat.entrant, seat.place) for seat in game.seats] for game in batch_results()
    )

    assert rate(games).errors.tolist() == pytest.approx(
        VECTORS["batch"]["se_game"], abs=1e-5
    )


def test_an_anchor_shifts_all_ratings_alike() -> None:
    """The anchor has its fixed rating, no error, and the differences stay."""
    anchor = VECTORS["batch"]["anchor"]
    ratings = rate(batch_results(), anchor="eve")
    expected = [rating - anchor["rating"] + MEAN for rating in anchor["ratings"]]

    assert list(elo(ratings).values()) == pytest.approx(expected, abs=1e-5)
    assert ratings.errors.tolist() == pytest.approx(anchor["se_deal"], abs=1e-5)


def test_an_absent_anchor_leaves_the_mean() -> None:
    """An anchor that has not played anchors nothing."""
    ratings = rate(batch_results(), anchor="nobody")

    assert elo(rate(batch_results())) == elo(ratings)
    assert ratings.anchor is None


@pytest.mark.parametrize("vector", VECTORS["all_win"])
def test_unbeaten_bots_have_finite_ratings(vector: dict[str, Any]) -> None:
    """The phantom bounds the distance of who has always won."""
    games = game_results([[("a", 1), ("b", 2)]] * vector["a_beats_b"])
    ratings = rate(games, prior=vector["prior"])

    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(
        vector["elo_diff"], abs=1e-5
    )
    assert (">", "<") == ratings.marks


@pytest.mark.parametrize("vector", VECTORS["same_order"])
def test_the_same_order_in_every_game(vector: dict[str, Any]) -> None:
    """Four bots that always finish alike are spread evenly around the mean."""
    games: list[Game] = [[("a", 1), ("b", 2), ("c", 3), ("d", 4)]] * vector["games"]
    ratings = rate(game_results(games))

    assert ratings.elo.tolist() == pytest.approx(vector["ratings"], abs=1e-5)
    assert (">", "!", "!", "<") == ratings.marks
    assert np.isnan(ratings.errors).all()


def test_ties_are_half_a_win() -> None:
    """Where all share the first place, all are equal."""
    games: list[Game] = [[("a", 1), ("b", 1), ("c", 1), ("d", 1)]] * 7
    ratings = rate(game_results(games))

    assert ratings.elo.tolist() == pytest.approx([1500.0] * 4, abs=1e-9)
    assert ("", "", "", "") == ratings.marks


def test_separate_pools_are_marked() -> None:
    """Two pools that never met cannot be compared, and the smaller one is marked."""
    pool: list[Game] = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]]
    other: list[Game] = [[("x", 1), ("y", 2)], [("x", 2), ("y", 1)]]
    third: list[Game] = [[("b", 1), ("z", 2)], [("z", 1), ("a", 2)]]

    assert {""} == set(rate(game_results(2 * (pool + third))).marks)
    assert ("", "", "!", "!", "") == rate(
        game_results(2 * (pool + other + third))
    ).marks


def test_pools_of_one_size_are_all_marked() -> None:
    """Of two equal pools neither is the one that the other is apart from."""
    pool: list[Game] = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]]
    other: list[Game] = [[("x", 1), ("y", 2)], [("x", 2), ("y", 1)]]
    ratings = rate(game_results(5 * (pool + other)))

    assert ("!", "!", "!", "!") == ratings.marks
    assert np.isnan(ratings.errors).all()
    assert np.isnan(ratings.los("a", "x"))


def test_how_far_a_pool_is_above_another_is_a_guess() -> None:
    """Who always wins against all of an equal pool is better, nobody knows by what."""
    above: list[Game] = [
        [("a", 1), ("b", 2), ("x", 3), ("y", 4)],
        [("b", 1), ("a", 2), ("y", 3), ("x", 4)],
    ]
    ratings = rate(game_results(10 * above))

    assert ("!", "!", "!", "!") == ratings.marks
    assert np.isnan(ratings.half_widths).all()
    assert ratings.los("a", "x") > 0.99


def test_nobody_has_no_rating() -> None:
    """Without games there are no ratings."""
    assert () == rate([]).names


def test_very_unequal_results_have_a_peak_too() -> None:
    """Where a step would lead too far it is halved, until nobody has won too much."""
    wins = np.zeros((6, 6))
    wins[0, 1] = wins[1, 0] = 5
    wins[1, 3] = wins[2, 0] = 1
    wins[2, 3:5] = 10, 100
    wins[3, :3] = 100, 999, 9990
    wins[4:, 0] = 100, 1000
    theta = strengths(wins, prior=0.1)

    assert excess(theta, wins, prior=0.1).tolist() == pytest.approx([0] * 6, abs=1e-8)


names = st.sampled_from(["ada", "bea", "cid", "dan", "eve", "flo"])
game_lists = st.lists(
    st.lists(names, min_size=2, max_size=4, unique=True).flatmap(
        lambda seated: st.tuples(
            *[st.tuples(st.just(name), st.integers(1, 4)) for name in seated]
        ).map(list)
    ),
    min_size=1,
    max_size=30,
)


def turned(results: list[GameResult], *, by: Any) -> list[GameResult]:
    """The same games in another order, with their seats turned and others' names."""
    found = [
        replace(
            game,
            seats=tuple(
                replace(seat, entrant=seat.entrant[::-1])
                for seat in game.seats[1:] + game.seats[:1]
            ),
        )
        for game in results
    ]
    by.shuffle(found)
    return found


@settings(deadline=None, max_examples=100)
@given(games=game_lists, size=st.integers(1, 4), by=st.randoms(use_true_random=False))
def test_no_order_matters(games: list[Game], size: int, by: Any) -> None:
    """Shuffled games, turned seats and other names give the same ratings and errors."""
    results = [
        game_result(number, game, block=number // size)
        for number, game in enumerate(games)
    ]
    ratings, others = rate(results), rate(turned(results, by=by))
    order = [others.names.index(name[::-1]) for name in ratings.names]
    matrix = np.ix_(order, order)

    for own, other in (
        (ratings.elo, others.elo[order]),
        (ratings.errors, others.errors[order]),
        (ratings.half_widths, others.half_widths[order]),
        (ratings.pair_errors, others.pair_errors[matrix]),
        (ratings.superiority(), others.superiority()[matrix]),
        (ratings.p_values(), others.p_values()[matrix]),
    ):
        np.testing.assert_allclose(own, other, rtol=0, atol=1e-8)
    assert [ratings.marks[index] for index in range(len(order))] == [
        others.marks[index] for index in order
    ]
    assert ratings.tiers() == tuple(others.tiers()[index] for index in order)


@settings(deadline=None, max_examples=100)
@given(games=game_lists, anchor=names)
def test_every_figure_is_finite_or_missing(games: list[Game], anchor: str) -> None:
    """Whoever has met whom, ratings are finite, and errors finite or missing."""
    for each in (games, games[:1]):
        ratings = rate(game_results(each), anchor=anchor)

        assert np.isfinite(ratings.elo).all()
        assert not np.isinf(ratings.half_widths).any()
        assert not np.isinf(ratings.pair_errors).any()
        assert np.isfinite(ratings.p_values()).all()
        assert len(ratings.tiers()) == len(ratings.names)


@settings(deadline=None, max_examples=60)
@given(games=game_lists)
def test_everybody_has_won_as_expected(games: list[Game]) -> None:
    """Each bot's results are the sum of its chances, the phantom's included."""
    ratings = rate(game_results(games))
    worth = elo(ratings)
    # The draw against the phantom explains the rest: less than half a win.
    for name, won in zip(ratings.names, ratings.wins.sum(axis=1), strict=True):
        chances = [
            1 / (1 + 10 ** ((worth[other] - worth[name]) / 400))
            for game in games
            for other, _ in game
            if other != name and name in dict(game)
        ]

        assert abs(won - sum(chances)) < 0.5


@settings(deadline=None, max_examples=60)
@given(games=game_lists, winner=names, loser=names)
def test_one_more_win_never_costs(games: list[Game], winner: str, loser: str) -> None:
    """Another win over somebody never lowers the winner, relative to anyone."""
    if winner == loser:
        return
    seen: list[Game] = [*games, [(winner, 1), (loser, 1)]]
    before = elo(rate(game_results(seen)))
    after = elo(rate(game_results([*seen, [(winner, 1), (loser, 2)]])))

    assert all(
        after[winner] - after[name] >= before[winner] - before[name] - 1e-8
        for name in before
    )
