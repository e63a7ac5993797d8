"""Suspended bot versions, as the store keeps them from one run to the next."""

import sqlalchemy as sa

from leagues.conduct import Conduct, Suspension
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
        sa.select(games.c.id, seats.c.entrant, seats.c.version, given_up.c.cause)
        .select_from(joined)
        .where(games.c.league_id == league_id)
        .order_by(games.c.id, seats.c.seat)
    )
    conduct = Conduct(rules)
    with store.database.read() as connection:
        forgiven = _forgiven(connection, league_id)
        for game, entrant, version, cause in connection.execute(query):
            if game > forgiven.get(entrant, 0):
                conduct.note(entrant, version, cause=cause)
    return conduct


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
