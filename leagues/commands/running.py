"""What the commands share that run an arena: signals, logs, errors."""

import logging
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TypeVar

import trio

from arena.server import PortTakenError
from arena.terminal import CommandError, only_cause, print_note
from leagues.bots import BotTokens
from leagues.hosting import MissingProgramError
from leagues.store import LeagueChanged, StoreError

__all__ = ["StoppedError", "keep_fresh", "logging_to", "run_arena", "stop_on_signals"]

_Result = TypeVar("_Result")

_LOG_BYTES_MAX = 8 * 1024 * 1024
_REFRESH_SECONDS = 0.2
"""Sooner than a bot that `arena bot add` has added can be started."""
_EXPLAINED = (StoreError, LeagueChanged, PortTakenError, MissingProgramError)
"""Errors whose text is all that the operator needs."""


class StoppedError(CommandError):
    """A second signal: everything was ended at once."""

    def __init__(self) -> None:
        super().__init__("stopped; games that were running are void", exit_code=130)


def run_arena(main: Callable[[], Awaitable[_Result]]) -> _Result:
    """
    Run an arena's main task; turn what can go wrong outside into one line.

    Raises:
        CommandError: The disk, the port, a league or a program is not as it
            should be.
    """
    try:
        return trio.run(main)
    except Exception as error:
        cause = only_cause(error)
        if isinstance(cause, _EXPLAINED):
            raise CommandError(str(cause)) from None
        raise


async def keep_fresh(bots: BotTokens) -> None:
    """Take up bots that are added or revoked meanwhile, until cancelled."""
    while True:
        await trio.sleep(_REFRESH_SECONDS)
        await trio.to_thread.run_sync(bots.refresh)


async def stop_on_signals(
    drain: trio.Event,
    *,
    running_games: Callable[[], int],
    say: Callable[[str], None] = print_note,
) -> None:
    """
    Set `drain` at the first SIGINT or SIGTERM; at the second end at once.

    Raises:
        StoppedError: The second signal came.
    """
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            if drain.is_set():
                raise StoppedError
            drain.set()
            say(
                f"Stopping: {running_games()} running games are played to their end; "
                "once more stops at once."
            )


@contextmanager
def logging_to(data: Path) -> Iterator[Path]:
    """Write the arena's log to `logs/arena.log` while the block lasts."""
    folder = data / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "arena.log"
    handler = RotatingFileHandler(path, maxBytes=_LOG_BYTES_MAX, backupCount=3)
    line = "%(asctime)s %(levelname)s %(name)s %(message)s"
    handler.setFormatter(logging.Formatter(line))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield path
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
        handler.close()
