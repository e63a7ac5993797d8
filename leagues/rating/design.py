"""The design effect: what sharing deals does to the errors of the ratings.

It is the variance of a difference of two ratings, as the blocks say, divided by what
it would be if every game were dealt by itself and came out as it did. At 0.5 a game
tells as much as two; above 1 the blocks repeat themselves.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leagues.rating.ratings import Ratings, rate
from leagues.results import GameResult

__all__ = ["design_effect"]


def design_effect(results: Sequence[GameResult]) -> float | None:
    """Return the design effect over all pairs; `None` where there are no errors."""
    apart = [replace(game, block=number) for number, game in enumerate(results)]
    shared, alone = _variance(rate(results)), _variance(rate(apart))
    return shared / alone if shared > 0 and alone > 0 else None


def _variance(ratings: Ratings) -> float:
    """Sum up the variances of all differences that have one."""
    return float(np.nansum(np.square(ratings.pair_errors)))
