"""What the whole arena does: turns a second, and the time of a turn at one table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.spread import BOUNDS
from tests.benchmarks.arena_league import BOT_COUNT, stamps_path
from tests.benchmarks.figures import Window
from tests.benchmarks.processes import cpu_seconds
from tests.benchmarks.programs import Program, pid_path, read_stamps

TABLE_COUNT = 64
SLOW_SECONDS = 5e-3
"""The arena time above which a turn is slow; a bound of the arena's classes."""

Turn = tuple[int, int]
"""When a bot was asked, in nanoseconds, and the mark of the turn."""


@dataclass(frozen=True, slots=True)
class Look:
    """An arena and its bots at one moment, all counted from the start."""

    turns: int
    frames: int
    arena_time: tuple[int, ...]
    """Turns by the classes of their arena time."""
    arena_seconds: float
    """Processor time, like that of the bots."""
    bots_seconds: float


@dataclass(frozen=True, slots=True)
class Span:
    """What an arena and its bots did in a window, as the arena counted it."""

    seconds: float
    first: Look
    last: Look

    @property
    def turns(self) -> int:
        """How many turns were answered."""
        return self.last.turns - self.first.turns

    @property
    def turns_per_s(self) -> float:
        """How many turns a second were answered."""
        return self.turns / self.seconds

    @property
    def turns_per_frame(self) -> float:
        """How many turns went with one frame of the arena."""
        return self.turns / max(self.last.frames - self.first.frames, 1)

    @property
    def arena_us(self) -> float:
        """The arena's processor time for a turn, in µs."""
        return self._us(self.last.arena_seconds - self.first.arena_seconds)

    @property
    def bots_us(self) -> float:
        """The bots' processor time for a turn, together, in µs."""
        return self._us(self.last.bots_seconds - self.first.bots_seconds)

    @property
    def slow_percent(self) -> float:
        """How many turns of a hundred spent more than 5 ms in the arena."""
        pairs = zip(self.first.arena_time, self.last.arena_time, strict=True)
        counts = [last - first for first, last in pairs]
        slow = counts[BOUNDS.index(SLOW_SECONDS) + 1 :]
        return 100 * sum(slow) / max(sum(counts), 1)

    def _us(self, seconds: float) -> float:
        return seconds * 1e6 / max(self.turns, 1)


class Arena:
    """A running arena that plays, and its bots."""

    def __init__(self, program: Program, address: str, folder: Path) -> None:
        self.program = program
        self.address = address
        self.folder = folder
        self.bots: Sequence[int] = ()
        """The process numbers of the bots."""

    def look(self) -> Look:
        """See what it has done so far."""
        counts = json.loads(self.program.ask("counts"))
        return Look(
            turns=counts["turns"],
            frames=counts["frames_sent"],
            arena_time=tuple(counts["arena_time"]),
            arena_seconds=cpu_seconds(self.program.pid),
            bots_seconds=sum(map(cpu_seconds, self.bots)),
        )

    def watch(self, window: Window) -> Span:
        """Let it play for a window."""
        return Span(window.seconds, *window.watch(self.look))


@contextmanager
def open_arena(folder: Path, mode: str, count: int) -> Iterator[Arena]:
    """Start an arena; see `arena_league` for the mode and the count."""
    module = "tests.benchmarks.arena_league"
    with Program(module, str(folder), mode, str(count)) as program:
        yield Arena(program, program.ready(), folder)


@contextmanager
def four_bots(folder: Path, table_count: int) -> Iterator[Arena]:
    """Start an arena with four bots at all tables, and wait until all are taken.

    Each bot is a process; its stamps can be read once it has ended.
    """
    with open_arena(folder, "started", table_count) as arena:
        arena.program.ready()
        paths = (stamps_path(folder, number) for number in range(BOT_COUNT))
        arena.bots = [int(pid_path(path).read_text()) for path in paths]
        yield arena


@contextmanager
def distinct_bots(folder: Path, table_count: int) -> Iterator[Arena]:
    """The same with bots of its own for each table, a process for each seat."""
    with open_arena(folder, "dialled", table_count) as arena, ExitStack() as programs:
        bots = [
            programs.enter_context(
                Program(
                    "tests.benchmarks.seated_bots",
                    arena.address,
                    str(stamps_path(folder, number)),
                    str(number),
                    str(table_count),
                )
            )
            for number in range(BOT_COUNT)
        ]
        arena.program.ready()
        arena.bots = [bot.pid for bot in bots]
        yield arena


Tables = Callable[[Path, int], AbstractContextManager[Arena]]
"""`four_bots` or `distinct_bots`."""


def play(tables: Tables, table_count: int, seconds: float) -> tuple[Span, list[Turn]]:
    """Let a new arena play for a window.

    Returns:
        What the arena counted, and the turns that the bots stamped in the window, in
        the order of time.
    """
    window = Window(seconds)
    turns: list[Turn] = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        with tables(folder, table_count) as arena:
            span = arena.watch(window)
        for number in range(BOT_COUNT):
            stamps = read_stamps(stamps_path(folder, number))
            turns += zip(stamps[::2], stamps[1::2], strict=True)
    inside = set(window.inside([time for time, _ in turns]))
    return span, sorted(turn for turn in turns if turn[0] in inside)


def turns_per_s(tables: Tables, seconds: float) -> tuple[float, Span]:
    """Measure how many turns a second 64 tables ask, and what they cost."""
    span, turns = play(tables, TABLE_COUNT, seconds)
    return len(turns) / seconds, span


def turn_us(seconds: float) -> list[float]:
    """Measure the time from card to card at one table, in µs."""
    _, turns = play(four_bots, 1, seconds)
    return list(_from_card_to_card(turns))


def _from_card_to_card(turns: list[Turn]) -> Iterator[float]:
    """Yield the times between cards that follow each other in one deal."""
    for (earlier, place), (later, next_place) in pairwise(turns):
        if place and next_place == place + 1:
            yield (later - earlier) / 1000
