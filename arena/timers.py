"""The timers of the sessions: when to look at each of them next."""

import heapq

from arena.session import Session


class Timers:
    """When something about a session may be late, the earliest first.

    Deadlines mostly move on with every answer, so an entry that comes too early
    is cheaper than one for each turn: `arm` keeps an earlier look as it is, and
    whoever looks arms anew.
    """

    __slots__ = ("_count", "_heap")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Session]] = []
        self._count = 0

    def arm(self, session: Session) -> None:
        """Have a session looked at in time."""
        when = session.deadline()
        if when < session.timer:
            session.timer = when
            self._count += 1
            heapq.heappush(self._heap, (when, self._count, session))

    def next_deadline(self) -> float:
        """Return when to look next; infinite when nothing can be late."""
        heap = self._heap
        while heap and heap[0][0] != heap[0][2].timer:
            heapq.heappop(heap)
        return heap[0][0] if heap else float("inf")

    def take_due(self, now: float) -> Session | None:
        """Return a session to look at by `now`, if any; its timer is off then."""
        heap = self._heap
        while heap and heap[0][0] <= now:
            when, _, session = heapq.heappop(heap)
            if session.timer == when:
                session.timer = float("inf")
                return session
        return None
