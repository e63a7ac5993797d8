"""`arena match` in real processes: house bots, commands in sandboxes, a kill."""

import json
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from leagues.storage.store import Store, StoreError
from tests.bubblewrap import needs_sandboxes
from tests.e2e.processes import BOTS, arena, left_over, records, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SHORT = ("--rule", "target=10")
"""Games of a deal or two: as good as long ones here."""
POLL_SECONDS = 0.01


def report(folder: Path, league: str) -> dict[str, Any]:
    """Return the report of a match for programs."""
    done = arena(folder, "league", "report", league, "match", "--format", "json")
    (row,) = json.loads(done.out)["rows"]
    return dict(row)


def test_the_better_house_bot_is_found_soon(tmp_path: Path) -> None:
    """A few blocks say that careful is better than random; all can be checked."""
    test = ("match", "careful", "random", "--sprt", "0,1", *SHORT)
    done = arena(tmp_path, *test, "--json")
    found = json.loads(done.out)
    told = report(tmp_path, "careful-random")
    arena(tmp_path, "games", "export", "careful-random", "-o", "all.jsonl")
    verified = arena(tmp_path, "verify", "all.jsonl")
    whole = re.search(r"all right; (\d+) blocks in all arrangements", verified.out)

    assert 0 == done.code, done.error
    assert ("careful-random", "h1", True) == (
        found["match"],
        found["verdict"],
        found["is_over"],
    )
    assert found["summary"].startswith("careful is better than random.")
    assert 10 <= found["blocks"] < 40
    assert (found["llr"], found["margin"]) == (
        pytest.approx(told["llr"], abs=1e-6),
        pytest.approx(told["margin"], abs=1e-6),
    )
    assert whole is not None
    assert int(whole[1]) >= found["blocks"]
    assert [] == left_over(tmp_path)


def test_a_bot_is_not_better_than_itself(tmp_path: Path) -> None:
    """The same bot twice ends with no claim."""
    done = arena(tmp_path, "match", "careful", "careful", "--sprt", "0,1", *SHORT)

    assert 0 == done.code, done.error
    assert "careful-A and careful-B came out exactly alike." in " ".join(
        done.out.split()
    )
    assert "careful-A is not better than careful-B" in " ".join(done.out.split())


def finished(folder: Path, league: str) -> int:
    """Return how many games of a match are finished."""
    try:
        with Store.open_read_only(folder / "data") as store:
            return store.league(league).games_finished
    except (StoreError, KeyError):
        return 0


def kill_when(folder: Path, league: str, *words: str, games: int) -> None:
    """Play a match, and kill the arena once so many games are finished."""
    process = start(folder, "match", *words)
    try:
        while process.poll() is None and finished(folder, league) < games:
            with suppress(subprocess.TimeoutExpired):
                process.wait(POLL_SECONDS)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()


def test_a_killed_match_goes_on(tmp_path: Path) -> None:
    """The same command again ends it as if it had never been killed."""
    words = ("ducker", "lowest", "--sprt", "0,1", "--seed", "7", *SHORT)
    kill_when(tmp_path, "ducker-lowest", *words, games=10)
    killed = finished(tmp_path, "ducker-lowest")
    done = arena(tmp_path, "match", *words)
    other = tmp_path / "other"
    other.mkdir()
    whole = arena(other, "match", *words, "--json")
    found, expected = report(tmp_path, "ducker-lowest"), json.loads(whole.out)

    assert 10 <= killed
    assert (0, 0) == (done.code, whole.code), done.error
    assert "match ducker-lowest goes on" in done.error
    assert ("h1", "h1") == (found["verdict"], expected["verdict"])
    assert (expected["blocks"], round(expected["margin"], 6)) == (
        found["blocks"],
        found["margin"],
    )


@needs_sandboxes
def test_commands_play_in_sandboxes_and_forget(tmp_path: Path) -> None:
    """Two seats of one bot are two programs, and no life of any knows another's."""
    for name in ("new", "old"):
        (tmp_path / name).mkdir()
        shutil.copy(BOTS / "remembering.py", tmp_path / name)
    sides = [f"{name}=python {name}/remembering.py m" for name in ("new", "old")]
    done = arena(tmp_path, "match", *sides, "--blocks", 2, "--name", "m", *SHORT)
    games = records(tmp_path, "m")

    assert 0 == done.code, done.error
    assert "Match m: new (python new/remembering.py m) against old" in done.error
    assert 12 == len(games)
    for block in (games[:6], games[6:]):
        assert 1 == len({(one["block"], one["sequence_seed"]) for one in block})
    for bot in ("new-1", "new-2", "old-1", "old-2"):
        said = (tmp_path / f"data/logs/m/{bot}.log").read_text().splitlines()
        lives = [line for line in said if line.startswith("remembered: ")]

        assert len(lives) >= 6
        assert {"remembered: []"} == set(lives)
    assert [] == left_over(tmp_path)


@needs_sandboxes
def test_a_command_that_never_connects_ends_the_match(tmp_path: Path) -> None:
    """Nothing is told of bots that have not played."""
    (tmp_path / "mute.py").write_text("raise SystemExit('I have nothing to say')\n")
    done = arena(tmp_path, "match", "python mute.py", "careful", *SHORT)

    assert 2 == done.code
    assert "No block is finished, so nothing is known." in done.out
    # Which of its two programs has ended first is chance.
    assert re.search(r"'mute-[12]' never connected: see", done.error)
    assert "I have nothing to say" in done.error
    assert "match mute-careful is not over; the same command again goes on" in (
        done.error
    )
