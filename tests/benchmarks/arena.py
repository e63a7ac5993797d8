"""What the whole arena does: turns a second, and the time of a turn at one table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.arena_league import BOT_COUNT, stamps_path
from tests.benchmarks.figures import Window
from tests.benchmarks.processes import cpu_seconds
from tests.benchmarks.programs import Program, pid_path, read_stamps

TABLE_COUNT = 64

Turn = tuple[int, int]
"""When a bot was asked, in nanoseconds, and the mark of the turn."""


@dataclass(frozen=True, slots=True)
class Look:
    """An arena and its bots at one moment."""

    frames: int
    arena_seconds: float
    """Processor time, like that of the bots."""
    bots_seconds: float


@dataclass(frozen=True, slots=True)
class Play:
    """What an arena did in a window."""

    turns: list[Turn]
    """Those of the window, in the order of time."""
    seconds: float
    frames: int
    arena_seconds: float
    bots_seconds: float

    @property
    def turns_per_s(self) -> float:
        """How many turns a second were asked."""
        return len(self.turns) / self.seconds

    def per_turn(self, amount: float) -> float:
        """Return which part of an amount falls to one turn."""
        return amount / max(len(self.turns), 1)


def play(table_count: int, seconds: float) -> Play:
    """Let the arena play for a window."""
    window = Window(seconds)
    with TemporaryDirectory() as name:
        folder = Path(name)
        module = "tests.benchmarks.arena_league"
        with Program(module, name, str(table_count)) as arena:
            arena.ready()
            first, last = window.watch(lambda: _look(arena, folder))
        turns: list[Turn] = []
        for number in range(BOT_COUNT):
            stamps = read_stamps(stamps_path(folder, number))
            turns += zip(stamps[::2], stamps[1::2], strict=True)
        inside = set(window.inside([time for time, _ in turns]))
    return Play(
        turns=sorted(turn for turn in turns if turn[0] in inside),
        seconds=seconds,
        frames=last.frames - first.frames,
        arena_seconds=last.arena_seconds - first.arena_seconds,
        bots_seconds=last.bots_seconds - first.bots_seconds,
    )


def _look(arena: Program, folder: Path) -> Look:
    paths = (pid_path(stamps_path(folder, number)) for number in range(BOT_COUNT))
    return Look(
        frames=json.loads(arena.ask("counts"))["frames_sent"],
        arena_seconds=cpu_seconds(arena.pid),
        bots_seconds=sum(cpu_seconds(int(path.read_text())) for path in paths),
    )


def turn_us(seconds: float) -> list[float]:
    """Measure the time from card to card at one table, in µs."""
    return list(_from_card_to_card(play(1, seconds).turns))


def _from_card_to_card(turns: list[Turn]) -> Iterator[float]:
    """Yield the times between cards that follow each other in one deal."""
    for (earlier, place), (later, next_place) in pairwise(turns):
        if place and next_place == place + 1:
            yield (later - earlier) / 1000
