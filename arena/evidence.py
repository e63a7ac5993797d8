"""What is gathered of a turn that was missed, from its closing to its game's end.

It is kept for people who ask why; nothing here decides about a game. Seconds are
those of the caller.
"""

from dataclasses import replace

from arena.claims import SLACK_MS
from arena.missed import Missed

__all__ = ["THINK_MS_MAX", "Evidence"]

THINK_MS_MAX = 86_400_000
"""The longest time that is believed of what a bot measured itself, a day."""


class Evidence:
    """What is known of one missed turn so far.

    Args:
        missed: what was known when it was closed.
        now: when that was.
        heartbeat: the number of the one that went out with the closing; 0 for none.
    """

    __slots__ = ("closed_at", "heartbeat", "missed")

    def __init__(self, missed: Missed, *, now: float, heartbeat: int = 0) -> None:
        self.missed = missed
        self.closed_at = now
        self.heartbeat = heartbeat

    @property
    def is_open(self) -> bool:
        """Whether nothing has been heard of the bot since, and it may still be."""
        return self.missed.end == "open"

    @property
    def is_whole(self) -> bool:
        """Whether nothing more is to be expected: an echo may precede an answer."""
        return self.missed.end not in ("open", "heard")

    def answer(
        self, *, think_ms: int, paused_ms: int, before: float, now: float
    ) -> None:
        """Take the answer that came after all; a second one says no more.

        Args:
            before: When the last one before it came, since which it may have paused.
        """
        if self.missed.answered_ms is None:
            self.hear(now)
            self.missed = replace(
                self.missed,
                end="answered",
                answered_ms=self._since(now),
                think_ms=min(think_ms, THINK_MS_MAX),
                paused_ms=_believed(paused_ms, now - before),
            )

    def echo(self, heartbeat: int, now: float) -> None:
        """Take a heartbeat that came back, if it is that of this turn."""
        if heartbeat == self.heartbeat and self.missed.echoed_ms is None:
            self.hear(now)
            self.missed = replace(self.missed, echoed_ms=self._since(now))

    def hear(self, now: float) -> None:
        """Take any sign of life."""
        self.close("heard", now)

    def close(self, end: str, now: float) -> None:
        """Note how it ended, unless that is known."""
        if self.is_open:
            self.missed = replace(self.missed, end=end, silent_ms=self._since(now))

    def _since(self, now: float) -> int:
        return max(0, int((now - self.closed_at) * 1000))


def _believed(paused_ms: int, seconds: float) -> int:
    """Return a pause since the last answer, or nothing if it does not fit in there."""
    most_ms = max(0, int(seconds * 1000))
    return min(paused_ms, most_ms) if paused_ms <= most_ms + SLACK_MS else 0
