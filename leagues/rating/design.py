"""The design effect: what sharing deals does to the errors of the ratings.

It is the variance of a difference of two ratings, as the blocks say, divided by what
it would be if every game were dealt by itself and came out as it did. At 0.5 a game
tells as much as two; above 1 the blocks repeat themselves.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leagues.rating.pairs import Floats
from leagues.rating.ratings import Ratings, rate
from leagues.results import GameResult

__all__ = ["design_effect"]


def design_effect(results: Sequence[GameResult]) -> float | None:
    """Return the design effect over all pairs; `None` where there are no errors.

    Pairs of which either way of counting has no error are left out of both sums.
    """
    apart = [replace(game, block=number) for number, game in enumerate(results)]
    shared, alone = _variances(rate(results)), _variances(rate(apart))
    # Who has played few blocks has played many games: only what both know compares.
    is_known = ~np.isnan(shared) & ~np.isnan(alone)
    known_shared, known_alone = shared[is_known].sum(), alone[is_known].sum()
    if not (known_shared > 0 and known_alone > 0):
        return None
    return float(known_shared / known_alone)


def _variances(ratings: Ratings) -> Floats:
    """Return the variances of all differences; not a number where there is none."""
    return np.square(ratings.pair_errors)
