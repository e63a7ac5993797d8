"""Many bots lost at once: a switch that died, and no bot's doing."""

from collections import deque
from collections.abc import Collection
from math import ceil
from typing import Final

from arena.session import Session

OUTAGE_SECONDS: Final = 5.0
"""Within this time sessions are lost at once."""
OUTAGE_SHARE: Final = 0.5
"""The least share of the bots with games that makes an outage."""
OUTAGE_BOTS_MIN: Final = 3
"""And the least number of them: two bots of a table that leave together are none, nor
is one that has many sessions."""


class Losses:
    """The sessions with games that were lost a moment ago."""

    __slots__ = ("_recent", "_wanted")

    def __init__(self) -> None:
        self._recent: deque[Session] = deque()
        self._wanted = OUTAGE_BOTS_MIN

    def note(
        self, session: Session, sessions: Collection[Session], now: float
    ) -> list[Session]:
        """
        Note that a session with games was lost.

        A bot counts once, and only if no session with games is left to it. Programs
        that the arena itself has started don't count: no switch lies between.

        Args:
            session: the session, whose `lost_at` is now.
            sessions: all that there are.
            now: the time.

        Returns:
            Those that this makes an outage of; usually nobody.
        """
        if session.introduction.is_started:
            return []
        recent = self._recent
        while recent and recent[0].lost_at <= now - OUTAGE_SECONDS:
            recent.popleft()
            self._wanted = OUTAGE_BOTS_MIN
        recent.append(session)
        # All sessions are looked through only when there are enough losses for it.
        if len(recent) < self._wanted:
            return []
        lost = [one for one in dict.fromkeys(recent) if _is_lost(one, now)]
        here = {
            one.bot
            for one in sessions
            if one.is_connected and one.seats and not one.introduction.is_started
        }
        gone = {one.bot for one in lost} - here
        wanted = max(OUTAGE_BOTS_MIN, ceil(OUTAGE_SHARE * (len(gone) + len(here))))
        if len(gone) < wanted:
            self._wanted = wanted
            return []
        recent.clear()
        self._wanted = OUTAGE_BOTS_MIN
        return lost


def _is_lost(session: Session, now: float) -> bool:
    is_recent = session.lost_at > now - OUTAGE_SECONDS
    return not session.is_connected and bool(session.seats) and is_recent
