"""What counts in a league, as the store has it, and the standings that it makes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import sqlalchemy as sa

from arena.record import RulesRecord
from leagues.appeals import Appeals, appeals_of
from leagues.results import GameResult
from leagues.results_file import write_result
from leagues.standings import LeagueFacts, Standings, standings_of
from leagues.storage.audit_rows import read_audit
from leagues.storage.ladder_rows import earlier_hashes, window_start
from leagues.storage.league import League
from leagues.storage.rows import read_results, read_stood_in, read_suspensions
from leagues.storage.withheld import count_withheld, withheld_numbers

__all__ = [
    "Counted",
    "count_lost",
    "count_lost_later",
    "is_too_old",
    "read_counted",
    "read_counting",
    "result_lines",
]


@dataclass(frozen=True, slots=True)
class Counted:
    """All that standings are made of."""

    facts: LeagueFacts
    results: list[GameResult]
    stood_in: Mapping[tuple[int, str], str]
    appeals: Appeals
    earlier: tuple[str, ...]

    def standings(self) -> Standings:
        """Work the standings out."""
        return standings_of(
            self.facts,
            self.results,
            stood_in=self.stood_in,
            appeals=self.appeals,
            earlier=self.earlier,
        )


def read_counted(connection: sa.Connection, league: League) -> Counted:
    """Return what the standings of a league are made of."""
    suspended = read_suspensions(connection, league.id)
    withheld = count_withheld(connection, league)
    appeals = appeals_of(read_audit(connection, league.id))
    start = window_start(connection, league, appeals.excluded)
    return Counted(
        facts=replace(
            league.facts(),
            suspended=tuple(one.text for one in suspended),
            withheld_games=withheld.games,
            withheld_blocks=withheld.blocks,
        ),
        results=read_results(connection, league, after=start, limit=None),
        stood_in=read_stood_in(connection, league.id),
        appeals=appeals,
        earlier=earlier_hashes(connection, league, through=start),
    )


def read_counting(connection: sa.Connection, league: League) -> list[GameResult]:
    """Return the results that count, in the order of their numbers."""
    appeals = appeals_of(read_audit(connection, league.id))
    start = window_start(connection, league, appeals.excluded)
    return appeals.counting(read_results(connection, league, after=start, limit=None))


def count_lost(connection: sa.Connection, league: League, bot: str) -> int:
    """Return how many results would count if one entrant were not excluded.

    Of a ladder these are those among its last games, which older ones replace.
    """
    appeals = appeals_of(read_audit(connection, league.id))
    others = {name: why for name, why in appeals.excluded.items() if name != bot}
    start = window_start(connection, league, others)
    results = read_results(connection, league, after=start, limit=None)
    counting = replace(appeals, excluded=others).counting(results)
    return sum(any(seat.entrant == bot for seat in game.seats) for game in counting)


def count_lost_later(connection: sa.Connection, league: League, bot: str) -> int:
    """Return how many withheld games would count later if it were not excluded."""
    excluded = appeals_of(read_audit(connection, league.id)).excluded
    others = excluded.keys() - {bot}
    tables = map(league.seats, withheld_numbers(connection, league))
    return sum(bot in table and others.isdisjoint(table) for table in tables)


def is_too_old(connection: sa.Connection, league: League, number: int) -> bool:
    """Tell whether a game of a ladder has had enough others after it."""
    excluded = appeals_of(read_audit(connection, league.id)).excluded
    return number <= window_start(connection, league, excluded)


def result_lines(league: League, results: Iterable[GameResult]) -> Iterator[str]:
    """Yield results of a league as lines, wherever they are published.

    A seat has the name of its bot and its version beside it, as in records, so that
    whoever rates them knows what belongs together; and its owner as the league has it
    now, since whose a bot is may have been said after the game.
    """
    rules, owners = RulesRecord(**league.values["rules"]), league.owners
    for result in results:
        yield write_result(result, league=league.name, rules=rules, owners=owners)
