"""Ladders in the store: which games count, who has joined, and games as they come."""

import json
from collections.abc import Collection, Mapping
from dataclasses import replace

import sqlalchemy as sa

from arena.document import canonical_json
from leagues.config import Entrant, EntrantKind, LeagueConfig
from leagues.normal_form import entrant_form
from leagues.scheduling.balance import Seating
from leagues.storage import schema
from leagues.storage.chunks import write_games
from leagues.storage.league import League

__all__ = ["add_games", "earlier_hashes", "window_start", "with_joined"]


def window_start(
    connection: sa.Connection, league: League, excluded: Collection[str]
) -> int:
    """Return the number of the last game that is too old to count; 0 for none.

    Args:
        connection: Of a transaction.
        league: Any one; only in a ladder games grow old.
        excluded: The entrants whose games count for nobody, and so push out no others.
    """
    if league.ladder is None:
        return 0
    games, seats = schema.games, schema.seats
    is_left_out = sa.exists().where(
        seats.c.game_id == games.c.id, seats.c.entrant.in_(excluded)
    )
    query = (
        sa.select(games.c.number)
        .where(games.c.league_id == league.id, ~is_left_out if excluded else sa.true())
        .order_by(games.c.number.desc())
        .limit(1)
        .offset(league.ladder.window)
    )
    return int(connection.execute(query).scalar() or 0)


def earlier_hashes(
    connection: sa.Connection, league: League, *, through: int
) -> tuple[str, ...]:
    """Return the hashes of the records of the first games, in the order of games."""
    if not through:
        return ()
    games = schema.games
    query = (
        sa.select(games.c.record_hash)
        .where(games.c.league_id == league.id, games.c.number <= through)
        .order_by(games.c.number)
    )
    return tuple(connection.execute(query).scalars())


def with_joined(config: LeagueConfig, league: League | None) -> LeagueConfig:
    """Return the file of a ladder with the bots that have joined it by themselves."""
    if config.ladder is None or league is None:
        return config
    named = {entrant.name for entrant in config.entrants}
    joined = [
        Entrant(one["name"], EntrantKind.BOT, owner=one["owner"])
        for one in league.values["entrants"]
        if one["kind"] == EntrantKind.BOT and one["name"] not in named
    ]
    return replace(config, entrants=(*config.entrants, *joined))


def add_games(
    connection: sa.Connection,
    league: League,
    games: Mapping[int, Seating],
    *,
    joining: Mapping[str, str],
) -> None:
    """Store games of a ladder that were planned.

    Args:
        connection: Of a transaction that writes.
        league: The ladder.
        games: Who sits where, by number: new games, and some that have not begun.
        joining: The bots that are new, with their owners.
    """
    write_games(connection, league.id, games)
    if not joining:
        return
    table, entrants = schema.leagues, schema.entrants
    new = [
        Entrant(name, EntrantKind.BOT, owner=owner) for name, owner in joining.items()
    ]
    form = json.loads(league.form)
    form["entrants"] += [entrant_form(entrant) for entrant in new]
    connection.execute(
        sa.update(table)
        .where(table.c.id == league.id)
        .values(form=canonical_json(form))
    )
    connection.execute(
        sa.insert(entrants),
        [
            {
                "league_id": league.id,
                "number": number,
                "name": entrant.name,
                "kind": entrant.kind.value,
                "owner": entrant.owner,
            }
            for number, entrant in enumerate(new, start=len(league.entrants))
        ],
    )
