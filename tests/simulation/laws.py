"""What must hold between any two steps of a host, whatever bots and networks do."""

from collections.abc import Collection, Mapping

from arena.clock import Clock
from arena.desk import NEVER, OpenTurn
from arena.host import Host
from arena.running import Running
from arena.session import Seat, Session

HEAP_SPARE = 64
"""How many timers there may be beside four for each session."""
ROUNDING = 1e-6


def check_host(
    host: Host, *, now: float, ending: Collection[Session] = frozenset()
) -> None:
    """Check tables, sessions, desks, clocks and timers against each other.

    Args:
        host: The host, between two steps.
        now: The time.
        ending: Sessions whose streams the arena is about to end; nothing is sent
            to them any more.

    Raises:
        AssertionError: They contradict each other; the text says how.
    """
    for running in host.tables.values():
        _check_table(running, host)
    # The timers of what has just changed are set once somebody asks.
    host._timers.next_deadline()
    seen = 0
    for session in host.sessions.values():
        seen += 1
        _check_session(session, host)
        if session not in ending:
            _check_sent(session, now)
    listed = sum(len(sessions) for sessions in host.bots.values())
    assert seen == listed, f"{seen} sessions in the roster, {listed} by bot"
    _check_timers(host, seen)


class AwayWatch:
    """Whoever comes back has paid for the time that it was away; no more, no less.

    `check` must be called after every step.
    """

    def __init__(self) -> None:
        self._away: dict[Seat, tuple[OpenTurn[Seat], float, float]] = {}

    def check(self, host: Host, *, now: float) -> None:
        """Compare with the step before."""
        away: dict[Seat, tuple[OpenTurn[Seat], float, float]] = {}
        for running in host.tables.values():
            for seat in running.seats:
                turn, clock = seat.open_turn, seat.clock
                if turn is None or not clock.runs:
                    continue
                if seat.away_since is not None:
                    away[seat] = (turn, seat.away_since, clock.bank + clock.away)
                elif (was := self._away.get(seat)) and was[0] is turn:
                    left = max(0.0, was[2] - max(0.0, now - was[1]))
                    found = clock.bank + clock.away
                    assert abs(left - found) < ROUNDING, (
                        f"{running.table.spec.game_id} seat {seat.index} was away for "
                        f"{now - was[1]:.3f} s of {was[2]:.3f} s, and has {found:.3f} s"
                    )
        self._away = away


def _check_table(running: Running, host: Host) -> None:
    table, name = running.table, running.table.spec.game_id
    assert not table.is_over, f"{name} is over and still on the floor"
    for seat in running.seats:
        is_asked = seat.index in table.wanted
        where = f"{name} seat {seat.index}"
        if seat.session is None:
            assert not is_asked, f"{where} is asked and has no session"
            assert seat.open_turn is None, f"{where} has a turn and no session"
            assert seat.index in table.given_up, f"{where} is empty, not given up"
            continue
        assert is_asked == (seat.open_turn is not None), f"{where} lost its turn"
        assert not (is_asked and seat.index in table.given_up), f"{where} is asked"
        known = host.sessions.get(seat.session.introduction.key)
        assert known is seat.session, f"{where} has a session that nobody knows"
        assert seat in seat.session.seats, f"{where} is not its session's"
        _check_clock(seat.clock, where)


def _check_clock(clock: Clock, where: str) -> None:
    assert clock.bank >= 0, f"{where}: the bank is {clock.bank}"
    assert clock.away >= 0, f"{where}: the away budget is {clock.away}"
    assert clock.last_charged >= 0, f"{where}: charged {clock.last_charged}"


def _check_session(session: Session, host: Host) -> None:
    name, desk = f"session {session.id} of {session.bot}", session.desk
    assert session.is_connected or session.seats, f"{name} is gone and kept"
    assert session in host.bots[session.bot], f"{name} is not its bot's"
    assert len(session.seats) <= desk.max_games, f"{name} has too many games"
    for seat in session.seats:
        running = host.tables.get(seat.table.spec.game_id)
        assert running is not None, f"{name} sits at a table that is gone"
        assert running.seats[seat.index] is seat, f"{name} sits on another's seat"
        _check_away(seat, session, f"{name}, {seat.table.spec.game_id}")
    _check_desk(session, name)
    if not session.is_connected:
        assert not desk.turns, f"{name} is gone, with turns on its desk"
    when = session.deadline()
    assert session.timer <= when + ROUNDING, (
        f"{name} has a deadline at {when:.3f} and a timer at {session.timer:.3f}"
    )


def _check_sent(session: Session, now: float) -> None:
    """Nothing waits that could be sent, unless its time comes just now."""
    is_due = session.held_until is not None and session.held_until <= now
    is_due = is_due or float("-inf") < session.news_until <= now
    assert is_due or session.is_writing or not session.has_frame(now), (
        f"session {session.id} of {session.bot} has something to send, and nobody does"
    )


def _check_away(seat: Seat, session: Session, where: str) -> None:
    is_waited_for = seat.open_turn is not None and not session.is_connected
    assert is_waited_for == (seat.away_since is not None), (
        f"{where}: away since {seat.away_since}, connected {session.is_connected}, "
        f"asked {seat.open_turn is not None}"
    )


def _check_desk(session: Session, name: str) -> None:
    """Every open turn lies on the desk or in the queue, and is there once."""
    desk, turns = session.desk, session.turns
    lying = [*desk.turns, *desk.queue]
    numbers = [turn.id for turn in lying]
    assert numbers == sorted(turns), f"{name}: {numbers} lie, {sorted(turns)} are open"
    owned: Mapping[int, Seat] = {
        seat.open_turn.id: seat for seat in session.seats if seat.open_turn is not None
    }
    assert owned.keys() == turns.keys(), f"{name}: turns of seats {sorted(owned)}"
    for turn in lying:
        assert turn is turns[turn.id], f"{name}: two turns have number {turn.id}"
        assert turn.owner is owned[turn.id], f"{name}: turn {turn.id} is another's"
        assert turn.spent >= 0, f"{name}: {turn.spent} s are spent of a turn"
    assert all(turn.taken != NEVER for turn in desk.turns), f"{name}: never taken"
    assert len(desk.turns) <= max(desk.workers + 1, desk.max_games), f"{name}: too full"
    started = [turn for turn in desk.turns if turn.started is not None]
    assert len(started) <= desk.workers, f"{name}: {len(started)} clocks run"


def _check_timers(host: Host, sessions: int) -> None:
    entries = len(host._timers)
    most = HEAP_SPARE + 4 * sessions
    assert entries <= most, f"{entries} timers for {sessions} sessions"
