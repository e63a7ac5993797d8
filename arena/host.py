"""The host: many tables, many bots, and the time between them.

It is the whole behaviour of the arena; what lies below it only moves bytes. All
is calls in and values out, with the time as an argument, so that a simulator
drives exactly what production runs:

* `connect`, `disconnect`, `finish`, `leave`, `receive`, `heard` tell what a bot did;
* `take` returns the next frame for a session and `sent` says it has left;
* `expire` acts on what is late, `next_deadline` says when to call it again;
* `take_ready`, `take_finished`, `take_ended`, `take_failures` tell what to do.

Seconds are `float`s of one monotonic clock. The tables themselves are the
floor's, the sessions the roster's; the host joins them.
"""

from collections.abc import Iterable, Mapping

from arena.counters import Counters
from arena.desk import NEVER
from arena.disturbance import OUTAGE, Disturbance, Grace
from arena.evidence import THINK_MS_MAX
from arena.floor import BROKEN_REASON, Floor
from arena.game import Game
from arena.introduction import Introduction
from arena.lateness import look_at, void_late_games
from arena.news import DrainNews, StatusNews
from arena.outage import Losses
from arena.presence import Move
from arena.reports import LEFT, EndedStream, Reports
from arena.roster import Roster
from arena.running import AnswerMessage
from arena.session import Frame, Session
from arena.spec import GameSpec
from arena.strays import refuse_stray
from arena.table import Table
from arena.timers import Timers
from arena.view import StandIn

READ_SECONDS = 0.1
"""After the arena was late what has arrived is surely read within this time."""
READ_SECONDS_LONG = 1.0
"""And after it stood still, when much has arrived."""


class Host:
    """Tables, sessions, desks and deadlines of one arena."""

    def __init__(self, stand_ins: Mapping[str, StandIn]) -> None:
        self.counts = Counters()
        self._roster = Roster(self.counts)
        self._timers = Timers()
        self._reports = Reports(self.counts)
        self._grace = Grace()
        self._losses = Losses()
        self._floor = Floor(
            stand_ins, self._roster, self._timers, self._reports, self._grace
        )
        self.tables = self._floor.tables
        self.sessions = self._roster.sessions
        self.bots = self._roster.bots
        self.turns_answered = 0
        self.draining: DrainNews | None = None
        """What bots are told while the arena is going away."""

    # What the edge asks for after each call.

    def take_ready(self) -> Iterable[Session]:
        """Return the sessions that may have a frame to send, and forget them."""
        return self._reports.take_ready()

    @property
    def has_ready(self) -> bool:
        """Whether a session may have a frame to send."""
        return bool(self._reports.ready)

    @property
    def has_results(self) -> bool:
        """Whether a table, a stream, a failure or a disturbance is to be reported."""
        reports = self._reports
        return bool(
            reports.finished
            or reports.ended
            or reports.failures
            or reports.disturbances
            or reports.unplayed
        )

    def take_finished(self) -> list[Table]:
        """Return the tables that ended, void ones too, and forget them."""
        return self._reports.take_finished()

    def take_ended(self) -> list[EndedStream]:
        """Return the streams to end, and forget them."""
        return self._reports.take_ended()

    def take_unplayed(self) -> list[str]:
        """Return the games that broke before there was a table, and forget them."""
        return self._reports.take_unplayed()

    def take_disturbances(self) -> list[Disturbance]:
        """Return what has disturbed the arena, for the log, and forget it."""
        return self._reports.take_disturbances()

    def take_failures(self) -> list[str]:
        """Return the traces of the arena's own faults, for the log."""
        return self._reports.take_failures()

    # Sessions

    def connect(self, introduction: Introduction, *, now: float) -> Session:
        """Open a session, or take an open one over; `session.stream` is new."""
        session = self._roster.open(introduction)
        if session.is_connected:
            self._reports.end_stream(session, "TAKEN_OVER", "another stream took over")
            self._detach(session, now)
            self._floor.release(now)
        session.attach(introduction, now)
        if self.draining is not None:
            session.add_news(self.draining)
        self._reports.ready[session] = None
        return session

    def disconnect(self, session: Session, stream: int, *, now: float) -> None:
        """Note that a stream is gone without a word: a lost connection."""
        if session.stream == stream and session.is_connected:
            self._detach(session, now)
            self._floor.forget_if_idle(session)
            self._timers.arm(session)
            if session.seats:
                self._lose(session, now)
            self._floor.release(now)

    def leave(self, session: Session, stream: int, *, now: float) -> None:
        """End a session on the bot's wish; its seats are given up."""
        if session.stream != stream:
            return
        session.speak(now)
        self._detach(session, now)
        for seat in list(session.seats):
            self._floor.give_up(seat, "left", now)
            seat.session = None
        session.clear_seats()
        self._floor.forget_if_idle(session)
        self._floor.release(now)

    def finish(self, session: Session, stream: int, *, now: float) -> None:
        """Give a session no more games, and end it when its last one is over."""
        if session.stream == stream and session.is_connected:
            session.finish()
            self._end_if_done(session)

    def _end_if_done(self, session: Session) -> None:
        if session.is_done and session.is_connected:
            self._reports.end_stream(session, LEFT, "all its games are over")

    def take_moves(self) -> list[Move]:
        """Return how the bots are present that came, went, or got or lost games."""
        return self._roster.take_moves()

    def _detach(self, session: Session, now: float) -> None:
        session.is_excused = now < self._grace.doubted_until
        session.detach(now, away_from=self._grace.after(now))

    def _lose(self, session: Session, now: float) -> None:
        """See whether a lost session is one of too many."""
        lost = self._losses.note(session, self.sessions.values(), now)
        if lost:
            for one in lost:
                one.is_excused = True
            bots = tuple(sorted({one.bot for one in lost}))
            self.disturb(Disturbance(OUTAGE, bots=bots), now=now)
        if session.is_excused:
            for one in lost or (session,):
                void_late_games(one, self._floor, now)

    def tell(
        self, bot: str, message: str, waiting_for: tuple[str, ...], *, version: str = ""
    ) -> None:
        """Tell an idle bot, or only its sessions of a version, what it waits for."""
        for session in self.bots.get(bot, ()):
            if session.is_finishing or not session.is_connected:
                continue
            if version in ("", session.introduction.version):
                session.add_news(StatusNews(message, waiting_for))
                self._reports.ready[session] = None

    def drain(self, reconnect_after_ms: int, message: str) -> None:
        """Tell every bot that the arena is going away, now and when it comes back."""
        self.draining = DrainNews(reconnect_after_ms, message)
        for session in self.sessions.values():
            if session.is_connected:
                session.add_news(self.draining)
                self._reports.ready[session] = None

    def is_wanted(self, introduction: Introduction) -> bool:
        """Tell whether a bot may connect; to a draining arena only for its games."""
        session = self.sessions.get(introduction.key)
        return self.draining is None or (session is not None and bool(session.seats))

    # Games

    def start_game(
        self, spec: GameSpec, *, now: float, game: Game | None = None
    ) -> None:
        """Seat the bots and ask the first questions.

        A bot that is not here, or has no place left, makes the game void at
        once. `game` is a position to start from, in place of the spec's seed.
        """
        self._floor.open(spec, game, now)

    def void_game(self, game_id: str, reason: str, *, now: float) -> None:
        """End a game without a result."""
        self._floor.void(game_id, reason, now)

    def break_game(self, game_id: str, *, now: float) -> None:
        """End a game that can't even be told to its bots."""
        self._floor.void(game_id, BROKEN_REASON, now)

    def void_games(self, session: Session, *, now: float) -> None:
        """End all games of a session without a result: serving it broke."""
        for seat in list(session.seats):
            self._floor.void(seat.table.spec.game_id, BROKEN_REASON, now)

    def give_up(self, bot: str, cause: str, *, now: float) -> None:
        """Give up all seats of a bot that will not come back."""
        self._floor.give_up_bot(bot, cause, now)

    # Frames

    def take(self, session: Session, *, now: float) -> Frame | None:
        """Return what to send to a session now, if anything.

        The caller MUST call `sent` once the transport has the frame.
        """
        if not session.is_connected or session.is_writing:
            return None
        has_turns = session.has_turns_to_send(now)
        has_news, has_urgent = session.has_news, session.has_urgent
        if not (has_turns or has_urgent):
            if not has_news:
                return None
            if not session.may_send_news(now):
                self._floor.hold_news(session, now)
                return None
        frame = session.take_more() if has_news or has_urgent else Frame()
        if has_turns:
            frame.turns = session.take_turns(now)
            session.is_awaiting = True
            session.held_until = None
            # Whatever it was held for is over, and a client that does not read may
            # never let the frame go.
            self._timers.rearm(session)
        elif session.desk.queue:
            self._timers.arm(session)
        session.is_writing, session.written_from = True, now
        return frame

    def sent(self, session: Session, stream: int, frame: Frame, *, now: float) -> None:
        """Note that the transport has a frame: clocks of its turns may start."""
        if session.stream != stream or not session.is_connected:
            return
        session.is_writing = False
        self.counts.hand_over(frame.turns, heard_at=session.heard_at, now=now)
        if frame.turns:
            session.desk.hand_over(frame.turns, now)
            self._timers.arm(session)
        # A bot that is told of games may be at work before it sends a heartbeat back.
        if frame.heartbeat and not (
            session.desk.turns or session.is_echo_awaited or frame.starts or frame.news
        ):
            session.heartbeat_sent = (frame.heartbeat, now)
        if session.has_frame(now):
            self._reports.ready[session] = None
        elif session.is_finishing:
            self._end_if_done(session)

    def receive(
        self, session: Session, answers: Iterable[AnswerMessage], *, now: float
    ) -> None:
        """Take the answers of one frame, in their order."""
        turns, good, open_turns, thought = session.turns, [], [], []
        for answer in answers:
            turn_id, think_ms = answer.turn_id, answer.think_ms
            turn = turns.get(turn_id)
            if turn is None or turn.taken == NEVER:
                refuse_stray(session, answer, self._reports, now)
            else:
                del turns[turn_id]
                good.append(answer)
                open_turns.append(turn)
                thought.append(think_ms if think_ms < THINK_MS_MAX else THINK_MS_MAX)
        session.speak(now)
        session.answered_at = now
        session.echoes_left = session.desk.workers
        if good:
            timings = session.desk.answered(open_turns, thought, now)
            self.turns_answered += len(good)
            take = self._floor.answer
            for answer, turn, timing in zip(good, open_turns, timings, strict=True):
                take(session, answer, turn, timing, now)
        else:
            session.desk.end_stall(now)
        if now >= session.heartbeat_due and not session.desk.turns:
            session.beat(now)
        if session.desk.queue:
            self._floor.hold(session, now)
        if self._floor.held:
            self._floor.release(now)
        self._reports.ready[session] = None
        self._timers.arm(session)

    def heard(self, session: Session, heartbeat: int, *, now: float) -> None:
        """Take a heartbeat back, which ends a stall or measures the round trip.

        The round trip is that of an empty desk; a turn that was sent since does not
        disturb it: it is read later.
        """
        for evidence in session.missed.values():
            evidence.echo(heartbeat, now)
        if self._floor.held:
            self._floor.release(now)
        measured, sent_at = session.heartbeat_sent
        if measured and heartbeat == measured:
            session.heartbeat_sent = (0, 0.0)
            trip = now - sent_at
            known = session.desk.round_trip
            session.desk.round_trip = min(known, trip) if known else trip
        if heartbeat == session.heartbeat_count and session.is_echo_awaited:
            session.speak(now)
            session.desk.end_stall(now)
            self._reports.ready[session] = None
            self._timers.arm(session)

    # Time

    def next_deadline(self) -> float:
        """Return when to call `expire` next; infinite when nothing can be late."""
        if self._floor.unfinished:
            return float("-inf")
        deadline = self._timers.next_deadline()
        for until, _ in self._floor.held:
            deadline = min(deadline, until)
        return deadline

    def expire(self, *, now: float) -> None:
        """Act on everything that is late by `now`."""
        floor, timers = self._floor, self._timers
        if floor.unfinished:
            floor.go_on(now)
        while (session := timers.take_due(now)) is not None:
            look_at(session, floor, now)
            timers.arm(session)
        if floor.held:
            floor.release(now)

    def hand_back(
        self, lag: float, *, now: float, read_seconds: float = READ_SECONDS
    ) -> None:
        """Move all open deadlines by the seconds that the arena itself lost.

        None of them is so near that an answer which arrived meanwhile may be unread.
        """
        for session in self.sessions.values():
            # It happens when there is no time to lose, and most bots may be idle.
            if not (session.seats or session.missed or session.desk.is_stalled):
                continue
            session.desk.hand_back(lag)
            for evidence in session.missed.values():
                evidence.closed_at += lag
            session.desk.let_read(now + read_seconds)
            if session.stalled_until < float("inf"):
                session.stalled_until += lag
            for seat in session.seats:
                if seat.away_since is not None:
                    seat.away_since += lag
            self._timers.arm(session)

    def disturb(self, disturbance: Disturbance, *, now: float) -> None:
        """Begin a grace: something disturbed the arena that is no bot's doing.

        Running clocks have back what was lost, time away counts only after the
        grace, and where connections may be dead a bot's clocks stand until it speaks.
        """
        self.counts.disturbances[disturbance.kind] += 1
        self._reports.disturbances.append(disturbance)
        if disturbance.kind != OUTAGE:
            lost = disturbance.lost_seconds
            self.hand_back(lost, now=now, read_seconds=READ_SECONDS_LONG)
        if not self._grace.begin(disturbance, now):
            return
        until = self._grace.until
        for session in list(self.sessions.values()):
            session.protect(now, until=until)
            if disturbance.is_doubtful and disturbance.kind != OUTAGE:
                session.doubt(now, until=until)
                self._reports.ready[session] = None
            self._timers.arm(session)

    def pause(self, *, now: float) -> str:
        """Say why no new games should start now; empty when they may.

        They may as soon as nobody is missing, at the latest when the grace ends.
        """
        if now >= self._grace.until:
            return ""
        missing = {
            session.bot
            for session in self.sessions.values()
            if session.seats
            and (
                not session.is_connected
                or (session.is_doubted and session.desk.is_stalled)
            )
        }
        if not missing:
            return ""
        return f"{self._grace.reason}; waiting for {', '.join(sorted(missing))}"
