"""Results as rows of the store, and back."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from arena.record import Fault, GivenUp
from leagues.conduct import BY_ARENA, Suspension
from leagues.results import GameResult, SeatResult
from leagues.storage import schema
from leagues.storage.league import League
from leagues.storage.withheld import is_told

__all__ = [
    "fault_rows",
    "given_up_rows",
    "read_results",
    "read_stood_in",
    "read_suspensions",
    "seat_rows",
]

_TO_THE_SECOND: Final = len("2026-01-01T12:00:00")
_Row = dict[str, Any]
_Item = TypeVar("_Item")


def seat_rows(game_id: int, result: GameResult) -> list[_Row]:
    """Return a row for each seat of a game."""
    return [
        {
            "game_id": game_id,
            "seat": number,
            "entrant": seat.entrant,
            "version": seat.version,
            "total": seat.total,
            "place": seat.place,
            "points": seat.points,
            "moons": seat.moons,
            "queens": seat.queens,
        }
        for number, seat in enumerate(result.seats)
    ]


def fault_rows(game_id: int, result: GameResult) -> list[_Row]:
    """Return a row for each fault of a game."""
    return [
        {
            "game_id": game_id,
            "number": number,
            "seat": fault.seat,
            "deal": fault.deal,
            "trick": fault.trick,
            "kind": fault.kind,
            "reason": fault.reason,
            "offered": fault.offered,
        }
        for number, fault in enumerate(result.faults, start=1)
    ]


def given_up_rows(game_id: int, result: GameResult) -> list[_Row]:
    """Return a row for each seat of a game that was given up."""
    return [
        {
            "game_id": game_id,
            "seat": item.seat,
            "deal": item.deal,
            "trick": item.trick,
            "cause": item.cause,
        }
        for item in result.given_up
    ]


def read_results(
    connection: sa.Connection,
    league: League,
    *,
    after: int,
    limit: int | None,
) -> list[GameResult]:
    """Return the results that may be told, in the order of the games' numbers.

    Args:
        connection: Of a transaction of the store.
        league: The league.
        after: Only games with a greater number.
        limit: At most so many games; `None` for all.
    """
    games = schema.games
    query = (
        sa.select(games.c.id, games.c.number, games.c.deals, games.c.record_hash)
        .where(games.c.league_id == league.id, games.c.number > after, is_told(league))
        .order_by(games.c.number)
        .limit(limit)
    )
    rows = connection.execute(query).all()
    if not rows:
        return []
    among = sa.and_(
        games.c.league_id == league.id,
        games.c.number.between(rows[0].number, rows[-1].number),
    )
    seats = _by_game(connection, among, schema.seats, _seat, "seat")
    faults = _by_game(connection, among, schema.faults, _fault, "number")
    given_up = _by_game(connection, among, schema.given_up, _given_up, "seat")
    return [
        GameResult(
            number=row.number,
            block=league.blocks.block(row.number),
            deals=row.deals,
            seats=tuple(seats[row.id]),
            faults=tuple(faults.get(row.id, ())),
            given_up=tuple(given_up.get(row.id, ())),
            record_hash=row.record_hash,
        )
        for row in rows
    ]


def _by_game(
    connection: sa.Connection,
    among: sa.ColumnElement[bool],
    table: sa.Table,
    read: Callable[[Any], _Item],
    order: str,
) -> Mapping[int, list[_Item]]:
    """Read the rows of a table that belong to some games."""
    games = schema.games
    query = (
        sa.select(table)
        .join(games, games.c.id == table.c.game_id)
        .where(among)
        .order_by(table.c.game_id, table.c[order])
    )
    found: defaultdict[int, list[_Item]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.game_id].append(read(row))
    return found


def _seat(row: Any) -> SeatResult:
    return SeatResult(
        entrant=row.entrant,
        version=row.version,
        total=row.total,
        place=row.place,
        points=row.points,
        moons=row.moons,
        queens=row.queens,
    )


def _fault(row: Any) -> Fault:
    return Fault(
        deal=row.deal,
        kind=row.kind,
        offered=row.offered,
        reason=row.reason,
        seat=row.seat,
        trick=row.trick,
    )


def _given_up(row: Any) -> GivenUp:
    return GivenUp(cause=row.cause, deal=row.deal, seat=row.seat, trick=row.trick)


def read_suspensions(connection: sa.Connection, league_id: int) -> list[Suspension]:
    """Return the suspensions of a league that are in force, the oldest first."""
    table = schema.suspensions
    query = (
        sa.select(table.c.entrant, table.c.reason, table.c.version)
        .where(table.c.league_id == league_id, table.c.lifted.is_(None))
        .order_by(table.c.id)
    )
    return [Suspension(*row) for row in connection.execute(query)]


def read_stood_in(
    connection: sa.Connection, league_id: int
) -> dict[tuple[int, str], str]:
    """Return the games that were begun without an entrant since it was suspended.

    A record says of such a seat no more than that the arena has given it up, as it does
    of a program that would not stay alive. Both times are known to the second.

    Returns:
        The reason of the suspension by the game's number and the entrant.
    """
    games, seats, given_up = schema.games, schema.seats, schema.given_up
    table = schema.suspensions
    begun = sa.func.substr(games.c.started, 1, _TO_THE_SECOND)
    since = sa.func.substr(table.c.since, 1, _TO_THE_SECOND)
    lifted = sa.func.substr(table.c.lifted, 1, _TO_THE_SECOND)
    query = (
        sa.select(games.c.number, table.c.entrant, table.c.reason)
        .join(seats, seats.c.game_id == games.c.id)
        .join(
            given_up,
            sa.and_(given_up.c.game_id == games.c.id, given_up.c.seat == seats.c.seat),
        )
        .join(
            table,
            sa.and_(
                table.c.league_id == games.c.league_id,
                table.c.entrant == seats.c.entrant,
            ),
        )
        .where(
            games.c.league_id == league_id,
            given_up.c.cause == BY_ARENA,
            begun >= since,
            sa.or_(table.c.lifted.is_(None), begun <= lifted),
        )
        .order_by(table.c.id)
    )
    return {(row.number, row.entrant): row.reason for row in connection.execute(query)}
