"""Ratings on the Elo scale from all results at once, with errors.

400 points more are odds of ten to one to come out ahead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leagues.rating.errors import (
    blocks_of,
    centred,
    covariance,
    deviations,
    half_width,
    p_values,
    sign_p_values,
    sign_superiorities,
    superiorities,
)
from leagues.rating.fit import strengths
from leagues.rating.marks import marks_of
from leagues.rating.pairs import (
    Floats,
    Games,
    Integers,
    Pairs,
    blocks_ahead,
    pairs_of,
    wins_of,
)
from leagues.rating.points import PointsPerDeal, points_per_deal
from leagues.rating.tiers import LEVEL, Tier, tiers_of
from leagues.results import GameResult

__all__ = [
    "MEAN",
    "PRIOR",
    "Ratings",
    "rate",
    "rate_arrays",
    "rate_pairs",
    "rate_points",
]

MEAN: Final = 1500.0
"""The rating of the anchor, or the mean of all where there is none."""
PRIOR: Final = 1.0
"""How many draws against a phantom of average strength everybody has."""

_ELO: Final = 400 / float(np.log(10))
_ERROR_MIN: Final = 1e-6
"""Errors below this, in Elo, are rounding: no two blocks have differed."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """What entrants are worth, and how surely.

    All arrays are in the order of the names, and can't be written to.
    """

    names: tuple[str, ...]
    """Whoever has played, sorted."""
    elo: Floats
    errors: Floats
    """Standard errors: of the distance from the anchor, or from the mean of all.

    Not a number where there is none: with a mark, or where no two blocks differed.
    The anchor's own is 0."""
    half_widths: Floats
    """How far 95 % intervals reach to each side; not a number likewise."""
    pair_errors: Floats
    """Standard errors of the difference of two ratings; not a number likewise."""
    blocks: Integers
    """How many blocks each took part in."""
    wins: Floats
    """How often who came out ahead of whom, ties half."""
    results: Floats
    """How many results there are between whom."""
    ahead: Integers
    """In how many blocks who won more results against whom than it lost."""
    marks: tuple[str, ...]
    """`>` won against everybody always, `<` never; `!` no chain of wins and losses
    joins it with the rest, so that its distance from them is a guess; `?` fewer than
    `BLOCKS_MIN` blocks; else empty."""
    anchor: str | None
    """Who is rated 1500; `None` where the mean of all is."""
    prior: float
    """How many draws against the phantom everybody has."""

    def __post_init__(self) -> None:
        """Make the arrays as immutable as the rest."""
        for held in fields(self):
            value = getattr(self, held.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def los(self, one: str, other: str) -> float:
        """Return how likely it is that the one is better than the other.

        Where their ratings have no errors, the blocks between the two alone decide;
        not a number where there is none.
        """
        return float(self.superiority()[self.names.index(one), self.names.index(other)])

    def superiority(self) -> Floats:
        """Return how likely each is better than each, in a matrix; see `los`."""
        by_errors = superiorities(
            self._distances(), self.pair_errors, self._pair_blocks()
        )
        by_signs = sign_superiorities(self.ahead)
        by_signs[self.results == 0] = np.nan
        found = np.where(np.isnan(self.pair_errors), by_signs, by_errors)
        np.fill_diagonal(found, 0.5)
        return found

    def p_values(self) -> Floats:
        """Return how often equal entrants differ as much by chance, in a matrix.

        Where ratings have no errors, the blocks between the two alone decide; where
        these say the opposite of the ratings, or nothing, that is 1.
        """
        distances = self._distances()
        by_errors = p_values(distances, self.pair_errors, self._pair_blocks())
        agrees = distances * (self.ahead - self.ahead.T) > 0
        by_signs = np.where(agrees, sign_p_values(self.ahead), 1.0)
        found = np.where(np.isnan(self.pair_errors), by_signs, by_errors)
        np.fill_diagonal(found, 1)
        return found

    def tiers(self, level: float = LEVEL) -> tuple[Tier, ...]:
        """Return the tiers of each; `leagues.rating.tiers` says what they are."""
        return tiers_of(self.elo, self.p_values(), level=level)

    def _distances(self) -> Floats:
        return np.asarray(self.elo[:, None] - self.elo[None, :], dtype=np.float64)

    def _pair_blocks(self) -> Integers:
        return np.minimum(self.blocks[:, None], self.blocks[None, :])


def rate(
    results: Sequence[GameResult],
    *,
    anchor: str | None = None,
    prior: float = PRIOR,
) -> Ratings:
    """Rate everybody who has played.

    Args:
        results: Of games, in any order.
        anchor: Who is rated 1500; without it, or when it has not played, the mean
            of all is.
        prior: How many draws against the phantom everybody has; above 0.
    """
    names = sorted({seat.entrant for game in results for seat in game.seats})
    indices = {name: index for index, name in enumerate(names)}
    by_size = sorted(results, key=lambda game: len(game.seats))
    games = [
        _games(list(same), indices)
        for _, same in groupby(by_size, key=lambda game: len(game.seats))
    ]
    pairs = pairs_of(*games, entrants=len(names))
    return rate_pairs(pairs, names=tuple(names), anchor=anchor, prior=prior)


def rate_points(results: Sequence[GameResult], names: Sequence[str]) -> PointsPerDeal:
    """Work out the points a deal of those named, in the order of their names."""
    indices = {name: index for index, name in enumerate(names)}
    rows = [
        (indices[seat.entrant], game.block, seat.points, game.deals)
        for game in results
        for seat in game.seats
        if seat.entrant in indices
    ]
    who, blocks, points, deals = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return points_per_deal(who, blocks, points=points, deals=deals, count=len(names))


def rate_arrays(
    seats: ArrayLike,
    places: ArrayLike,
    blocks: ArrayLike,
    *,
    entrants: int,
    anchor: int | None = None,
    prior: float = PRIOR,
) -> Ratings:
    """Rate entrants that are numbers from 0, which become their names.

    Args:
        seats: Who sat where, a row for each game.
        places: How they came out, likewise; less is better, equal is a tie.
        blocks: The block of each game; any integers, the same for the same cards.
        entrants: How many there are.
        anchor: Who is rated 1500; by default the mean of all is.
        prior: How many draws against the phantom everybody has; above 0.
    """
    return rate_pairs(
        pairs_of(Games(seats, places, blocks), entrants=entrants),
        names=tuple(map(str, range(entrants))),
        anchor=None if anchor is None else str(anchor),
        prior=prior,
    )


def rate_pairs(
    pairs: Pairs, *, names: tuple[str, ...], anchor: str | None, prior: float
) -> Ratings:
    """Rate entrants from results between two; see `rate`."""
    wins = wins_of(pairs)
    played = wins + wins.T
    theta = strengths(wins, prior=prior)
    deviation = deviations(pairs, theta)
    blocks = blocks_of(deviation)
    marks = marks_of(wins, blocks)
    is_sure = np.array([not mark for mark in marks], dtype=bool)
    spread = covariance(deviation, theta, played, prior=prior)
    pair_errors = _pair_errors(spread, is_sure)
    fixed = names.index(anchor) if anchor in names else None
    if fixed is None:
        errors = _ELO * _root(np.diag(centred(spread)))
        errors = np.where(is_sure & (errors >= _ERROR_MIN), errors, np.nan)
        degrees = blocks
    else:
        errors = pair_errors[fixed].copy()
        degrees = np.minimum(blocks, blocks[fixed])
    elo = _ELO * theta
    zero = elo.sum() / max(len(elo), 1) if fixed is None else elo[fixed]
    return Ratings(
        names=names,
        elo=MEAN + elo - zero,
        errors=errors,
        half_widths=half_width(errors, degrees),
        pair_errors=pair_errors,
        blocks=blocks,
        wins=wins,
        results=played,
        ahead=blocks_ahead(pairs),
        marks=marks,
        anchor=None if fixed is None else anchor,
        prior=prior,
    )


def _games(same: Sequence[GameResult], indices: dict[str, int]) -> Games:
    """Put games at tables of one size into arrays."""
    return Games(
        seats=[[indices[seat.entrant] for seat in game.seats] for game in same],
        places=[[seat.place for seat in game.seats] for game in same],
        blocks=[game.block for game in same],
    )


def _pair_errors(spread: Floats, is_sure: NDArray[np.bool_]) -> Floats:
    """Return the errors of all differences, those to oneself are 0."""
    own = np.diag(spread)
    errors = _ELO * _root(own[:, None] + own[None, :] - spread - spread.T)
    is_known = is_sure[:, None] & is_sure[None, :] & (errors >= _ERROR_MIN)
    errors = np.where(is_known, errors, np.nan)
    np.fill_diagonal(errors, 0)
    return errors


def _root(squares: Floats) -> Floats:
    """Return roots; what rounding has brought below 0 counts as 0."""
    return np.asarray(np.sqrt(np.maximum(squares, 0)), dtype=np.float64)
