"""The tables of the store, and how an older store becomes a newer one."""

from collections.abc import Callable
from typing import Final

import sqlalchemy as sa

__all__ = [
    "MIGRATIONS",
    "VERSION",
    "audit",
    "bots",
    "chunks",
    "entrants",
    "faults",
    "games",
    "given_up",
    "leagues",
    "metadata",
    "plans",
    "schema_version",
    "seats",
    "suspensions",
    "void_games",
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
    # When its time is over, in UTC; empty where it has as much as it takes.
    sa.Column("until", sa.Text, nullable=False, server_default=""),
    # It ends after so many games; NULL where it ends after all that are scheduled.
    sa.Column("ends_after", sa.Integer),
    # What has ended it, or will; empty for its schedule.
    sa.Column("stopped_by", sa.Text, nullable=False, server_default=""),
)

chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("league_id", sa.ForeignKey("leagues.id"), primary_key=True),
    # From 0.
    sa.Column("number", sa.Integer, primary_key=True),
    # Seatings as in `leagues.schedule`.
    sa.Column("schedule", sa.LargeBinary, nullable=False),
)
"""The schedules of ladders, a thousand games in each; see `leagues.storage.chunks`."""

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

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("league_id", sa.ForeignKey("leagues.id"), primary_key=True),
    # From 1, in the order of the log.
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("time", sa.Text, nullable=False),
    # One of `leagues.audit.Action`.
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("by_whom", sa.Text, nullable=False),
    sa.Column("entrant", sa.Text, nullable=False),
    sa.Column("game", sa.Integer, nullable=False),
    sa.Column("record_hash", sa.Text, nullable=False),
    sa.Column("is_replayed", sa.Boolean, nullable=False),
    # The end of the chain, in hexadecimal.
    sa.Column("digest", sa.Text, nullable=False),
    # That of the secret to games that are planned anew; else empty.
    sa.Column("commitment", sa.Text, nullable=False, server_default=""),
)
"""What hosts have decided. Rows are added at its end, and never changed or removed."""

void_games = sa.Table(
    "void_games",
    metadata,
    sa.Column("league_id", sa.ForeignKey("leagues.id"), primary_key=True),
    # The number of the entry of the audit log that made it void.
    sa.Column("entry", sa.Integer, primary_key=True),
    # As in `games`, where the game stood until then.
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("record", sa.LargeBinary, nullable=False),
)
"""Games that finished and do not count; results follow from their records."""

plans = sa.Table(
    "plans",
    metadata,
    sa.Column("league_id", sa.ForeignKey("leagues.id"), primary_key=True),
    # The number of the entry of the audit log by which it was planned anew.
    sa.Column("entry", sa.Integer, primary_key=True),
    # All seatings as they were until then, as in `leagues`.
    sa.Column("schedule", sa.LargeBinary, nullable=False),
)
"""Schedules that leagues do not have any more, since games were planned anew.

With them every commitment can be worked out again, once the secret is known.
"""

_KEPT: Final = "BEGIN SELECT RAISE(ABORT, '%s are never changed or removed'); END"
_NEXT: Final = """
    CREATE TRIGGER audit_added BEFORE INSERT ON audit
    WHEN NEW.number != 1 + (
        SELECT COUNT(*) FROM audit WHERE league_id = NEW.league_id
    )
    BEGIN SELECT RAISE(ABORT, 'the audit log is added to at its end'); END
"""


def _keep(table: sa.Table, *, plural: str) -> None:
    """Let rows of a table be added and nothing else, whoever opens the file."""
    for change in ("UPDATE", "DELETE"):
        trigger = f"CREATE TRIGGER {table.name}_{change.lower()} BEFORE {change}"
        statement = f"{trigger} ON {table.name} {_KEPT % plural}"
        _on_create(table, statement)


def _on_create(table: sa.Table, statement: str) -> None:
    """Run a statement of SQLite's once a table is made."""
    ddl = sa.DDL(statement.replace("%", "%%"))  # type: ignore[no-untyped-call]
    sa.event.listen(table, "after_create", ddl.execute_if(dialect="sqlite"))


_keep(audit, plural="entries of the audit log")
_keep(void_games, plural="void games")
_keep(plans, plural="former plans")
_on_create(audit, _NEXT)


def _add_appeals(connection: sa.Connection) -> None:
    audit.create(connection)
    void_games.create(connection)


def _add_plans(connection: sa.Connection) -> None:
    plans.create(connection)
    # The step before may just have made the table as it is today.
    _add_columns(connection, audit, "commitment")


def _add_endings(connection: sa.Connection) -> None:
    _add_columns(connection, leagues, "until", "ends_after", "stopped_by")


def _add_chunks(connection: sa.Connection) -> None:
    chunks.create(connection, checkfirst=True)


def _add_columns(connection: sa.Connection, table: sa.Table, *names: str) -> None:
    """Add those columns of a table that an older store lacks."""
    known = {
        column["name"] for column in sa.inspect(connection).get_columns(table.name)
    }
    for name in names:
        if name not in known:
            column = sa.schema.CreateColumn(table.c[name]).compile(connection)
            connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {column}"))


MIGRATIONS: Final[tuple[Callable[[sa.Connection], None], ...]] = (
    suspensions.create,
    _add_appeals,
    _add_plans,
    _add_endings,
    _add_chunks,
)
"""What turns version 1 into 2, 2 into 3 and so on.

A new store gets the newest tables at once. Each step runs in one transaction with
the row that records it.
"""

VERSION: Final = 1 + len(MIGRATIONS)
