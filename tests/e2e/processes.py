"""The arena as a process of its own, and what it leaves behind."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.record import read_record
from arena.stand_in import STAND_INS
from arena.verify import verify
from leagues.reports.standings import FORMATS
from leagues.storage.store import Store

ARENA = (sys.executable, "-m", "arena")
BOTS = Path(__file__).parent / "bots"
TIMEOUT_SECONDS = 120
_MARK = "HEARTS_TEST_MARK"


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    error: str

    def __post_init__(self) -> None:
        assert "Traceback" not in self.error.partition("its log")[0], self.error


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of an arena whose data lie in a folder of the test."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTS_")}
    return {**clean, "HEARTS_DATA": str(folder / "data"), _MARK: str(folder), **more}


def arena(
    folder: Path,
    *arguments: object,
    timeout_seconds: float = TIMEOUT_SECONDS,
    **variables: str,
) -> Done:
    """Run a command of the arena in a folder, to its end."""
    done = subprocess.run(
        [*ARENA, *map(str, arguments)],
        cwd=folder,
        env=environment(folder, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout_seconds,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def start(folder: Path, *arguments: object, **variables: str) -> subprocess.Popen[str]:
    """Start a command of the arena in a folder, in a group of its own.

    Its output is one pipe.
    """
    return subprocess.Popen(
        [*ARENA, *map(str, arguments)],
        cwd=folder,
        env=environment(folder, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


@contextmanager
def running(
    folder: Path, *arguments: object, **variables: str
) -> Iterator[subprocess.Popen[str]]:
    """Run a command of the arena until it ends, or the block does."""
    process = start(folder, *arguments, **variables)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def address_of(process: subprocess.Popen[str]) -> str:
    """Read the address that a command of the arena prints; notes may come before."""
    assert process.stdout is not None
    read = ""
    for line in process.stdout:
        read += line
        if found := re.search(r" at (\S+:\d+)$", line):
            return found[1]
    raise AssertionError(f"the arena ended without telling its address:\n{read}")


def left_over(folder: Path) -> list[str]:
    """Return the commands that still run of those started for this folder."""
    mark = f"{_MARK}={folder}".encode()
    found = []
    for process in Path("/proc").iterdir():
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                command = (process / "cmdline").read_bytes()
                found.append(command.replace(b"\0", b" ").decode())
        except OSError:
            # It has ended, or is none of ours.
            continue
    return found


def records(folder: Path, league: str) -> list[dict[str, Any]]:
    """Return the records of a league, each of them verified."""
    with Store.open_read_only(folder / "data") as store:
        lines = [line for _, line in store.records(league)]
    for line in lines:
        record = read_record(line)
        verify(record, STAND_INS[record.stand_in])
    return [json.loads(line) for line in lines]


def timeless(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without what a rerun may change."""
    return {k: v for k, v in record.items() if k not in ("attempt", "notes", "times")}


def standings(folder: Path, league: str) -> dict[str, Any]:
    """Return the standings of a league."""
    with Store.open_read_only(folder / "data") as store:
        found: dict[str, Any] = json.loads(FORMATS["json"](store.standings(league)))
    return found


def write_league(folder: Path, name: str, *lines: str) -> Path:
    """Write a league file; the entrants are tables without their head."""
    file = folder / f"{name}.toml"
    file.write_text("\n".join([f"name = '{name}'", *lines]) + "\n")
    return file


def entrant(**values: object) -> str:
    """Return one entrant of a league file."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    return "\n".join(["[[entrant]]", *lines])


def houses(*names: str) -> list[str]:
    """Return house bots as entrants."""
    return [entrant(house=name) for name in names]
