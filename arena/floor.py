"""The floor: the running tables, what they ask of their seats, and how they end.

Calls go into a table here and nowhere else, and what follows from each, questions,
news, an end, is done at once. A table that breaks is void and hurts no other.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from arena.counters import ABSENT
from arena.desk import NEVER, OpenTurn
from arena.disturbance import Grace
from arena.game import Game
from arena.news import DealNews, GameNews
from arena.reports import Reports
from arena.roster import Roster
from arena.running import AnswerMessage, Running
from arena.session import (
    CLOSED_GIVEN_UP,
    CLOSED_VOID,
    Closing,
    Rejection,
    Seat,
    Session,
)
from arena.spec import GameSpec
from arena.strays import add_rejection
from arena.table import NO_TIME, Loss, Table, Timing
from arena.timers import Timers
from arena.view import StandIn

HELD_SECONDS = 1.0
"""How long a game that has ended waits at most for a late bot to be heard of, which
tells why it was late."""
HOLD_SECONDS = 0.002
"""How long a turn waits at most for others to share its frame. Measured with 64 tables
and four bots: 1 ms makes frames of 6 turns, 2 ms of 8 and a fifth more turns a second,
4 ms no more than that."""


BROKEN_REASON = "the arena broke; see its log"
"""Why a game is void that broke by a fault of the arena's own."""


class Floor:
    """All running tables."""

    __slots__ = (
        "grace",
        "held",
        "reports",
        "roster",
        "stand_ins",
        "tables",
        "timers",
        "unfinished",
    )

    def __init__(
        self,
        stand_ins: Mapping[str, StandIn],
        roster: Roster,
        timers: Timers,
        reports: Reports,
        grace: Grace,
    ) -> None:
        self.stand_ins = stand_ins
        self.roster = roster
        self.timers = timers
        self.reports = reports
        self.grace = grace
        self.tables: dict[str, Running] = {}
        self.unfinished: list[Running] = []
        # Tables that ended before a late bot had spoken again, and until when they
        # wait for that.
        self.held: list[tuple[float, Running]] = []

    def open(self, spec: GameSpec, game: Game | None, now: float) -> None:
        """Seat the bots and ask the first questions, or make the game void."""
        try:
            self._open(spec, game, now)
        except Exception:
            self._note_failure(spec.game_id)
            if running := self.tables.get(spec.game_id):
                self._break(running, now)
            else:
                self.reports.leave_unplayed(spec.game_id)

    def _open(self, spec: GameSpec, game: Game | None, now: float) -> None:
        sessions: list[Session | None] = []
        for index, wanted in enumerate(spec.seats):
            session = None
            if index not in spec.given_up:
                session = self.roster.with_room(wanted, spec)
                if session is None:
                    table = Table(spec, self.stand_ins[spec.stand_in], game=game)
                    table.void(self.roster.absence(wanted, spec))
                    self.reports.finish(table, void_cause=ABSENT)
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
                session.add_seat(seat)
                self.reports.ready[session] = None
        self.step(running, table.start, now)

    def answer(
        self,
        session: Session,
        answer: AnswerMessage,
        turn: OpenTurn[Seat],
        timing: Timing,
        now: float,
    ) -> None:
        """Hand one answer to its table; when the table breaks, it alone is void."""
        seat = turn.owner
        table = seat.table
        game_id = table.spec.game_id
        running = self.tables.get(game_id)
        if running is None:
            return  # An answer before this one, in the same frame, ended the game.
        seat.open_turn = None
        try:
            refusal = table.answer(
                seat.index,
                answer.cards,
                answer.moon_choice,
                timing=timing,
                note=answer.note,
            )
            if refusal is not None:
                rejection = Rejection(answer.turn_id, game_id, refusal)
                add_rejection(session, rejection, self.reports)
            self._after(running, now)
        except Exception:
            self._fail(running, now)

    def miss(
        self, seat: Seat, kind: str, closed: int, now: float, timing: Timing = NO_TIME
    ) -> None:
        """Close the open turn of a seat, whose answer the table substitutes."""
        self._close_turn(seat, closed)
        running = self.tables[seat.table.spec.game_id]
        table = seat.table
        self.step(running, lambda: table.miss(seat.index, kind, timing=timing), now)

    def give_up(self, seat: Seat, cause: str, now: float) -> None:
        """Hand a seat to the stand-in, if its game still runs."""
        table = seat.table
        running = self.tables.get(table.spec.game_id)
        if running is None or table.is_over or seat.index in table.given_up:
            return
        if seat.open_turn is not None and seat.session is not None:
            seat.session.drop(seat.open_turn, now)
            self.timers.arm(seat.session)
            self._close_turn(seat, CLOSED_GIVEN_UP)
        self.step(running, lambda: table.give_up(seat.index, cause), now)

    def give_up_bot(self, bot: str, cause: str, now: float) -> None:
        """Hand all seats of a bot to the stand-in."""
        for running in list(self.tables.values()):
            for seat in running.seats:
                if running.table.spec.seats[seat.index].bot == bot:
                    self.give_up(seat, cause, now)

    def void(
        self, game_id: str, reason: str, now: float, *, losses: Sequence[Loss] = ()
    ) -> None:
        """End a game without a result."""
        if running := self.tables.get(game_id):
            void = partial(running.table.void, reason, losses=losses)
            self.step(running, void, now)

    def go_on(self, now: float) -> None:
        """Go on with the tables at which only stand-ins play."""
        unfinished, self.unfinished = self.unfinished, []
        for running in unfinished:
            if not running.table.is_over:
                self.step(running, running.table.go_on, now)

    def hold(self, session: Session, now: float) -> None:
        """Let queued turns wait for a moment, if that is worth while."""
        if session.held_until is None and session.should_hold:
            session.held_until = now + HOLD_SECONDS
            self.timers.arm_at(session, session.held_until)

    def hold_news(self, session: Session, now: float) -> None:
        """Let news wait for a moment, for turns that they can go with."""
        if session.news_until == float("inf"):
            session.news_until = now + HOLD_SECONDS
            self.timers.arm_at(session, session.news_until)

    def release(self, now: float) -> None:
        """Report the tables that ended whose faults are explained, or never will."""
        held, self.held = self.held, []
        for until, running in held:
            missed = running.table.missed
            if until > now and not all(evidence.is_whole for evidence in missed):
                self.held.append((until, running))
                continue
            self._report(running, now)

    def forget_if_idle(self, session: Session) -> None:
        """Forget a session that is gone and has no game."""
        if self.roster.forget_if_idle(session):
            self.reports.ready.pop(session, None)

    def step(self, running: Running, call: Callable[[], object], now: float) -> None:
        """Call into a table; when it breaks, it alone is void."""
        try:
            call()
            self._after(running, now)
        except Exception:
            self._fail(running, now)

    # The rest is private.

    def _ask(self, seat: Seat, now: float) -> None:
        """Queue a question for the session of a seat."""
        session = seat.session
        assert session is not None, "an empty seat was asked"
        if not session.introduction.moon_choice and seat.table.is_choosing:
            # It declared that it cannot choose; the rules' default is no fault then.
            running = self.tables[seat.table.spec.game_id]
            self.step(running, partial(seat.table.choose_default, seat.index), now)
            return
        session.turn_count += 1
        turn = OpenTurn(session.turn_count, seat, seat.clock, now)
        session.turns[turn.id] = turn
        session.desk.queue.append(turn)
        seat.open_turn = turn
        if not session.is_connected:
            seat.away_since = self.grace.after(now)
            self.timers.arm(session)
        elif session.held_until is None:
            self.hold(session, now)
        if session.is_writing and not session.desk.turns:
            self.timers.arm(session)
        self.reports.ready[session] = None

    def _close_turn(self, seat: Seat, reason: int) -> None:
        """Tell a seat's session that its open turn wants no answer."""
        turn, session = seat.open_turn, seat.session
        if turn is None or session is None:
            return
        seat.open_turn = seat.away_since = None
        session.turns.pop(turn.id, None)
        if turn.taken != NEVER and session.is_connected:
            session.closings.append(Closing(turn.id, seat.table.spec.game_id, reason))
            self.reports.ready[session] = None

    def _fail(self, running: Running, now: float) -> None:
        self._note_failure(running.table.spec.game_id)
        self._break(running, now)

    def _note_failure(self, game_id: str) -> None:
        self.reports.failures.append(f"game={game_id} broke:\n{traceback.format_exc()}")

    def _break(self, running: Running, now: float) -> None:
        """End a game that broke; its table is asked nothing more."""
        running.table.void(BROKEN_REASON)
        self._finish(running, now)

    def _after(self, running: Running, now: float) -> None:
        """Do what a change of a table asks for: questions, news, its end."""
        table = running.table
        for index in table.take_asked():
            if not table.is_over:
                self._ask(running.seats[index], now)
        if len(table.game.results) > running.deals_told:
            self._tell_deals(running)
        if table.is_unfinished:
            self.unfinished.append(running)
        if table.is_over:
            self._finish(running, now)

    def _tell_deals(self, running: Running) -> None:
        table = running.table
        for index in range(running.deals_told, len(table.game.results)):
            news = DealNews(table, index, table.game.results[index])
            for seat in running.seats:
                if seat.session is not None:
                    seat.session.add_news(news)
                    self.reports.ready[seat.session] = None
        running.deals_told = len(table.game.results)

    def _finish(self, running: Running, now: float) -> None:
        table = running.table
        if self.tables.pop(table.spec.game_id, None) is None:
            return
        for seat in running.seats:
            session = seat.session
            if session is None:
                continue
            if seat.open_turn is not None:
                session.drop(seat.open_turn, now)
                self.timers.arm(session)
                self._close_turn(seat, CLOSED_VOID)
            session.remove_seat(seat)
            session.add_news(GameNews(table, seat.index))
            self.reports.ready[session] = None
            self.forget_if_idle(session)
        is_explained = all(evidence.is_whole for evidence in table.missed)
        if is_explained or table.void_reason:
            self._report(running, now)
        else:
            self.held.append((now + HELD_SECONDS, running))

    def _report(self, running: Running, now: float) -> None:
        """Report a table that has ended; nothing more is learnt of its faults."""
        known = set(running.table.missed)
        for evidence in running.table.missed:
            evidence.close("open", now)
        for seat in running.seats:
            if seat.session is not None and known:
                missed = seat.session.missed
                for turn_id in [n for n, item in missed.items() if item in known]:
                    del missed[turn_id]
        self.reports.finish(running.table)
