"""The host: many tables, many bots, and the time between them.

It is the whole behaviour of the arena; what lies below it only moves bytes. All
is calls in and values out, with the time as an argument, so that a simulator
drives exactly what production runs:

* `connect`, `disconnect`, `leave`, `receive`, `heard` tell what a bot did;
* `take` returns the next frame for a session and `sent` says it has left;
* `expire` acts on what is late, `next_deadline` says when to call it again;
* `take_ready`, `take_finished`, `take_ended`, `take_failures` tell what to do.

Seconds are `float`s of one monotonic clock. A table that breaks is void and
hurts no other.
"""

import heapq
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from arena.desk import NEVER, OpenTurn
from arena.game import Game
from arena.running import AnswerMessage, EndedStream, Running
from arena.session import (
    CLOSED_GIVEN_UP,
    CLOSED_LATE,
    CLOSED_VOID,
    REJECTIONS_MAX,
    Closing,
    DealNews,
    DrainNews,
    Frame,
    GameNews,
    Introduction,
    Rejection,
    Seat,
    Session,
    StatusNews,
)
from arena.spec import GameSpec
from arena.table import Reason, Refusal, Table, Timing
from arena.view import StandIn

HOLD_SECONDS = 0.002
"""How long a turn waits at most for others to share its frame, while its session
has an unanswered one. Measured with 64 tables and four bots: 1 ms makes frames of
6 turns, 2 ms of 8 and a fifth more turns a second, 4 ms no more than that."""
STALL_SECONDS = 30.0
"""How long a bot may stay silent after a late turn before it counts as lost."""
THINK_MS_MAX = 86_400_000
"""The longest thinking time that is believed, a day."""
INCIDENT_SECONDS = 60.0
"""Two seats lost within this time make the game void: the network is to blame."""
STRAY_MAX = 100
"""Answers to turns that never were, in a minute, that end a session."""


class Host:
    """Tables, sessions, desks and deadlines of one arena."""

    def __init__(self, stand_ins: Mapping[str, StandIn]) -> None:
        self.stand_ins = stand_ins
        self.tables: dict[str, Running] = {}
        self.sessions: dict[tuple[str, str, str, bool], Session] = {}
        self.bots: dict[str, list[Session]] = {}
        self.session_count = 0
        self.turns_answered = 0
        self._timers: list[tuple[float, int, Session]] = []
        self._timer_count = 0
        self._unfinished: list[Running] = []
        # A dict, since the order of a set would differ from run to run.
        self._ready: dict[Session, None] = {}
        self._finished: list[Table] = []
        self._ended: list[EndedStream] = []
        self._failures: list[str] = []

    # What the edge asks for after each call.

    def take_ready(self) -> Iterable[Session]:
        """Return the sessions that may have a frame to send, and forget them."""
        ready = self._ready
        if ready:
            self._ready = {}
        return ready

    @property
    def has_results(self) -> bool:
        """Whether a table, a stream or a failure is to be reported."""
        return bool(self._finished or self._ended or self._failures)

    def take_finished(self) -> list[Table]:
        """Return the tables that ended, void ones too, and forget them."""
        finished, self._finished = self._finished, []
        return finished

    def take_ended(self) -> list[EndedStream]:
        """Return the streams to end, and forget them."""
        ended, self._ended = self._ended, []
        return ended

    def take_failures(self) -> list[str]:
        """Return the traces of the arena's own faults, for the log."""
        failures, self._failures = self._failures, []
        return failures

    # Sessions

    def connect(self, introduction: Introduction, *, now: float) -> Session:
        """Open a session, or take an open one over; `session.stream` is new."""
        session = self.sessions.get(introduction.key)
        if session is None:
            self.session_count += 1
            session = Session(f"s{self.session_count}", introduction)
            self.sessions[introduction.key] = session
            self.bots.setdefault(introduction.bot, []).append(session)
        elif session.is_connected:
            self._end_stream(session, "TAKEN_OVER", "another stream took over")
            self._detach(session, now)
        session.introduction = introduction
        session.desk.workers = introduction.workers
        session.desk.max_games = introduction.max_games
        session.stream += 1
        session.is_connected = session.is_welcome_due = True
        session.is_writing = session.is_awaiting = False
        session.resumed_count = len(session.seats)
        session.starts = list(session.seats)
        self._beat(session, now)
        if introduction.idle_reason:
            session.add_news(StatusNews(introduction.idle_note))
        for seat in session.seats:
            if seat.away_since is not None:
                seat.clock.draw_away(now - seat.away_since)
                seat.away_since = None
        self._ready[session] = None
        return session

    def disconnect(self, session: Session, stream: int, *, now: float) -> None:
        """Note that a stream is gone without a word: a lost connection."""
        if session.stream == stream and session.is_connected:
            self._detach(session, now)
            self._forget_if_idle(session)
            self._arm(session)

    def leave(self, session: Session, stream: int, *, now: float) -> None:
        """End a session on the bot's wish; its seats are given up."""
        if session.stream != stream:
            return
        self._detach(session, now)
        for seat in list(session.seats):
            self._give_up(seat, "left", now)
            seat.session = None
        session.seats.clear()
        self._forget_if_idle(session)

    def presence(self, *, practice: bool) -> dict[str, list[Session]]:
        """Return the sessions of every bot that is connected and can be seated.

        Args:
            practice: whether those for practice are meant, or those for leagues.
        """
        present: dict[str, list[Session]] = {}
        for bot, sessions in self.bots.items():
            here = [
                session
                for session in sessions
                if session.is_connected
                and session.introduction.practice == practice
                and not session.introduction.idle_reason
            ]
            if here:
                present[bot] = here
        return present

    def tell(self, bot: str, message: str, waiting_for: tuple[str, ...]) -> None:
        """Tell an idle bot what it waits for."""
        for session in self.bots.get(bot, ()):
            if session.is_connected:
                session.add_news(StatusNews(message, waiting_for))
                self._ready[session] = None

    def drain(self, reconnect_after_ms: int, message: str) -> None:
        """Tell every bot that the arena is going away."""
        for session in self.sessions.values():
            session.add_news(DrainNews(reconnect_after_ms, message))
            self._ready[session] = None

    # Games

    def start_game(
        self, spec: GameSpec, *, now: float, game: Game | None = None
    ) -> None:
        """Seat the bots and ask the first questions.

        A bot that is not here, or has no place left, makes the game void at
        once. `game` is a position to start from, in place of the spec's seed.
        """
        sessions: list[Session | None] = []
        for index, wanted in enumerate(spec.seats):
            session = None
            if index not in spec.given_up:
                session = self._free_session(wanted.bot, spec)
                if session is None:
                    table = Table(spec, self.stand_ins[spec.stand_in], game=game)
                    table.void(self._absence(wanted.bot, spec))
                    self._finished.append(table)
                    return
            sessions.append(session)
        spec = spec.with_versions(
            None if session is None else session.introduction.version
            for session in sessions
        )
        table = Table(spec, self.stand_ins[spec.stand_in], game=game)
        running = Running(table)
        self.tables[spec.game_id] = running
        for index, session in enumerate(sessions):
            seat = Seat(table, index, session)
            running.seats.append(seat)
            if session is not None:
                session.seats.append(seat)
                session.starts.append(seat)
                self._ready[session] = None
        self._step(running, table.start, now)

    def void_game(self, game_id: str, reason: str, *, now: float) -> None:
        """End a game without a result."""
        if running := self.tables.get(game_id):
            running.table.void(reason)
            self._after(running, now)

    def give_up(self, bot: str, cause: str, *, now: float) -> None:
        """Give up all seats of a bot that will not come back."""
        for running in list(self.tables.values()):
            for seat in running.seats:
                if running.table.spec.seats[seat.index].bot == bot:
                    self._give_up(seat, cause, now)

    # Frames

    def take(self, session: Session, *, now: float) -> Frame | None:
        """Return what to send to a session now, if anything.

        The caller MUST call `sent` once the transport has the frame.
        """
        if not session.has_frame(now):
            return None
        frame = Frame()
        if session.is_welcome_due:
            frame.welcome = session
            session.is_welcome_due = False
        if session.starts:
            frame.starts, session.starts = session.starts, []
        if session.rejections:
            frame.rejections, session.rejections = session.rejections, []
        if session.closings:
            frame.closings, session.closings = session.closings, []
        if session.news:
            frame.news, session.news = session.news, []
        if session.heartbeat:
            frame.heartbeat, session.heartbeat = session.heartbeat, 0
        if session.has_turns_to_send(now):
            frame.turns = session.desk.take(now)
            session.is_awaiting = True
            session.held_until = None
        session.is_writing = True
        return frame

    def sent(self, session: Session, stream: int, frame: Frame, *, now: float) -> None:
        """Note that the transport has a frame: clocks of its turns may start."""
        if session.stream != stream or not session.is_connected:
            return
        session.is_writing = False
        if frame.turns:
            session.desk.hand_over(frame.turns, now)
            self._arm(session)
        if frame.heartbeat:
            session.heartbeat_sent = None if session.desk.turns else now
        if session.has_frame(now):
            self._ready[session] = None

    def receive(
        self, session: Session, answers: Iterable[AnswerMessage], *, now: float
    ) -> None:
        """Take the answers of one frame, in their order."""
        turns, good, open_turns = session.turns, [], []
        for answer in answers:
            turn = turns.get(answer.turn_id)
            if turn is None or turn.taken == NEVER:
                self._stray(session, answer.turn_id, now)
            else:
                del turns[answer.turn_id]
                good.append(answer)
                open_turns.append(turn)
        session.is_awaiting = False
        session.held_until = None
        session.stalled_until = float("inf")
        if good:
            thought = [min(answer.think_ms, THINK_MS_MAX) for answer in good]
            timings = session.desk.answered(open_turns, thought, now)
            self.turns_answered += len(good)
            for answer, turn, timing in zip(good, open_turns, timings, strict=True):
                self._answer(session, answer, turn, timing, now)
        else:
            session.desk.end_stall(now)
        if now >= session.heartbeat_due and not session.desk.turns:
            self._beat(session, now)
        self._ready[session] = None
        self._arm(session)

    def heard(self, session: Session, heartbeat: int, *, now: float) -> None:
        """Take a heartbeat back and learn the round trip from an empty desk.

        A turn that was sent since does not disturb it: it is read later.
        """
        if heartbeat != session.heartbeat_count:
            return
        sent, session.heartbeat_sent = session.heartbeat_sent, None
        if sent is not None:
            trip = now - sent
            known = session.desk.round_trip
            session.desk.round_trip = min(known, trip) if known else trip

    # Time

    def next_deadline(self) -> float:
        """Return when to call `expire` next; infinite when nothing can be late."""
        if self._unfinished:
            return float("-inf")
        timers = self._timers
        while timers and timers[0][0] != timers[0][2].timer:
            heapq.heappop(timers)
        return timers[0][0] if timers else float("inf")

    def expire(self, *, now: float) -> None:
        """Act on everything that is late by `now`."""
        unfinished, self._unfinished = self._unfinished, []
        for running in unfinished:
            if not running.table.is_over:
                self._step(running, running.table.go_on, now)
        timers = self._timers
        while timers and timers[0][0] <= now:
            when, _, session = heapq.heappop(timers)
            if session.timer == when:
                session.timer = float("inf")
                self._expire_session(session, now)
                self._arm(session)

    def hand_back(self, lag: float) -> None:
        """Move all open deadlines by the seconds that the arena itself lost."""
        for session in list(self.sessions.values()):
            session.desk.hand_back(lag)
            if session.stalled_until < float("inf"):
                session.stalled_until += lag
            for seat in session.seats:
                if seat.away_since is not None:
                    seat.away_since += lag
            self._arm(session)

    # The rest is private.

    def _answer(
        self,
        session: Session,
        answer: AnswerMessage,
        turn: OpenTurn,
        timing: Timing,
        now: float,
    ) -> None:
        """Hand one answer to its table; when the table breaks, it alone is void."""
        seat: Seat = turn.owner  # type: ignore[assignment]
        running = self.tables.get(seat.table.spec.game_id)
        if running is None:
            return  # An answer before this one, in the same frame, ended the game.
        seat.open_turn = None
        try:
            refusal = seat.table.answer(
                seat.index,
                answer.cards,
                answer.moon_choice,
                timing=timing,
                note=answer.note,
            )
        except Exception:
            self._fail(running, now)
            return
        if refusal is not None:
            game_id = seat.table.spec.game_id
            rejection = Rejection(answer.turn_id, game_id, refusal)
            self._add_rejection(session, rejection)
        self._after(running, now)

    def _beat(self, session: Session, now: float) -> None:
        """Measure the round trip, soon again as long as it is unknown."""
        session.heartbeat_count += 1
        session.heartbeat = session.heartbeat_count
        is_known = session.desk.round_trip > 0
        session.heartbeat_due = now + (30.0 if is_known else 1.0)

    def _free_session(self, bot: str, spec: GameSpec) -> Session | None:
        """Return the session of a bot with most room; practice goes to practice."""
        free = [
            session
            for session in self.bots.get(bot, ())
            if session.is_connected
            and session.free_games > 0
            and not session.introduction.refusal(spec.rules)
            and session.introduction.practice <= spec.practice
        ]
        return max(
            free,
            key=lambda session: (session.introduction.practice, session.free_games),
            default=None,
        )

    def _absence(self, bot: str, spec: GameSpec) -> str:
        """Say why a bot can't be seated."""
        for session in self.bots.get(bot, ()):
            if reason := session.introduction.refusal(spec.rules):
                return f"{bot} {reason}"
        return f"{bot} is not connected or has no free place"

    def _detach(self, session: Session, now: float) -> None:
        """Stop a session's clocks; its games wait for it."""
        session.is_connected = False
        session.lost_at = now
        session.desk.put_back(now)
        session.is_awaiting = session.is_writing = False
        session.held_until = session.heartbeat_sent = None
        session.stalled_until = float("inf")
        session.rejections.clear()
        session.closings.clear()
        for seat in session.seats:
            if seat.open_turn is not None and seat.away_since is None:
                seat.away_since = now

    def _forget_if_idle(self, session: Session) -> None:
        if session.is_connected or session.seats:
            return
        if self.sessions.get(session.introduction.key) is session:
            del self.sessions[session.introduction.key]
            sessions = self.bots[session.bot]
            sessions.remove(session)
            if not sessions:
                del self.bots[session.bot]
        session.timer = float("inf")
        self._ready.pop(session, None)

    def _end_stream(self, session: Session, reason: str, message: str) -> None:
        self._ended.append(EndedStream(session, session.stream, reason, message))

    def _stray(self, session: Session, turn_id: int, now: float) -> None:
        """Refuse an answer that names no open turn."""
        is_known = 0 < turn_id <= session.turn_count
        if is_known and turn_id not in session.turns:
            refusal = Refusal(
                Reason.TOO_LATE, f"turn {turn_id} is closed; nothing was changed"
            )
        else:
            refusal = Refusal(
                Reason.UNKNOWN_TURN, f"turn {turn_id} was never given to this session"
            )
            recent = [when for when in session.answers_rejected if when > now - 60]
            session.answers_rejected = [*recent, now]
            if len(recent) >= STRAY_MAX:
                self._end_stream(
                    session,
                    "UNKNOWN_TURNS",
                    f"{len(recent) + 1} answers in a minute to turns that never were",
                )
        self._add_rejection(session, Rejection(turn_id, "", refusal))

    def _add_rejection(self, session: Session, rejection: Rejection) -> None:
        if len(session.rejections) >= REJECTIONS_MAX:
            self._end_stream(
                session, "TOO_MANY_REJECTIONS", "the bot does not read its rejections"
            )
            return
        session.rejections.append(rejection)

    def _ask(self, seat: Seat, now: float) -> None:
        """Queue a question for the session of a seat."""
        session = seat.session
        assert session is not None, "an empty seat was asked"
        if not session.introduction.moon_choice and seat.table.is_choosing:
            # It declared that it cannot choose; the rules' default is no fault then.
            running = self.tables[seat.table.spec.game_id]
            self._step(running, partial(seat.table.choose_default, seat.index), now)
            return
        session.turn_count += 1
        turn = OpenTurn(session.turn_count, seat, seat.clock, now)
        session.turns[turn.id] = turn
        session.desk.queue.append(turn)
        seat.open_turn = turn
        if not session.is_connected:
            seat.away_since = now
            self._arm(session)
        elif session.is_awaiting and session.held_until is None:
            session.held_until = now + HOLD_SECONDS
            self._arm(session)
        self._ready[session] = None

    def _close_turn(self, seat: Seat, reason: int) -> None:
        """Tell a seat's session that its open turn wants no answer."""
        turn, session = seat.open_turn, seat.session
        if turn is None or session is None:
            return
        seat.open_turn = seat.away_since = None
        session.turns.pop(turn.id, None)
        if turn.taken != NEVER and session.is_connected:
            session.closings.append(Closing(turn.id, seat.table.spec.game_id, reason))
            self._ready[session] = None

    def _step(self, running: Running, call: Callable[[], object], now: float) -> None:
        """Call into a table; when it breaks, it alone is void."""
        try:
            call()
        except Exception:
            self._fail(running, now)
        else:
            self._after(running, now)

    def _fail(self, running: Running, now: float) -> None:
        game_id = running.table.spec.game_id
        self._failures.append(f"game={game_id} broke:\n{traceback.format_exc()}")
        running.table.void("the arena broke; see its log")
        self._after(running, now)

    def _after(self, running: Running, now: float) -> None:
        """Do what a change of a table asks for: questions, news, its end."""
        table = running.table
        for index in table.take_asked():
            if not table.is_over:
                self._ask(running.seats[index], now)
        results = table.game.results
        if len(results) > running.deals_told:
            self._tell_deals(running)
        if table.is_unfinished:
            self._unfinished.append(running)
        if table.is_over:
            self._finish(running)

    def _tell_deals(self, running: Running) -> None:
        table = running.table
        for index in range(running.deals_told, len(table.game.results)):
            news = DealNews(table, index, table.game.results[index])
            for seat in running.seats:
                if seat.session is not None:
                    seat.session.add_news(news)
                    self._ready[seat.session] = None
        running.deals_told = len(table.game.results)

    def _finish(self, running: Running) -> None:
        table = running.table
        if self.tables.pop(table.spec.game_id, None) is None:
            return
        for seat in running.seats:
            session = seat.session
            if session is None:
                continue
            if seat.open_turn is not None:
                session.desk.drop(seat.open_turn)
                self._close_turn(seat, CLOSED_VOID)
            session.seats.remove(seat)
            session.add_news(GameNews(table, seat.index))
            self._ready[session] = None
            self._forget_if_idle(session)
        self._finished.append(table)

    def _give_up(self, seat: Seat, cause: str, now: float) -> None:
        table = seat.table
        running = self.tables.get(table.spec.game_id)
        if running is None or table.is_over or seat.index in table.given_up:
            return
        if seat.open_turn is not None and seat.session is not None:
            seat.session.desk.drop(seat.open_turn)
            self._close_turn(seat, CLOSED_GIVEN_UP)
        self._step(running, lambda: table.give_up(seat.index, cause), now)

    def _expire_session(self, session: Session, now: float) -> None:
        if not session.is_connected:
            for seat in list(session.seats):
                if seat.away_deadline() <= now:
                    self._away_spent(seat, session, now)
            return
        desk = session.desk
        if unread := desk.unread(now):
            desk.hand_over(unread, now)
        for turn in desk.late(now):
            self._late(session, turn, now)
        if desk.is_stalled and session.stalled_until <= now:
            self._end_stream(session, "STALLED", "the bot was silent for too long")
            self._detach(session, now)
        if session.held_until is not None and session.held_until <= now:
            session.held_until = None
            session.is_awaiting = False
        self._ready[session] = None

    def _late(self, session: Session, turn: OpenTurn, now: float) -> None:
        """One late turn: substituted, and nothing more is handed over."""
        seat: Seat = turn.owner  # type: ignore[assignment]
        timing = session.desk.stall(turn, now)
        session.stalled_until = now + STALL_SECONDS
        self._close_turn(seat, CLOSED_LATE)
        running = self.tables[seat.table.spec.game_id]
        table = seat.table
        self._step(running, lambda: table.miss(seat.index, "late", timing=timing), now)

    def _away_spent(self, seat: Seat, session: Session, now: float) -> None:
        """A lost bot did not come back in time for this question."""
        running = self.tables[seat.table.spec.game_id]
        lost = [
            other
            for other in running.seats
            if other.session is not None
            and other.index not in seat.table.given_up
            and not other.session.is_connected
            and abs(other.session.lost_at - session.lost_at) <= INCIDENT_SECONDS
        ]
        if len(lost) > 1:
            names = [seat.table.spec.seats[other.index].bot for other in lost]
            self.void_game(
                seat.table.spec.game_id,
                f"network incident: {', '.join(names)} were lost at once",
                now=now,
            )
            return
        assert seat.open_turn is not None
        seat.clock.draw_away(seat.clock.time_away())
        seat.clock.charge(0.0)
        session.desk.drop(seat.open_turn)
        self._close_turn(seat, CLOSED_LATE)
        table = seat.table
        self._step(running, lambda: table.miss(seat.index, "away"), now)

    def _deadline(self, session: Session) -> float:
        """Return when something about a session is late."""
        if not session.is_connected:
            return min(
                (seat.away_deadline() for seat in session.seats), default=float("inf")
            )
        earliest = session.desk.deadline()
        if session.held_until is not None:
            earliest = min(earliest, session.held_until)
        return min(earliest, session.stalled_until)

    def _arm(self, session: Session) -> None:
        """Have `expire` look at a session in time; a later look is kept as it is.

        Deadlines mostly move on with every answer, so an entry that comes too
        early is cheaper than one for each turn.
        """
        when = self._deadline(session)
        if when < session.timer:
            session.timer = when
            self._timer_count += 1
            heapq.heappush(self._timers, (when, self._timer_count, session))
