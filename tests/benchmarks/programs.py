"""Programs under measurement: processes that run until their input ends.

Each program prints one line when it is ready. Those that take the time of what
they do write their stamps to a file when their input ends. All stamps are
nanoseconds of the monotonic clock, which on Linux is one clock for all processes.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from array import array
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.sources import ROOT

READY_SECONDS_MAX = 30.0
"""How long a program may take to end when it is told to."""


class Program:
    """A Python module that runs as a process of its own.

    Use it as a context manager: leaving it closes the program's input and waits
    until the program has ended by itself.
    """

    def __init__(self, module: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"GRPC_VERBOSITY": "NONE", "PYTHONPATH": str(ROOT)},
        )

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def ask(self, line: str) -> str:
        """Write a line to the program's input and return the line that it answers."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self.ready()

    def ready(self) -> str:
        """Wait for the program's next line and return it."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended before it was ready")
        return line

    def end(self) -> None:
        """Close the program's input and wait for its end.

        Raises:
            RuntimeError: The program failed.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            code = self._process.wait(READY_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._process.stdout.close()
        if code:
            raise RuntimeError(f"{self._process.args!r} ended with exit code {code}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.end()
        else:
            self._process.kill()
            self._process.communicate()


def announce(line: str) -> None:
    """Say, in a program, that it is ready."""
    print(line, flush=True)


class Once:
    """A line to be said, in a program, no more than once."""

    def __init__(self, line: str) -> None:
        self._line = line

    def announce(self) -> None:
        """Say it unless it was said."""
        line, self._line = self._line, ""
        if line:
            announce(line)


async def input_ended() -> None:
    """Wait, in a program, until its input ends."""
    await asyncio.to_thread(sys.stdin.read)


def pid_path(stamps: str | Path) -> Path:
    """Return where a program that others start writes the number of its process."""
    return Path(f"{stamps}.pid")


def write_stamps(path: str, stamps: array[int]) -> None:
    """Write a program's stamps where `read_stamps` finds them."""
    Path(path).write_bytes(stamps.tobytes())


def read_stamps(path: Path) -> list[int]:
    """Read a program's stamps, in the order in which it took them."""
    stamps = array("Q")
    stamps.frombytes(path.read_bytes())
    return list(stamps)
