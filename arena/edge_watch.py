"""The edge's watch: whether its loop is in time and the machine's clocks agree.

What the loop was late is handed back to the clocks of the bots, before anything that
has come meanwhile is read. What is more than lateness, a machine that slept or an
arena that stood still, is told to the host.
"""

import time
from collections.abc import Callable

from arena.host import Host
from arena.timekeeper import Reading, Timekeeper

TICK_SECONDS = 0.05
"""How often the edge looks."""
LAG_SECONDS = 0.005
"""The arena's own lateness above which clocks are handed back."""

Clocks = Callable[[], Reading]
"""Reads the clocks of the machine."""

_BOOT = getattr(time, "CLOCK_BOOTTIME", None)


def machine_clocks() -> Reading:
    """Read the clocks of this machine."""
    boot = None if _BOOT is None else time.clock_gettime(_BOOT)
    return Reading(time.monotonic(), boot, time.time())


class Watch:
    """Measures how late the loop is.

    Attributes:
        due: when the next tick is due.
        late_at: from when on the loop is surely late, so that a look is due first.
    """

    __slots__ = ("_clocks", "_host", "_made_good_at", "_timekeeper", "due", "late_at")

    def __init__(self, host: Host, clocks: Clocks, *, now: float) -> None:
        self._host = host
        self._clocks = clocks
        self._timekeeper = Timekeeper(clocks())
        self._made_good_at = 0.0
        self.due = now + TICK_SECONDS
        self.late_at = self.due + LAG_SECONDS

    def tick(self, now: float) -> None:
        """Look, every `TICK_SECONDS`, and count how late that is."""
        self._host.counts.lag.add(max(now - self.due, 0.0))
        self._see(now, self._lag(now, self.due))
        self.due = now + TICK_SECONDS
        self.late_at = self.due + LAG_SECONDS

    def look(self, now: float, *, due: float = float("inf")) -> None:
        """
        Hand back what the loop is late by, though never twice.

        Args:
            now: the time.
            due: when something else than the tick was due; 0 and less is nothing.
        """
        lag = self._lag(now, min(due, self.due) if due > 0 else self.due)
        if lag > LAG_SECONDS:
            self._see(now, lag)

    def _lag(self, now: float, due: float) -> float:
        return max(now - max(due, self._made_good_at), 0.0)

    def _see(self, now: float, lag: float) -> None:
        disturbance = self._timekeeper.look(self._clocks(), lag=lag)
        if disturbance is not None:
            self._host.disturb(disturbance, now=now)
        elif lag > LAG_SECONDS:
            self._host.hand_back(lag, now=now)
        else:
            return
        self._made_good_at = now
        self.late_at = now + LAG_SECONDS
