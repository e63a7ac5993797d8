"""Which pacing a league has."""

from collections.abc import Callable, Mapping
from functools import partial

import sqlalchemy as sa

from leagues.appeals import Agenda
from leagues.running.ladder import Ladder
from leagues.running.pacing import Budget, Pacing
from leagues.running.sequential_match import SequentialMatch
from leagues.running.threads import InThread
from leagues.running.time_box import TimeBox
from leagues.scheduling.balance import Seating
from leagues.storage import schema
from leagues.storage.league import League
from leagues.storage.match_stored import match_games, match_score
from leagues.storage.store import Store

__all__ = ["end_after", "pacing_of"]


def pacing_of(
    store: Store,
    league: League,
    agenda: Agenda,
    *,
    in_thread: InThread,
    wall: Callable[[], float],
) -> Pacing:
    """Return the pacing of a league.

    Args:
        store: Where the end of a league is noted.
        league: The league.
        agenda: What it has still to play.
        in_thread: Runs the store's calls, which block.
        wall: Tells the time of day, in seconds since 1970.
    """
    if league.ladder is not None:

        async def plan(
            games: Mapping[int, Seating], joining: Mapping[str, str]
        ) -> League:
            return await in_thread(
                partial(store.plan_games, league.name, games, joining=joining)
            )

        return Ladder(league, plan)
    if (score := match_score(league)) is not None:
        return SequentialMatch(
            score,
            size=league.blocks.size,
            games=league.games_planned,
            played=partial(in_thread, match_games, store, league),
        )
    if not league.until:
        return Budget(league)

    async def settle(games: int) -> League:
        return await in_thread(
            partial(end_after, store, league.name, games, why="time")
        )

    missing = frozenset(agenda.missing)
    played = (n for n in range(league.games_planned, 0, -1) if n not in missing)
    return TimeBox(league, begun=next(played, 0), settle=settle, wall=wall)


def end_after(store: Store, league: str, games: int, *, why: str) -> League:
    """Settle that a league ends after so many games of its schedule.

    Args:
        store: The store.
        league: Its name.
        games: The last one that is played.
        why: One of `leagues.standings.STOPPED_BY`.
    """
    table = schema.leagues
    with store.database.write() as connection:
        connection.execute(
            sa.update(table)
            .where(table.c.name == league)
            .values(ends_after=games, stopped_by=why)
        )
    return store.league(league)
