"""The timekeeper: compares the clocks of a machine, look by look.

It notices a machine that slept, a clock that was set, and an arena that stood
still. The clocks are read by whoever asks.
"""

from dataclasses import dataclass
from typing import Final

from arena.disturbance import CLOCK, LAG, SLEEP, Disturbance

JUMP_SECONDS: Final = 1.0
"""The least difference between two clocks that is no mere inaccuracy."""
STAND_STILL_SECONDS: Final = 0.25
"""The lateness of the arena above which it counts as having stood still."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the clocks of a machine say at one moment, in seconds."""

    monotonic: float
    """Counts on at the same pace, though not while the machine sleeps."""
    boot: float | None
    """The same, and counts a sleep too; not every system has it."""
    wall: float


class Timekeeper:
    """Remembers the last reading; to be asked about twenty times a second."""

    def __init__(self, reading: Reading) -> None:
        self._last = reading

    def look(self, reading: Reading, *, lag: float) -> Disturbance | None:
        """
        Compare the clocks with what they said the last time.

        Args:
            reading: what they say now.
            lag: by how many seconds this look is late.

        Returns:
            What has disturbed the arena since; usually nothing.
        """
        last, self._last = self._last, reading
        passed = reading.monotonic - last.monotonic
        slept = 0.0
        if reading.boot is not None and last.boot is not None:
            slept = reading.boot - last.boot - passed
        jumped = reading.wall - last.wall - passed - slept
        if slept > JUMP_SECONDS:
            return Disturbance(SLEEP, slept, passed)
        if abs(jumped) > JUMP_SECONDS:
            return Disturbance(CLOCK, jumped, passed)
        if lag > STAND_STILL_SECONDS:
            # Nobody knows when it began, at the latest right after the last look.
            return Disturbance(LAG, lag, passed)
        return None
