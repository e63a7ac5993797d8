"""A league of bots in several languages, each started by the arena."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.processes import (
    arena,
    entrant,
    houses,
    left_over,
    records,
    standings,
    write_league,
)
from tests.sources import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GAMES = 4
CLIENTS = ROOT / "clients"


def test_a_league_of_languages(tmp_path: Path) -> None:
    """JavaScript over gRPC and bash over lines play beside house bots."""
    script = CLIENTS / "javascript" / "examples" / "random_bot.js"
    if (
        shutil.which("node") is None
        or not (script.parents[1] / "node_modules").exists()
    ):
        pytest.skip("node or the JavaScript libraries are not installed")
    lines = CLIENTS / "stdio" / "examples"
    file = write_league(
        tmp_path,
        "languages",
        f"games = {GAMES}",
        "practice_seed = 1",
        "rules = { preset = 'arena', target = 30 }",
        entrant(name="script", command=["node", str(script)]),
        entrant(
            name="lines", command=["bash", str(lines / "highest.sh")], protocol="stdio"
        ),
        *houses("careful", "lowest"),
    )
    done = arena(tmp_path, "league", "run", file)
    rows = {
        row["entrant"]: row for row in standings(tmp_path, "languages")["standings"]
    }

    assert 0 == done.code, done.error
    assert GAMES == len(records(tmp_path, "languages"))
    assert {0} == {sum(row["faults"].values()) for row in rows.values()}
    assert [] == left_over(tmp_path)
