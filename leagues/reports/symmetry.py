"""A test for what ought to make no difference, such as the number of a seat."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import fdtrc

from leagues.rating.pairs import Floats, Integers

__all__ = ["Symmetry", "symmetry_of"]

_RANK: Final = 1e-9
"""Directions in which blocks vary less than this part of the greatest do not vary."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """How far several sums are from what chance makes of them."""

    chi_square: float
    """Not a number unless there are more blocks than things."""
    degrees: int
    p_value: float
    """How often chance alone leads as far, or further; not a number likewise."""


def symmetry_of(
    which: Integers, blocks: Integers, beyond: Floats, *, count: int
) -> Symmetry:
    """Test whether what was won beyond expectation is 0 for each of several.

    The sums of each block are one witness. Their sum over all blocks, measured by
    how blocks differ, is chi-square distributed for many blocks, and Hotelling's for
    few, from which the p-value is.

    Args:
        which: What each observation belongs to, as numbers from 0.
        blocks: The block of each.
        beyond: What was won beyond expectation.
        count: How many things there are.
    """
    numbers, block = np.unique(blocks, return_inverse=True)
    size = len(numbers)
    cells = csr_array(coo_array((beyond, (block, which)), shape=(size, count)))
    total = np.asarray(cells.sum(axis=0)).ravel()
    products = (cells.T @ cells).toarray()
    if size <= count:
        return Symmetry(float("nan"), 0, float("nan"))
    spread = size / (size - 1) * (products - np.outer(total, total) / size)
    values, vectors = np.linalg.eigh(spread)
    varies = values > _RANK * max(values.max(initial=0), 1e-30)
    degrees = int(varies.sum())
    if degrees == 0:
        return Symmetry(float("nan"), degrees, float("nan"))
    along = vectors[:, varies].T @ total
    chi_square = float((along**2 / values[varies]).sum())
    ratio = chi_square * (size - degrees) / (degrees * (size - 1))
    return Symmetry(chi_square, degrees, float(fdtrc(degrees, size - degrees, ratio)))
