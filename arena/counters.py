"""What the arena counts of itself: plain numbers, added to where things happen.

Nobody who plays waits for them. Whoever wants to know reads them on the thread
that counts, and takes a copy away.
"""

import copy
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from arena.desk import OpenTurn
from arena.spread import Spread
from arena.table import Table

ABSENT, BROKEN, INCIDENT, OTHER, STOPPED = VOID_CAUSES = (
    "absent",
    "broken",
    "incident",
    "other",
    "stopped",
)
"""Why games were void, in a word."""
MINUTE_SECONDS = 60.0


class Counters:
    """All that is counted from the start of an arena to its end."""

    def __init__(self) -> None:
        self.frames_received = 0
        self.frames_sent = 0
        self.games_finished = 0
        self.voids: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        """Faults by kind, of games that have ended."""
        self.given_up: Counter[str] = Counter()
        """Given-up seats by cause, of games that have ended."""
        self.disturbances: Counter[str] = Counter()
        """What has disturbed the arena, by kind."""
        self.rejections: Counter[str] = Counter()
        self.streams_ended: Counter[str] = Counter()
        self.calls_refused: Counter[str] = Counter()
        """Calls but `Play` that ended badly, by reason."""
        self.bot_time = Spread()
        """What turns were charged."""
        self.arena_time = Spread()
        """From what let a turn go to its hand-over."""
        self.lag = Spread()

    def hand_over(
        self, turns: Iterable[OpenTurn[Any]], *, heard_at: float, now: float
    ) -> None:
        """Count a frame that has left.

        A turn could go when it was asked or, if its session had to answer first,
        when that was heard.
        """
        self.frames_sent += 1
        since, count = now, 0
        for turn in turns:
            asked = turn.asked
            if asked < heard_at:
                asked = heard_at
            if asked == since:
                count += 1  # Many turns of a frame were asked at one moment.
                continue
            self.arena_time.add(now - since, count)
            since, count = asked, 1
        self.arena_time.add(now - since, count)

    def end(self, table: Table, *, void_cause: str = "") -> None:
        """Count a game that has ended, and what has happened in it."""
        if table.void_reason:
            self.voids[void_cause or _void_cause(table.void_reason)] += 1
        else:
            self.games_finished += 1
        self._count(table)

    def with_running(self, tables: Iterable[Table]) -> Self:
        """Return a copy that also has what has happened in running games."""
        copied = copy.deepcopy(self)
        for table in tables:
            copied._count(table)
        return copied

    def _count(self, table: Table) -> None:
        self.faults.update(fault.kind for fault in table.faults)
        self.given_up.update(seat.cause for seat in table.given_up.values())


def _void_cause(reason: str) -> str:
    """Return a word for why a game is void; the reasons name bots."""
    if reason == STOPPED:
        return STOPPED
    if reason.startswith("network incident: "):
        return INCIDENT
    return BROKEN if reason.startswith("the arena broke") else OTHER


@dataclass(frozen=True, slots=True)
class _Moment:
    at: float
    turns: int
    spreads: tuple[Spread, ...]


@dataclass(frozen=True, slots=True)
class Recent:
    """What has happened in the last minute, or since the start if that is less."""

    seconds: float
    turns: int
    bot_time: Spread
    arena_time: Spread
    lag: Spread

    @property
    def turns_per_second(self) -> float:
        """How many answers a second there were."""
        return self.turns / self.seconds if self.seconds > 0 else 0.0


class LastMinute:
    """Remembers counts for a minute, so that a difference can be told."""

    def __init__(self) -> None:
        self._moments: deque[_Moment] = deque()

    def note(self, counts: Counters, turns: int, *, now: float) -> None:
        """Remember the counts of now; to be called about once a second."""
        moments = self._moments
        moments.append(_Moment(now, turns, _spreads(counts)))
        while len(moments) > 1 and moments[1].at <= now - MINUTE_SECONDS:
            moments.popleft()

    def recent(self, counts: Counters, turns: int, *, now: float) -> Recent:
        """Return what has been counted since a minute ago."""
        spreads = _spreads(counts)
        first = self._moments[0] if self._moments else _Moment(now, turns, spreads)
        bot, arena, lag = (
            spread.since(before)
            for spread, before in zip(spreads, first.spreads, strict=True)
        )
        return Recent(now - first.at, turns - first.turns, bot, arena, lag)


def _spreads(counts: Counters) -> tuple[Spread, ...]:
    now = (counts.bot_time, counts.arena_time, counts.lag)
    return tuple(spread.copy() for spread in now)
