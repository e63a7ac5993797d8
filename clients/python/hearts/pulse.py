"""
The pulse of a process: whether it stood still, and for how long.

A process that is stopped, swapped out or on a machine that sleeps can't tell
that from its own code. So a thread of its own looks at the clock a few times a
second while games are open, and whatever is missing between two looks, and was not
computed with either, is time that the process did not have.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

TICK_SECONDS: Final = 0.2
"""How often the clock is looked at."""

GAP_SECONDS: Final = 0.1
"""What may be missing between two looks: on a busy machine every thread waits."""


class Pulse:
    """
    Measures how long a process stood still; may be called from any thread.

    Args:
        clock: Gives the time in seconds from any start.
        cpu: Gives the seconds that the process has computed. A thread that holds
            the interpreter keeps the pulse from looking, but the process works.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        cpu: Callable[[], float] = time.process_time,
    ) -> None:
        self.due = float("inf")
        """When a look is missing; infinite while nobody looks."""
        self.paused = 0.0
        """Seconds that nobody has asked for yet."""
        self._clock = clock
        self._cpu = cpu
        self._computed = 0.0
        self._lock = threading.Lock()

    def tick(self) -> None:
        """
        Look at the clock, `TICK_SECONDS` after the last time if all is well.
        """
        with self._lock:
            now, computed = self._clock(), self._cpu()
            if now > self.due:
                missing = now - (self.due - GAP_SECONDS)
                still = missing - (computed - self._computed)
                self.paused += max(0.0, still)
            self.due = now + TICK_SECONDS + GAP_SECONDS
            self._computed = computed

    def wake(self) -> None:
        """
        Begin to measure: games are open.
        """
        self.rest()
        self.tick()

    def rest(self) -> None:
        """
        Measure nothing for now.
        """
        with self._lock:
            self.due = float("inf")

    def take_ms(self) -> int:
        """
        Return how long the process stood still since this was asked last.
        """
        if self._clock() > self.due:
            # It has only just gone on, and the thread has not looked yet.
            self.tick()
        with self._lock:
            paused, self.paused = self.paused, 0.0
        return int(paused * 1000)


class PulseThread(Pulse):
    """
    A pulse with a thread that looks at it, and ends with the process.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._is_awake = threading.Event()
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """
        Begin to measure, or go on.
        """
        if self._is_awake.is_set():
            return
        super().wake()
        self._is_awake.set()
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name="hearts-pulse", daemon=True
            )
            self._thread.start()

    def rest(self) -> None:
        """
        Let the thread sleep until it is woken.
        """
        self._is_awake.clear()
        super().rest()

    def _run(self) -> None:
        while self._is_awake.wait():
            self.tick()
            time.sleep(TICK_SECONDS)
