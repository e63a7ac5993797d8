"""How fast leagues were played on this machine, from what the store has."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from arena.rules import PassDirection, RuleSet
from leagues.storage import schema
from leagues.storage.league import League
from leagues.storage.store import Store

__all__ = ["Pace", "busy_seconds", "pace_of", "turns_per_deal"]

_GAMES_MIN: Final = 4
"""Fewer games say little about the next ones."""
_GAMES_MAX: Final = 1000
"""The newest games say enough."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long games were, and how fast."""

    league: str
    games: int
    """How many games were looked at."""
    deals_per_game: float
    turns_per_second: float


def pace_of(store: Store, rules: RuleSet, *, name: str) -> Pace | None:
    """Return the pace of a league under these rules; `None` where there is none.

    Args:
        store: What was played.
        rules: Those of the games that count.
        name: A league that is asked first, if it exists; then the newest others.
    """
    leagues = [
        one for one in store.leagues() if one.values["rules"]["hash"] == rules.hash
    ]
    for league in sorted(leagues, key=lambda one: one.name != name):
        if (pace := _pace(store, league, rules)) is not None:
            return pace
    return None


def _pace(store: Store, league: League, rules: RuleSet) -> Pace | None:
    games = schema.games
    query = (
        sa.select(games.c.deals, games.c.started, games.c.ended)
        .where(games.c.league_id == league.id)
        .order_by(games.c.id.desc())
        .limit(_GAMES_MAX)
    )
    with store.database.read() as connection:
        rows = connection.execute(query).all()
    deals = sum(row.deals for row in rows)
    seconds = busy_seconds((row.started, row.ended) for row in rows)
    if len(rows) < _GAMES_MIN or not seconds:
        return None
    return Pace(
        league=league.name,
        games=len(rows),
        deals_per_game=deals / len(rows),
        turns_per_second=deals * turns_per_deal(rules) / seconds,
    )


def busy_seconds(spans: Iterable[tuple[str, str]]) -> float:
    """Return how long any game was running, from when each began and ended."""
    total = 0.0
    until = float("-inf")
    for start, end in sorted((_seconds(start), _seconds(end)) for start, end in spans):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def turns_per_deal(rules: RuleSet) -> float:
    """Return how many turns a deal has: a card of each hand, and the passes."""
    passes = 0.0
    if rules.pass_count:
        cycle = rules.pass_cycle
        held = sum(direction == PassDirection.HOLD for direction in cycle)
        passes = 1 - held / len(cycle)
    return rules.players * (rules.hand_size + passes)


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()
