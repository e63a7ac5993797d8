"""The running Elo: the published vectors, and that it is for display only."""

import json
from pathlib import Path
from typing import Any

import pytest

from leagues.rating.live import after_game, live_ratings

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "golden" / "ratings_vectors.json").read_text()
)


@pytest.mark.parametrize("vector", VECTORS["online"])
def test_a_game_moves_ratings_as_in_the_vector(vector: dict[str, Any]) -> None:
    """New ratings agree with the reference, and their sum stays."""
    after = after_game(vector["ratings"], vector["points"], k=vector["K"])

    assert vector["new"] == pytest.approx(list(after), abs=1e-6)
    assert sum(vector["ratings"]) == pytest.approx(sum(after))


def test_ratings_follow_the_games() -> None:
    """Everybody begins at 1500, and each game goes on from the one before."""
    once = live_ratings([[("a", 1), ("b", 2)]])
    again = live_ratings([[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]])

    assert {"a": 1508.0, "b": 1492.0} == once
    assert again["a"] < 1500 < again["b"]


def test_the_order_of_games_matters() -> None:
    """The last winner stands higher, which is why standings never use it."""
    games = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]]

    assert live_ratings(games)["a"] < live_ratings(games[::-1])["a"]
