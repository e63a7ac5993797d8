"""Bots that dial in: their names, their owners and the tokens that prove them.

A token is shown once, when it is made; the store keeps its SHA-256 only.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from arena.excerpt import is_plain, shown
from arena.server import BotIdentity, token_digest
from leagues.config import is_name
from leagues.entrants import OWNER_FORM, OWNER_LENGTH_MAX
from leagues.storage import schema
from leagues.storage.moments import now_text
from leagues.storage.store import Store

__all__ = ["Bot", "BotError", "BotTokens", "add_bot", "list_bots", "revoke_bot"]

TOKEN_PREFIX: Final = "hb_"
"""Begins every token, so that one is known for what it is wherever it turns up."""
_TOKEN_BYTES: Final = 24


class BotError(ValueError):
    """A bot that cannot be added or revoked."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that has, or had, a token."""

    name: str
    owner: str
    created: str
    """ISO 8601, UTC."""
    revoked: str | None
    """When its token was revoked; `None` while it is in force."""


def add_bot(store: Store, name: str, *, owner: str = "") -> str:
    """Add a bot and return its token, `hb_` and 32 characters.

    Raises:
        BotError: The name or the owner is none, or there is a bot of this name with a
            token in force.
    """
    if not is_name(name):
        raise BotError(
            f"{shown(name)} is no name; expected 1 to 40 letters, digits, dots, dashes "
            "and underscores, a letter or digit first"
        )
    if len(owner) > OWNER_LENGTH_MAX or (owner and not is_plain(owner)):
        raise BotError(
            f"owner {shown(owner)}: expected at most {OWNER_LENGTH_MAX} {OWNER_FORM}"
        )
    token = TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
    table = schema.bots
    with store.database.write() as connection:
        in_force = sa.select(table.c.id).where(
            sa.func.lower(table.c.name) == name.lower(), table.c.revoked.is_(None)
        )
        if connection.execute(in_force).first() is not None:
            raise BotError(
                f"bot {name!r} exists; revoke its token first to give it a new one"
            )
        connection.execute(
            sa.insert(table),
            {
                "name": name,
                "owner": owner,
                "digest": token_digest(token),
                "created": _now(),
            },
        )
    return token


def list_bots(store: Store) -> list[Bot]:
    """Return all bots by name, revoked ones included."""
    table = schema.bots
    query = sa.select(table).order_by(table.c.name, table.c.id)
    with store.database.read() as connection:
        return [
            Bot(row.name, row.owner, row.created, row.revoked)
            for row in connection.execute(query)
        ]


def revoke_bot(store: Store, name: str) -> None:
    """Make the token of a bot worthless.

    Raises:
        BotError: No bot of this name has a token in force.
    """
    table = schema.bots
    with store.database.write() as connection:
        revoked = connection.execute(
            sa.update(table)
            .where(table.c.name == name, table.c.revoked.is_(None))
            .values(revoked=_now())
        )
        if revoked.rowcount == 0:
            raise BotError(f"there is no bot {shown(name)} with a token in force")


class BotTokens:
    """The tokens in force, in memory, for the server.

    `refresh` takes up what was added or revoked meanwhile, also by another
    process; `find` may be called from any thread.

    Args:
        store: Where the bots are.
        reserved: Names under which the arena itself starts programs. A bot that
            dials in under one of them would be taken for the program, so its
            token is not known as long as that lasts.
    """

    def __init__(self, store: Store, *, reserved: Collection[str] = ()) -> None:
        self._store = store
        self._reserved = frozenset(reserved)
        self._identities: dict[bytes, BotIdentity] = {}
        self._in_force: frozenset[str] = frozenset()
        self._revoked: frozenset[str] = frozenset()
        self.refresh()

    def refresh(self) -> None:
        """Read the tokens in force from the store."""
        query = sa.select(schema.bots)
        with self._store.database.read() as connection:
            rows = connection.execute(query).all()
        self._identities = {
            row.digest: BotIdentity(name=row.name, owner=row.owner)
            for row in rows
            if row.revoked is None and row.name not in self._reserved
        }
        self._in_force = frozenset(row.name for row in rows if row.revoked is None)
        self._revoked = frozenset(row.name for row in rows) - self._in_force

    def lack(self, name: str) -> str:
        """Say what keeps a bot from dialling in; empty when it has a token in force.

        Programs that the arena starts lack none.
        """
        if name in self._in_force or name in self._reserved:
            return ""
        return "has only a revoked token" if name in self._revoked else "has no token"

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return whose token has this digest."""
        return self._identities.get(digest)

    def exchange(self, digest: bytes) -> str:
        """Refuse: the tokens of bots that dial in last longer than one use."""
        raise KeyError("not a one-use secret")


def _now() -> str:
    return now_text()
