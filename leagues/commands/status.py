"""`arena status`: what a running arena is doing."""

from pathlib import Path
from typing import Annotated, Any

import typer

from arena.logs import quoted
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    JsonOption,
    counted,
    epilog,
    print_columns,
    print_json,
)
from hearts.arena.v1 import status_pb2
from leagues.storage.lock import served


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "status",
        epilog=epilog(
            "arena status",
            "arena status --data arena-data --json",
            "arena status --address 127.0.0.1:50051",
        ),
    )(_status)


def _status(
    *,
    address: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            help="The arena, by default the one that has the data directory.",
            show_default=False,
        ),
    ] = "",
    operator_token: Annotated[
        str,
        typer.Option(
            "--operator-token",
            envvar="HEARTS_OPERATOR_TOKEN",
            metavar="TOKEN",
            help="By default the one that the data directory holds.",
            show_default=False,
        ),
    ] = "",
    json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Tell what a running arena is doing: sessions, games, waiting turns and times.

    It is asked over the network, so this works beside it and disturbs nothing.
    """
    status = _asked(*_where(address, operator_token, data))
    if json:
        print_json(_as_json(status))
        return
    for line in _summary(status):
        typer.echo(line)
    if status.sessions:
        typer.echo()
        print_columns(_HEADS, [_row(session) for session in status.sessions])
    if untold := status.sessions_count - len(status.sessions):
        typer.echo(f"and {counted(untold, 'session')} more")


def _where(address: str, operator_token: str, data: Path) -> tuple[str, str]:
    """Return where the arena is, and the token; what is not said is looked up."""
    found = None if address and operator_token else served(data)
    if not address and found is None:
        raise CommandError(
            f"no arena serves from {data}; name its directory with --data, or where "
            "it is with --address"
        )
    token = operator_token or (found.operator_token if found else "")
    if not token:
        raise CommandError(
            f"no operator token in {data}; name the arena's directory with --data, or "
            "the token with HEARTS_OPERATOR_TOKEN"
        )
    return address or (found.address if found else ""), token


def _asked(address: str, token: str) -> status_pb2.GetStatusResponse:
    from hearts.status import StatusError, get_status

    try:
        return get_status(address, token)
    except StatusError as error:
        raise CommandError(str(error)) from None


def _summary(status: status_pb2.GetStatusResponse) -> list[str]:
    connected = sum(session.connected for session in status.sessions)
    away = len(status.sessions) - connected
    return [
        f"{status.arena}, up {_duration(status.uptime_ms // 1000)}",
        f"sessions  {status.sessions_count}" + (f", {away} away" if away else ""),
        f"games     {status.tables_count} running, "
        f"{status.games_finished_count} finished, {status.games_void_count} void, "
        f"{counted(status.faults_count, 'fault')}",
        f"turns     {status.turns_per_second:.1f} a second over the last minute, "
        f"{status.turns_answered_count} since the start",
        f"open      {counted(status.turns_waiting_count, 'turn')} waiting in the "
        f"arena, {status.turns_on_desks_count} with bots",
        *_troubles(status),
        *_times(status),
    ]


def _troubles(status: status_pb2.GetStatusResponse) -> list[str]:
    lines = []
    if status.disturbances_count:
        count = counted(status.disturbances_count, "time")
        lines.append(f"disturbed {count} since the start, see the log")
    if status.pause:
        lines.append(f"paused    {status.pause}")
    return lines


def _times(status: status_pb2.GetStatusResponse) -> list[str]:
    spreads = {
        "bot time": status.bot_time,
        "arena time": status.arena_time,
        "lag": status.lag,
    }
    lines = [f"{'ms, last minute':16}{'p50':>9}{'p90':>9}{'p99':>9}"]
    for name, spread in spreads.items():
        if spread.durations_count:
            figures = (spread.p50_ms, spread.p90_ms, spread.p99_ms)
            cells = "".join(f"{figure:9.2f}" for figure in figures)
        else:
            cells = f"{'-':>9}" * 3
        lines.append(f"{name:16}{cells}")
    return ["", *lines]


_HEADS = ("bot", "version", "instance", "session", "state", "games", "turns", "mean ms")


def _row(session: status_pb2.SessionStatus) -> tuple[str, ...]:
    kind = "practice" if session.practice else "here"
    return (
        quoted(session.bot_name),
        quoted(session.bot_version),
        quoted(session.instance) or "-",
        session.session_id,
        kind if session.connected else "away",
        f"{session.open_games_count}/{session.max_games}",
        f"{session.turns_waiting_count}+{session.turns_on_desk_count}",
        f"{session.mean_charged_ms:.2f}",
    )


def _duration(seconds: int) -> str:
    """Return a duration as people say it: `3 d 4 h`, `12 min 5 s`."""
    units = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    parts: list[str] = []
    for unit, size in units:
        count, seconds = divmod(seconds, size)
        if count or parts or unit == "s":
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2])


def _as_json(message: Any) -> dict[str, Any]:
    """Return a message with all its fields, zeros too, and numbers as numbers."""
    found: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.message_type is None:
            found[field.name] = value
        elif isinstance(value, status_pb2.DurationSpread):
            found[field.name] = _as_json(value)
        else:
            found[field.name] = [_as_json(one) for one in value]
    return found
