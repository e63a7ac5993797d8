"""A session: one bot's connection, its seats, and what is to be sent to it.

A session outlives its stream. A new stream of the same bot, version and
instance takes it over, with its games.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.bucket import Bucket
from arena.clock import Clock
from arena.desk import HAND_OVER_MAX, Desk, OpenTurn
from arena.evidence import Evidence
from arena.introduction import Introduction
from arena.news import News, StatusNews
from arena.table import Refusal, Table

STALL_SECONDS = 30.0
"""How long a bot that owes a word may stay silent before it counts as lost."""
NOTICES_MAX = 256
"""Notices that wait for a bot that does not read; older ones are dropped."""
GATHERED = 5
"""A frame of turns is worth sending once one of so many games asks. All games of four
bots ask a quarter of them; without the rule, frames settle at half of that."""
REJECTIONS_MAX = 256
"""Rejections that wait for a bot; one more ends its session."""
LATE_BURST, LATE_A_SECOND = 2048, 100
"""Answers to closed turns: so many at once and so many a second from then on. There
is one for each late turn, or for each turn of a game that is void."""


class Seat:
    """A seat of a running table, as its session and its clock see it."""

    __slots__ = (
        "away_since",
        "away_total",
        "clock",
        "deal_bytes",
        "deal_key",
        "index",
        "is_start_sent",
        "losses",
        "open_turn",
        "session",
        "table",
    )

    def __init__(self, table: Table, index: int, session: "Session | None") -> None:
        self.table = table
        self.index = index
        self.session = session
        self.clock = Clock(table.spec.time_control)
        # What the wire has made for a deal, and for which state of it.
        self.deal_bytes = b""
        self.deal_key = (0, 0, 0)
        self.open_turn: OpenTurn[Seat] | None = None
        self.away_since: float | None = None
        # How long and how often it was away in this game, for its record.
        self.away_total = 0.0
        self.losses = 0
        self.is_start_sent = False

    def away_deadline(self) -> float:
        """Return when the time away is spent; infinite while nothing is asked."""
        if self.away_since is None:
            return float("inf")
        return self.away_since + self.clock.time_away()

    def end_away(self, now: float) -> float:
        """Return how long the bot was away from this question; it no longer is."""
        away = 0.0 if self.away_since is None else max(now - self.away_since, 0.0)
        self.away_since = None
        self.away_total += away
        return away


@dataclass(frozen=True, slots=True)
class Rejection:
    """An answer that was refused."""

    turn_id: int
    game_id: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Closing:
    """A turn that wants no answer any more; `reason` is the protocol's number."""

    turn_id: int
    game_id: str
    reason: int


CLOSED_LATE, CLOSED_GIVEN_UP, CLOSED_VOID = 1, 2, 3


@dataclass(slots=True)
class Frame:
    """What is sent to a session in one message."""

    welcome: "Session | None" = None
    starts: Sequence[Seat] = ()
    rejections: Sequence[Rejection] = ()
    closings: Sequence[Closing] = ()
    turns: Sequence[OpenTurn[Seat]] = ()
    news: Sequence[News] = ()
    heartbeat: int = 0

    @property
    def has_more(self) -> bool:
        """Whether there is anything else than starts, news and turns."""
        return bool(self.welcome or self.rejections or self.closings or self.heartbeat)


class Session:
    """One bot's connection and everything that waits for it.

    Whenever it comes, goes, or gets or loses a game, it enters its bot in `moved`.
    """

    __slots__ = (
        "_moved",
        "answered_at",
        "answers_rejected",
        "closings",
        "desk",
        "echoes_left",
        "heard_at",
        "heartbeat",
        "heartbeat_count",
        "heartbeat_due",
        "heartbeat_sent",
        "held_until",
        "id",
        "introduction",
        "is_awaiting",
        "is_connected",
        "is_doubted",
        "is_echo_awaited",
        "is_excused",
        "is_finishing",
        "is_welcome_due",
        "is_writing",
        "late_answers",
        "late_games",
        "lost_at",
        "missed",
        "news",
        "news_dropped",
        "news_until",
        "rejections",
        "resumed_count",
        "seats",
        "stalled_until",
        "starts",
        "stream",
        "timer",
        "turn_count",
        "turns",
        "unsent",
        "written_from",
    )

    def __init__(
        self, session_id: str, introduction: Introduction, moved: dict[str, None]
    ) -> None:
        self.id, self._moved, self.introduction = session_id, moved, introduction
        self.stream = self.turn_count = 0
        # Whether it wants no more games; was lost because of what disturbed the arena;
        # whether its stall is a doubt in the connection; where it was late, and silent.
        self.is_connected = self.is_finishing = False
        self.is_excused = self.is_doubted = False
        self.late_games: tuple[str, ...] = ()
        self.lost_at = float("-inf")
        most = introduction.max_games
        self.desk: Desk[Seat] = Desk(workers=introduction.workers, max_games=most)
        self.seats: list[Seat] = []
        self.turns: dict[int, OpenTurn[Seat]] = {}
        # By its number, what is known of each late turn whose game still runs.
        self.missed: dict[int, Evidence] = {}
        # What is to be sent.
        self.is_welcome_due = self.is_writing = False
        # Since when a frame is being written, and whose clocks run behind it.
        self.written_from, self.unsent = float("-inf"), list[OpenTurn[Seat]]()
        self.starts: list[Seat] = []
        self.rejections: list[Rejection] = []
        self.closings: list[Closing] = []
        self.news: list[News] = []
        self.news_dropped = self.resumed_count = 0
        # Until when news and starts wait for turns that they can go with; infinite
        # while none wait, minus infinity once they have waited long enough.
        self.news_until = float("inf")
        self.heartbeat = self.heartbeat_count = 0
        self.heartbeat_due = float("-inf")
        self.heartbeat_sent = (0, 0.0)  # Which one measures the round trip, since when.
        # Whether a frame with turns is unanswered, and until when others wait.
        self.is_awaiting = False
        self.held_until: float | None = None
        # When it last spoke of its turns, which may have let others go, and answered.
        self.heard_at = self.answered_at = float("-inf")
        self.stalled_until = self.timer = float("inf")
        # Whether the echo of the last heartbeat ends a stall, and how many more may
        # do so before an answer comes.
        self.is_echo_awaited, self.echoes_left = False, introduction.workers
        self.answers_rejected: list[float] = []
        self.late_answers = Bucket(burst=LATE_BURST, per_second=LATE_A_SECOND)

    @property
    def bot(self) -> str:
        """The name of the bot."""
        return self.introduction.bot

    @property
    def free_games(self) -> int:
        """How many more games the bot may be seated in."""
        if self.is_finishing:
            return 0
        return self.introduction.max_games - len(self.seats)

    def add_seat(self, seat: Seat) -> None:
        """Give the session a game, which it is told of."""
        self.seats.append(seat)
        self.starts.append(seat)
        self._moved[self.bot] = None

    def remove_seat(self, seat: Seat) -> None:
        """Take a game away that has ended."""
        self.seats.remove(seat)
        self._moved[self.bot] = None

    def finish(self) -> None:
        """Take no more games."""
        self.is_finishing = True
        self._moved[self.bot] = None

    @property
    def is_done(self) -> bool:
        """Whether its last game is over and told, after which it wanted no more."""
        if not self.is_finishing or self.seats or self.is_writing:
            return False
        return not (self.has_urgent or self.has_news)

    def clear_seats(self) -> None:
        """Take all games away."""
        self.seats.clear()
        self._moved[self.bot] = None

    def attach(self, introduction: Introduction, now: float) -> None:
        """Begin a new stream: its games go on, and are told to it again."""
        self._moved[introduction.bot] = None
        self.introduction = introduction
        self.is_finishing = introduction.is_finishing
        self.desk.workers = introduction.workers
        self.desk.max_games = introduction.max_games
        self.stream += 1
        self.heard_at = self.answered_at = now
        self.is_connected = self.is_welcome_due = True
        self.is_writing = self.is_awaiting = False
        self.is_excused = self.is_doubted = False
        self.late_games = ()
        self.echoes_left = introduction.workers
        self.resumed_count = len(self.seats)
        self.starts = list(self.seats)
        self.beat(now)
        if introduction.idle_reason:
            self.add_news(StatusNews(introduction.idle_note))
        for seat in self.seats:
            if seat.away_since is not None:
                seat.clock.draw_away(seat.end_away(now))

    def detach(self, now: float, *, away_from: float) -> None:
        """Stop the clocks: the stream is gone, and the games wait for the next.

        Time away counts from `away_from` on.
        """
        self._moved[self.bot] = None
        self.is_connected = False
        self.lost_at = now
        if not self.desk.is_stalled:
            self.late_games = ()
        self.desk.put_back(now)
        self.is_awaiting = self.is_writing = False
        self.unsent = []
        self.held_until = None
        self.news_until = float("inf")
        self.heartbeat_sent = (0, 0.0)
        self.is_echo_awaited = False
        self.stalled_until = float("inf")
        self.rejections.clear()
        self.closings.clear()
        for evidence in self.missed.values():
            evidence.close("lost", now)
        self.missed.clear()
        for seat in self.seats:
            seat.losses += 1
            if seat.open_turn is not None and seat.away_since is None:
                seat.away_since = away_from

    def doubt(self, now: float, *, until: float) -> None:
        """Stop the clocks until the bot speaks, since the connection may be dead."""
        self.heartbeat_sent = (0, 0.0)
        if self.is_connected and not self.desk.is_stalled:
            self.desk.suspend(now)
            self.heartbeat_count += 1
            self.heartbeat = self.heartbeat_count
            self.is_echo_awaited = self.is_doubted = True
            self.stalled_until = until

    def protect(self, now: float, *, until: float) -> None:
        """Charge nobody for being away or silent before a time.

        What a bot was away until now is drawn, unless it is excused.
        """
        if self.stalled_until < until:
            self.stalled_until = until
        for seat in self.seats:
            if seat.away_since is not None:
                away = seat.end_away(now)
                if not self.is_excused:
                    seat.clock.draw_away(away)
                seat.away_since = until

    def beat(self, now: float) -> None:
        """Measure the round trip, soon again as long as it is unknown."""
        self.heartbeat_count += 1
        self.heartbeat = self.heartbeat_count
        is_known = self.desk.round_trip > 0
        self.heartbeat_due = now + (30.0 if is_known else 1.0)

    def beat_for_late(self) -> None:
        """Ask for a sign of life along with the closing of a late turn.

        A bot that skips the turn has nothing else to say. An echo proves only that
        it reads, so after as many late turns as it has workers an answer must come.
        """
        if self.echoes_left > 0:
            self.echoes_left -= 1
            self.heartbeat_count += 1
            self.heartbeat = self.heartbeat_count
            self.is_echo_awaited = True

    def drop(self, turn: OpenTurn[Seat], now: float) -> None:
        """Forget a turn whose game is over for the seat.

        The bot may still think about it, so what lies behind it on the desk has no
        clock before the bot speaks; it has something to say, so silence is a stall.
        """
        desk = self.desk
        desk.drop(turn)
        limits = [next_turn.time_limit() for next_turn in desk.without_clock()]
        if limits and self.is_connected and not desk.is_stalled:
            desk.is_stalled = True
            finite = [limit for limit in limits if limit < float("inf")]
            self.stalled_until = now + max([STALL_SECONDS, *finite])

    def speak(self, now: float) -> None:
        """Note that the bot has spoken: turns go out at once, and it is not lost."""
        self.heard_at = now
        if self.missed:
            for evidence in self.missed.values():
                evidence.hear(now)
        self.is_awaiting = self.is_echo_awaited = False
        self.held_until = None
        self.stalled_until = float("inf")

    def deadline(self) -> float:
        """Return when something about the session is late."""
        if not self.is_connected:
            return min(
                (seat.away_deadline() for seat in self.seats), default=float("inf")
            )
        earliest = self.desk.deadline()
        if self.held_until is not None:
            earliest = min(earliest, self.held_until)
        if self.news_until > float("-inf"):
            earliest = min(earliest, self.news_until)
        if self.is_blocking:
            earliest = min(earliest, self.written_from + HAND_OVER_MAX)
        return min(earliest, self.stalled_until)

    @property
    def is_blocking(self) -> bool:
        """Whether turns wait for nothing but a frame that has not left yet.

        A client that stops reading just then would else have no clock at all.
        """
        desk = self.desk
        return (
            self.is_writing
            and bool(desk.queue)
            and not desk.turns
            and not desk.is_stalled
        )

    def take_turns(self, now: float) -> list[OpenTurn[Seat]]:
        """Return the turns for a frame, first those whose clocks run already."""
        taken = self.desk.take(now)
        if self.unsent:
            taken = [*self.owed(), *taken]
            self.unsent = []
        return taken

    def owed(self) -> list[OpenTurn[Seat]]:
        """Return the turns that wait behind a frame, and are still open."""
        return [turn for turn in self.unsent if turn in self.desk.turns]

    def add_news(self, news: News) -> None:
        """Queue a notice; the oldest is dropped when too many wait."""
        if len(self.news) >= NOTICES_MAX:
            del self.news[0]
            self.news_dropped += 1
        self.news.append(news)

    @property
    def should_hold(self) -> bool:
        """Whether queued turns had better wait a moment for others."""
        return self.is_awaiting or len(self.desk.queue) * GATHERED < len(self.seats)

    def has_turns_to_send(self, now: float) -> bool:
        """Tell whether queued turns may go out now.

        At most one frame with turns is unanswered: turns that arise meanwhile
        are held until an answer comes, and in a session with many games until
        there is a frame's worth of them, though never for more than a moment.
        """
        desk = self.desk
        if self.unsent and self.owed():
            return True
        if not desk.queue or desk.is_stalled:
            return False
        if len(desk.turns) >= desk.workers + desk.spare:
            return False
        if self.held_until is None:
            return not self.is_awaiting
        return self.held_until <= now or not self.should_hold

    @property
    def has_news(self) -> bool:
        """Whether there are news or starts to send, which may wait a moment."""
        return bool(self.news or self.starts)

    @property
    def has_urgent(self) -> bool:
        """Whether there is anything to send that never waits."""
        return bool(
            self.heartbeat or self.closings or self.rejections or self.is_welcome_due
        )

    def may_send_news(self, now: float) -> bool:
        """Tell whether news go out now, without a turn.

        While turns are about to go they wait for those, though never for more than a
        moment: of a busy bot's frames a quarter would else have nothing but news.
        """
        will_be_asked = self.is_awaiting or bool(self.desk.queue)
        return not will_be_asked or self.news_until <= now

    def has_frame(self, now: float) -> bool:
        """Tell whether there is anything to send now."""
        if not self.is_connected or self.is_writing:
            return False
        if self.has_urgent or (self.has_news and self.may_send_news(now)):
            return True
        return self.has_turns_to_send(now)

    def take_more(self) -> Frame:
        """Return all that is to be sent but the turns, and forget it."""
        frame = Frame(
            welcome=self if self.is_welcome_due else None,
            starts=self.starts,
            rejections=self.rejections,
            closings=self.closings,
            news=self.news,
            heartbeat=self.heartbeat,
        )
        self.starts, self.rejections, self.closings, self.news = [], [], [], []
        self.heartbeat, self.is_welcome_due = 0, False
        self.news_until = float("inf")
        return frame
