"""Suspended bot versions, as the store keeps them from one run to the next."""

import sqlalchemy as sa

from leagues.conduct import Conduct, Span, Suspension, departure
from leagues.config import SuspensionRules
from leagues.storage import schema
from leagues.storage.moments import now_text
from leagues.storage.rows import read_suspensions
from leagues.storage.store import Store

__all__ = ["conduct_of", "lift", "suspend", "suspensions_of"]


def suspensions_of(store: Store, league: str) -> list[Suspension]:
    """Return the suspensions of a league that are in force, the oldest first.

    Raises:
        KeyError: There is no such league.
    """
    league_id = store.league(league).id
    with store.database.read() as connection:
        return read_suspensions(connection, league_id)


def suspend(store: Store, league: str, suspension: Suspension) -> None:
    """Keep a suspension, in place of one that its entrant has."""
    league_id = store.league(league).id
    with store.database.write() as connection:
        _lift(connection, league_id, suspension.entrant)
        connection.execute(
            sa.insert(schema.suspensions),
            {
                "league_id": league_id,
                "entrant": suspension.entrant,
                "version": suspension.version,
                "reason": suspension.reason,
                "since": _now(),
            },
        )


def lift(store: Store, league: str, entrant: str) -> bool:
    """Let an entrant play again; tell whether it was suspended.

    Raises:
        KeyError: There is no such league.
    """
    league_id = store.league(league).id
    with store.database.write() as connection:
        return _lift(connection, league_id, entrant)


def conduct_of(store: Store, league: str, rules: SuspensionRules) -> Conduct:
    """Return how the bots of a league have done so far, in the order of its ends.

    What a version has done before its suspension was lifted is forgiven.
    """
    league_id = store.league(league).id
    games, seats, given_up = schema.games, schema.seats, schema.given_up
    joined = games.join(seats, seats.c.game_id == games.c.id).outerjoin(
        given_up,
        sa.and_(given_up.c.game_id == seats.c.game_id, given_up.c.seat == seats.c.seat),
    )
    query = (
        sa.select(
            games.c.id,
            games.c.started,
            games.c.ended,
            seats.c.entrant,
            seats.c.version,
            given_up.c.cause,
            _last_fault().label("last_fault"),
        )
        .select_from(joined)
        .where(games.c.league_id == league_id)
        .order_by(games.c.id, seats.c.seat)
    )
    conduct = Conduct(rules)
    with store.database.read() as connection:
        forgiven = _forgiven(connection, league_id)
        for row in connection.execute(query):
            if row.id > forgiven.get(row.entrant, 0):
                span = Span(row.started, row.ended)
                conduct.note(
                    row.entrant,
                    row.version,
                    cause=row.cause,
                    departure=departure(row.cause, row.last_fault, span),
                )
    return conduct


def _last_fault() -> sa.ScalarSelect[str]:
    """Return the kind of the fault with which a seat was given up."""
    faults, given_up = schema.faults, schema.given_up
    return (
        sa.select(faults.c.kind)
        .where(
            faults.c.game_id == given_up.c.game_id,
            faults.c.seat == given_up.c.seat,
            faults.c.deal == given_up.c.deal,
            faults.c.trick == given_up.c.trick,
        )
        .order_by(faults.c.number.desc())
        .limit(1)
        .correlate(given_up)
        .scalar_subquery()
    )


def _forgiven(connection: sa.Connection, league_id: int) -> dict[str, int]:
    """Return for each entrant the last game before its last pardon."""
    table = schema.suspensions
    query = (
        sa.select(table.c.entrant, sa.func.max(table.c.lifted_after).label("after"))
        .where(table.c.league_id == league_id, table.c.lifted.is_not(None))
        .group_by(table.c.entrant)
    )
    return {row.entrant: row.after for row in connection.execute(query)}


def _lift(connection: sa.Connection, league_id: int, entrant: str) -> bool:
    table, games = schema.suspensions, schema.games
    last = sa.select(sa.func.coalesce(sa.func.max(games.c.id), 0)).where(
        games.c.league_id == league_id
    )
    lifted = connection.execute(
        sa.update(table)
        .where(
            table.c.league_id == league_id,
            table.c.entrant == entrant,
            table.c.lifted.is_(None),
        )
        .values(lifted=_now(), lifted_after=last.scalar_subquery())
    )
    return lifted.rowcount > 0


def _now() -> str:
    return now_text()
