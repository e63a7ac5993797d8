"""Arithmetic on stamps: windows, intervals, percentiles."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise

WARM_UP_SECONDS = 0.5
"""What is let pass before a window opens, at most as long as the window."""


class Window:
    """The span of time that counts; what comes before it warms up."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._start_ns = 0

    def wait(self) -> None:
        """Let the warm-up and then the window itself pass."""
        time.sleep(min(WARM_UP_SECONDS, self._seconds))
        self._start_ns = time.monotonic_ns()
        time.sleep(self._seconds)

    def inside(self, stamps: Sequence[int]) -> list[int]:
        """Return the stamps that lie in the window."""
        end_ns = self._start_ns + int(self._seconds * 1e9)
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
