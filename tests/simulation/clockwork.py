"""A virtual clock with what is still to happen, and a log of what did."""

import heapq
from collections.abc import Callable
from functools import partial
from typing import Any

Call = Callable[[], object]


def name_of(call: Callable[..., Any]) -> str:
    """Return the name of a function, also where some of its arguments are given."""
    return name_of(call.func) if isinstance(call, partial) else call.__name__


class Clockwork:
    """Calls things at their time, in one order that never changes.

    `now` is in seconds; it moves only when something is due.
    """

    def __init__(self, *, now: float = 1000.0) -> None:
        self.now = now
        self.steps = 0
        self.timeline: list[tuple[float, str]] = []
        self._heap: list[tuple[float, int, Call]] = []
        self._count = 0

    def after(self, seconds: float, call: Call) -> None:
        """Have something happen later."""
        self.at(self.now + seconds, call)

    def at(self, when: float, call: Call) -> None:
        """Have something happen at a time."""
        self._count += 1
        heapq.heappush(self._heap, (when, self._count, call))

    def next_at(self) -> float:
        """Return when the next thing happens; infinite when nothing does."""
        return self._heap[0][0] if self._heap else float("inf")

    def step(self) -> None:
        """Let the next thing happen."""
        when, _, call = heapq.heappop(self._heap)
        self.now = max(self.now, when)
        self.steps += 1
        call()

    def note(self, text: str) -> None:
        """Keep a line for whoever wants to read what happened."""
        self.timeline.append((self.now, text))
