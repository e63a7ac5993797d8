"""The block bootstrap: ratings of leagues that might as well have been played.

Each draws as many blocks as there are, with replacement, and is rated anew. It is
slow, and there to check the errors that `leagues.rating.errors` works out at once.
"""

from typing import Final

import numpy as np
from scipy.sparse import coo_array, csr_array

from leagues.rating.fit import curvature, excess, strengths
from leagues.rating.pairs import Floats, Pairs, wins_of

__all__ = ["bootstrap"]

_TOGETHER: Final = 50
"""How many replicates are drawn at once, so that they fit into memory."""
_STEP_LAST: Final = 1e-9
_STEPS_MAX: Final = 40


def bootstrap(pairs: Pairs, *, replicates: int, seed: int, prior: float) -> Floats:
    """Return strengths from blocks drawn at random, a row for each replicate.

    Strengths are distances from the phantom, in natural units; only the differences
    of two of them mean anything.

    Args:
        pairs: The results.
        replicates: How many leagues to draw.
        seed: What decides the draws.
        prior: How many draws against the phantom everybody has; above 0.
    """
    size = pairs.entrants
    by_block = _wins_by_block(pairs)
    wins = wins_of(pairs)
    peak = strengths(wins, prior=prior)
    steep = curvature(peak, wins + wins.T, prior=prior)
    inverse: Floats = np.linalg.inv(steep).astype(np.float64)
    random = np.random.default_rng(seed)
    even = np.full(pairs.blocks, 1 / pairs.blocks)
    found = [np.empty((0, size))]
    for first in range(0, replicates, _TOGETHER):
        count = min(_TOGETHER, replicates - first)
        times = random.multinomial(pairs.blocks, even, size=count)
        drawn = (by_block.T @ times.T.astype(np.float64)).T
        found.append(
            _peaks(drawn.reshape(count, size, size), peak, inverse, prior=prior)
        )
    return np.concatenate(found)


def _peaks(wins: Floats, near: Floats, inverse: Floats, *, prior: float) -> Floats:
    """Find the strengths of many leagues that are much alike.

    Their likelihoods are curved much like that of the league they were drawn from, so
    that its inverse leads all of them to their peaks without another one. Where it
    does not, for want of games, Newton's method goes on alone.
    """
    theta = np.tile(near, (len(wins), 1))
    is_open = np.ones(len(wins), dtype=bool)
    for _ in range(_STEPS_MAX):
        step = excess(theta[is_open], wins[is_open], prior=prior) @ inverse
        theta[is_open] += step
        is_open[is_open] = np.abs(step).max(axis=1) >= _STEP_LAST
        if not is_open.any():
            break
    for index in np.flatnonzero(is_open):
        theta[index] = strengths(wins[index], prior=prior)
    return theta


def _wins_by_block(pairs: Pairs) -> csr_array:
    """Count for each block who came out ahead of whom, in a row for the matrix."""
    size = pairs.entrants
    cells = [pairs.one * size + pairs.other, pairs.other * size + pairs.one]
    return csr_array(
        coo_array(
            (
                np.concatenate([pairs.score, 1 - pairs.score]),
                (np.tile(pairs.block, 2), np.concatenate(cells)),
            ),
            shape=(pairs.blocks, size * size),
        )
    )
