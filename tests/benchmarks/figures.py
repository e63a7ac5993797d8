"""Arithmetic on stamps: windows, intervals, percentiles."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

WARM_UP_SECONDS = 0.5
"""What is let pass before a window opens, at most as long as the window."""

Figures = dict[str, float | int | None]
"""What is measured, by name; None is what cannot be measured here."""

Look = TypeVar("Look")


class Window:
    """The span of time that counts; what comes before it warms up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._start_ns = 0

    def wait(self) -> None:
        """Let the warm-up and then the window itself pass."""
        self.watch(lambda: None)

    def watch(self, look: Callable[[], Look]) -> tuple[Look, Look]:
        """Let both pass, and return what is seen when the window opens and closes."""
        time.sleep(min(WARM_UP_SECONDS, self.seconds))
        first = look()
        self._start_ns = time.monotonic_ns()
        time.sleep(self.seconds)
        return first, look()

    def inside(self, stamps: Sequence[int]) -> list[int]:
        """Return the stamps that lie in the window."""
        end_ns = self._start_ns + int(self.seconds * 1e9)
        return [stamp for stamp in stamps if self._start_ns <= stamp < end_ns]


def intervals_us(stamps: Sequence[int]) -> list[float]:
    """Return the times between neighbours of ordered stamps, in microseconds."""
    return [(later - earlier) / 1000 for earlier, later in pairwise(stamps)]


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value below which a share of the values lies; 0.0 of none."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
