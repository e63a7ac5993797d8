"""A league while it is played: a moving board on a terminal, else plain lines."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

import trio
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from arena.terminal import print_note
from leagues import runner
from leagues.board import board
from leagues.standings import Standings
from leagues.store import Store

__all__ = ["Display", "display", "keep_board"]

_LINE_SECONDS = 5.0
_BOARD_SECONDS = 1.0
_BOARD_SHARE = 20
"""A board takes at most one part in so many of the time: long leagues add up."""


class Display(Protocol):
    """Where a league's progress is shown."""

    wants_board: bool
    """Whether standings are of any use before the end."""

    def update(self, progress: runner.Progress) -> None:
        """Show how many games are finished, and who is waited for."""

    def show(self, standings: Standings) -> None:
        """Show the standings so far."""

    def say(self, message: str) -> None:
        """Print a line above what moves."""


class _Board:
    wants_board = True

    def __init__(self, live: Live, bar: Progress) -> None:
        self._live = live
        self._bar = bar
        self._task = bar.add_task("", total=None, note="")
        self._standings: Standings | None = None

    def update(self, progress: runner.Progress) -> None:
        self._bar.update(
            self._task,
            description=progress.league,
            completed=progress.finished,
            total=progress.planned,
            note=_note(progress),
        )

    def show(self, standings: Standings) -> None:
        # A run is on, even though the store learns of it with its first game.
        if standings.league.state == "stopped":
            league = replace(standings.league, state="starting")
            standings = replace(standings, league=league)
        self._standings = standings

    def say(self, message: str) -> None:
        self._live.console.print(message, markup=False, highlight=False)

    def render(self) -> RenderableType:
        if self._standings is None:
            return self._bar
        shown = board(self._standings, width=self._live.console.width)
        return Group(shown, self._bar)


class _Lines:
    wants_board = False

    def __init__(self) -> None:
        self._last_time = time.monotonic()

    def update(self, progress: runner.Progress) -> None:
        now = time.monotonic()
        if now - self._last_time >= _LINE_SECONDS:
            self._last_time = now
            count = f"{progress.finished} of {progress.planned} games"
            self.say(f"{progress.league}: {count}, {_note(progress)}")

    def show(self, standings: Standings) -> None:
        pass

    def say(self, message: str) -> None:
        print_note(message)


def _note(progress: runner.Progress) -> str:
    note = f"{progress.running} running"
    if progress.voids:
        note += f", {progress.voids} void and played again"
    if progress.waiting_for:
        note += f", waiting for {', '.join(progress.waiting_for)}"
    return note


@contextmanager
def display() -> Iterator[Display]:
    """Show a league while the block lasts."""
    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield _Lines()
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    live = Live(console=console, transient=True, auto_refresh=True)
    shown = _Board(live, bar)
    live.get_renderable = shown.render  # type: ignore[method-assign]
    with live:
        yield shown


async def keep_board(shown: Display, store: Store, league: str) -> None:
    """Work the standings out again and again, until cancelled."""
    while shown.wants_board:
        began = trio.current_time()
        standings = await trio.to_thread.run_sync(store.standings, league)
        shown.show(standings)
        took = trio.current_time() - began
        await trio.sleep(max(_BOARD_SECONDS, _BOARD_SHARE * took))
