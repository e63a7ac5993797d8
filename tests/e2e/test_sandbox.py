"""A league of programs that nobody should trust, each in its sandbox."""

import os
import re
import shutil
import socket
from contextlib import closing
from pathlib import Path

import pytest

from tests.bubblewrap import needs_sandboxes
from tests.e2e.processes import (
    BOTS,
    arena,
    entrant,
    houses,
    records,
    standings,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

MODES = ("memory", "processes", "disk", "snoop")
LIMITS = ("[limits]", "memory_mb = 200", "processes = 40", "disk_mb = 16")


def running(folder: Path) -> list[str]:
    """Return the commands that still run and name something in this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(folder) in command and int(process.name) != os.getpid():
            found.append(command)
    return found


def hostile(folder: Path, mode: str, *, port: int) -> str:
    """Return an entrant with a hostile program in a directory of its own."""
    own = folder / "bots" / mode
    own.mkdir(parents=True)
    shutil.copy(BOTS / "hostile.py", own)
    arguments = [mode, str(folder / "data"), str(port), str(os.getpid())]
    return entrant(
        name=mode,
        command=["python", "hostile.py", *arguments],
        directory=f"bots/{mode}",
        max_restarts=1,
    )


@needs_sandboxes
def test_hostile_programs_are_contained(tmp_path: Path) -> None:
    """The league ends; what they do hits themselves, and the host is told of it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        programs = [hostile(tmp_path, mode, port=port) for mode in MODES]
        file = write_league(
            tmp_path,
            "wild",
            *("games = 15", "practice_seed = 1", 'sandbox = "bwrap"'),
            *("[rules]", "target = 20", *LIMITS),
            *(*programs, *houses("careful", "lowest")),
        )
        done = arena(tmp_path, "league", "run", file)
    found = standings(tmp_path, "wild")
    faults = {row["entrant"]: sum(row["faults"].values()) for row in found["standings"]}
    logs = {
        mode: (tmp_path / f"data/logs/wild/{mode}.log").read_text() for mode in MODES
    }

    assert 15 == found["games_finished"] == len(records(tmp_path, "wild"))
    assert 0 == faults["careful"] + faults["lowest"]
    used = re.search(r"by its limit memory_mb = 200: it used (\d+) MB", done.error)
    assert used is not None
    assert int(used[1]) > 200
    assert "; memory in MB: 0." in done.error
    assert (
        "Resource temporarily" in logs["processes"]
        or "limit: processes = 40" in (logs["processes"])
    )
    assert "failed: No space left on device" in logs["disk"]
    assert "found: []" in logs["snoop"]
    assert "found: ['" not in logs["snoop"]
    assert [] == found["trusted"]
    assert [] == running(tmp_path)


@needs_sandboxes
def test_a_bot_is_tried_in_a_sandbox(tmp_path: Path) -> None:
    """`arena play --sandbox bwrap` plays as a league would, and sees as much."""
    shutil.copy(BOTS / "hostile.py", tmp_path)
    bot = ["python", "hostile.py", "snoop", tmp_path / "data", 1, os.getpid()]
    options = ("--games", 1, "--transcript", "none", "--sandbox", "bwrap")
    done = arena(tmp_path, "play", *options, "--", *bot)
    refused = arena(
        tmp_path, "play", "--sandbox", "bwrap", "--no-clock", "--", "python", "x.py"
    )

    assert (0, 2) == (done.code, refused.code)
    assert "found: []" in (tmp_path / "data/play/mybot.log").read_text()
    assert "--sandbox: without a clock the bot has this terminal" in refused.error


def test_without_bubblewrap_no_league_begins(tmp_path: Path) -> None:
    """The error says what to do, and no game is played without the sandbox."""
    file = write_league(
        tmp_path,
        "bare",
        *("games = 1", 'sandbox = "bwrap"'),
        entrant(name="mine", command=["/bin/sh", "-c", "touch started"]),
        *houses("careful", "lowest", "ducker"),
    )
    done = arena(tmp_path, "league", "run", file, PATH="/nowhere")

    assert 2 == done.code
    assert 'sandbox = "bwrap" needs bubblewrap, and there is no bwrap' in done.error
    assert not (tmp_path / "started").exists()
