"""What the edge answers an operator: an observation as a message."""

from arena.observation import Observation, SessionSeen
from arena.spread import Spread
from hearts.arena.v1 import status_pb2


def encode_status(seen: Observation) -> status_pb2.GetStatusResponse:
    """Return the message that tells what the arena is doing."""
    recent, counts = seen.recent, seen.counts
    return status_pb2.GetStatusResponse(
        arena=seen.arena,
        uptime_ms=int(seen.uptime * 1000),
        sessions_count=seen.sessions_connected + seen.sessions_away,
        sessions=[_session(session) for session in seen.sessions],
        tables_count=seen.tables,
        turns_waiting_count=seen.waiting,
        turns_on_desks_count=seen.on_desks,
        turns_answered_count=seen.turns_answered,
        turns_per_second=recent.turns_per_second,
        bot_time=_durations(recent.bot_time),
        arena_time=_durations(recent.arena_time),
        lag=_durations(recent.lag),
        games_finished_count=counts.games_finished,
        games_void_count=counts.voids.total(),
        faults_count=counts.faults.total(),
        disturbances_count=counts.disturbances.total(),
        pause=seen.pause,
    )


def _session(session: SessionSeen) -> status_pb2.SessionStatus:
    return status_pb2.SessionStatus(
        session_id=session.id,
        bot_name=session.bot,
        bot_version=session.version,
        instance=session.instance,
        connected=session.connected,
        practice=session.practice,
        open_games_count=session.open_games,
        max_games=session.max_games,
        turns_waiting_count=session.waiting,
        turns_on_desk_count=session.on_desk,
        mean_charged_ms=session.mean_charged * 1000,
        round_trip_ms=session.round_trip * 1000,
    )


def _durations(spread: Spread) -> status_pb2.DurationSpread:
    return status_pb2.DurationSpread(
        durations_count=spread.count,
        p50_ms=spread.percentile(0.5) * 1000,
        p90_ms=spread.percentile(0.9) * 1000,
        p99_ms=spread.percentile(0.99) * 1000,
    )
