"""Many bots lost at once: a switch that died, and no bot's doing."""

from collections import deque
from collections.abc import Collection
from math import ceil
from typing import Final

from arena.session import Session

OUTAGE_SECONDS: Final = 5.0
"""Within this time sessions are lost at once."""
OUTAGE_SHARE: Final = 0.5
"""The least share of the sessions with games that makes an outage."""
OUTAGE_SESSIONS_MIN: Final = 3
"""And the least number of them: two bots of a table that leave together are none."""


class Losses:
    """The sessions with games that were lost a moment ago."""

    __slots__ = ("_recent", "_wanted")

    def __init__(self) -> None:
        self._recent: deque[Session] = deque()
        self._wanted = OUTAGE_SESSIONS_MIN

    def note(
        self, session: Session, sessions: Collection[Session], now: float
    ) -> list[Session]:
        """
        Note that a session with games was lost.

        Args:
            session: the session, whose `lost_at` is now.
            sessions: all that there are.
            now: the time.

        Returns:
            Those that this makes an outage of; usually nobody.
        """
        recent = self._recent
        while recent and recent[0].lost_at <= now - OUTAGE_SECONDS:
            recent.popleft()
            self._wanted = OUTAGE_SESSIONS_MIN
        recent.append(session)
        # All sessions are looked through only when there are enough losses for it.
        if len(recent) < self._wanted:
            return []
        lost = [one for one in dict.fromkeys(recent) if _is_lost(one, now)]
        here = sum(one.is_connected and bool(one.seats) for one in sessions)
        wanted = max(OUTAGE_SESSIONS_MIN, ceil(OUTAGE_SHARE * (len(lost) + here)))
        if len(lost) < wanted:
            self._wanted = wanted
            return []
        recent.clear()
        self._wanted = OUTAGE_SESSIONS_MIN
        return lost


def _is_lost(session: Session, now: float) -> bool:
    is_recent = session.lost_at > now - OUTAGE_SECONDS
    return not session.is_connected and bool(session.seats) and is_recent
