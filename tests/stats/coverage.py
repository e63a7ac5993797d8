"""How often 95 % intervals hold, and how often equal entrants are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from leagues.rating.pairs import Floats
from leagues.rating.ratings import Ratings, rate_arrays
from tests.rating_games import Drawn, drawn_games


@dataclass(frozen=True, slots=True)
class Coverage:
    """What leagues came to, each of which is one witness: one bot is drawn from it."""

    leagues: int
    """How many had an interval for the bot that was drawn."""
    without: int
    """How many had none."""
    covered: float
    """The share of intervals that hold the truth; 0.95 is what they promise."""
    rms_error: float
    """How far ratings are off, in Elo: the root of the mean square."""
    mean_error: float
    """How far they say they are: the root of the mean square of standard errors."""

    @property
    def uncertainty(self) -> float:
        """The standard error of `covered`, if intervals are as good as they promise."""
        return sqrt(0.95 * 0.05 / self.leagues)


def coverage_of(leagues: Iterable[tuple[Ratings, Floats]], *, seed: int) -> Coverage:
    """Compare the ratings of leagues with the truth, of one bot in each.

    Args:
        leagues: Ratings whose mean is 1500, and the true ones whatever their mean.
        seed: What decides which bot is drawn.
    """
    random = np.random.default_rng(seed)
    off: list[float] = []
    errors: list[float] = []
    covered = without = 0
    for ratings, truth in leagues:
        bot = random.integers(len(truth))
        if np.isnan(ratings.half_widths[bot]):
            without += 1
            continue
        off.append(ratings.elo[bot] - 1500 - (truth[bot] - truth.mean()))
        errors.append(ratings.errors[bot])
        covered += abs(off[-1]) <= ratings.half_widths[bot]
    return Coverage(
        leagues=len(off),
        without=without,
        covered=float(covered / len(off)),
        rms_error=float(np.sqrt(np.mean(np.square(off)))),
        mean_error=float(np.sqrt(np.mean(np.square(errors)))),
    )


def drawn_leagues(
    count: int,
    *,
    entrants: int,
    blocks_each: int,
    rotations: int = 1,
    luck: float = 0.0,
    spread: float = 150.0,
) -> Iterator[tuple[Ratings, Floats]]:
    """Rate leagues of Plackett and Luce, whose true ratings are known.

    With shared luck the truth is another, so that entrants must then be equal.
    """
    assert luck == 0 or spread == 0, "the truth is not known"
    for seed in range(count):
        games = drawn_games(
            blocks_each * entrants // 4 * rotations,
            entrants=entrants,
            seed=seed,
            rotations=rotations,
            luck=luck,
            spread=spread,
        )
        yield rated(games), games.elo


def rated(games: Drawn) -> Ratings:
    """Rate games whose entrants are numbers."""
    return rate_arrays(*games.games, entrants=len(games.elo))


def false_tiers(count: int, *, entrants: int, blocks_each: int) -> float:
    """Return in how many leagues of equal entrants some are told apart; 0.05 may be."""
    leagues = drawn_leagues(
        count, entrants=entrants, blocks_each=blocks_each, spread=0.0
    )
    return sum(len(set(ratings.tiers())) > 1 for ratings, _ in leagues) / count
