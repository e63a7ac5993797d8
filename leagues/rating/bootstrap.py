"""The block bootstrap: ratings of leagues that might as well have been played.

Each draws as many blocks as there are, with replacement, and is rated anew. It is
slow, and there to check the errors that `leagues.rating.errors` works out at once.
"""

from typing import Final

import numpy as np
from scipy.sparse import coo_array, csr_array

from leagues.rating.fit import strengths
from leagues.rating.pairs import Floats, Pairs, wins_of

__all__ = ["bootstrap"]

_TOGETHER: Final = 50
"""How many replicates are drawn at once, so that they fit into memory."""


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
    start = strengths(wins_of(pairs), prior=prior)
    random = np.random.default_rng(seed)
    found = np.empty((replicates, size))
    even = np.full(pairs.blocks, 1 / pairs.blocks)
    for first in range(0, replicates, _TOGETHER):
        count = min(_TOGETHER, replicates - first)
        times = random.multinomial(pairs.blocks, even, size=count)
        drawn = (by_block.T @ times.T.astype(np.float64)).T
        for index in range(count):
            wins = drawn[index].reshape(size, size)
            found[first + index] = strengths(wins, prior=prior, start=start)
    return found


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
