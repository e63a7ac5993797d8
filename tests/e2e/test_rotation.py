"""A rotated league of programs that try to remember their cards, killed once."""

import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from leagues.blocks import rotations
from leagues.storage.store import Store, StoreError
from tests.bubblewrap import needs_sandboxes
from tests.e2e.processes import (
    BOTS,
    arena,
    entrant,
    houses,
    left_over,
    records,
    standings,
    start,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GAMES = 16
POLL_SECONDS = 0.01
NAMES = ("ann", "bob")


def remembering(folder: Path, name: str) -> str:
    """Return an entrant that tries to remember, in a directory of its own."""
    own = folder / "bots" / name
    own.mkdir(parents=True)
    shutil.copy(BOTS / "remembering.py", own)
    return entrant(
        name=name,
        command=["python", "remembering.py", "turns"],
        directory=f"bots/{name}",
        sandbox="bwrap",
    )


def finished(folder: Path) -> tuple[int, int]:
    """Return how many games are finished, and how many of them are withheld."""
    try:
        with Store.open_read_only(folder / "data") as store:
            return store.league("turns").games_finished, store.withheld("turns").games
    except (StoreError, KeyError):
        return 0, 0


def kill_when(folder: Path, file: Path, *, games: int) -> None:
    """Run the league, and kill the arena once so many games are finished.

    Some of them are withheld then, or there would be nothing to see.
    """
    process = start(folder, "league", "run", file)
    try:
        while process.poll() is None:
            count, withheld = finished(folder)
            if count >= games and withheld:
                break
            with suppress(subprocess.TimeoutExpired):
                process.wait(POLL_SECONDS)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()


def check_block(games: list[dict[str, Any]]) -> None:
    """The games of a block are one seating in all rotations, dealt from one seed."""
    seats = [tuple(seat["bot"] for seat in game["seats"]) for game in games]
    turned = [tuple(seats[0][at] for at in turn) for turn in rotations(range(4))]

    assert turned == seats
    assert 1 == len({(g["block"], g["attempt"], g["sequence_seed"]) for g in games})
    for game in games:
        pairs = zip(game["deals"], games[0]["deals"], strict=False)
        assert all(
            (one["dealer"], one["hands"]) == (other["dealer"], other["hands"])
            for one, other in pairs
        )


def check_memory(log: str) -> None:
    """See that no life of a program has found anything of another."""
    said = log.splitlines()
    lives = [line for line in said if line.startswith("remembered: ")]
    noted = [line for line in said if line.startswith("noted: ")]
    refused = [line for line in said if line.startswith("refused: ")]

    # One for each rotation at least; the kill may come before a life has said anything.
    assert len(lives) >= 4
    assert {"remembered: []"} == set(lives)
    # The kill may come before a program has had its answer.
    assert len(lives) - 1 <= len(refused)
    assert not any(line.startswith("downloaded") for line in said)
    assert all("plays the same deals in all rotations" in line for line in refused)
    assert any("memory" in line and "a process" in line for line in noted)


@needs_sandboxes
def test_a_rotated_league_shares_deals_and_nobody_remembers_them(
    tmp_path: Path,
) -> None:
    """Killed and gone on with, it ends; no life of a program knows of another."""
    file = write_league(
        tmp_path,
        "turns",
        *(f"games = {GAMES}", 'luck = "rotate"', "tables_max = 2"),
        *("[rules]", "target = 20"),
        *(remembering(tmp_path, name) for name in NAMES),
        *houses("careful", "lowest"),
    )
    kill_when(tmp_path, file, games=6)
    after_kill = finished(tmp_path)
    exported = arena(tmp_path, "games", "export", "turns")
    done = arena(tmp_path, "league", "run", file)
    found = standings(tmp_path, "turns")
    games = records(tmp_path, "turns")

    assert 6 <= after_kill[0] < GAMES
    assert 0 < after_kill[1]
    assert f"left out: {after_kill[1]} game" in exported.error
    assert after_kill[0] - after_kill[1] == len(exported.out.splitlines())
    assert 0 == done.code, done.error
    assert [f"turns-{number}" for number in range(1, GAMES + 1)] == [
        game["game"] for game in games
    ]
    for first in range(0, GAMES, 4):
        check_block(games[first : first + 4])
    assert (4, 0) == (found["blocks"], found["games_withheld"])
    for name in NAMES:
        check_memory((tmp_path / f"data/logs/turns/{name}.log").read_text())
    check_secret(tmp_path, found["secret"])
    assert [] == left_over(tmp_path)


def check_secret(folder: Path, secret: str) -> None:
    """Every deal of every record can be recomputed from the revealed secret."""
    arena(folder, "games", "export", "turns", "-o", "turns.jsonl")
    verified = arena(folder, "verify", "--secret", secret, "turns.jsonl")

    assert 0 == verified.code, verified.error
    assert "all right; 4 blocks in all rotations; all dealt from the secret" in (
        verified.out
    )
