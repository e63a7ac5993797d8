"""Ratings on the Elo scale from all games at once.

A game counts as a result between each two of its seats: the better place wins, an
equal place is half a win. The ratings are those under which everybody has won as
much as was to be expected (batch Bradley-Terry): they depend on no order, not of
games, seats or entrants. So that they are always finite, everybody also has one
draw against a phantom of average strength.

400 points more are odds of ten to one to come out ahead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["MEAN", "Placing", "Rating", "rate"]

MEAN: Final = 1500.0
"""The rating of the anchor, or the mean of all where there is none."""

Placing = Sequence[tuple[str, float]]
"""One game: who played, and in which place; less is better, equal is a tie."""

_ELO: Final = 400 / float(np.log(10))
_STEP_SHORT: Final = 1e-2
"""Steps are tried out first when they are longer: about 2 points."""
_STEP_LAST: Final = 1e-12
_STEPS_MAX: Final = 200

_Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rating:
    """What one entrant is worth."""

    elo: float
    mark: str
    """`>` won against everybody always, `<` never; `!` no chain of wins and losses
    joins it with the rest, so that its distance from them is a guess; else empty."""
    wins: float
    """Results won, ties half."""
    results: int
    """Results in all: three for each game at a table of four."""


def rate(
    games: Sequence[Placing],
    *,
    anchor: str | None = None,
    prior: float = 1.0,
) -> dict[str, Rating]:
    """Rate everybody who has played.

    Args:
        games: The games, in any order.
        anchor: Who is rated 1500; without it, or when it has not played, the mean
            of all is.
        prior: How many draws against the phantom everybody has; above 0.

    Returns:
        The ratings by name, in the order of the names.
    """
    names = sorted({name for game in games for name, _ in game})
    if not names:
        return {}
    wins = _wins(games, {name: index for index, name in enumerate(names)})
    elo = _ELO * _strengths(wins, prior)
    elo += MEAN - (elo[names.index(anchor)] if anchor in names else elo.mean())
    marks = _marks(wins)
    results = wins + wins.T
    return {
        name: Rating(
            elo=float(elo[index]),
            mark=marks[index],
            wins=float(wins[index].sum()),
            results=round(results[index].sum()),
        )
        for index, name in enumerate(names)
    }


def _wins(games: Sequence[Placing], indices: Mapping[str, int]) -> _Matrix:
    """Count who has come out ahead of whom, ties half."""
    wins = np.zeros((len(indices), len(indices)))
    by_size: dict[int, list[Placing]] = {}
    for game in games:
        by_size.setdefault(len(game), []).append(game)
    for size, same in by_size.items():
        seats = np.array([[indices[name] for name, _ in game] for game in same])
        places = np.array([[place for _, place in game] for game in same])
        for one, other in combinations(range(size), 2):
            ahead, behind = places[:, one], places[:, other]
            won = np.where(ahead < behind, 1.0, np.where(ahead == behind, 0.5, 0.0))
            np.add.at(wins, (seats[:, one], seats[:, other]), won)
            np.add.at(wins, (seats[:, other], seats[:, one]), 1.0 - won)
    return wins


def _strengths(wins: _Matrix, prior: float) -> _Matrix:
    """Find the greatest likelihood by Newton's method, in natural units.

    The likelihood has one peak, since it is concave. A long step that would lead
    downhill is halved; close to the peak every step leads to it, and likelihoods
    differ by less than their rounding.
    """
    theta = np.zeros(len(wins))
    played = wins + wins.T
    for _ in range(_STEPS_MAX):
        chance = _logistic(theta[:, None] - theta[None, :])
        phantom = _logistic(theta)
        gradient = wins.sum(axis=1) - (played * chance).sum(axis=1)
        gradient += prior * (0.5 - phantom)
        weight = played * chance * (1 - chance)
        hessian = np.diag(weight.sum(axis=1) + prior * phantom * (1 - phantom)) - weight
        step = np.linalg.solve(hessian, gradient)
        before = _likelihood(theta, wins, prior)
        while (
            np.abs(step).max() > _STEP_SHORT
            and _likelihood(theta + step, wins, prior) < before
        ):
            step /= 2
        theta = theta + step
        if np.abs(step).max() < _STEP_LAST:
            break
    return theta


def _likelihood(theta: _Matrix, wins: _Matrix, prior: float) -> float:
    """Return the logarithm of the likelihood, the phantom's draws included."""
    difference = theta[:, None] - theta[None, :]
    drawn = np.logaddexp(0, theta) + np.logaddexp(0, -theta)
    return float(-(wins * np.logaddexp(0, -difference)).sum() - prior / 2 * drawn.sum())


def _logistic(value: _Matrix) -> _Matrix:
    return np.asarray(1 / (1 + np.exp(-value)), dtype=np.float64)


def _marks(wins: _Matrix) -> list[str]:
    """Mark whose rating rests on the phantom rather than on results."""
    losses = wins.sum(axis=0)
    won = wins.sum(axis=1)
    sizes, group = _groups(wins > 0)
    main = max(sizes)
    return [
        ">"
        if losses[index] == 0
        else "<"
        if won[index] == 0
        else ""
        if sizes[group[index]] == main and main > 1
        else "!"
        for index in range(len(wins))
    ]


def _groups(beats: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """Group those whom chains of wins join in both directions.

    Returns:
        The size of each group, and the group of each entrant.
    """
    reaches = beats | np.eye(len(beats), dtype=bool)
    while True:
        further = (reaches.astype(np.int64) @ reaches.astype(np.int64)) > 0
        if (further == reaches).all():
            break
        reaches = further
    joined = reaches & reaches.T
    numbers: dict[bytes, int] = {}
    group = [numbers.setdefault(row.tobytes(), len(numbers)) for row in joined]
    return [group.count(number) for number in range(len(numbers))], group
