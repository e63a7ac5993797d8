"""The fit: strengths under which everybody has won as much as was to be expected.

Batch Bradley-Terry: the odds that one entrant comes out ahead of another are
`exp(strength of the one - strength of the other)`. The strengths depend on no
order, not of games, seats or entrants. So that they are always finite, everybody
also has a draw against a phantom of average strength, 0.
"""

from typing import Final

import numpy as np

from leagues.rating.pairs import Floats

__all__ = ["chances", "curvature", "excess", "strengths"]

_STEP_SHORT: Final = 1e-2
"""Steps are tried out first when they are longer: about 2 points of Elo."""
_STEP_LAST: Final = 1e-9
"""After a step as short the peak is reached: each leaves about the square of itself.
Rounding may keep steps above 1e-12 for ever."""
_STEPS_MAX: Final = 200


def strengths(wins: Floats, *, prior: float) -> Floats:
    """Find the greatest likelihood by Newton's method.

    The likelihood has one peak, since it is concave. A long step that would lead
    downhill is halved; close to the peak every step leads to it, and likelihoods
    differ by less than their rounding.

    Args:
        wins: Who came out ahead of whom, ties half.
        prior: How many draws against the phantom everybody has; above 0.
    """
    theta = np.zeros(len(wins))
    played = wins + wins.T
    for _ in range(_STEPS_MAX):
        gradient = excess(theta, wins, prior=prior)
        steep = curvature(theta, played, prior=prior)
        step: Floats = np.linalg.solve(steep, gradient).astype(np.float64)
        while _length(step) > _STEP_SHORT and _falls(theta, step, wins, prior):
            step /= 2
        theta = theta + step
        if _length(step) < _STEP_LAST:
            break
    return theta


def excess(theta: Floats, wins: Floats, *, prior: float) -> Floats:
    """Return what everybody has won beyond what was to be expected.

    It is 0 at the peak of the likelihood, and leads there from elsewhere.

    Args:
        theta: The strengths, or those of several leagues.
        wins: Who came out ahead of whom, ties half, in a matrix for each league.
        prior: How many draws against the phantom everybody has.
    """
    played = wins + np.swapaxes(wins, -1, -2)
    beyond = (wins - played * chances(theta)).sum(axis=-1)
    return np.asarray(beyond + prior * (0.5 - _logistic(theta)), dtype=np.float64)


def chances(theta: Floats) -> Floats:
    """Return the chance of each to come out ahead of each."""
    return _logistic(theta[..., :, None] - theta[..., None, :])


def curvature(theta: Floats, played: Floats, *, prior: float) -> Floats:
    """Return the second derivatives of the likelihood, with the sign turned.

    Args:
        theta: The strengths.
        played: How many results there are between whom.
        prior: How many draws against the phantom everybody has.
    """
    chance, phantom = chances(theta), _logistic(theta)
    weight = played * chance * (1 - chance)
    own = weight.sum(axis=1) + prior * phantom * (1 - phantom)
    return np.asarray(np.diag(own) - weight, dtype=np.float64)


def _length(step: Floats) -> float:
    return float(np.abs(step).max(initial=0))


def _falls(theta: Floats, step: Floats, wins: Floats, prior: float) -> bool:
    return _likelihood(theta + step, wins, prior) < _likelihood(theta, wins, prior)


def _likelihood(theta: Floats, wins: Floats, prior: float) -> float:
    """Return the logarithm of the likelihood, the phantom's draws included."""
    difference = theta[:, None] - theta[None, :]
    drawn = np.logaddexp(0, theta) + np.logaddexp(0, -theta)
    return float(-(wins * np.logaddexp(0, -difference)).sum() - prior / 2 * drawn.sum())


def _logistic(value: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-value)), dtype=np.float64)
