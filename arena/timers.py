"""The timers of the sessions: when to look at each of them next."""

import heapq

from arena.session import Session

SPARE = 32
"""How many timers that are off are kept at least: so few cost nothing."""


class Timers:
    """When something about a session may be late, the earliest first.

    Deadlines mostly move on with every answer, so an entry that comes too early
    is cheaper than one for each turn: `arm` keeps an earlier look as it is, and
    whoever looks arms anew. Timers that are off are swept out once they outnumber
    the others: left to come due, they would pile up as long as a turn may last.
    """

    __slots__ = ("_count", "_heap", "_noted", "_sweep_at")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Session]] = []
        self._count = 0
        self._noted: dict[Session, None] = {}
        self._sweep_at = SPARE

    def __len__(self) -> int:
        return len(self._heap)

    def arm(self, session: Session) -> None:
        """Have a session looked at in time.

        When that is, is found out once somebody asks for the next deadline: by then
        the frames have left, and what has changed several times is looked at once.
        """
        self._noted[session] = None

    def arm_at(self, session: Session, when: float) -> None:
        """Have a session looked at by a moment, without asking what else is late."""
        if when < session.timer:
            session.timer = when
            self._count += 1
            heapq.heappush(self._heap, (when, self._count, session))

    def rearm(self, session: Session) -> None:
        """Forget an early look whose reason is gone, and find out when the next is."""
        session.timer = float("inf")
        self._noted[session] = None

    def next_deadline(self) -> float:
        """Return when to look next; infinite when nothing can be late."""
        if self._noted:
            self._arm_noted()
        heap = self._heap
        while heap and heap[0][0] != heap[0][2].timer:
            heapq.heappop(heap)
        return heap[0][0] if heap else float("inf")

    def take_due(self, now: float) -> Session | None:
        """Return a session to look at by `now`, if any; its timer is off then."""
        if self._noted:
            self._arm_noted()
        heap = self._heap
        while heap and heap[0][0] <= now:
            when, _, session = heapq.heappop(heap)
            if session.timer == when:
                session.timer = float("inf")
                return session
        return None

    def _arm_noted(self) -> None:
        for session in self._noted:
            self.arm_at(session, session.deadline())
        self._noted.clear()
        if len(self._heap) > self._sweep_at:
            self._sweep()

    def _sweep(self) -> None:
        self._heap = [entry for entry in self._heap if entry[0] == entry[2].timer]
        heapq.heapify(self._heap)
        self._sweep_at = 2 * len(self._heap) + SPARE
