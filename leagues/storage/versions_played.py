"""In which versions the entrants of a league have played, as the store knows it."""

import sqlalchemy as sa

from leagues.admission import Played
from leagues.conduct import BY_ARENA
from leagues.storage import schema
from leagues.storage.store import Store

__all__ = ["versions_played"]


def versions_played(store: Store, name: str) -> dict[str, Played]:
    """Return the first and the last version of each entrant that has played.

    The order is that in which games have ended. Seats that the arena has given up tell
    nothing: nobody may have sat there.
    """
    games, seats, given_up = schema.games, schema.seats, schema.given_up
    league = store.league(name)
    left_out = sa.select(given_up.c.game_id).where(
        given_up.c.game_id == seats.c.game_id,
        given_up.c.seat == seats.c.seat,
        given_up.c.cause == BY_ARENA,
    )
    query = (
        sa.select(
            seats.c.entrant,
            seats.c.version,
            sa.func.min(games.c.id).label("first"),
            sa.func.max(games.c.id).label("last"),
        )
        .join(games, games.c.id == seats.c.game_id)
        .where(games.c.league_id == league.id, ~left_out.exists())
        .group_by(seats.c.entrant, seats.c.version)
    )
    with store.database.read() as connection:
        rows = connection.execute(query).all()
    entrants = {row.entrant for row in rows}
    found = {}
    for entrant in entrants:
        own = [row for row in rows if row.entrant == entrant]
        first = min(own, key=lambda row: int(row.first))
        last = max(own, key=lambda row: int(row.last))
        found[entrant] = Played(first.version, last.version)
    return found
