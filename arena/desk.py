"""The desk of a session: which of its open turns are on the clock.

The desk rule: a session computes `workers` turns at a time. Its open turns lie
on the desk in the order in which they were handed over; the first `workers` of
them are *in work* and only their clocks run. A turn that waits behind them costs
its bot nothing. So a bot is charged for its own thinking and never for having
many games.
"""

from collections import deque
from collections.abc import Sequence
from typing import Generic, TypeVar

from arena.clock import Clock
from arena.spec import TimeControl
from arena.spread import Spread
from arena.table import Timing

Owner = TypeVar("Owner")
"""Whom a turn is for; the desk only keeps it."""

_new = tuple.__new__
NEVER = -1.0
"""Before any time that there is."""
HAND_OVER_MAX = 1.0
"""So many seconds after it was taken a frame is looked at that nobody reads."""
REFUND_MAX = 0.050
"""The longest round trip that is refunded, in seconds."""
READ_MAX = 2.0
"""By how many seconds in all a turn may be prolonged so that what has arrived is
read before the turn is late."""
REFUND_SHARE = 0.1
"""The largest part of the turn limit that is refunded."""


class OpenTurn(Generic[Owner]):
    """One question that waits for its answer.

    Times are the caller's seconds: `asked` when it arose, `taken` when it was
    put into a frame, `handed` when the transport had it, `begun` when its clock
    began to run, `started` the same with what was handed back since. `spent` is what
    was charged before a lost connection, and `returned` what was handed back then.
    """

    __slots__ = (
        "asked",
        "begun",
        "clock",
        "handed",
        "id",
        "limit",
        "owner",
        "refund",
        "returned",
        "spent",
        "started",
        "taken",
    )

    def __init__(self, turn_id: int, owner: Owner, clock: Clock, asked: float) -> None:
        self.id = turn_id
        self.owner = owner
        self.clock = clock
        self.asked = asked
        self.taken = NEVER
        self.handed: float | None = None
        self.begun = NEVER
        self.started: float | None = None
        self.limit = 0.0
        self.refund = 0.0
        self.spent = 0.0
        self.returned = 0.0

    def time_limit(self) -> float:
        """Return what the turn may take in all, with what is spent of it.

        After a lost connection at least the increment is left.
        """
        limit = self.clock.limit()
        if self.spent:
            increment = self.clock.control.increment_ms / 1000
            return max(limit, self.spent + increment)
        return limit

    def deadline(self) -> float:
        """Return when the turn is late; infinite while its clock stands."""
        if self.started is None:
            return float("inf")
        return self.started + self.limit + self.refund - self.spent


class Desk(Generic[Owner]):
    """The open turns of one session, queued in the arena or handed over."""

    __slots__ = (
        "charges",
        "freed_at",
        "is_stalled",
        "max_games",
        "mean_charged",
        "queue",
        "round_trip",
        "spare",
        "turns",
        "workers",
    )

    def __init__(self, *, workers: int, max_games: int) -> None:
        self.workers = workers
        self.max_games = max_games
        self.turns: list[OpenTurn[Owner]] = []
        self.queue: deque[OpenTurn[Owner]] = deque()
        self.is_stalled = False
        # When an answer or a sign of life last let the next turn begin.
        self.freed_at = NEVER
        self.spare = 1
        self.mean_charged = 0.0
        self.round_trip = 0.0
        self.charges = Spread()

    def take(self, now: float) -> list[OpenTurn[Owner]]:
        """Move queued turns to the desk as far as there is room, and return them."""
        queue = self.queue
        if not queue or self.is_stalled:
            return []
        room = self.workers + self.spare - len(self.turns)
        if room <= 0:
            return []
        taken = [queue.popleft() for _ in range(min(room, len(queue)))]
        for turn in taken:
            turn.taken = now
        self.turns += taken
        return taken

    def hand_over(self, taken: Sequence[OpenTurn[Owner]], now: float) -> None:
        """Note that the transport has the turns; those in work start."""
        for turn in taken:
            if turn.handed is None:
                turn.handed = now
        self.start(now, by_hand_over=True)

    def start(self, now: float, *, by_hand_over: bool) -> None:
        """Start the clocks of the turns in work that were handed over.

        Network time is refunded only where the hand-over started the clock:
        behind an answer, the next turn already lies at the bot. And a hand-over may
        take no longer than what is refunded: a client that reads all of a frame but
        its last byte has it, and would think for nothing.
        """
        if self.is_stalled:
            return
        for turn in self.turns[: self.workers]:
            if turn.started is None and turn.handed is not None:
                begun = now
                if by_hand_over and turn.handed == now:
                    begun = turn.handed = min(now, self._free_until(turn))
                turn.started = turn.begun = begun
                turn.limit = turn.time_limit()
                if by_hand_over:
                    turn.refund = min(self.round_trip, allowance(turn.clock.control))

    def _free_until(self, turn: OpenTurn[Owner]) -> float:
        """Return until when a turn's hand-over costs nothing."""
        return max(turn.taken + allowance(turn.clock.control), self.freed_at)

    def answered(
        self, turns: Sequence[OpenTurn[Owner]], think_ms: Sequence[int], now: float
    ) -> list[Timing]:
        """Take answered turns off the desk, charge them, start the next ones.

        With one worker, all answers of a frame share the elapsed time equally.
        An answer to a turn that waits is charged nothing.
        """
        share = self._share(turns, now)
        timings, mean = [], self.mean_charged
        for turn, thought in zip(turns, think_ms, strict=True):
            if turn.started is None:
                charged, refunded = turn.spent, 0.0
            else:
                charged, refunded = _elapsed(turn, now)
            if share is None:
                self.charges.add(charged)
            else:
                charged = share
            turn.clock.charge(charged)
            # The mean follows the charges, seconds a turn.
            mean += (charged - mean) / 16
            timings.append(_timing(turn, charged, refunded, thought, now))
        if share is not None:
            self.charges.add(share, len(turns))
        self.mean_charged = mean
        self.freed_at = now
        self._remove(turns)
        self._grow(turns[0].clock)
        self.is_stalled = False
        self.start(now, by_hand_over=False)
        return timings

    def stall(self, turn: OpenTurn[Owner], now: float) -> Timing:
        """Take a late turn off the desk; nothing else is on the clock meanwhile."""
        charged, refunded = _elapsed(turn, now)
        turn.clock.charge(charged)
        self.charges.add(charged)
        self.drop(turn)
        self.is_stalled = True
        return _timing(turn, charged, refunded, 0, now)

    def end_stall(self, now: float) -> None:
        """Let the clocks run again: the bot has spoken."""
        if self.is_stalled:
            self.is_stalled = False
            self.freed_at = now
            self.start(now, by_hand_over=False)

    def drop(self, turn: OpenTurn[Owner]) -> None:
        """Forget a turn that wants no answer any more."""
        if turn in self.turns:
            self.turns.remove(turn)
        elif turn in self.queue:
            self.queue.remove(turn)

    def without_clock(self) -> list[OpenTurn[Owner]]:
        """Return the turns in work that lie at the bot though no clock runs."""
        return [
            turn
            for turn in self.turns[: self.workers]
            if turn.started is None and turn.handed is not None
        ]

    def put_back(self, now: float) -> None:
        """Stop all clocks and queue every open turn again: the stream is lost."""
        for turn in self.turns:
            if turn.started is not None:
                turn.returned += _returned(turn, turn.started, now)
                turn.spent += max(now - turn.started, 0.0)
            turn.handed = turn.started = None
            turn.refund = 0.0
        self.queue.extendleft(reversed(self.turns))
        self.turns = []
        self.is_stalled = False
        self.spare = 1

    def hand_back(self, lag: float) -> None:
        """Give the seconds back that the arena itself lost."""
        for turn in self.turns:
            if turn.started is not None:
                turn.started += lag
            elif turn.handed is None:
                turn.taken += lag

    def suspend(self, now: float) -> None:
        """Stop all clocks until the bot speaks; nothing is handed over meanwhile."""
        for turn in self.turns:
            if turn.started is not None:
                turn.returned += _returned(turn, turn.started, now)
                turn.spent += max(now - turn.started, 0.0)
                turn.started = None
                turn.refund = 0.0
        self.is_stalled = True

    def let_read(self, until: float) -> None:
        """Let no turn be late before a time, by which what has arrived is read."""
        for turn in self.turns[: self.workers]:
            missing = until - turn.deadline()
            if missing > 0:
                most = turn.time_limit() + READ_MAX
                turn.limit = max(turn.limit, min(turn.limit + missing, most))

    def deadline(self) -> float:
        """Return the next moment at which a turn is late or counts as handed."""
        earliest = float("inf")
        for turn in self.turns[: self.workers]:
            if turn.handed is None:
                when = turn.taken + HAND_OVER_MAX
            else:
                when = turn.deadline()
            earliest = min(earliest, when)
        return earliest

    def late(self, now: float) -> list[OpenTurn[Owner]]:
        """Return the turns in work whose time is up."""
        return [t for t in self.turns[: self.workers] if t.deadline() <= now]

    def unread(self, now: float) -> list[OpenTurn[Owner]]:
        """Return the taken turns that count as handed over by now."""
        return [
            turn
            for turn in self.turns
            if turn.handed is None and turn.taken + HAND_OVER_MAX <= now
        ]

    def _share(self, turns: Sequence[OpenTurn[Owner]], now: float) -> float | None:
        """Return what each answer of a frame is charged, where they share the time."""
        if self.workers == 1 and len(turns) > 1:
            for turn in turns:
                if turn.started is not None:
                    return _elapsed(turn, now)[0] / len(turns)
        return None

    def _remove(self, turns: Sequence[OpenTurn[Owner]]) -> None:
        """Take turns off; after a reconnect they may still lie in the queue."""
        if len(turns) == 1 and self.turns and self.turns[0] is turns[0]:
            del self.turns[0]
            return
        gone = {id(turn) for turn in turns}
        left = [turn for turn in self.turns if id(turn) not in gone]
        if len(left) + len(turns) != len(self.turns):
            self.queue = deque(turn for turn in self.queue if id(turn) not in gone)
        self.turns = left

    def _grow(self, clock: Clock) -> None:
        """Let fast bots have full frames; slow ones one spare turn."""
        most, mean = self.max_games - self.workers, self.mean_charged
        wanted = REFUND_SHARE * clock.control.turn_limit_ms / 1000
        if wanted and mean * most > wanted:
            most = int(wanted / mean)
        self.spare = max(1, min(most, self.spare * 2))


def allowance(control: TimeControl) -> float:
    """Return how long a round trip is refunded at most, in seconds."""
    return min(REFUND_MAX, REFUND_SHARE * control.turn_limit_ms / 1000)


def _elapsed(turn: OpenTurn[Owner], now: float) -> tuple[float, float]:
    """Return what to charge a turn and what is refunded, in seconds."""
    if turn.started is None:
        return turn.spent, 0.0
    # What was handed back for a lag may reach beyond now.
    elapsed = max(now - turn.started, 0.0) + turn.spent
    refunded = turn.refund if turn.refund < elapsed else elapsed
    return elapsed - refunded, refunded


def _returned(turn: OpenTurn[Owner], started: float, now: float) -> float:
    """Return how much of a turn's time in work was handed back, in seconds.

    What is handed back may reach beyond now: that part was no time in work yet.
    """
    return (started if started < now else now) - turn.begun


def _timing(
    turn: OpenTurn[Owner], charged: float, refunded: float, think_ms: int, now: float
) -> Timing:
    started, returned = turn.started, turn.returned
    if started is None:
        begun = now
    else:
        begun = turn.begun
        if started != begun:
            returned += _returned(turn, started, now)
    handed = begun if turn.handed is None else turn.handed
    times = (
        int((turn.taken - turn.asked) * 1000),
        int((begun - handed) * 1000),
        int(charged * 1000),
        # Mostly these two are nothing, which is told apart in a third of the time.
        int(refunded * 1000) if refunded else 0,
        think_ms,
        int(returned * 1000) if returned else 0,
    )
    return _new(Timing, times)  # Half the time of `Timing(...)`.
