"""A league while it is played: a moving board on a terminal, else plain lines."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
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
from leagues.board import board
from leagues.commands.standings import live_elo
from leagues.running import runner
from leagues.standings import Standings
from leagues.storage.store import Store

__all__ = ["BOARD_SHARE", "Display", "WaitingNote", "display", "running_words"]

_LINE_SECONDS = 5.0
_BOARD_SECONDS = 1.0
BOARD_SHARE = 20
"""A board takes at most one part in so many of the time: long leagues add up."""


class Display(Protocol):
    """Where a league's progress is shown."""

    def update(self, progress: runner.Progress) -> None:
        """Show how many games are finished, and who is waited for."""

    def show(self, standings: Standings) -> None:
        """Show the standings so far."""

    async def keep(self, store: Store, league: str) -> None:
        """Show how the league stands, again and again, until cancelled."""

    def say(self, message: str) -> None:
        """Print a line above what moves."""


class _Board:
    def __init__(self, live: Live, bar: Progress) -> None:
        self._live = live
        self._bar = bar
        self._task = bar.add_task("", total=None, note="")
        self._standings: Standings | None = None
        self._elo: Mapping[str, float] | None = None

    def update(self, progress: runner.Progress) -> None:
        self._bar.update(
            self._task,
            description=progress.league,
            completed=progress.finished,
            total=None if progress.is_endless else progress.planned,
            note=running_words(progress),
        )

    async def keep(self, store: Store, league: str) -> None:
        while True:
            began = trio.current_time()
            standings = await trio.to_thread.run_sync(store.standings, league)
            self._elo = await trio.to_thread.run_sync(live_elo, store, standings)
            self.show(standings)
            took = trio.current_time() - began
            await trio.sleep(max(_BOARD_SECONDS, BOARD_SHARE * took))

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
        width = self._live.console.width
        shown = board(self._standings, width=width, live=self._elo)
        return Group(shown, self._bar)


class WaitingNote:
    """
    Tells once, and at each change, that a league waits for bots that dial in.

    Args:
        dial_in: the bots that dial in; programs that the arena starts come soon.
    """

    def __init__(self, dial_in: Iterable[str]) -> None:
        self._dial_in = frozenset(dial_in)
        self._last = ""

    def text(self, progress: runner.Progress) -> str:
        """Return the line to print; empty when nothing is new."""
        if progress.running:
            return ""
        missing = progress.waiting_text(
            name for name in progress.waiting_for if name in self._dial_in
        )
        if missing == self._last:
            return ""
        self._last = missing
        if not missing:
            return ""
        return f"{progress.league}: {progress.count_text}; waiting for {missing}"


class _Lines:
    def __init__(self, waiting: WaitingNote) -> None:
        self._waiting = waiting
        self._last_time = time.monotonic()

    def update(self, progress: runner.Progress) -> None:
        if text := self._waiting.text(progress):
            self.say(text)
            return
        now = time.monotonic()
        if now - self._last_time >= _LINE_SECONDS:
            self._last_time = now
            words = running_words(progress)
            self.say(f"{progress.league}: {progress.count_text}, {words}")

    def show(self, standings: Standings) -> None:
        pass

    async def keep(self, store: Store, league: str) -> None:
        pass

    def say(self, message: str) -> None:
        print_note(message)


def running_words(progress: runner.Progress) -> str:
    """Say what goes on at the tables, and what does not."""
    note = f"{progress.running} running"
    if progress.voids:
        note += f", {progress.voids} void and played again"
    if progress.paused:
        note += f", paused: {progress.paused}"
    if waiting := progress.waiting_text():
        note += f", waiting for {waiting}"
    return note


@contextmanager
def display(dial_in: Iterable[str] = ()) -> Iterator[Display]:
    """
    Show a league while the block lasts.

    Args:
        dial_in: the bots that the arena does not start itself.
    """
    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield _Lines(WaitingNote(dial_in))
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
