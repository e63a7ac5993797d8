"""How surely a league of so many games will tell its entrants apart.

The figures are for equal entrants, whose results are the most uncertain, at tables
without ties. Of h games at k seats the results of a table hang together, so that a
rating's variance is (k + 1) / 3 of what as many independent results would give; its
standard error is c / sqrt(h), where c = 259 Elo at four seats. Games that share their
deals in all rotations say more than that, by how much depends on the entrants.
"""

from dataclasses import dataclass
from math import comb, inf, log, sqrt
from statistics import NormalDist
from typing import Final

__all__ = ["BLOCKS_MIN", "Precision", "error_factor", "games_for_gap", "precision"]

LEVEL: Final = 0.05
POWER: Final = 0.80
BLOCKS_MIN: Final = 3
"""Of fewer blocks no error can be told."""

_ELO: Final = 400 / log(10)
_STEPS: Final = 8
"""How often games are worked out anew with the quantile for so many."""


@dataclass(frozen=True, slots=True)
class Precision:
    """What a league will be able to tell, in Elo."""

    half_width: float
    """The expected ± of a rating: how far its 95 % interval reaches to each side."""
    gap: float
    """How far apart two entrants must be to be told apart with 80 % power, if they
    are compared by themselves."""
    gap_among_all: float
    """The same if all pairs are compared at once, as for the tiers."""


def error_factor(seats: int) -> float:
    """Return c: the standard error of a rating times the root of its games."""
    return _ELO * 4 * sqrt((seats + 1) / (12 * (seats - 1)))


def precision(
    games: int, *, blocks: int, entrants: int, seats: int, is_anchored: bool
) -> Precision | None:
    """Work out what so many games a bot can tell; `None` for fewer than three blocks.

    Args:
        games: How many each entrant plays.
        blocks: How many of them have deals of their own.
        entrants: How many there are.
        seats: How many seats a table has.
        is_anchored: Whether ratings are told from one entrant's, not from the mean.
    """
    if blocks < BLOCKS_MIN:
        return None
    share = (entrants - 1) / entrants
    error = error_factor(seats) / sqrt(games)
    of_pair = error * sqrt(2 * share)
    level_among_all = _level(entrants, among_all=True)
    return Precision(
        half_width=_quantile(LEVEL, blocks - 1)
        * (of_pair if is_anchored else error * share),
        gap=(_quantile(LEVEL, blocks - 1) + _power()) * of_pair,
        gap_among_all=(_quantile(level_among_all, blocks - 1) + _power()) * of_pair,
    )


def games_for_gap(
    gap: float, *, entrants: int, seats: int, among_all: bool = False
) -> int:
    """Return how many games a bot tell two apart that are so many Elo apart.

    Args:
        gap: How far apart they are.
        entrants: How many there are.
        seats: How many seats a table has.
        among_all: Whether all pairs are compared at once, as for the tiers.
    """
    level = _level(entrants, among_all=among_all)
    of_pair = error_factor(seats) * sqrt(2 * (entrants - 1) / entrants)
    freedom, games = inf, BLOCKS_MIN
    for _ in range(_STEPS):
        needed = round((of_pair * (_quantile(level, freedom) + _power()) / gap) ** 2)
        games = max(BLOCKS_MIN, needed)
        freedom = games - 1
    return games


def _level(entrants: int, *, among_all: bool) -> float:
    return LEVEL / comb(entrants, 2) if among_all else LEVEL


def _power() -> float:
    return NormalDist().inv_cdf(POWER)


def _quantile(level: float, freedom: float = inf) -> float:
    """Return beyond what a t-distributed figure is by chance, on either side.

    A series in the normal quantile; with five degrees of freedom it is a thousandth
    off at the usual level.
    """
    z = NormalDist().inv_cdf(1 - level / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))
