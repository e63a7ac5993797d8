"""Owners of bots that dial in, where the league file leaves them to `arena bot add`."""

from dataclasses import replace

import sqlalchemy as sa

from arena.excerpt import shown
from leagues.config import Entrant, EntrantKind, LeagueConfig
from leagues.scheduling.owners import OwnersError
from leagues.storage import schema
from leagues.storage.league import League

__all__ = ["OwnerError", "with_owners"]


class OwnerError(ValueError):
    """Owners of a league's bots that can't be: who differs, and what to do."""


def with_owners(
    connection: sa.Connection, config: LeagueConfig, league: League | None
) -> LeagueConfig:
    """Return a league file with the owners of all its bots.

    For a bot that dials in, and for which the file names none, it is the owner that
    the stored league has, so that a league stays what it was; else the one with whom
    its token was made. Whoever had none may so get one, for games that are planned
    from then on; nobody changes hands.

    Args:
        connection: To the store, which knows the tokens.
        config: What the file says.
        league: The league as it is stored; `None` when it is new.

    Raises:
        OwnerError: The token of a bot is another owner's, or somebody owns too many
            bots for them never to meet.
    """
    stored = league.owners if league is not None else {}
    registered = _registered(connection, config)
    owned = replace(
        config,
        entrants=tuple(
            _owned(entrant, stored.get(entrant.name, ""), registered)
            for entrant in config.entrants
        ),
    )
    if owned.ladder is not None:
        return owned
    try:
        owned.owners.check(range(len(owned.entrants)), owned.rules.players)
    except OwnersError as error:
        raise OwnerError(
            f'league {config.name}: {error}; owners = "mixed" in its file lets them'
        ) from None
    return owned


def _owned(entrant: Entrant, stored: str, registered: dict[str, str]) -> Entrant:
    if entrant.kind != EntrantKind.BOT:
        return entrant
    by_token = registered.get(entrant.name, "")
    owner = entrant.owner or stored or by_token
    if by_token and owner != by_token:
        where = "the league file" if entrant.owner else "the league since it began"
        raise OwnerError(
            f"bot {entrant.name!r} is owned by {shown(owner)} in {where}, but its "
            f"token was made for {shown(by_token)}; expected the same owner: change "
            "the file, or revoke the bot and add it again with the right --owner"
        )
    return replace(entrant, owner=owner)


def _registered(connection: sa.Connection, config: LeagueConfig) -> dict[str, str]:
    """Return the owners with whom the tokens in force were made, by bot."""
    if all(entrant.kind != EntrantKind.BOT for entrant in config.entrants):
        return {}
    table = schema.bots
    query = sa.select(table.c.name, table.c.owner).where(table.c.revoked.is_(None))
    return {row.name: row.owner for row in connection.execute(query)}
