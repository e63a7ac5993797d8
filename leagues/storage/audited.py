"""The audit logs of leagues, as the store keeps them, and what they do to its games.

    entry = decide(store, "friday", Decision(Action.VOID, …))

Each decision is one transaction: its entry in the log and all that follows from it
are on the disk together, or not at all.
"""

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from leagues.appeals import AppealError, Setting, appeals_of, objection
from leagues.audit import Action, AuditEntry, chained, first_fault, head_of
from leagues.storage import schema
from leagues.storage.audit_rows import audit_row, now, read_agenda, read_audit
from leagues.storage.ladder_rows import window_start
from leagues.storage.league import League, stored_league
from leagues.storage.store import Store, StoreError
from leagues.storage.withheld import is_told

__all__ = ["decide", "now", "void_records"]


def decide(store: Store, league: str, entry: AuditEntry) -> AuditEntry:
    """Put a decision into force, and return its entry in the log.

    Args:
        store: May be open beside a process that owns its directory.
        league: The league.
        entry: What is decided. Its place in the log and the record of a game that is
            to be void are filled in.

    Raises:
        KeyError: There is no such league.
        AppealError: Something stands against it; nothing has changed.
        StoreError: The log was changed by somebody else.
    """
    with store.database.write() as connection:
        known = stored_league(connection, league, is_live=store.is_live)
        entries = read_audit(connection, known.id)
        if fault := first_fault(league, entries):
            raise StoreError(
                f"entry {fault.number} of the audit log of league {league} was "
                f"changed: {fault.reason}; put a backup in its place"
            )
        game = _game(connection, known.id, entry.game)
        if game is not None:
            entry = replace(entry, record=game.record_hash)
        appeals = appeals_of(entries)
        setting = _setting(known, has_record=game is not None)
        if game is not None:
            start = window_start(connection, known, appeals.excluded)
            setting = replace(setting, counts_since=start + 1)
        if problem := objection(entry, appeals, setting):
            raise AppealError(problem)
        entry = chained(entry, number=len(entries) + 1, before=head_of(league, entries))
        connection.execute(sa.insert(schema.audit), audit_row(known.id, entry))
        if game is not None:
            _set_aside(connection, game, entry)
        if entry.action == Action.END:
            _end(connection, known)
        _open_anew(connection, known)
    return entry


def void_records(
    store: Store, league: str, *, with_withheld: bool = False
) -> list[tuple[int, str]]:
    """Return the records of a league's void games, each with its entry in the log.

    Args:
        store: The store.
        league: The league.
        with_withheld: Whether those are among them that nobody may see for now, see
            `leagues.storage.withheld`.

    Raises:
        KeyError: There is no such league.
    """
    table = schema.void_games
    known = store.league(league)
    may_be_told = sa.true() if with_withheld else is_told(known, table)
    query = (
        sa.select(table.c.entry, table.c.number, table.c.record)
        .where(table.c.league_id == known.id, may_be_told)
        .order_by(table.c.entry)
    )
    with store.database.read() as connection:
        rows = connection.execute(query).all()
    return [
        (entry, store.unpacked(record, f"{league}-{number}"))
        for entry, number, record in rows
    ]


def _game(connection: sa.Connection, league_id: int, number: int) -> Any:
    """Return the row of a finished game; `None` when there is none."""
    table = schema.games
    query = sa.select(table).where(
        table.c.league_id == league_id, table.c.number == number
    )
    return connection.execute(query).one_or_none()


def _setting(league: League, *, has_record: bool) -> Setting:
    return Setting(
        name=league.name,
        entrants=league.entrants,
        players=int(league.values["rules"]["players"]),
        games=len(league.seatings),
        is_finished=league.state == "finished",
        is_open=league.is_open,
        has_record=has_record,
        shares_deals=league.blocks.are_shared,
        owners=league.apart,
        is_match=league.match is not None,
        is_ladder=league.ladder is not None,
    )


def _set_aside(connection: sa.Connection, game: Any, entry: AuditEntry) -> None:
    """Take a game out of those that are finished, and keep its record."""
    connection.execute(
        sa.insert(schema.void_games),
        {
            "league_id": game.league_id,
            "entry": entry.number,
            "number": game.number,
            "record": game.record,
        },
    )
    for table in (schema.given_up, schema.faults, schema.seats):
        connection.execute(sa.delete(table).where(table.c.game_id == game.id))
    games, suspensions = schema.games, schema.suspensions
    connection.execute(sa.delete(games).where(games.c.id == game.id))
    # The next game may get the number of the row that is gone, and what is forgiven
    # must not reach that far.
    last = sa.select(sa.func.coalesce(sa.func.max(games.c.id), 0)).scalar_subquery()
    connection.execute(
        sa.update(suspensions)
        .where(suspensions.c.lifted_after > last)
        .values(lifted_after=last)
    )


def _end(connection: sa.Connection, league: League) -> None:
    """Let a league be finished with what is played, or soon where it is running."""
    table = schema.leagues
    values = {"stopped_by": "host"}
    if league.state != "running":
        values |= {"state": "finished", "finished": now()}
    connection.execute(sa.update(table).where(table.c.id == league.id).values(values))


def _open_anew(connection: sa.Connection, league: League) -> None:
    """Let a finished league go on whose deals are open, when it has games to play.

    The secret of any other is published, so nothing can be dealt from it any more.
    """
    if league.state != "finished" or not league.is_open:
        return
    anew = replace(league, state="stopped")
    if read_agenda(connection, anew).wanted(anew.seats):
        table = schema.leagues
        connection.execute(
            sa.update(table)
            .where(table.c.id == league.id)
            .values(state="stopped", finished=None)
        )
