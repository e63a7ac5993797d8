"""Ratings and errors, worked out again by others: three that share no code."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from leagues.rating.pairs import pairs_of
from leagues.rating.ratings import rate_arrays
from tests.rating_games import Drawn, drawn_games

ELO = 400 / np.log(10)
FEW = [
    pytest.param(drawn_games(60, entrants=4, seed=1), id="four seats"),
    pytest.param(
        drawn_games(90, entrants=9, seed=3, seats=3, has_ties=True), id="three, ties"
    ),
]
GAMES = [
    *FEW,
    pytest.param(
        drawn_games(400, entrants=12, seed=2, rotations=4, luck=0.4), id="rotations"
    ),
    pytest.param(
        drawn_games(300, entrants=11, seed=4, seats=5, spread=400), id="five seats"
    ),
]


def logarithm_of_likelihood(
    theta: NDArray[np.float64], games: Drawn, prior: float
) -> float:
    """The likelihood of games by the book: game by game, pair by pair."""
    total = 0.0
    for seats, places in zip(games.seats, games.places, strict=True):
        for one, other in combinations(range(len(seats)), 2):
            lead = theta[seats[one]] - theta[seats[other]]
            won = {-1: 1.0, 0: 0.5, 1: 0.0}[np.sign(places[one] - places[other])]
            total -= won * np.log1p(np.exp(-lead)) + (1 - won) * np.log1p(np.exp(lead))
    for strength in theta:
        total -= prior / 2 * np.log1p(np.exp(strength))
        total -= prior / 2 * np.log1p(np.exp(-strength))
    return float(total)


@pytest.mark.parametrize("prior", [1.0, 0.25])
@pytest.mark.parametrize("games", FEW)
def test_a_search_for_the_peak_finds_the_same(games: Drawn, prior: float) -> None:
    """BFGS on the plain likelihood of all games ends at the same ratings."""
    count = len(games.elo)
    found = minimize(
        lambda theta: -logarithm_of_likelihood(theta, games, prior),
        np.zeros(count),
        method="BFGS",
        options={"gtol": 1e-7},
    )
    expected = 1500 + ELO * (found.x - found.x.mean())
    ratings = rate_arrays(*games.games, entrants=count, prior=prior)

    assert expected.tolist() == pytest.approx(ratings.elo.tolist(), abs=1e-3)


@pytest.mark.parametrize("games", GAMES)
def test_choix_finds_the_same_ratings(games: Drawn) -> None:
    """The iterative algorithm of choix, with the phantom as one more entrant."""
    import choix

    count = len(games.elo)
    ratings = rate_arrays(*games.games, entrants=count, prior=1.0)
    matrix = np.zeros((count + 1, count + 1))
    matrix[:count, :count] = ratings.wins
    matrix[count, :count] = matrix[:count, count] = 0.5
    found = choix.ilsr_pairwise_dense(matrix, tol=1e-12)
    expected = 1500 + ELO * (found[:count] - found[:count].mean())

    assert expected.tolist() == pytest.approx(ratings.elo.tolist(), abs=1e-4)


@pytest.mark.parametrize("games", GAMES[1:3])
def test_statsmodels_finds_the_same_errors(games: Drawn) -> None:
    """A clustered GLM of all pairs has the same ratings and errors."""
    # It knows no phantom, so that here it weighs next to nothing, and takes the first
    # entrant for its zero. It also corrects for the number N of results and p of
    # strengths, by the root of (N - 1) / (N - p).
    import statsmodels.api

    count = len(games.elo)
    pairs = pairs_of(games.games, entrants=count)
    ratings = rate_arrays(*games.games, entrants=count, prior=1e-6)
    rows = np.arange(len(pairs.one))
    design = np.zeros((len(rows), count))
    design[rows, pairs.one] += 1
    design[rows, pairs.other] -= 1
    model = statsmodels.api.GLM(
        pairs.score, design[:, 1:], family=statsmodels.api.families.Binomial()
    )
    found = model.fit(cov_type="cluster", cov_kwds={"groups": pairs.block}, tol=1e-13)
    factor = np.sqrt((len(rows) - 1) / (len(rows) - (count - 1)))
    expected = ELO * found.bse / factor

    assert (ELO * found.params).tolist() == pytest.approx(
        (ratings.elo - ratings.elo[0])[1:].tolist(), abs=1e-4
    )
    assert expected.tolist() == pytest.approx(
        ratings.pair_errors[0, 1:].tolist(), abs=1e-4
    )
