"""Many durations, kept as a histogram: cheap to add to, good for percentiles."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

BOUNDS = tuple(
    float(f"{step}e{power}") for power in range(-5, 2) for step in (1, 1.5, 2, 3, 5, 7)
)
"""The upper ends of the classes, in seconds: 10 µs to 70 s, six a decade. What is
longer than the last is in a class of its own."""


class Spread:
    """Durations by class; `seconds` is their sum."""

    __slots__ = ("counts", "seconds")

    def __init__(self, counts: Sequence[int] = (), seconds: float = 0.0) -> None:
        self.counts = list(counts) or [0] * (len(BOUNDS) + 1)
        self.seconds = seconds

    def add(self, seconds: float, count: int = 1) -> None:
        """Count a duration, or so many of the same length."""
        self.counts[bisect_left(BOUNDS, seconds)] += count
        self.seconds += seconds * count

    def copy(self) -> "Spread":
        """Return what is counted so far."""
        return Spread(self.counts, self.seconds)

    def since(self, before: "Spread") -> "Spread":
        """Return what has been added since a copy was made."""
        pairs = zip(self.counts, before.counts, strict=True)
        return Spread(
            [now - then for now, then in pairs], self.seconds - before.seconds
        )

    @property
    def count(self) -> int:
        """How many durations there are."""
        return sum(self.counts)

    def percentile(self, share: float) -> float:
        """Return a duration in seconds that a share of all does not exceed.

        It lies somewhere in the right class, as if those in it were spread
        evenly. Nothing at all gives 0, and no answer exceeds the last bound.

        Args:
            share: 0 to 1.
        """
        wanted = share * self.count
        if not wanted:
            return 0.0
        ends = list(accumulate(self.counts))
        index = bisect_left(ends, wanted)
        if index >= len(BOUNDS):
            return BOUNDS[-1]
        below = BOUNDS[index - 1] if index else 0.0
        part = 1 - (ends[index] - wanted) / self.counts[index]
        return below + part * (BOUNDS[index] - below)
