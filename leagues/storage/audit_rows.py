"""Entries of audit logs as rows of the store, and back."""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa

from arena.excerpt import shown
from leagues.appeals import Agenda, appeals_of
from leagues.audit import Action, AuditEntry, chained, head_of
from leagues.storage import schema
from leagues.storage.league import League
from leagues.storage.lock import StoreError
from leagues.storage.moments import now_text

__all__ = [
    "add_entries",
    "audit_row",
    "finished_games",
    "now",
    "read_agenda",
    "read_audit",
]


def read_audit(
    connection: sa.Connection, league_id: int, *, after: int = 0
) -> tuple[AuditEntry, ...]:
    """Return the audit log of a league, or only what comes after some entry."""
    table = schema.audit
    query = (
        sa.select(table)
        .where(table.c.league_id == league_id, table.c.number > after)
        .order_by(table.c.number)
    )
    return tuple(map(_entry, connection.execute(query)))


def add_entries(
    connection: sa.Connection, league: League, entries: Iterable[AuditEntry]
) -> tuple[AuditEntry, ...]:
    """Write entries at the end of a league's audit log; return the whole log."""
    known = read_audit(connection, league.id)
    for entry in entries:
        before = head_of(league.name, known)
        placed = chained(entry, number=len(known) + 1, before=before)
        connection.execute(sa.insert(schema.audit), audit_row(league.id, placed))
        known = (*known, placed)
    return known


def finished_games(connection: sa.Connection, league_id: int) -> set[int]:
    """Return the numbers of a league's finished games."""
    games = schema.games
    query = sa.select(games.c.number).where(games.c.league_id == league_id)
    return set(connection.execute(query).scalars())


def now() -> str:
    """Return the time as entries have it."""
    return now_text()


def read_agenda(connection: sa.Connection, league: League) -> Agenda:
    """Return what a league has still to play, and what is decided."""
    finished = finished_games(connection, league.id)
    appeals = appeals_of(read_audit(connection, league.id))
    done = finished | appeals.dropped
    planned = 0 if league.state == "finished" else league.games_planned
    return Agenda(
        finished=len(finished),
        missing=tuple(n for n in range(1, 1 + planned) if n not in done),
        appeals=appeals,
        blocks=league.blocks,
    )


def audit_row(league_id: int, entry: AuditEntry) -> dict[str, Any]:
    """Return an entry as a row."""
    return {
        "league_id": league_id,
        "number": entry.number,
        "time": entry.time,
        "action": entry.action.value,
        "reason": entry.reason,
        "by_whom": entry.by,
        "entrant": entry.entrant,
        "game": entry.game,
        "record_hash": entry.record,
        "is_replayed": entry.is_replayed,
        "commitment": entry.commitment,
        "digest": entry.digest,
    }


def _entry(row: Any) -> AuditEntry:
    try:
        action = Action(row.action)
    except ValueError:
        raise StoreError(
            f"entry {row.number} of an audit log was changed: there is no decision "
            f"{shown(row.action)}; put a backup in its place"
        ) from None
    return AuditEntry(
        action=action,
        reason=row.reason,
        by=row.by_whom,
        time=row.time,
        entrant=row.entrant,
        game=row.game,
        record=row.record_hash,
        is_replayed=bool(row.is_replayed),
        commitment=row.commitment,
        number=row.number,
        digest=row.digest,
    )
