"""The store: leagues, their finished games and the bots, in one data directory.

    with Store.open(directory, command="arena serve") as store:
        league = store.open_league(config)
        run = store.start_run(league.name)
        …
        store.finish_game(league.name, record)

One process owns a directory and may write (`open`); others look on
(`open_read_only`). Methods may be called from any thread. Each raises `StoreError`
when the disk or the file fails.
"""

import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from arena.record import Record, write_record
from leagues.appeals import Agenda
from leagues.audit import AuditEntry
from leagues.blocks import Withheld
from leagues.config import LeagueConfig
from leagues.results import GameResult, result_of
from leagues.scheduling.balance import Seating
from leagues.seeds import RUNS_MAX
from leagues.standings import Standings
from leagues.storage import schema
from leagues.storage.audit_rows import now, read_agenda, read_audit
from leagues.storage.chunks import read_chunks
from leagues.storage.counted import read_counted, read_counting
from leagues.storage.database import Database, store_error
from leagues.storage.ladder_rows import add_games, with_joined
from leagues.storage.league import (
    League,
    LeagueChanged,
    LeagueOverError,
    change_league,
    create_league,
    read_league,
    stored_league,
)
from leagues.storage.league_owners import with_owners
from leagues.storage.lock import DirectoryLock, StoreError, StoreLocked, is_owned
from leagues.storage.patience import OWNER_SECONDS
from leagues.storage.roster import is_left, join, seat_anew
from leagues.storage.rows import (
    fault_rows,
    given_up_rows,
    read_results,
    seat_rows,
)
from leagues.storage.withheld import count_withheld, is_told

__all__ = [
    "League",
    "LeagueChanged",
    "LeagueOverError",
    "Store",
    "StoreError",
    "StoreLocked",
]

_PAGE: Final = 200
_INSERT_GAME: Final = (
    insert(schema.games)
    .on_conflict_do_nothing(index_elements=["league_id", "number"])
    .returning(schema.games.c.id)
)
"""Gives no row where the league has a game of this number."""
_INSERT_SEATS: Final = sa.insert(schema.seats)


class Store:
    """An open data directory; made by `open` or `open_read_only`."""

    def __init__(
        self, directory: Path, database: Database, lock: DirectoryLock | None
    ) -> None:
        self.directory = directory
        self.database = database
        self._lock = lock
        # Leagues as they were when the first game of a run ended: reading one
        # anew for every game would cost more than the game.
        self._played: dict[str, League] = {}

    @classmethod
    def open(cls, directory: Path | str, *, command: str) -> Self:
        """Own a data directory, which is created where it is missing.

        Args:
            directory: Where.
            command: What others are told that owns it, for example `arena serve`.

        Raises:
            StoreLocked: Another process owns it.
            StoreError: It cannot be created or read.
        """
        directory = Path(directory)
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = DirectoryLock(directory, command=command)
        except OSError as error:
            raise store_error(directory, error) from error
        try:
            store = cls(directory, Database.create(directory), lock)
            store._stop_dead_runs()
            store.database.patience.seconds = OWNER_SECONDS
        except BaseException:
            lock.release()
            raise
        return store

    @classmethod
    def open_read_only(cls, directory: Path | str) -> Self:
        """Look into a data directory, whether or not a process owns it.

        Raises:
            StoreError: There is nothing, or nothing readable.
        """
        directory = Path(directory)
        return cls(directory, Database(directory, may_write=False), None)

    @classmethod
    def open_beside(cls, directory: Path | str) -> Self:
        """Open for a short change, also beside a process that owns it.

        Bots are added and revoked so, and what a league's host decides is written.

        Raises:
            StoreError: It cannot be created or read.
        """
        directory = Path(directory)
        # Whoever owns it has brought the tables up to date.
        with suppress(StoreLocked):
            cls.open(directory, command="a short command").close()
        return cls(directory, Database(directory, may_write=True), None)

    def announce(
        self,
        address: str,
        *,
        has_tls: bool = False,
        wants_certificate: bool = False,
        operator_token: str = "",
    ) -> None:
        """Let others on this machine know where the owner serves bots."""
        if self._lock is not None:
            self._lock.announce(
                address,
                has_tls=has_tls,
                wants_certificate=wants_certificate,
                operator_token=operator_token,
            )

    def close(self) -> None:
        """Close the file and let others own the directory."""
        self.database.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def is_live(self) -> bool:
        """Whether a process owns the directory, this one or another."""
        return self._lock is not None or is_owned(self.directory)

    # Leagues

    def open_league(self, config: LeagueConfig) -> League:
        """Create a league, or go on with the one of this name.

        Raises:
            LeagueChanged: The file has changed in something that may not change.
            OwnerError: The owners of bots that dial in can't be what it says.
            LeagueOverError: Its time is over before it begins or goes on.
        """
        with self.database.write() as connection:
            known = None
            with suppress(KeyError):
                known = stored_league(connection, config.name)
            config = with_joined(with_owners(connection, config, known), known)
            if known is None:
                create_league(connection, config)
            else:
                joining = change_league(connection, known, config)
                join(connection, known, joining)
                seat_anew(connection, stored_league(connection, config.name))
        self._played.pop(config.name, None)
        return self.league(config.name)

    def seat_anew(self, name: str, running: Collection[int] = ()) -> League:
        """Plan the games of a league anew that are left, where that is due.

        Args:
            name: The league.
            running: The games that stay as they are, with their blocks.
        """
        with self.database.write() as connection:
            seat_anew(connection, stored_league(connection, name), running=running)
        self._played.pop(name, None)
        return self.league(name)

    def league(self, name: str) -> League:
        """Return a league.

        Raises:
            KeyError: There is none of this name.
        """
        found = self._leagues(schema.leagues.c.name == name)
        if not found:
            raise KeyError(name)
        return found[0]

    def leagues(self) -> list[League]:
        """Return all leagues, the newest first."""
        return self._leagues(sa.true())

    def plan_games(
        self, name: str, games: Mapping[int, Seating], *, joining: Mapping[str, str]
    ) -> League:
        """Store games of a ladder that were planned; see `ladder_rows.add_games`."""
        with self.database.write() as connection:
            known = stored_league(connection, name)
            add_games(connection, known, games, joining=joining)
        self._played.pop(name, None)
        return self.league(name)

    def start_run(self, name: str) -> int:
        """Begin a run and return its number, from 1; 0 where the league is finished.

        It is on the disk before this returns, so that no later run can have the same.
        """
        table = schema.leagues
        with self.database.write() as connection:
            run = connection.execute(
                sa.update(table)
                .where(table.c.name == name, table.c.state != "finished")
                .values(run=table.c.run + 1, state="running")
                .returning(table.c.run)
            ).scalar()
            if run and run > RUNS_MAX:
                raise StoreError(f"league {name} has had all its {RUNS_MAX} runs")
        return int(run or 0)

    def stop_run(self, name: str, *, over: str = "") -> League:
        """End a run: the league is finished when nothing is left to play.

        Args:
            name: Of the league.
            over: Why it is finished whatever is left, one of `STOPPED_BY`.
        """
        table = schema.leagues
        league = self.league(name)
        # What a host decides meanwhile comes before or after, never in between.
        with self.database.write() as connection:
            values: dict[str, str | None] = {"state": "stopped"}
            agenda = read_agenda(connection, league)
            if over or not is_left(league, agenda):
                values = {"state": "finished", "finished": now()}
            if over:
                values["stopped_by"] = over
            connection.execute(
                sa.update(table).where(table.c.name == name).values(values)
            )
        self._played.pop(name, None)
        return self.league(name)

    # Games

    def missing_games(self, name: str) -> list[int]:
        """Return the numbers of the games that are to be played now, in order."""
        league = self.league(name)
        return self.agenda(name).wanted(league.seats)

    def agenda(self, name: str) -> Agenda:
        """Return what a league has still to play, and what is decided.

        Raises:
            KeyError: There is no such league.
        """
        league = self.league(name)
        with self.database.read() as connection:
            # The state again: whoever decides may just have opened the league anew.
            query = sa.select(schema.leagues.c.state).where(
                schema.leagues.c.id == league.id
            )
            state = connection.execute(query).scalar_one()
            return read_agenda(connection, replace(league, state=state))

    def decisions(self, name: str, *, after: int = 0) -> tuple[AuditEntry, ...]:
        """Return the audit log of a league, or only what comes after some entry.

        Raises:
            KeyError: There is no such league.
        """
        query = sa.select(schema.leagues.c.id).where(schema.leagues.c.name == name)
        with self.database.read() as connection:
            league_id = connection.execute(query).scalar_one_or_none()
            if league_id is None:
                raise KeyError(name)
            return read_audit(connection, league_id, after=after)

    def finish_game(self, name: str, record: Record) -> bool:
        """Store a finished game, in one transaction.

        Returns:
            Whether it was stored; `False` when the league has a game of this
            number, which then stays as it is.

        Raises:
            KeyError: There is no such league.
            ValueError: The record is not one of the league's games, or unfinished.
        """
        league = self._played.get(name)
        if league is None or not league.has(record):
            # A ladder gets more games while it is played.
            league = self.league(name)
        league.check(record)
        self._played[name] = league
        result = result_of(record)
        game = {
            "league_id": league.id,
            "number": result.number,
            "attempt": record.attempt,
            "deals": result.deals,
            "ending": record.ending,
            "started": record.times.started,
            "ended": record.times.ended,
            "record_hash": record.hash,
            "record": zlib.compress(write_record(record).encode()),
        }
        with self.database.write() as connection:
            game_id = connection.execute(_INSERT_GAME, game).scalar()
            if game_id is None:
                return False
            connection.execute(_INSERT_SEATS, seat_rows(game_id, result))
            for rows, of in (
                (fault_rows(game_id, result), schema.faults),
                (given_up_rows(game_id, result), schema.given_up),
            ):
                if rows:
                    connection.execute(sa.insert(of), rows)
        return True

    def results(
        self, name: str, *, after: int = 0, limit: int | None = None
    ) -> list[GameResult]:
        """Return the results of finished games, in the order of their numbers.

        Those that are withheld are left out, see `leagues.storage.withheld`.

        Args:
            name: The league.
            after: Only games with a greater number.
            limit: At most so many games.
        """
        league = self.league(name)
        with self.database.read() as connection:
            return read_results(connection, league, after=after, limit=limit)

    def counting_results(self, name: str) -> list[GameResult]:
        """Return the results that count, in the order of their numbers."""
        league = self.league(name)
        with self.database.read() as connection:
            return read_counting(connection, league)

    def standings(self, name: str) -> Standings:
        """Work out the standings of a league."""
        league = self.league(name)
        with self.database.read() as connection:
            counted = read_counted(connection, league)
        return counted.standings()

    def withheld(self, name: str) -> Withheld:
        """Count the finished games that nobody may see for now."""
        league = self.league(name)
        with self.database.read() as connection:
            return count_withheld(connection, league)

    def records(
        self, name: str, *, after: int = 0, with_withheld: bool = False
    ) -> Iterator[tuple[int, str]]:
        """Yield numbers and records of finished games, in the order of numbers.

        Args:
            name: The league.
            after: Only games with a greater number.
            with_withheld: Whether those are among them that nobody may see for now.
        """
        league = self.league(name)
        while page := self.record_page(
            league, after=after, limit=_PAGE, with_withheld=with_withheld
        ):
            yield from page
            after = page[-1][0]

    def record_page(
        self, league: League, *, after: int, limit: int, with_withheld: bool = False
    ) -> list[tuple[int, str]]:
        """Return the numbers and records of the next `limit` finished games."""
        table = schema.games
        query = (
            sa.select(table.c.number, table.c.record)
            .where(
                table.c.league_id == league.id,
                table.c.number > after,
                sa.true() if with_withheld else is_told(league),
            )
            .order_by(table.c.number)
            .limit(limit)
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
        return [
            (number, self.unpacked(data, f"{league.name}-{number}"))
            for number, data in rows
        ]

    def unpacked(self, data: bytes, game_id: str) -> str:
        """Return a stored record; name the game when it cannot be read."""
        try:
            return zlib.decompress(data).decode()
        except (zlib.error, UnicodeDecodeError) as error:
            raise StoreError(
                f"{self.database.path}: the record of game {game_id} is damaged "
                f"({error}); put a backup in its place"
            ) from error

    def record(self, name: str, number: int, *, with_withheld: bool = False) -> str:
        """Return the record of one game.

        Raises:
            KeyError: There is no such league, or the game is not finished or withheld.
        """
        page = self.record_page(
            self.league(name), after=number - 1, limit=1, with_withheld=with_withheld
        )
        if not page or page[0][0] != number:
            raise KeyError(f"{name}-{number}")
        return page[0][1]

    def _leagues(self, condition: sa.ColumnElement[bool]) -> list[League]:
        query = (
            sa.select(
                schema.leagues,
                _count(schema.games).label("games_finished"),
                _count(schema.audit).label("decisions"),
            )
            .where(condition)
            .order_by(schema.leagues.c.id.desc())
        )
        with self.database.read() as connection:
            rows = connection.execute(query).all()
            chunks = {row.id: read_chunks(connection, row.id) for row in rows}
        is_live = self.is_live
        return [
            read_league(
                row,
                games_finished=row.games_finished,
                is_live=is_live,
                decisions=row.decisions,
                chunks=chunks[row.id],
            )
            for row in rows
        ]

    def _stop_dead_runs(self) -> None:
        """Mark runs as stopped whose process ended without a word."""
        table = schema.leagues
        running = sa.update(table).where(table.c.state == "running")
        with self.database.write() as connection:
            connection.execute(running.values(state="stopped"))


def _count(table: sa.Table) -> sa.ScalarSelect[int]:
    """Count the rows of a table that belong to each league."""
    return (
        sa.select(sa.func.count())
        .select_from(table)
        .where(table.c.league_id == schema.leagues.c.id)
        .scalar_subquery()
    )
