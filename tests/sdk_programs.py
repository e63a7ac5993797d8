"""Bots as processes, for the tests of the SDK's network side."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.scripted_arena import SECONDS_MAX

LOWEST = """
import hearts

class Lowest(hearts.Bot):
    def choose_card(self, turn):
        return turn.choices[0]

hearts.run(Lowest)
"""


class Program:
    """A process whose standard error is read line by line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    async def line(self, part: str) -> str:
        """Wait for a line that holds `part`, unless it was there before."""
        for line in self.lines:
            if part in line:
                return line
        assert self.process.stderr is not None
        while data := await self.process.stderr.readline():
            line = data.decode().rstrip()
            self.lines.append(line)
            if part in line:
                return line
        raise AssertionError(f"no line with {part!r} among {self.lines}")

    async def exit_code(self) -> int:
        """Wait for the end."""
        assert self.process.stderr is not None
        rest = (await self.process.stderr.read()).decode()
        self.lines += rest.splitlines()
        return await self.process.wait()

    def interrupt(self, number: int = signal.SIGTERM) -> None:
        """Ask the program to end."""
        self.process.send_signal(number)


@asynccontextmanager
async def started(*arguments: str, address: str) -> AsyncIterator[Program]:
    """Start Python with arguments, in the environment that an arena gives."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        env=os.environ
        | {"HEARTS_ARENA": address, "HEARTS_TOKEN": "secret", "HEARTS_BOT": "ann"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(SECONDS_MAX):
            yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def write_bot(folder: Path, text: str = LOWEST) -> str:
    """Write a bot's file; give its path."""
    path = folder / "mybot.py"
    path.write_text(text)
    return str(path)
