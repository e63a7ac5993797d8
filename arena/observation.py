"""What an arena is doing, as one value: for metrics and for its operator."""

from dataclasses import dataclass

from arena.counters import Counters, LastMinute, Recent
from arena.host import Host
from arena.session import Session

SESSIONS_MAX = 1000
"""The most sessions that are told one by one."""


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """One session."""

    id: str
    bot: str
    version: str
    instance: str
    connected: bool
    practice: bool
    open_games: int
    max_games: int
    waiting: int
    """Its turns that wait in the arena."""
    on_desk: int
    """Its turns that were handed over and are not answered yet."""
    mean_charged: float
    """Seconds."""
    round_trip: float
    """Seconds; 0 while it is unknown."""


@dataclass(frozen=True, slots=True)
class Observation:
    """An arena at one moment; nothing in it changes any more."""

    arena: str
    """Name and version of the software."""
    uptime: float
    """Seconds."""
    sessions_connected: int
    sessions_away: int
    sessions: tuple[SessionSeen, ...]
    tables: int
    waiting: int
    on_desks: int
    turns_answered: int
    pause: str
    """Why no new games start; empty when they may."""
    counts: Counters
    recent: Recent


def observe(
    host: Host, minute: LastMinute, *, arena: str, uptime: float, now: float
) -> Observation:
    """Look at everything once; to be called on the thread that owns the host."""
    sessions = list(host.sessions.values())
    connected = sum(session.is_connected for session in sessions)
    return Observation(
        arena=arena,
        uptime=uptime,
        sessions_connected=connected,
        sessions_away=len(sessions) - connected,
        sessions=tuple(_seen(session) for session in sessions[:SESSIONS_MAX]),
        tables=len(host.tables),
        waiting=sum(len(session.desk.queue) for session in sessions),
        on_desks=sum(len(session.desk.turns) for session in sessions),
        turns_answered=host.turns_answered,
        pause=host.pause(now=now),
        counts=host.counts.with_running(
            running.table for running in host.tables.values()
        ),
        recent=minute.recent(host.counts, host.turns_answered, now=now),
    )


def _seen(session: Session) -> SessionSeen:
    introduction, desk = session.introduction, session.desk
    return SessionSeen(
        id=session.id,
        bot=introduction.bot,
        version=introduction.version,
        instance=introduction.instance,
        connected=session.is_connected,
        practice=introduction.practice,
        open_games=len(session.seats),
        max_games=introduction.max_games,
        waiting=len(desk.queue),
        on_desk=len(desk.turns),
        mean_charged=desk.mean_charged,
        round_trip=desk.round_trip,
    )
