"""A host who decides about a league while an arena plays it, by real commands."""

import subprocess
import time
from pathlib import Path

import pytest

from leagues.storage.store import Store, StoreError
from tests.e2e.processes import (
    BOTS,
    TIMEOUT_SECONDS,
    arena,
    entrant,
    houses,
    left_over,
    records,
    running,
    standings,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

HOUSES = ("random", "lowest", "ducker", "careful", "daring")
GAMES = 60


def test_a_host_decides_while_the_league_is_played(tmp_path: Path) -> None:
    """Paused, void, excluded, resumed: the running arena hears it all."""
    file = write_league(
        tmp_path,
        "friday",
        f"games = {GAMES}",
        "tables_max = 1",
        "rules = { preset = 'arena', target = 26 }",
        entrant(name="steady", command=f"python {BOTS / 'steady.py'}"),
        *houses(*HOUSES),
    )

    def decide(*words: object) -> None:
        done = arena(tmp_path, "league", *words, "--reason", "so", "--by", "Ms. Hopper")
        assert 0 == done.code, done.error

    with running(tmp_path, "league", "run", file) as process:
        number = _await_game(process, tmp_path)
        decide("pause", "friday")
        first = standings(tmp_path, "friday")
        attempt = attempt_of(tmp_path, number)
        decide("void", "friday", number)
        decide("exclude", "friday", "lowest")
        paused = len(records(tmp_path, "friday"))
        audit = arena(tmp_path, "league", "audit", "friday")
        still_paused = len(records(tmp_path, "friday"))
        decide("resume", "friday")
        process.wait(TIMEOUT_SECONDS)
    found = standings(tmp_path, "friday")

    assert "stopped" != first["state"] != "finished"
    assert (0, paused) == (audit.code, still_paused)
    assert paused < found["games_finished"] < GAMES
    assert (0, "finished") == (process.returncode, found["state"])
    assert {"lowest"} == found["excluded"].keys()
    assert {"steady", *HOUSES} - {"lowest"} == {
        row["entrant"] for row in found["standings"]
    }
    assert attempt < attempt_of(tmp_path, number)
    assert [] == left_over(tmp_path)


def attempt_of(folder: Path, number: int) -> int:
    """The attempt under which a game was dealt."""
    found = records(folder, "friday")
    return int(next(one["attempt"] for one in found if one["block"] == number))


def _await_game(process: subprocess.Popen[str], folder: Path) -> int:
    """Wait until a game without the bot that will be excluded is finished."""
    while process.poll() is None:
        try:
            with Store.open_read_only(folder / "data") as store:
                for result in store.results("friday"):
                    if all(seat.entrant != "lowest" for seat in result.seats):
                        return result.number
        except (StoreError, KeyError):
            pass
        time.sleep(0.02)
    raise AssertionError("the league ended before anything was decided")
