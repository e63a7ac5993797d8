"""What disturbs an arena as a whole, and the grace that follows.

A machine that slept, a clock that was set, an arena that stood still, many bots
lost at once: none of it is any bot's doing, so nobody is charged for it and bots
get time to return.
"""

from dataclasses import dataclass
from typing import Final

GRACE_SECONDS: Final = 30.0
"""How long nobody is charged for being away after a disturbance."""
GRACE_EVERY_SECONDS: Final = 120.0
"""A grace for the same kind of disturbance begins at most this often, so that no
series of them holds a league up for ever; a machine that slept always has one."""
DOUBT_SECONDS: Final = 5.0
"""After standing still for longer than this connections may be dead unnoticed."""

SLEEP, CLOCK, LAG, OUTAGE = KINDS = ("sleep", "clock", "lag", "outage")
"""The machine slept; its clock was set; the arena stood still; bots were lost."""

_TEXTS: Final = {
    SLEEP: "the machine slept for {:.0f} s",
    CLOCK: "the clock of the machine was set by {:.0f} s",
    LAG: "the arena stood still for {:.1f} s",
    OUTAGE: "many bots were lost at once",
}


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One thing that disturbed the arena.

    Attributes:
        kind: one of `KINDS`.
        seconds: how long it lasted or by how much the clock was set, which may be
            back; 0 for an outage.
        lost_seconds: what of it the monotonic clock has counted, and running clocks
            are therefore to have back.
        bots: who was lost, for an outage.
    """

    kind: str
    seconds: float = 0.0
    lost_seconds: float = 0.0
    bots: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say in a few words what has happened."""
        return _TEXTS[self.kind].format(self.seconds)

    @property
    def is_doubtful(self) -> bool:
        """Whether connections may be dead without a sign of it."""
        return self.kind == OUTAGE or abs(self.seconds) > DOUBT_SECONDS


class Grace:
    """Until when nobody is charged for being away; times are the host's."""

    __slots__ = ("_began", "doubted_until", "reason", "until")

    def __init__(self) -> None:
        self.until = float("-inf")
        self.doubted_until = float("-inf")
        """Until when a bot that is lost is lost because of the disturbance."""
        self.reason = ""
        self._began: dict[str, float] = {}

    def begin(self, disturbance: Disturbance, now: float) -> bool:
        """Begin a grace, or prolong it; tell whether that is due."""
        last = self._began.get(disturbance.kind, float("-inf"))
        if disturbance.kind != SLEEP and now - last < GRACE_EVERY_SECONDS:
            return False
        self._began[disturbance.kind] = now
        self.reason = str(disturbance)
        self.until = now + GRACE_SECONDS
        if disturbance.is_doubtful:
            self.doubted_until = self.until
        return True

    def after(self, now: float) -> float:
        """Return from when on time away counts."""
        return self.until if self.until > now else now
