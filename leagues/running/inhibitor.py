"""
Keeps the machine awake while a league runs, where the system has a way to do so.

The program that does it ends with the arena, however that ends: it runs `cat`, whose
standard input is a pipe that the arena holds.
"""

import logging
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

from arena.logs import Event

__all__ = ["kept_awake"]

log = logging.getLogger("leagues.running.inhibitor")

_END_SECONDS: Final = 2.0
"""How long the program may take to end when its input has."""
_WAYS: Final = (
    (
        "systemd-inhibit",
        "--what=idle:sleep",
        "--who=Hearts Arena",
        "--mode=block",
        "--why={}",
        "cat",
    ),
    ("caffeinate", "-i", "cat"),
)
"""The programs of Linux and macOS, with what each is to be told."""


@asynccontextmanager
async def kept_awake(why: str) -> AsyncIterator[None]:
    """
    Keep the machine awake while the block lasts; where that can't be, just go on.

    Args:
        why: what the machine is busy with, for whoever wants to put it to sleep.
    """
    command = _command(why)
    if not command:
        log.info(Event("the machine may fall asleep: nothing here can keep it awake"))
        yield
        return
    try:
        # In a session of its own Ctrl-C does not reach it, and no one is asked.
        process = await trio.lowlevel.open_process(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        log.info(Event("the machine may fall asleep", why=error.strerror))
        yield
        return
    ending = trio.Event()
    trio.lowlevel.spawn_system_task(_tell_end, process, ending)
    try:
        yield
    finally:
        ending.set()
        with trio.CancelScope(shield=True):
            await _end(process)


def _command(why: str) -> list[str]:
    for program, *arguments in _WAYS:
        if path := shutil.which(program):
            return [path, *(word.replace("{}", why) for word in arguments)]
    return []


async def _tell_end(process: trio.Process, ending: trio.Event) -> None:
    """Note when the program ends by itself: it was not allowed to do its work."""
    code = await process.wait()
    if not ending.is_set():
        log.info(Event("the machine may fall asleep: it refused", code=code))


async def _end(process: trio.Process) -> None:
    assert process.stdin is not None
    await process.stdin.aclose()
    with trio.move_on_after(_END_SECONDS):
        await process.wait()
        return
    process.kill()
    await process.wait()
