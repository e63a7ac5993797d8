"""What rotated deals are worth: the measure, and that it measures what leagues tell."""

import numpy as np
import pytest

from leagues.rating.design import design_effect
from leagues.rating.pairs import Floats
from leagues.results import GameResult, SeatResult
from tests.stats.rotation import differences, played, ratio_of, worth_of

BOTS = ("daring", "careful", "ducker", "lowest")


def drawn(blocks: int, *, shared: float, seed: int = 1) -> Floats:
    """Differences of which a part, from -1 to 1 in variance, is shared in a block."""
    chance = np.random.default_rng(seed)
    own = chance.normal(size=(blocks, 4, 6))
    if shared < 0:
        own -= own.mean(axis=1, keepdims=True) * -shared
        return own
    both = chance.normal(size=(blocks, 1, 6))
    return np.asarray(own * np.sqrt(1 - shared) + both * np.sqrt(shared))


def test_games_that_share_nothing_are_worth_themselves() -> None:
    """Independent games in blocks tell as much as without."""
    worth = worth_of(drawn(2000, shared=0.0))

    assert 1 == pytest.approx(worth.ratio, abs=4 * worth.uncertainty)
    assert worth.uncertainty < 0.03


def test_games_that_repeat_each_other_are_worth_a_quarter() -> None:
    """Four times the same is one result."""
    assert 0.25 == pytest.approx(ratio_of(drawn(500, shared=1.0)), rel=0.01)


def test_games_that_make_up_for_each_other_are_worth_more() -> None:
    """What one has too much of, another of the block has too little of."""
    assert ratio_of(drawn(500, shared=-0.5)) > 2


def test_the_measure_is_that_of_the_standings() -> None:
    """The design effect of a league with the same games is one by the ratio."""
    blocks = list(played(BOTS, 25))
    results = [
        GameResult(
            number=4 * at + turn + 1,
            block=at + 1,
            deals=1,
            seats=tuple(
                SeatResult(bot, "1", total=0, place=place, points=0, moons=0, queens=0)
                for bot, place in zip(BOTS, places, strict=True)
            ),
            faults=(),
            given_up=(),
            record_hash="",
        )
        for at, block in enumerate(blocks)
        for turn, (places, _) in enumerate(block)
    ]
    effect = design_effect(results)
    assert effect is not None

    assert ratio_of(differences(blocks)["places"]) == pytest.approx(1 / effect, rel=0.1)
