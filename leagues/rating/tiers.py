"""Tiers: which entrants the games tell apart, and which they do not.

Every two entrants are compared, which makes many comparisons; so that with equal
entrants only one table in twenty claims any difference at all, the comparisons are
judged together (Holm's method). What they leave is told in tiers, which are numbers
from 1, the best first:

- Entrants that have no tier in common are really different: the one with the
  smaller numbers is the stronger. The chance that a table says so wrongly, anywhere,
  is at most the level, usually 5 %.
- Entrants that have a tier in common are not told apart by these games: which of
  them stands above the other may be luck.

An entrant can be in several tiers: it is then told apart neither from those above
nor from those below, though these are from each other. With more games tiers become
narrower and more.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leagues.rating.pairs import Floats

__all__ = ["LEVEL", "Tier", "holm", "tiers_of"]

LEVEL: Final = 0.05

_Truths = NDArray[np.bool_]


class Tier(NamedTuple):
    """The tiers that an entrant may belong to, from the best to the last."""

    first: int
    last: int

    def is_apart_from(self, other: "Tier") -> bool:
        """Tell whether the two have no tier in common, so that one is better."""
        return self.last < other.first or other.last < self.first

    def __str__(self) -> str:
        """Write `2`, or `2-4` where there are several."""
        several = f"{self.first}-{self.last}"
        return str(self.first) if self.first == self.last else several


def tiers_of(
    elo: Floats, p_values: Floats, *, level: float = LEVEL
) -> tuple[Tier, ...]:
    """Return the tiers of each entrant.

    An entrant's *betters* are those with a higher rating from which it is told apart
    by Holm's method, and their betters. As far as the betters of two entrants are
    not the same, those of the one must be among those of the other, so that tiers
    can be a line of numbers; differences that do not fit in are left out, which is
    rare and claims less rather than more. The first tier of an entrant is one more
    than the number of smaller sets of betters; its last tier is the last one before
    the first tiers of all that have it as a better.

    Args:
        elo: The ratings.
        p_values: For each two how often a difference as large comes about by chance,
            between entrants that are equal.
        level: How likely any wrong claim may be.
    """
    differs = holm(p_values, level=level)
    betters = _nested(_closed(differs & (elo[:, None] > elo[None, :])), elo)
    sizes = betters.sum(axis=0)
    numbers = np.unique(sizes, return_inverse=True)[1] + 1
    lasts = [
        int(min(numbers[betters[index]], default=numbers.max() + 1)) - 1
        for index in range(len(elo))
    ]
    return tuple(
        Tier(int(first), last) for first, last in zip(numbers, lasts, strict=True)
    )


def holm(p_values: Floats, *, level: float) -> _Truths:
    """Tell which pairs differ so that all claims together hold at a level.

    The pairs are taken by their p-values, the smallest first. Of m pairs the first
    must not exceed level / m, the next level / (m - 1), and so on; the first one that
    does ends it.
    """
    size = len(p_values)
    rows, columns = np.triu_indices(size, 1)
    values = p_values[rows, columns]
    order = np.argsort(values, kind="stable")
    bounds = level / np.arange(len(values), 0, -1)
    count = int(np.logical_and.accumulate(values[order] <= bounds).sum())
    differs = np.zeros((size, size), dtype=bool)
    chosen = order[:count]
    differs[rows[chosen], columns[chosen]] = True
    return differs | differs.T


def _closed(above: _Truths) -> _Truths:
    """Follow that who is better than a better is better."""
    while True:
        steps = above.astype(np.float64)
        further = above | ((steps @ steps) > 0)
        if (further == above).all():
            return above
        above = further


def _nested(above: _Truths, elo: Floats) -> _Truths:
    """Leave claims out until of any two sets of betters one lies in the other."""
    nested = above.copy()
    order = np.lexsort((-elo, above.sum(axis=0)))
    for smaller, larger in zip(order[-2::-1], order[:0:-1], strict=True):
        nested[:, smaller] &= nested[:, larger]
    return nested
