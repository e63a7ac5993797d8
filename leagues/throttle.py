"""How many tables run at once, as far as the machine keeps up with its own clock."""

import math
from dataclasses import dataclass
from typing import Final

from arena.spread import Spread

__all__ = ["Throttle", "ThrottleChange"]

WARM_UP_SECONDS: Final = 20.0
"""How long nothing is concluded: programs start, and everything is done once."""
WINDOW_SECONDS: Final = 20.0
"""Over what time lateness is looked at."""
LATE_SECONDS: Final = 0.005
"""The 99th percentile of lateness above which fewer tables run."""
IN_TIME_SECONDS: Final = 0.002
"""The one below which more may run again."""
IN_TIME_WINDOWS: Final = 3
"""How many windows in a row must be below it: a minute."""
SHARE: Final = 0.25
"""What part of the tables is left out at a time."""


@dataclass(frozen=True, slots=True)
class ThrottleChange:
    """Another number of tables at once."""

    tables_before: int
    tables: int
    late_seconds: float
    """The 99th percentile of lateness that is the reason."""

    def __str__(self) -> str:
        """Say what was measured, what follows, and what to do about it."""
        noun = "table" if self.tables == 1 else "tables"
        change = f"{self.tables} {noun} at once instead of {self.tables_before}"
        if self.tables > self.tables_before:
            late = f"{self.late_seconds * 1000:.1f} ms"
            what = f"keeps up again (late by {late} at the 99th percentile)"
            return f"the arena {what}: {change}"
        # Rounded up, or the figure might look like the limit that it is above.
        late = f"{math.ceil(self.late_seconds * 10_000) / 10:.1f} ms"
        return (
            f"the arena is late by {late} at the 99th percentile, more than "
            f"{LATE_SECONDS * 1000:g} ms: {change}; set tables_max to fewer, or use a "
            "faster machine"
        )


class Throttle:
    """
    Lowers a number of tables while the arena is late, and raises it again.

    Args:
        most: the number of tables that the league asks for.
        least: the number below which it is never lowered.
    """

    def __init__(self, *, most: int, least: int) -> None:
        self._most = most
        self._least = min(max(least, 1), most)
        self._base: tuple[float, Spread] | None = None
        self._looks_from = float("-inf")
        self._windows_in_time = 0
        self.tables = most

    def look(self, lag: Spread, *, running: int, now: float) -> ThrottleChange | None:
        """
        Look at how late the arena was.

        Args:
            lag: all its lateness since its start.
            running: how many tables run now.
            now: the time in seconds.

        Returns:
            What changes, if anything does.
        """
        if self._base is None:
            self._looks_from = now + WARM_UP_SECONDS
        if self._base is None or now < self._looks_from:
            self._base = (now, lag.copy())
            return None
        began, before = self._base
        if now - began < WINDOW_SECONDS:
            return None
        self._base = (now, lag.copy())
        window = lag.since(before)
        late = window.percentile(0.99)
        is_in_time = late < IN_TIME_SECONDS and window.count > 0
        self._windows_in_time = self._windows_in_time + 1 if is_in_time else 0
        tables = self.tables
        if late > LATE_SECONDS:
            # What runs is what the machine does not keep up with.
            used = min(tables, running)
            wanted = max(self._least, used - max(1, int(used * SHARE)))
            self.tables = min(tables, wanted)
        elif self._windows_in_time >= IN_TIME_WINDOWS:
            self._windows_in_time = 0
            self.tables = min(self._most, tables + max(1, int(tables * SHARE)))
        if self.tables == tables:
            return None
        return ThrottleChange(tables, self.tables, late)
