"""Tiers: who is told apart from whom, and that tiers say neither more nor less."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from leagues.rating.ratings import rate_arrays
from leagues.rating.tiers import Tier, holm, tiers_of
from tests.rating_games import drawn_games

Truths = NDArray[np.bool_]


def p_values(*apart: tuple[int, int], count: int) -> NDArray[np.float64]:
    """P-values of so many entrants, of whom some pairs differ without a doubt."""
    values = np.ones((count, count))
    for one, other in apart:
        values[one, other] = values[other, one] = 0.0
    return values


def written(*tiers: Tier) -> str:
    """Tiers as they stand in a table."""
    return " ".join(map(str, tiers))


def apart(tiers: tuple[Tier, ...]) -> Truths:
    """Who is above whom, as the tiers tell it."""
    return np.array([[one.last < other.first for other in tiers] for one in tiers])


FOUR = np.array([40.0, 30, 20, 10])


def test_who_is_not_told_apart_shares_the_only_tier() -> None:
    """Where nobody differs from anybody there is one tier."""
    assert "1 1 1 1" == written(*tiers_of(FOUR, p_values(count=4)))


def test_two_groups_are_two_tiers() -> None:
    """Where two differ from two others, each two are a tier."""
    values = p_values((0, 2), (0, 3), (1, 2), (1, 3), count=4)

    assert "1 1 2 2" == written(*tiers_of(FOUR, values))


def test_who_stands_between_is_in_both_tiers() -> None:
    """Who is told apart from neither group belongs to both."""
    assert "1 1-2 1-2 2" == written(*tiers_of(FOUR, p_values((0, 3), count=4)))


def test_a_newcomer_may_belong_anywhere() -> None:
    """Three that differ are three tiers, and who has hardly played is in all."""
    values = p_values((0, 1), (1, 3), (0, 3), count=4)

    assert "1 2 1-3 3" == written(*tiers_of(FOUR, values))


def test_who_beats_a_better_one_is_better() -> None:
    """A difference that follows from two others needs no test of its own."""
    assert "1 2 3 1-3" == written(*tiers_of(FOUR, p_values((0, 1), (1, 2), count=4)))


def test_a_claim_that_fits_no_line_is_left_out() -> None:
    """Of two pairs that know nothing of each other one alone makes tiers."""
    values = p_values((0, 1), (2, 3), count=4)

    assert "1-2 1-2 1 2" == written(*tiers_of(FOUR, values))


def test_tiers_do_not_depend_on_the_order_of_names() -> None:
    """Other names for the same entrants leave each its tiers."""
    values = p_values((0, 1), (2, 3), count=4)
    tiers = tiers_of(FOUR[::-1], values[::-1, ::-1])

    assert tiers_of(FOUR, values) == tiers[::-1]


def test_nobody_has_no_tier() -> None:
    """Without entrants there are no tiers, and one entrant has one."""
    assert () == tiers_of(np.empty(0), np.empty((0, 0)))
    assert (Tier(1, 1),) == tiers_of(np.ones(1), np.ones((1, 1)))


def test_holm_is_stricter_for_the_smallest() -> None:
    """Of three pairs the first must hold at a third of the level, and so on."""
    values = np.array([[1, 0.016, 0.024], [0.016, 1, 0.06], [0.024, 0.06, 1]])
    differs = holm(values, level=0.05)

    assert [True, True, False] == [differs[0, 1], differs[0, 2], differs[1, 2]]
    assert (differs == differs.T).all()


def test_holm_ends_at_the_first_that_fails() -> None:
    """A pair that would hold alone falls with one that has failed before it."""
    values = np.array([[1, 0.03, 0.04], [0.03, 1, 0.045], [0.04, 0.045, 1]])

    assert not holm(values, level=0.05).any()


sizes = st.integers(2, 7)


@settings(deadline=None, max_examples=200)
@given(count=sizes, data=st.data())
def test_tiers_claim_nothing_that_does_not_follow(
    count: int, data: st.DataObject
) -> None:
    """Who has no tier in common differs by a test, or by a chain of tests."""
    elo = np.arange(count, 0, -1).astype(float)
    pairs = [(one, other) for other in range(count) for one in range(other)]
    values = p_values(*data.draw(st.lists(st.sampled_from(pairs))), count=count)
    tiers = tiers_of(elo, values)
    follows = (values == 0) & (elo[:, None] > elo)
    for _ in range(count):
        follows |= (follows.astype(int) @ follows.astype(int)) > 0

    assert not (apart(tiers) & ~follows).any()
    assert all(1 <= tier.first <= tier.last for tier in tiers)
    assert {tier.first for tier in tiers} == set(
        range(1, 1 + max(tier.last for tier in tiers))
    )


@settings(deadline=None, max_examples=200)
@given(ends=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=2))
def test_tiers_tell_all_that_fits_a_line(ends: list[tuple[int, int]]) -> None:
    """Where differences are those of intervals on a line, tiers lose none."""
    low = np.array([start for start, _ in ends], dtype=float)
    high = np.array([start + length for start, length in ends], dtype=float)
    above = low[:, None] > high
    elo = (low + high) / 2
    values = np.where(above | above.T, 0.0, 1.0)

    assert (apart(tiers_of(elo, values)) == above).all()


@pytest.mark.parametrize("seed", range(3))
def test_many_games_make_more_tiers(seed: int) -> None:
    """Ten times the games tell more entrants apart."""
    drawn = [drawn_games(count, entrants=8, seed=seed) for count in (200, 2000)]
    few, many = (
        apart(rate_arrays(*each.games, entrants=8).tiers()).sum() for each in drawn
    )

    assert few < many


@pytest.mark.slow
def test_equal_entrants_seldom_have_two_tiers() -> None:
    """Of 400 tables of equal entrants about one in twenty tells any of them apart."""
    wrong = 0
    for seed in range(400):
        games = drawn_games(120, entrants=8, seed=seed, spread=0.0)
        tiers = rate_arrays(*games.games, entrants=8).tiers()
        wrong += len(set(tiers)) > 1

    # Three errors of a share of 5 % in 400 are 13.
    assert wrong <= 20 + 13
