"""Points a deal: the published vector, and what a deal's error is."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leagues.rating.points import points_per_deal

VECTOR: dict[str, Any] = json.loads(
    (Path(__file__).parent / "golden" / "ratings_vectors.json").read_text()
)["batch"]


def test_five_bots_have_the_points_of_the_vector() -> None:
    """Means and errors by block agree with the reference."""
    rows = np.array(VECTOR["rows"])
    found = points_per_deal(
        rows[:, 1:5].ravel(),
        np.repeat(rows[:, 0], 4),
        points=rows[:, 5:].ravel(),
        deals=np.ones(rows[:, 5:].size),
        count=5,
    )
    expected = [VECTOR["points_per_hand"][name] for name in VECTOR["names"]]

    assert [each["mean"] for each in expected] == pytest.approx(
        found.means.tolist(), abs=1e-6
    )
    assert [each["se_deal"] for each in expected] == pytest.approx(
        found.errors.tolist(), abs=1e-6
    )
    assert VECTOR["clusters_per_bot"] == found.blocks.tolist()


def test_longer_games_count_more() -> None:
    """All deals have the same weight, however many a game has."""
    found = points_per_deal(
        [0, 0, 0], [1, 2, 3], points=[10, 60, 5], deals=[1, 10, 1], count=1
    )

    assert [75 / 12] == pytest.approx(found.means.tolist())


def test_games_of_one_block_are_added_up() -> None:
    """What came from the same cards is one deviation and not two."""
    apart = points_per_deal(
        4 * [0], [1, 2, 3, 4], points=[0, 8, 8, 0], deals=4 * [1], count=1
    )
    together = points_per_deal(
        8 * [0],
        [1, 1, 2, 2, 3, 3, 4, 4],
        points=2 * [0, 0, 8, 8],
        deals=8 * [1],
        count=1,
    )

    assert apart.errors.tolist() == pytest.approx(together.errors.tolist())
    assert apart.half_widths.tolist() == pytest.approx(together.half_widths.tolist())


def test_who_has_not_played_has_no_points() -> None:
    """Without games there is no mean, and with two blocks no error."""
    found = points_per_deal([0, 0], [1, 2], points=[3, 5], deals=[1, 1], count=2)

    assert [False, True] == np.isnan(found.means).tolist()
    assert [2, 0] == found.blocks.tolist()
    assert np.isnan(found.errors).all()
    assert np.isnan(found.half_widths).all()


def test_where_no_two_blocks_differ_nothing_is_certain() -> None:
    """Three blocks alike have no error, rather than one of nothing."""
    found = points_per_deal(
        [0, 0, 0], [1, 2, 3], points=[1, 1, 2], deals=[3, 3, 6], count=1
    )

    assert [1 / 3] == pytest.approx(found.means.tolist())
    assert np.isnan(found.errors).all()
    assert np.isnan(found.half_widths).all()
