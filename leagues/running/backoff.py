"""Backoff: when a program that has ended is started again, and when no more."""

from typing import Final

__all__ = ["HEALTHY_SECONDS", "Backoff"]

HEALTHY_SECONDS: Final = 600.0
"""A program that was connected and lived so long may fail anew as if for the first
time."""
_PAUSE_SECONDS: Final = 0.5
_PAUSE_GROWTH: Final = 4.0
_PAUSE_SECONDS_MAX: Final = 60.0


class Backoff:
    """The restarts of one program: at once, then after 0.5 s, 2 s, 8 s … 60 s.

    Args:
        restarts_max: How often it is started again in a row.
    """

    def __init__(self, restarts_max: int) -> None:
        self._restarts_max = restarts_max
        self._failures = 0

    def pause(self, lived_seconds: float, *, was_connected: bool) -> float | None:
        """Return the seconds until the next start; `None` when it is given up.

        Args:
            lived_seconds: How long the program has lived this time.
            was_connected: Whether it came to the arena in that time.
        """
        if was_connected and lived_seconds >= HEALTHY_SECONDS:
            self._failures = 0
        self._failures += 1
        if self._failures > self._restarts_max:
            return None
        if self._failures == 1:
            return 0.0
        # A power that is no longer a number would be no pause either.
        power = min(self._failures - 2, 10)
        return min(_PAUSE_SECONDS * _PAUSE_GROWTH**power, _PAUSE_SECONDS_MAX)
