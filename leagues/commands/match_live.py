"""A match while it is played: a moving bar on a terminal, else plain lines."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import trio
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from arena.terminal import print_note
from leagues.commands.live import BOARD_SHARE, Display, running_words
from leagues.reports.match import progress_words
from leagues.running import runner
from leagues.standings import Standings
from leagues.storage.match_stored import match_result
from leagues.storage.store import Store

__all__ = ["match_display"]

_LINE_SECONDS = 5.0
_LOOK_SECONDS = 1.0


class _Match:
    """How a match stands, in words that are put together from two sources."""

    def __init__(self, *, is_fixed: bool) -> None:
        self.is_fixed = is_fixed
        self.finished = 0
        self.planned = 0
        self._tables = ""
        self._stand = "starting"

    def update(self, progress: runner.Progress) -> None:
        # Programs that are started afresh between lives are no news.
        tables = running_words(replace(progress, waiting_for=()))
        self.finished, self.planned = progress.finished, progress.planned
        of_all = f" of {self.planned}" if self.is_fixed else ""
        self._tables = f"{self.finished}{of_all} games, {tables}"
        self.tell()

    def show(self, standings: Standings) -> None:
        """A match has better than standings."""

    async def keep(self, store: Store, league: str) -> None:
        while True:
            began = trio.current_time()
            self._stand = await trio.to_thread.run_sync(_stand, store, league)
            self.tell()
            took = trio.current_time() - began
            await trio.sleep(max(_LOOK_SECONDS, BOARD_SHARE * took))

    @property
    def words(self) -> str:
        return f"{self._stand}; {self._tables}" if self._tables else self._stand

    def tell(self) -> None:
        raise NotImplementedError


def _stand(store: Store, league: str) -> str:
    return progress_words(match_result(store, store.league(league)))


class _Lines(_Match):
    def __init__(self, name: str, *, is_fixed: bool) -> None:
        super().__init__(is_fixed=is_fixed)
        self._name = name
        self._last_time = time.monotonic()

    def tell(self) -> None:
        now = time.monotonic()
        if now - self._last_time >= _LINE_SECONDS:
            self._last_time = now
            self.say(f"{self._name}: {self.words}")

    def say(self, message: str) -> None:
        print_note(message)


class _Bar(_Match):
    def __init__(self, bar: Progress, name: str, *, is_fixed: bool) -> None:
        super().__init__(is_fixed=is_fixed)
        self._bar = bar
        self._task = bar.add_task(name, total=None, note=self.words)

    def tell(self) -> None:
        # How long a test is nobody knows.
        total = self.planned if self.is_fixed else None
        self._bar.update(
            self._task, note=self.words, completed=self.finished, total=total
        )

    def say(self, message: str) -> None:
        self._bar.console.print(message, markup=False, highlight=False)


@contextmanager
def match_display(name: str, *, is_fixed: bool) -> Iterator[Display]:
    """
    Show a match while the block lasts.

    Args:
        name: of its league.
        is_fixed: whether it is known how many games it has.
    """
    if not sys.stderr.isatty():
        yield _Lines(name, is_fixed=is_fixed)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=10),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bar(bar, name, is_fixed=is_fixed)
