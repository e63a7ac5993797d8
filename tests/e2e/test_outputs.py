"""Leagues that can't print: they are played, and the exit code tells of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import (
    ARENA,
    TIMEOUT_SECONDS,
    environment,
    houses,
    left_over,
    records,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

FULL = "f = os.open('/dev/full', os.O_WRONLY); os.dup2(f, 1); os.dup2(f, 2)"
CLOSED = "os.closerange(0, 3)"


@pytest.mark.parametrize("trouble", [FULL, CLOSED])
def test_a_league_needs_nobody_who_reads(tmp_path: Path, trouble: str) -> None:
    """With full disks behind its output, or none at all, a league is played whole."""
    write_league(
        tmp_path,
        "mute",
        "games = 12",
        "rules = { preset = 'arena', max_deals = 1 }",
        *houses("careful", "lowest", "ducker", "random"),
    )
    words = [*ARENA, "league", "run", "mute.toml"]
    program = f"import os; {trouble}; os.execv({sys.executable!r}, {words})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(tmp_path),
        timeout=TIMEOUT_SECONDS,
        check=False,
    )

    assert 0 == done.returncode
    assert 12 == len(records(tmp_path, "mute"))
    assert [] == left_over(tmp_path)
