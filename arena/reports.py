"""What the host has to report: sessions to serve, streams to end, tables that ended."""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.counters import BROKEN, Counters
from arena.disturbance import Disturbance
from arena.session import Session
from arena.table import Table

LEFT = "LEFT"
"""The reason of a stream that ends without an error, as its bot has wished."""


@dataclass(frozen=True, slots=True)
class EndedStream:
    """A stream that the edge must end; `reason` is stable, `message` for people."""

    session: Session
    stream: int
    reason: str
    message: str


class Reports:
    """What waits for the edge to ask for it; taking forgets."""

    __slots__ = (
        "counts",
        "disturbances",
        "ended",
        "failures",
        "finished",
        "ready",
        "unplayed",
    )

    def __init__(self, counts: Counters) -> None:
        self.counts = counts
        # A dict, since the order of a set would differ from run to run.
        self.ready: dict[Session, None] = {}
        self.finished: list[Table] = []
        self.unplayed: list[str] = []
        self.ended: list[EndedStream] = []
        self.failures: list[str] = []
        self.disturbances: list[Disturbance] = []

    def end_stream(self, session: Session, reason: str, message: str) -> None:
        """Have the stream of a session ended."""
        self.ended.append(EndedStream(session, session.stream, reason, message))

    def finish(self, table: Table, *, void_cause: str = "") -> None:
        """Report a table that ended, and count it; the cause is a word of counters."""
        self.counts.end(table, void_cause=void_cause)
        self.finished.append(table)

    def take_ready(self) -> Iterable[Session]:
        """Return the sessions that may have a frame to send."""
        ready = self.ready
        if ready:
            self.ready = {}
        return ready

    def leave_unplayed(self, game_id: str) -> None:
        """Report a game that broke before there was a table."""
        self.counts.voids[BROKEN] += 1
        self.unplayed.append(game_id)

    def take_unplayed(self) -> list[str]:
        """Return the games that broke before there was a table."""
        unplayed, self.unplayed = self.unplayed, []
        return unplayed

    def take_finished(self) -> list[Table]:
        """Return the tables that ended, void ones too."""
        finished, self.finished = self.finished, []
        return finished

    def take_ended(self) -> list[EndedStream]:
        """Return the streams to end."""
        ended, self.ended = self.ended, []
        return ended

    def take_disturbances(self) -> list[Disturbance]:
        """Return what has disturbed the arena."""
        disturbances, self.disturbances = self.disturbances, []
        return disturbances

    def take_failures(self) -> list[str]:
        """Return the traces of the arena's own faults."""
        failures, self.failures = self.failures, []
        return failures
