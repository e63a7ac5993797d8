"""Keeping the machine awake: a program that ends with the arena, however that ends."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from leagues.running.inhibitor import kept_awake

FAKE = """#!/bin/sh
printf '%s\\n' "$@" > "$NOTES"
cat
echo ended >> "$NOTES"
echo > "$ENDED"
"""
HOLDER = """
import trio
from leagues.running.inhibitor import kept_awake

async def main():
    async with kept_awake("league friday"):
        print("held", flush=True)
        await trio.sleep_forever()

trio.run(main)
"""
WAIT_SECONDS = 30
TOLD = """--what=idle:sleep
--who=Hearts Arena
--mode=block
--why=league friday
cat
"""


def install(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a stand-in for the program on the path; return where it notes its calls."""
    program = folder / "systemd-inhibit"
    program.write_text(text)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("NOTES", str(folder / "notes"))
    monkeypatch.setenv("ENDED", os.devnull)
    return folder / "notes"


async def test_the_machine_is_kept_awake_as_long_as_the_block_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is told why, and has ended when the block is left."""
    notes = install(tmp_path, FAKE, monkeypatch)
    async with kept_awake("league friday"):
        assert not notes.exists() or "ended" not in notes.read_text()

    assert TOLD + "ended\n" == notes.read_text()


@pytest.mark.slow
def test_the_program_ends_when_the_arena_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its input ends with the arena, whatever the arena dies of."""
    notes = install(tmp_path, FAKE, monkeypatch)
    ended = tmp_path / "ended"
    os.mkfifo(ended)
    monkeypatch.setenv("ENDED", str(ended))
    reader = os.open(ended, os.O_RDONLY | os.O_NONBLOCK)
    command = (sys.executable, "-c", HOLDER)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert b"held\n" == holder.stdout.readline()
        holder.send_signal(signal.SIGKILL)
    ready, _, _ = select.select([reader], [], [], WAIT_SECONDS)
    os.close(reader)

    assert [reader] == ready
    assert TOLD + "ended\n" == notes.read_text()


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", "no program at all"])
async def test_where_it_is_not_allowed_the_league_just_goes_on(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that ends at once, or can't be started, is no error."""
    install(tmp_path, text, monkeypatch)
    async with kept_awake("league friday"):
        pass


async def test_where_there_is_no_program_the_league_just_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is noted in the log, as information."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with caplog.at_level("INFO"):
        async with kept_awake("league friday"):
            pass

    assert ["INFO"] == [record.levelname for record in caplog.records]
