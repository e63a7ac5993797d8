"""Points a deal: how many penalty points each entrant takes, and how surely.

They have no scale of their own as ratings have, and tell two entrants apart with
fewer games; but they depend on the rules, and on whom one has met.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from leagues.rating.errors import BLOCKS_MIN, half_width
from leagues.rating.pairs import Floats, Integers

__all__ = ["PointsPerDeal", "points_per_deal"]

_ERROR_MIN: Final = 1e-9
"""Errors below this are rounding: no two blocks have differed."""


@dataclass(frozen=True, slots=True, eq=False)
class PointsPerDeal:
    """What entrants took in a deal, each in the place of its number."""

    means: Floats
    """Not a number for who has not played."""
    errors: Floats
    """Standard errors; not a number with fewer than `BLOCKS_MIN` blocks, and where no
    two blocks have differed."""
    half_widths: Floats
    """How far 95 % intervals reach to each side; not a number likewise."""
    blocks: Integers


def points_per_deal(
    entrants: Sequence[int] | Integers,
    blocks: ArrayLike,
    *,
    points: ArrayLike,
    deals: ArrayLike,
    count: int,
) -> PointsPerDeal:
    """Divide points by deals; what differs between blocks is the error.

    A block that had more deals than another counts more. Its deviation is the points
    that were taken in it less those that its deals should have brought; with `m`
    blocks the error is the root of `m / (m - 1)` times the sum of the squares of the
    deviations, divided by all deals.

    Args:
        entrants: For each seat of each game, who sat there, as numbers from 0.
        blocks: The block of that game; any integers.
        points: What the seat took in all deals of the game.
        deals: How many these were.
        count: How many entrants there are.
    """
    who = np.asarray(entrants, dtype=np.int64)
    block = np.unique(np.asarray(blocks), return_inverse=True)[1]
    cells, cell = np.unique(block * count + who, return_inverse=True)
    whose = cells % count
    taken = np.bincount(cell, np.asarray(points, dtype=np.float64))
    dealt = np.bincount(cell, np.asarray(deals, dtype=np.float64))
    in_blocks = np.bincount(whose, minlength=count).astype(np.int64)
    all_dealt = np.bincount(whose, dealt, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(whose, taken, minlength=count) / all_dealt
        squares = np.square(taken - means[whose] * dealt)
        spread = np.bincount(whose, squares, minlength=count)
        errors = np.sqrt(in_blocks / (in_blocks - 1) * spread) / all_dealt
    errors = np.where(
        (in_blocks >= BLOCKS_MIN) & (errors >= _ERROR_MIN), errors, np.nan
    )
    return PointsPerDeal(means, errors, half_width(errors, in_blocks), in_blocks)
