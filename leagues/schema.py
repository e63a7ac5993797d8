"""The tables of the store, and how an older store becomes a newer one."""

from collections.abc import Callable
from typing import Final

import sqlalchemy as sa

__all__ = [
    "MIGRATIONS",
    "VERSION",
    "bots",
    "entrants",
    "faults",
    "games",
    "given_up",
    "leagues",
    "metadata",
    "schema_version",
    "seats",
    "suspensions",
]

metadata = sa.MetaData()

schema_version = sa.Table(
    "schema_version",
    metadata,
    sa.Column("version", sa.Integer, nullable=False),
)
"""One row: the version of the tables."""

leagues = sa.Table(
    "leagues",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    # The normal form of the league file.
    sa.Column("form", sa.Text, nullable=False),
    # All seatings as JSON, compressed: entrants by seat, game by game.
    sa.Column("schedule", sa.LargeBinary, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("commitment", sa.LargeBinary, nullable=False),
    # `stopped`, `running` or `finished`.
    sa.Column("state", sa.Text, nullable=False),
    # How many runs have begun.
    sa.Column("run", sa.Integer, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("finished", sa.Text),
)

entrants = sa.Table(
    "entrants",
    metadata,
    sa.Column("league_id", sa.ForeignKey("leagues.id"), primary_key=True),
    # From 0, as in the schedule.
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("league_id", sa.ForeignKey("leagues.id"), nullable=False),
    # From 1, in the order of the schedule.
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),
    sa.Column("ending", sa.Text, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("ended", sa.Text, nullable=False),
    sa.Column("record_hash", sa.Text, nullable=False),
    # The record as one line of JSON, compressed.
    sa.Column("record", sa.LargeBinary, nullable=False),
    # No game can count twice.
    sa.UniqueConstraint("league_id", "number"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("entrant", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("moons", sa.Integer, nullable=False),
    sa.Column("queens", sa.Integer, nullable=False),
)

faults = sa.Table(
    "faults",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    # From 1, in the order of the record.
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("deal", sa.Integer, nullable=False),
    sa.Column("trick", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("offered", sa.Text, nullable=False),
)

given_up = sa.Table(
    "given_up",
    metadata,
    sa.Column("game_id", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("deal", sa.Integer, nullable=False),
    sa.Column("trick", sa.Integer, nullable=False),
    sa.Column("cause", sa.Text, nullable=False),
)

bots = sa.Table(
    "bots",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    # SHA-256 of the token; the token itself is stored nowhere.
    sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("revoked", sa.Text),
)

sa.Index(
    "bots_in_force",
    bots.c.name,
    unique=True,
    sqlite_where=bots.c.revoked.is_(None),
    postgresql_where=bots.c.revoked.is_(None),
)

suspensions = sa.Table(
    "suspensions",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("league_id", sa.ForeignKey("leagues.id"), nullable=False),
    sa.Column("entrant", sa.Text, nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("since", sa.Text, nullable=False),
    # When it was over, and the last game that had been stored by then.
    sa.Column("lifted", sa.Text),
    sa.Column("lifted_after", sa.Integer),
)

MIGRATIONS: Final[tuple[Callable[[sa.Connection], None], ...]] = (suspensions.create,)
"""What turns version 1 into 2, 2 into 3 and so on.

A new store gets the newest tables at once. Each step runs in one transaction with
the row that records it.
"""

VERSION: Final = 1 + len(MIGRATIONS)
