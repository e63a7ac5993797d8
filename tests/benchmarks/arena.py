"""What the whole arena does: turns a second, and the time of a turn at one table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.arena_league import BOT_COUNT, stamps_path
from tests.benchmarks.figures import Window
from tests.benchmarks.programs import Program, read_stamps

TABLE_COUNT = 64

Turn = tuple[int, int]
"""When a bot was asked, in nanoseconds, and the mark of the turn."""


def _turns(table_count: int, window: Window) -> list[Turn]:
    """Let the arena play for a window; return all turns, in the order of time."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        module = "tests.benchmarks.arena_league"
        with Program(module, name, str(table_count)) as arena:
            arena.ready()
            window.wait()
        turns: list[Turn] = []
        for number in range(BOT_COUNT):
            stamps = read_stamps(stamps_path(folder, number))
            turns += zip(stamps[::2], stamps[1::2], strict=True)
        return sorted(turns)


def turns_per_s(seconds: float) -> float:
    """Measure how many turns a second 64 tables of four bots play."""
    window = Window(seconds)
    times = [time for time, _ in _turns(TABLE_COUNT, window)]
    return len(window.inside(times)) / seconds


def turn_us(seconds: float) -> list[float]:
    """Measure the time from card to card at one table, in µs."""
    window = Window(seconds)
    turns = _turns(1, window)
    inside = set(window.inside([time for time, _ in turns]))
    return list(_from_card_to_card([turn for turn in turns if turn[0] in inside]))


def _from_card_to_card(turns: list[Turn]) -> Iterator[float]:
    """Yield the times between cards that follow each other in one deal."""
    for (earlier, place), (later, next_place) in pairwise(turns):
        if place and next_place == place + 1:
            yield (later - earlier) / 1000
