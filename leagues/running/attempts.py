"""Attempts: under which number the deals of each game are drawn.

A game with deals of its own is never dealt the same cards twice, since somebody may
have seen them. The games of a block share theirs, so a block keeps its attempt: that
of its finished games, else that of the first one which this run begins. No memory can
profit from it, see `leagues.programs.lives`.
"""

from collections.abc import Mapping

import sqlalchemy as sa

from leagues.seeds import attempt_number
from leagues.storage import schema
from leagues.storage.league import League
from leagues.storage.store import Store

__all__ = ["Attempts", "known_attempts"]


def known_attempts(store: Store, name: str) -> dict[int, int]:
    """Return the attempt of each block of a league of which a game is finished."""
    league, table = store.league(name), schema.games
    query = sa.select(table.c.number, table.c.attempt).where(
        table.c.league_id == league.id
    )
    with store.database.read() as connection:
        rows = connection.execute(query).all()
    return {league.blocks.block(row.number): row.attempt for row in rows}


class Attempts:
    """The attempts of one run.

    Args:
        league: The league.
        run: The number of the run.
        known: The attempts of blocks of which a game is finished.
    """

    def __init__(self, league: League, *, run: int, known: Mapping[int, int]) -> None:
        self._blocks = league.blocks
        self._is_open = league.is_open
        self._run = run
        self._known = dict(known)

    @property
    def begun(self) -> frozenset[int]:
        """The blocks of which a game was begun, where games share their deals."""
        return frozenset(self._known)

    def of(self, number: int, *, retry: int) -> int:
        """Return the attempt of a game.

        Args:
            number: Its number.
            retry: How often it was begun before in this run.
        """
        if not self._blocks.are_shared:
            return self._number(retry)
        return self._known.setdefault(self._blocks.block(number), self._number(0))

    def _number(self, retry: int) -> int:
        return attempt_number(is_open=self._is_open, run=self._run, retry=retry)
