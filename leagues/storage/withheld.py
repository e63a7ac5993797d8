"""What is withheld: the games of blocks whose deals are still to come again.

Whoever could read the record of one rotation would know all hands of the next. So
while a rotated league may go on, the games of its open blocks leave the store for
nobody, and they do not count: what counts can be read, by everybody, at any time. An
open league withholds nothing, since anybody can compute its deals; nor does one that
is finished, whether or not every block came to its end.
"""

import sqlalchemy as sa

from leagues.audit import Action
from leagues.blocks import NOTHING_WITHHELD, Withheld
from leagues.storage import schema
from leagues.storage.league import League

__all__ = ["count_withheld", "is_told", "withheld_numbers"]

_Condition = sa.ColumnElement[bool]


def is_told(league: League, table: sa.Table = schema.games) -> _Condition:
    """Return which games may be told to anybody.

    Args:
        league: Their league.
        table: Where they are: finished ones, or those that a host has made void.
    """
    if not league.is_withholding:
        return sa.true()
    block = (table.c.number - 1) // league.blocks.size
    return block.not_in(sa.select(_open(league).c.block))


def count_withheld(connection: sa.Connection, league: League) -> Withheld:
    """Count what is withheld of a league."""
    if not league.is_withholding:
        return NOTHING_WITHHELD
    open_blocks = _open(league)
    counts = sa.select(
        sa.func.coalesce(sa.func.sum(open_blocks.c.finished), 0),
        sa.func.count(),
    ).select_from(open_blocks)
    return Withheld(*connection.execute(counts).one())


def withheld_numbers(connection: sa.Connection, league: League) -> list[int]:
    """Return the numbers of the finished games that are withheld."""
    games = schema.games
    found = sa.select(games.c.number).where(
        games.c.league_id == league.id, sa.not_(is_told(league))
    )
    return list(connection.scalars(found.order_by(games.c.number)))


def _open(league: League) -> sa.Subquery:
    """Return the open blocks of a league, from 0, and how many games are finished.

    A game that is void and not played again is over like a finished one.
    """
    games, audit = schema.games, schema.audit
    over = sa.union_all(
        sa.select(games.c.number, sa.literal(1).label("finished")).where(
            games.c.league_id == league.id
        ),
        sa.select(audit.c.game, sa.literal(0)).where(
            audit.c.league_id == league.id,
            audit.c.action == Action.VOID.value,
            sa.not_(audit.c.is_replayed),
        ),
    ).subquery()
    block = (over.c.number - 1) // league.blocks.size
    return (
        sa.select(block.label("block"), sa.func.sum(over.c.finished).label("finished"))
        .group_by(block)
        .having(sa.func.count() < league.blocks.size)
        .subquery()
    )
