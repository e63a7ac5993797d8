"""What is late: turns, lost bots and silent ones, and what it costs them."""

from arena.desk import HAND_OVER_MAX, OpenTurn, allowance
from arena.evidence import Evidence
from arena.floor import Floor
from arena.missed import Missed
from arena.running import Running
from arena.session import CLOSED_LATE, STALL_SECONDS, Seat, Session
from arena.table import NO_TIME, Loss, Timing

INCIDENT_SECONDS = 60.0
"""Two seats lost within this time make the game void: the network is to blame."""
INCIDENT = "network incident: "
"""How the reason of a game begins that is void because bots were lost."""
MISSED_MAX = 64
"""Of how many late turns of a session more is learnt; older ones go without."""


def look_at(session: Session, floor: Floor, now: float) -> None:
    """Act on everything about a session that is late by `now`."""
    if not session.is_connected:
        for seat in list(session.seats):
            if seat.away_deadline() <= now:
                _away_spent(seat, session, floor, now)
        return
    desk = session.desk
    if unread := desk.unread(now):
        desk.hand_over(unread, now)
    if session.is_blocking and session.written_from + HAND_OVER_MAX <= now:
        session.unsent += desk.take(now)
    for turn in desk.late(now):
        _late(session, turn, floor, now)
    if desk.is_stalled and session.stalled_until <= now:
        if session.is_doubted:
            _believe(session, now)
        else:
            _end_stall(session, floor, now)
    if session.held_until is not None and session.held_until <= now:
        session.held_until = None
        session.is_awaiting = False
    if session.news_until <= now:
        session.news_until = float("-inf")
    floor.reports.ready[session] = None


def void_late_games(session: Session, floor: Floor, now: float) -> None:
    """Make the games void in which an excused bot was late after its last word."""
    losses = (Loss(session.bot, session.lost_at),)
    for game_id in session.late_games:
        running = floor.tables.get(game_id)
        if running is None or _is_unexcused(session, running):
            continue
        reason = f"{INCIDENT}{session.bot} was late since its connection was dead"
        floor.void(game_id, reason, now, losses=losses)
    session.late_games = ()


def _is_unexcused(session: Session, running: Running) -> bool:
    unexcused = running.table.spec.unexcused
    return any(running.seats[seat].session is session for seat in unexcused)


def _believe(session: Session, now: float) -> None:
    """Let the clocks run again though the bot has not spoken since they stopped."""
    session.is_doubted = session.is_awaiting = False
    session.held_until = None
    session.stalled_until = float("inf")
    session.desk.end_stall(now)


def _end_stall(session: Session, floor: Floor, now: float) -> None:
    for evidence in session.missed.values():
        evidence.close("stalled", now)
    floor.reports.end_stream(session, "STALLED", "the bot was silent for too long")
    session.is_excused = False
    session.detach(now, away_from=floor.grace.after(now))
    floor.forget_if_idle(session)


def _late(session: Session, turn: OpenTurn[Seat], floor: Floor, now: float) -> None:
    """One late turn: substituted, and nothing more is handed over."""
    before = session.late_games if session.desk.is_stalled else ()
    session.late_games = (*before, turn.owner.table.spec.game_id)
    timing = session.desk.stall(turn, now)
    session.is_doubted = False
    session.stalled_until = now + STALL_SECONDS
    session.beat_for_late()
    _keep_evidence(session, turn, timing, now)
    floor.miss(turn.owner, "late", CLOSED_LATE, now, timing)


def _away_spent(seat: Seat, session: Session, floor: Floor, now: float) -> None:
    """A lost bot did not come back in time for this question."""
    if reason := _excuse(seat, session, floor):
        losses = [Loss(bot, at) for bot, at in _lost_with(seat, session, floor)]
        floor.void(seat.table.spec.game_id, INCIDENT + reason, now, losses=losses)
        return
    assert seat.open_turn is not None
    seat.end_away(now)
    seat.table.missed.append(
        Evidence(_missed(seat, seat.open_turn, NO_TIME, end="away"), now=now)
    )
    seat.clock.draw_away(seat.clock.time_away())
    seat.clock.charge(0.0)
    session.desk.drop(seat.open_turn)
    floor.miss(seat, "away", CLOSED_LATE, now)


def _keep_evidence(
    session: Session, turn: OpenTurn[Seat], timing: Timing, now: float
) -> None:
    """Keep what is known of a late turn, and wait for more."""
    evidence = Evidence(
        _missed(turn.owner, turn, timing, end="open"),
        now=now,
        heartbeat=session.heartbeat_count if session.is_echo_awaited else 0,
    )
    turn.owner.table.missed.append(evidence)
    missed = session.missed
    if len(missed) >= MISSED_MAX:
        del missed[next(iter(missed))]
    missed[turn.id] = evidence


def _missed(seat: Seat, turn: OpenTurn[Seat], timing: Timing, *, end: str) -> Missed:
    """Return what is known of a turn in the moment that it is closed."""
    trip = 0.0 if seat.session is None else seat.session.desk.round_trip
    return Missed(
        deal=seat.table.deal_number,
        trick=seat.table.trick_number,
        seat=seat.index,
        end=end,
        limit_ms=int(turn.limit * 1000),
        charged_ms=timing.charged_ms,
        refunded_ms=timing.refunded_ms,
        returned_ms=timing.returned_ms,
        round_trip_ms=int(trip * 1000) if trip else None,
        allowance_ms=int(allowance(seat.clock.control) * 1000),
        losses=seat.losses,
        away_ms=int(seat.away_total * 1000),
        silent_ms=0,
        answered_ms=None,
        think_ms=None,
        paused_ms=None,
        echoed_ms=None,
    )


def _excuse(seat: Seat, session: Session, floor: Floor) -> str:
    """Say why a seat was lost by no doing of its bot; empty when nothing says so."""
    if seat.index in seat.table.spec.unexcused:
        return ""
    names = [bot for bot, _ in _lost_with(seat, session, floor)]
    if len(names) > 1:
        return f"{', '.join(names)} were lost at once"
    if session.is_excused:
        return f"{session.bot} did not come back after {floor.grace.reason}"
    return ""


def _lost_with(seat: Seat, session: Session, floor: Floor) -> list[tuple[str, float]]:
    """Return the bots of a table that were lost along with a seat, and when.

    Who is lost again and again excuses nobody. Nor does a program that the arena
    itself has started: no network lies between them, so it has ended or hangs.
    """
    spec = seat.table.spec
    if session.introduction.is_started:
        return [(session.bot, session.lost_at)]
    return [
        (spec.seats[other.index].bot, other.session.lost_at)
        for other in floor.tables[spec.game_id].seats
        if other.session is not None
        and other.index not in seat.table.given_up
        and other.index not in spec.unexcused
        and not other.session.is_connected
        and not other.session.introduction.is_started
        and abs(other.session.lost_at - session.lost_at) <= INCIDENT_SECONDS
    ]
