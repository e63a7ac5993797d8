"""How sure ratings are: errors whose unit is the block, not the single result.

Results that come from the same cards, or from the same table, depend on each other.
Errors that take each for a witness of its own are too small, or too large where the
same cards are played from all seats. So the deviations of a block are added up
first, and what the blocks' sums differ from each other is what the ratings may be
off: the sandwich `H^-1 J H^-1`, where `H` is the likelihood's curvature and `J` the
sum over `M` blocks of the products of their deviations, times `M / (M - 1)`.
"""

from typing import Final

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import bdtr, betaincc, stdtr, stdtrit

from leagues.rating.fit import chances, curvature
from leagues.rating.pairs import Floats, Integers, Pairs

__all__ = [
    "BLOCKS_MIN",
    "blocks_of",
    "centred",
    "covariance",
    "deviations",
    "half_width",
    "p_values",
    "sign_p_values",
    "sign_superiorities",
    "superiorities",
]

BLOCKS_MIN: Final = 3
"""With fewer blocks an entrant has no error: its likelihood fits them by chance."""
_LEVEL: Final = 0.95


def deviations(pairs: Pairs, theta: Floats) -> csr_array:
    """Add up, for each block and entrant, results won beyond what was expected."""
    beyond = pairs.score - chances(theta)[pairs.one, pairs.other]
    rows = np.concatenate([pairs.block, pairs.block])
    columns = np.concatenate([pairs.one, pairs.other])
    return csr_array(
        coo_array(
            (np.concatenate([beyond, -beyond]), (rows, columns)),
            shape=(pairs.blocks, pairs.entrants),
        )
    )


def blocks_of(deviation: csr_array) -> Integers:
    """Count the blocks that each entrant took part in."""
    counts = np.bincount(deviation.indices, minlength=deviation.shape[1])
    return counts.astype(np.int64)


def covariance(
    deviation: csr_array, theta: Floats, played: Floats, *, prior: float
) -> Floats:
    """Return the covariance of the strengths.

    Args:
        deviation: By block and entrant.
        theta: The strengths.
        played: How many results there are between whom.
        prior: How many draws against the phantom everybody has.
    """
    count = deviation.shape[0]
    spread = (deviation.T @ deviation).toarray() * (count / max(count - 1, 1))
    bread = np.linalg.inv(curvature(theta, played, prior=prior))
    return np.asarray(bread @ spread @ bread, dtype=np.float64)


def centred(matrix: Floats) -> Floats:
    """Return the covariance of the distances from the mean of all."""
    size = len(matrix)
    away = np.eye(size) - np.full((size, size), 1 / max(size, 1))
    return np.asarray(away @ matrix @ away, dtype=np.float64)


def half_width(error: Floats, blocks: Integers) -> Floats:
    """Return how far 95 % intervals reach to each side.

    Args:
        error: Standard errors.
        blocks: From how many blocks each comes.
    """
    quantile = stdtrit(_degrees(blocks), (1 + _LEVEL) / 2)
    return np.asarray(quantile * error, dtype=np.float64)


def superiorities(distance: Floats, error: Floats, blocks: Integers) -> Floats:
    """Return how likely each is better than each, by their distances in errors.

    Args:
        distance: The rating of the one less that of the other.
        error: The standard errors of the distances.
        blocks: How many blocks these come from.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(stdtr(_degrees(blocks), distance / error), dtype=np.float64)


def p_values(distance: Floats, error: Floats, blocks: Integers) -> Floats:
    """Return how often equal entrants are as far apart by chance, or further."""
    return 2 * superiorities(-np.abs(distance), error, blocks)


def sign_superiorities(ahead: Integers) -> Floats:
    """Return how likely each is better than each, by the blocks between the two.

    Before the first block every chance to be ahead in one is as likely as any other.

    Args:
        ahead: In how many blocks who was ahead of whom.
    """
    return np.asarray(betaincc(ahead + 1, ahead.T + 1, 0.5), dtype=np.float64)


def sign_p_values(ahead: Integers) -> Floats:
    """Return how often equal entrants share blocks as unequally, or more so.

    Args:
        ahead: In how many blocks who was ahead of whom.
    """
    less = np.minimum(ahead, ahead.T)
    chance = bdtr(less.astype(np.float64), ahead + ahead.T, 0.5)
    return np.asarray(np.minimum(2 * chance, 1), dtype=np.float64)


def _degrees(blocks: Integers) -> Integers:
    return np.maximum(blocks - 1, 1)
