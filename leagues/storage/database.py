"""The SQLite file of a data directory: transactions, and errors that help.

`write` transactions exclude each other; `read` ones see one state of the store
and hold up nobody. A transaction is on the disk when its block has been left.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from leagues.storage import schema
from leagues.storage.lock import PassingStoreError, StoreError, is_owned
from leagues.storage.patience import SHORT_SECONDS, SLICE_SECONDS, Patience

__all__ = ["FILE_NAME", "PASSING_ERRORS", "Database", "store_error"]

FILE_NAME: Final = "arena.sqlite"
PASSING_ERRORS: Final = frozenset(
    (
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ENOSPC,
        errno.EROFS,
        errno.ESTALE,
    )
)
"""What the system may say of a file today and not tomorrow."""
_WAIT_A_SLICE: Final = f"PRAGMA busy_timeout = {SLICE_SECONDS * 1000:.0f}"


class Database:
    """The open file.

    Args:
        directory: The data directory.
        may_write: Whether `write` is allowed.

    Raises:
        StoreError: The file is missing, damaged, or of a newer version.
    """

    def __init__(self, directory: Path, *, may_write: bool) -> None:
        self.path = directory / FILE_NAME
        self._may_write = may_write
        self._write_lock = Lock()
        self.patience = Patience(self.path)
        if not self.path.exists():
            raise StoreError(_nothing(directory))
        self._place = self.path.absolute()
        self._opened = os.stat(self._place)
        self.engine = self._engine(mode="rw" if may_write else "ro")
        try:
            self._check_version()
        except StoreError as error:
            self.close()
            if may_write or not _needs_side_files(error) or not self._is_at_rest():
                raise
            self.engine = self._engine(mode="ro", immutable="1")
            self._check_version()

    @classmethod
    def create(cls, directory: Path) -> "Database":
        """Open the file for writing; make or migrate its tables where needed.

        The caller MUST own the directory.
        """
        path = directory / FILE_NAME
        with _explained(path):
            # SQLite gives its side files the rights of the file itself.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        return cls(directory, may_write=True)

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Run one transaction that may change the store."""
        assert self._may_write, "the store is open for reading only"
        with (
            _explained(self.path),
            self._write_lock,
            self.engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            yield connection
            self.check_place()

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Run one transaction that only reads."""
        with (
            _explained(self.path),
            self.engine.connect() as connection,
            connection.begin(),
        ):
            yield connection

    def check_place(self) -> None:
        """See that what is written can be found again.

        Raises:
            StoreError: The file was removed or replaced.
        """
        with _explained(self.path):
            try:
                is_there = os.path.samestat(self._opened, os.stat(self._place))
            except (FileNotFoundError, NotADirectoryError):
                is_there = False
        if not is_there:
            raise StoreError(
                f"{self.path} was removed or replaced while the arena had it open, so "
                "nothing more can be stored; put it back, or start anew"
            )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def _engine(self, **query: str) -> sa.Engine:
        url = sa.URL.create(
            "sqlite",
            database=f"file:{quote(str(self.path.absolute()))}",
            query={"uri": "true", **query},
        )
        engine = sa.create_engine(url, connect_args={"timeout": SHORT_SECONDS})
        sa.event.listen(engine, "connect", self._on_connect)
        sa.event.listen(engine, "begin", self._on_begin)
        return engine

    def _is_at_rest(self) -> bool:
        """Tell whether the file alone is the whole store, and nobody changes it."""
        side = self.path.with_name(f"{FILE_NAME}-wal")
        is_whole = not side.exists() or side.stat().st_size == 0
        return is_whole and not is_owned(self.path.parent)

    def _on_connect(self, connection: sqlite3.Connection, _: object) -> None:
        # SQLAlchemy begins and ends transactions, not the driver.
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        if self._may_write:
            connection.execute("PRAGMA journal_mode = WAL")
            # A finished game survives a power cut.
            connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_WAIT_A_SLICE)

    def _on_begin(self, connection: sa.Connection) -> None:
        """Begin a transaction, which has all that it may have to wait for."""
        writes = connection.get_execution_options().get("writes", False)
        driver = connection.connection.dbapi_connection
        assert driver is not None
        # A writer that began as a reader could fail for another writer in between.
        words = "BEGIN IMMEDIATE" if writes else "BEGIN"

        def begin() -> None:
            if not driver.in_transaction:
                driver.execute(words)
            if not writes:
                # Only now a reader has what it reads.
                driver.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()

        if not self.patience.wait(begin):
            if driver.in_transaction:
                driver.execute("ROLLBACK")
            driver.execute("PRAGMA busy_timeout = 0")
            try:
                connection.exec_driver_sql(words)
            finally:
                driver.execute(_WAIT_A_SLICE)

    def _check_version(self) -> None:
        with self.read() as connection:
            found = _version(connection)
        if found == schema.VERSION:
            return
        if found > schema.VERSION:
            raise StoreError(
                f"{self.path} was written by a newer version of hearts-arena "
                f"(tables {found}, here {schema.VERSION}); install that one"
            )
        if not self._may_write and not found:
            raise StoreError(_nothing(self.path.parent))
        if not self._may_write:
            raise StoreError(
                f"{self.path} was written by an older version of hearts-arena; run "
                "the league or `arena serve` once, which brings it up to date"
            )
        with self.write() as connection:
            _migrate(connection, found)


def _nothing(directory: Path) -> str:
    return (
        f"{directory} holds no games yet; `arena demo` or `arena league run` make "
        "some, --data names another directory"
    )


def _needs_side_files(error: StoreError) -> bool:
    """Tell whether a file can't be read since its directory can't be written."""
    cause = getattr(error.__cause__, "orig", None)
    name = getattr(cause, "sqlite_errorname", "")
    return name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))


def _version(connection: sa.Connection) -> int:
    """Return the version of the tables; 0 when there are none yet."""
    if not sa.inspect(connection).has_table(schema.schema_version.name):
        return 0
    query = sa.select(schema.schema_version.c.version)
    return int(connection.execute(query).scalar_one())


def _migrate(connection: sa.Connection, found: int) -> None:
    if found == 0:
        schema.metadata.create_all(connection)
        connection.execute(sa.insert(schema.schema_version), {"version": 0})
    else:
        for step in schema.MIGRATIONS[found - 1 :]:
            step(connection)
    connection.execute(sa.update(schema.schema_version).values(version=schema.VERSION))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn the database's errors into what the operator can do about them."""
    try:
        yield
    except DBAPIError as error:
        kind, advice = _advice(error.orig)
        raise kind(f"{path}: {advice}") from error
    except OSError as error:
        raise store_error(path, error) from error


def store_error(path: Path, error: OSError) -> StoreError:
    """Return what the system says of a path, as an error of the store."""
    kind = PassingStoreError if error.errno in PASSING_ERRORS else StoreError
    return kind(f"{path}: {error.strerror}")


_ADVICE: Final = {
    "SQLITE_FULL": "the disk is full; every finished game so far is safe. Free some "
    "space and run again",
    "SQLITE_IOERR": "the disk cannot be read or written. Check it, and run again",
    "SQLITE_CORRUPT": "the file is damaged. Put a backup in its place, or move it away "
    "to begin anew",
    "SQLITE_NOTADB": "the file is no database of the arena. Put a backup in its place, "
    "or move it away to begin anew",
    "SQLITE_BUSY": "another program keeps the file busy. Stop it, and run again",
    "SQLITE_READONLY": "the file cannot be written. Check its rights, and run again",
    "SQLITE_CANTOPEN": "the file cannot be opened. Check its rights, and run again",
}


_LASTING: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
"""What no waiting mends."""


def _advice(error: Any) -> tuple[type[StoreError], str]:
    name = getattr(error, "sqlite_errorname", "")
    for prefix, advice in _ADVICE.items():
        if name.startswith(prefix):
            return StoreError if prefix in _LASTING else PassingStoreError, advice
    return StoreError, str(error)
