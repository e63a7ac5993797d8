"""Errors of ratings: when there are none, how far they reach, what they tell."""

import numpy as np
import pytest

from leagues.rating.bootstrap import bootstrap
from leagues.rating.design import design_effect
from leagues.rating.errors import half_width
from leagues.rating.pairs import pairs_of
from leagues.rating.ratings import Ratings, rate, rate_arrays
from tests.rating_games import Drawn, drawn_games
from tests.sample_results import game_result, game_results

ELO = 400 / np.log(10)


def rated(drawn: Drawn, *, anchor: int | None = None) -> Ratings:
    """Ratings of games drawn at random."""
    return rate_arrays(*drawn.games, entrants=len(drawn.elo), anchor=anchor)


@pytest.mark.parametrize(
    ("blocks", "quantile"), [(6, 2.570582), (20, 2.093024), (50, 2.009575)]
)
def test_intervals_have_the_quantiles_of_the_t_distribution(
    blocks: int, quantile: float
) -> None:
    """An interval of few blocks reaches further than 1.96 errors, as it must."""
    width = half_width(np.array([1.0]), np.array([blocks]))

    assert [quantile] == pytest.approx(width.tolist(), abs=1e-6)


@pytest.mark.parametrize("rotations", [1, 4])
def test_the_bootstrap_finds_the_same_errors(rotations: int) -> None:
    """Leagues drawn from the blocks spread as far as the errors say."""
    drawn = drawn_games(1200, entrants=8, seed=5, rotations=rotations, luck=0.6)
    pairs = pairs_of(drawn.games, entrants=8)
    theta = bootstrap(pairs, replicates=600, seed=1, prior=1.0)
    spread = ELO * (theta - theta.mean(axis=1, keepdims=True)).std(axis=0, ddof=1)
    ratings = rated(drawn)

    assert 1.0 == pytest.approx((spread / ratings.errors).mean(), abs=0.03)
    assert spread.tolist() == pytest.approx(ratings.errors.tolist(), rel=0.12)


@pytest.mark.parametrize("count", [12, 400])
def test_every_bootstrap_is_a_fit_of_its_own(count: int) -> None:
    """Of any bootstrap the strengths are those of its games, few or many."""
    drawn = drawn_games(count, entrants=6, seed=9, spread=300)
    pairs = pairs_of(drawn.games, entrants=6)
    found = bootstrap(pairs, replicates=5, seed=3, prior=1.0)
    times = np.random.default_rng(3).multinomial(count, [1 / count] * count, size=5)

    for theta, repeats in zip(found, times, strict=True):
        games = [
            np.repeat(each, repeats, axis=0)
            for each in (drawn.seats, drawn.places, drawn.blocks)
        ]
        ratings = rate_arrays(*games, entrants=6)

        assert ratings.elo.tolist() == pytest.approx(
            (1500 + ELO * (theta - theta.mean())).tolist(), abs=1e-5
        )


def test_a_bootstrap_depends_on_its_seed_alone() -> None:
    """The same seed draws the same leagues, another one others."""
    pairs = pairs_of(drawn_games(40, entrants=5, seed=6).games, entrants=5)
    once, again, other = (
        bootstrap(pairs, replicates=3, seed=seed, prior=1.0) for seed in (1, 1, 2)
    )

    assert once.tolist() == again.tolist()
    assert once.tolist() != other.tolist()


def test_two_blocks_are_too_few() -> None:
    """Who has played two blocks has no error, whatever the others have."""
    both = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]]
    once = [[("a", 1), ("c", 2)], [("c", 1), ("b", 2)]]
    ratings = rate(game_results(2 * both + once))

    assert (5, 5, 2) == tuple(ratings.blocks)
    assert ("", "", "?") == ratings.marks
    assert [False, False, True] == np.isnan(ratings.errors).tolist()
    assert [False, False, True] == np.isnan(ratings.half_widths).tolist()
    assert np.isnan(ratings.pair_errors[:2, 2]).all()
    assert not np.isnan(ratings.pair_errors[:2, :2]).any()


def test_the_design_effect_compares_the_same_pairs() -> None:
    """Who has an error by games alone, for want of blocks, does not lower it."""
    placings = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]]
    few = [[("a", 1), ("c", 2)], [("c", 1), ("a", 2)]]
    games = [
        game_result(number, placing, block=number)
        for number, placing in enumerate(30 * placings, start=1)
    ]
    late = [
        game_result(100 + number, placing, block=100 + number % 2)
        for number, placing in enumerate(4 * few)
    ]
    assert design_effect(games) == pytest.approx(1)

    # Eight games of two blocks: nothing is known by block of who came late.
    assert design_effect(games + late) == pytest.approx(1, rel=0.1)


def test_marked_entrants_have_no_errors() -> None:
    """Who has always won is somewhere above, and nobody knows how far."""
    games = [[("a", 1), ("b", 2), ("c", 3)], [("a", 1), ("c", 2), ("b", 3)]]
    ratings = rate(game_results(games * 5))

    assert (">", "", "") == ratings.marks
    assert [True, False, False] == np.isnan(ratings.errors).tolist()


def test_where_no_two_blocks_differ_there_is_no_error() -> None:
    """Games that are all tied say nothing about how they might have come out."""
    ratings = rate(game_results([[("a", 1), ("b", 1), ("c", 1)]] * 7))

    assert np.isnan(ratings.errors).all()
    assert 0.5 == ratings.los("a", "b")


def test_an_anchor_that_is_marked_gives_nobody_an_error() -> None:
    """The distance from somebody who has always won is a guess for all."""
    games = [[("a", 1), ("b", 2), ("c", 3)], [("a", 1), ("c", 2), ("b", 3)]]
    ratings = rate(game_results(games * 5), anchor="a")

    assert [0.0, True, True] == [ratings.errors[0], *np.isnan(ratings.errors[1:])]
    assert ratings.pair_errors[1, 2] > 0


def test_one_of_two_is_better() -> None:
    """That one is better than another, and the reverse, add up to certainty."""
    ratings = rated(drawn_games(200, entrants=7, seed=7))
    chances = ratings.superiority()
    others = ~np.eye(7, dtype=bool)

    assert chances[others].tolist() == pytest.approx((1 - chances.T)[others].tolist())
    assert ratings.los("2", "5") == chances[2, 5]
    assert ((chances > 0.5) == (ratings.elo[:, None] > ratings.elo))[others].all()


def test_who_always_wins_is_better_by_the_blocks_between_the_two() -> None:
    """Without errors the blocks of two decide, and without blocks nothing does."""
    games = [[("a", 1), ("b", 2)]] * 9 + [[("c", 1), ("d", 2)]]
    ratings = rate(game_results(games))

    assert 1 - 1 / 2**10 == pytest.approx(ratings.los("a", "b"))
    assert 2 / 2**9 == pytest.approx(ratings.p_values()[0, 1])
    assert np.isnan(ratings.los("a", "c"))
    assert 1.0 == ratings.p_values()[0, 2]


def test_a_block_counts_once_between_two() -> None:
    """Four games from the same cards are one block, for the winner of most."""
    won, lost = [("a", 1), ("b", 2)], [("b", 1), ("a", 2)]
    games = [won, won, won, lost, won, lost]
    ratings = rate(
        [game_result(n, g, block=n // 4) for n, g in enumerate(games)]
        + [game_result(9, lost, block=9)]
    )

    assert [[0, 1], [1, 0]] == ratings.ahead.tolist()
    assert (3, 3) == tuple(ratings.blocks)


def test_ratings_cannot_be_written_to() -> None:
    """Ratings are shared, so nobody may change them."""
    ratings = rated(drawn_games(20, entrants=5, seed=8))

    for array in (ratings.elo, ratings.wins, ratings.pair_errors, ratings.blocks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
