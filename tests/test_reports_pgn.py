"""PGN for other programs that rate: what is exported, and that it has it all.

The fit in here is the formula of the documents, written down anew: the logarithm of
the likelihood, as it stands, given to BFGS.
"""

import re
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from leagues.rating.ratings import rate
from leagues.reports.pgn import PHANTOM, pairs_pgn, phantom_pgn
from tests.made_up_leagues import NAMES, made_up
from tests.sample_results import game_result

SKILL = {"ada": 1.5, "bea": 0.2, "dan": -1.0, "eve": -1.2, "flo": -3.0}
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
Played = tuple[str, str, float]


def games_of(pgn: str) -> list[Played]:
    """White, Black and the score of White of each game in a PGN."""
    games = []
    for part in pgn.split("[Event ")[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', part, re.MULTILINE))
        assert part.endswith(f"\n\n{tags['Result']}\n\n")
        games.append((tags["White"], tags["Black"], SCORES[tags["Result"]]))
    return games


def fitted(games: Iterable[Played], *, prior: float) -> dict[str, float]:
    """Elo ratings under which the games are likeliest, with a mean of 1500.

    Everybody has `prior` draws against a phantom, whose strength is 0.
    """
    games = list(games)
    names = sorted({name for white, black, _ in games for name in (white, black)})
    white = np.array([names.index(name) for name, _, _ in games])
    black = np.array([names.index(name) for _, name, _ in games])
    score = np.array([score for _, _, score in games])

    def unlikelihood(theta: NDArray[np.float64]) -> float:
        away = theta[white] - theta[black]
        won = score * np.log1p(np.exp(-away)) + (1 - score) * np.log1p(np.exp(away))
        drawn = np.log1p(np.exp(-theta)) + np.log1p(np.exp(theta))
        return float(won.sum() + prior / 2 * drawn.sum())

    def slope(theta: NDArray[np.float64]) -> NDArray[np.float64]:
        beyond = 1 / (1 + np.exp(theta[black] - theta[white])) - score
        down = prior * (1 / (1 + np.exp(-theta)) - 0.5)
        np.add.at(down, white, beyond)
        np.add.at(down, black, -beyond)
        return np.asarray(down)

    start = np.zeros(len(names))
    found = minimize(unlikelihood, start, jac=slope, method="BFGS", tol=1e-9).x
    elo = 400 / np.log(10) * found
    return dict(zip(names, elo - elo.mean() + 1500, strict=True))


def test_each_two_seats_are_a_game() -> None:
    """A game of four is six games of two, with its block as the round."""
    placing = [("ada", 1), ("bea", 2), ("dan", 2), ("eve", 4)]
    pgn = "".join(pairs_pgn("friday", [game_result(7, placing, block=3)]))

    assert [
        ("ada", "bea", 1.0),
        ("ada", "dan", 1.0),
        ("ada", "eve", 1.0),
        ("bea", "dan", 0.5),
        ("bea", "eve", 1.0),
        ("dan", "eve", 1.0),
    ] == games_of(pgn)
    assert pgn.startswith(
        '[Event "friday"]\n[Round "3"]\n[White "ada"]\n[Black "bea"]\n[Result "1-0"]\n'
    )


def test_names_cannot_leave_their_quotes() -> None:
    """Quotes and backslashes in names are told apart from those of the format."""
    placing = [('a"]\\', 2), ("b", 1)]
    pgn = "".join(pairs_pgn('my "league"', [game_result(1, placing)]))

    assert '[Event "my \\"league\\""]' in pgn
    assert '[White "a\\"]\\\\"]' in pgn
    assert '[Result "0-1"]' in pgn


@pytest.mark.parametrize("rotations", [1, 4])
def test_another_fit_of_the_pairs_agrees(rotations: int) -> None:
    """BFGS on the exported pairs finds our ratings to a thousandth of a point."""
    results = made_up(4, games=300, skill=SKILL, rotations=rotations)
    ratings = rate(results)
    pgn = "".join(pairs_pgn("friday", results))

    assert fitted(games_of(pgn), prior=1) == pytest.approx(
        dict(zip(ratings.names, ratings.elo, strict=True)), abs=0.001
    )


def test_the_phantom_is_a_player_like_others() -> None:
    """A fit that knows of no prior has our ratings from the draws in the file."""
    results = made_up(4, games=300, skill=SKILL)
    ratings = rate(results)
    pgn = "".join([*pairs_pgn("friday", results), *phantom_pgn("friday", NAMES)])
    elo = fitted(games_of(pgn), prior=0)
    del elo[PHANTOM]
    mean = sum(elo.values()) / len(elo)

    assert {name: value - mean + 1500 for name, value in elo.items()} == pytest.approx(
        dict(zip(ratings.names, ratings.elo, strict=True)), abs=0.001
    )
