"""What the commands share that run an arena: tokens, logs, errors."""

import logging
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TypeVar

import trio
import typer

from arena.logs import Event, JsonLines, TextLines
from arena.server import PortTakenError, Server
from arena.streams import forget_unwritten
from arena.terminal import (
    PASSING,
    WRONG,
    CommandError,
    data_option,
    only_cause,
    print_note,
)
from leagues.commands.observing import OBSERVING_DEFAULT, LogFormat, Observing
from leagues.commands.process import prepare_process
from leagues.programs.guarded import NotStartedError
from leagues.programs.sandbox import SandboxError
from leagues.programs.sparring import SparringError
from leagues.running.hosting import Hosted, MissingProgramError, started_names
from leagues.running.runner import Progress, UnableEntrantError
from leagues.storage.bots import BotTokens, list_bots
from leagues.storage.database import PASSING_ERRORS
from leagues.storage.league_owners import OwnerError
from leagues.storage.lock import PassingStoreError
from leagues.storage.store import LeagueChanged, LeagueOverError, Store, StoreError

__all__ = [
    "announce",
    "bot_tokens",
    "keep_fresh",
    "logging_to",
    "place_text",
    "print_place",
    "run_arena",
    "with_tokens",
]

log = logging.getLogger("leagues.commands")

_Result = TypeVar("_Result")

_LOG_BYTES_MAX = 8 * 1024 * 1024
_REFRESH_SECONDS = 0.2
"""Sooner than a bot that `arena bot add` has added can be started."""
_EXPLAINED = (
    NotStartedError,
    StoreError,
    LeagueChanged,
    OwnerError,
    LeagueOverError,
    PortTakenError,
    MissingProgramError,
    UnableEntrantError,
    SandboxError,
)
"""Errors whose text is all that the operator needs."""


def run_arena(main: Callable[[], Awaitable[_Result]]) -> _Result:
    """
    Run an arena's main task; turn what can go wrong outside into one line.

    Raises:
        CommandError: The disk, the port, a league or a program is not as it
            should be.
    """
    prepare_process()
    try:
        return trio.run(main)
    except Exception as error:
        cause = only_cause(error)
        if isinstance(cause, CommandError):
            raise cause from None
        if isinstance(cause, SparringError):
            raise CommandError(str(cause), exit_code=WRONG) from None
        if isinstance(cause, PassingStoreError):
            raise CommandError(str(cause), exit_code=PASSING) from None
        if isinstance(cause, OSError) and cause.errno in PASSING_ERRORS:
            where = f"{cause.filename}: " if cause.filename is not None else ""
            raise CommandError(where + str(cause.strerror), exit_code=PASSING) from None
        if isinstance(cause, _EXPLAINED):
            raise CommandError(str(cause)) from None
        raise


def bot_tokens(store: Store, leagues: Sequence[Hosted]) -> BotTokens:
    """Return the tokens of bots that dial in; say whose are of no use meanwhile."""
    reserved = started_names(leagues)
    for bot in list_bots(store):
        if bot.name in reserved and not bot.revoked:
            print_note(
                f"bot {bot.name!r} can't dial in meanwhile: a league has a program of "
                "this name, which the arena starts itself"
            )
    bots = BotTokens(store, reserved=reserved)
    for name in sorted({e.name for one in leagues for e in one.config.entrants}):
        if lack := bots.lack(name):
            print_note(f"{name} {lack}: {_adding(name, store.directory)}")
    return bots


def with_tokens(progress: Progress, bots: BotTokens, data: Path) -> Progress:
    """Add to a league's progress which bots it waits for have no token to come with."""
    lacking = {
        name: f"{lack}: {_adding(name, data)}"
        for name in progress.waiting_for
        if (lack := bots.lack(name))
    }
    return replace(progress, refused={**lacking, **progress.refused})


def _adding(bot: str, data: Path) -> str:
    return f"`arena bot add {bot}{data_option(data)}`"


async def keep_fresh(bots: BotTokens, store: Store) -> None:
    """
    Take up bots that are added or revoked meanwhile, until cancelled.

    Raises:
        StoreError: The store can't be read, or was removed or replaced; an arena
            without a league has nothing to write and would not notice.
    """

    def refresh() -> None:
        store.database.check_place()
        bots.refresh()

    while True:
        await trio.sleep(_REFRESH_SECONDS)
        await trio.to_thread.run_sync(refresh)


def place_text(server: Server) -> str:
    """Say where bots dial in; the address comes last, for programs that read it."""
    tls = "with TLS " if server.has_tls else ""
    return f"{tls}at {server.listen_address}"


def announce(store: Store, server: Server, operator_token: str) -> None:
    """Let others on this machine, and readers of the log, know where the arena is."""
    store.announce(
        server.bot_address,
        has_tls=server.has_tls,
        wants_certificate=server.wants_certificate,
        operator_token=operator_token,
    )
    log.info(Event("listening", address=server.listen_address, tls=server.has_tls))


def print_place(text: str) -> None:
    """Print where bots dial in; an arena that can't say it serves all the same."""
    try:
        typer.echo(text)
    except OSError as error:
        forget_unwritten(sys.stdout)
        print_note(f"{text} (standard output can't be written: {error.strerror})")


class _LogFile(RotatingFileHandler):
    """A log that just ends on a full disk; the store tells people about that."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


@contextmanager
def logging_to(data: Path, observing: Observing = OBSERVING_DEFAULT) -> Iterator[Path]:
    """Write the arena's log to `logs/arena.log` while the block lasts."""
    folder = data / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "arena.log"
    handler = _LogFile(path, maxBytes=_LOG_BYTES_MAX, backupCount=3)
    is_json = observing.log_format == LogFormat.JSON
    handler.setFormatter(JsonLines() if is_json else TextLines())
    root = logging.getLogger()
    level_before = root.level
    root.addHandler(handler)
    root.setLevel(observing.log_level.upper())
    log.info(Event("starting", pid=os.getpid(), data=data.absolute()))
    try:
        yield path
    except BaseException as error:
        cause = only_cause(error)
        why = f"{type(cause).__name__}: {cause}".strip(": ")
        log.error(Event("stopped", why=why))
        raise
    else:
        log.info(Event("stopped"))
    finally:
        root.setLevel(level_before)
        root.removeHandler(handler)
        handler.close()
