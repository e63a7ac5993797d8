"""`arena league report`: what a league's games say beyond its standings."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.record import read_record
from arena.terminal import DATA_DEFAULT, CommandError, DataOption, progress_bar
from leagues.appeals import EXCLUDED
from leagues.commands.data import chosen_league, reading, tell_withheld
from leagues.commands.process import rare_collections
from leagues.families import called
from leagues.reports.document import Report
from leagues.reports.formats import FORMATS
from leagues.reports.match import match_report
from leagues.reports.pgn import pairs_pgn, phantom_pgn
from leagues.standings import as_decided
from leagues.storage.counted import read_counted
from leagues.storage.league import League
from leagues.storage.match_stored import match_result
from leagues.storage.store import Store

if TYPE_CHECKING:
    from leagues.reports.deals import GameRecord
    from leagues.reports.source import Source

__all__ = ["EXAMPLES", "counting_records", "report"]

EXAMPLES = (
    "arena league report friday crosstable",
    "arena league report friday head-to-head ada careful",
    "arena league report friday los --format csv > los.csv",
)
_PAIR = 2


class Kind(StrEnum):
    """The kinds of reports."""

    CROSSTABLE = "crosstable"
    HEAD_TO_HEAD = "head-to-head"
    ERRORS = "errors"
    LOS = "los"
    FAULTS = "faults"
    SEATS = "seats"
    PASSES = "passes"
    CONVERGENCE = "convergence"
    BALANCE = "balance"
    LUCK = "luck"
    COLLUSION = "collusion"
    MATCH = "match"
    PGN = "pgn"


class ReportFormat(StrEnum):
    """How reports are written."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"
    MD = "md"


def report(
    league: Annotated[str, typer.Argument(metavar="LEAGUE", help="Its name.")],
    kind: Annotated[
        Kind | None, typer.Argument(help="What is to be told; start with crosstable.")
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BOT BOT]", help="The two of head-to-head."),
    ] = None,
    *,
    form: Annotated[
        ReportFormat, typer.Option("--format", help="How it is written.")
    ] = ReportFormat.TEXT,
    phantom: Annotated[
        bool,
        typer.Option("--phantom", help="In a PGN, the draws too that ratings suppose."),
    ] = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Tell more of a league than its standings do, also while it is played.

    Start with crosstable: everybody against everybody. head-to-head: two bots.
    errors, los:
    how surely each two differ. faults: who was late, illegal or away, and how often.
    seats: whether it matters where one sits. passes: points by pass. convergence:
    ratings after each tenth of the games. balance: how evenly everybody has played,
    also where entrants came late or left. luck: how much of it there is. collusion:
    who gives points to whom beyond chance. match: which of the two bots of
    `arena match` is better.
    pgn: the results between each two, for other programs that rate.
    """
    # What works reports out is slow to load, and no other command needs it.
    from leagues.reports.head_to_head import head_to_head
    from leagues.reports.kinds import OF_RECORDS, OF_RESULTS
    from leagues.reports.source import source_of

    with reading(data) as store, rare_collections():
        chosen = chosen_league(store, league)
        if kind is None:
            raise CommandError(_which(chosen))
        with store.database.read() as connection:
            counted = read_counted(connection, chosen)
        source = source_of(*as_decided(counted.facts, counted.results, counted.appeals))
        tell_withheld(store, chosen)
        if kind == Kind.HEAD_TO_HEAD:
            _print(head_to_head(source, *_pair(source, bots or [])), form)
            return
        _refuse(kind, bots or [])
        if kind == Kind.MATCH:
            _print(_match(store, chosen), form)
        elif kind == Kind.PGN:
            _print_pgn(source, form, phantom=phantom)
        elif kind in OF_RESULTS:
            _print(OF_RESULTS[kind](source), form)
        else:
            _print(OF_RECORDS[kind](source, counting_records(store, source)), form)


def counting_records(store: Store, source: "Source") -> "Iterator[GameRecord]":
    """Yield the games of a report with their records, and show how far that is."""
    results = {result.number: result for result in source.results}
    done = 0
    with progress_bar("read", total=len(results)) as bar:
        for number, line in store.records(source.facts.name):
            if number in results:
                yield results[number], read_record(line)
                done += 1
                bar.update(done)


def _print(made: Report, form: ReportFormat) -> None:
    typer.echo(FORMATS[form](made), nl=False)


def _print_pgn(source: "Source", form: ReportFormat, *, phantom: bool) -> None:
    if form != ReportFormat.TEXT:
        raise CommandError(f"pgn is a format of its own; leave out --format {form}")
    name = source.facts.name
    for game in pairs_pgn(name, source.results):
        typer.echo(game, nl=False)
    if phantom:
        for game in phantom_pgn(name, source.ranked):
            typer.echo(game, nl=False)


def _which(league: League) -> str:
    """Say which report to start with."""
    first = Kind.MATCH if league.match is not None else Kind.CROSSTABLE
    others = ", ".join(kind for kind in Kind if kind != first)
    return (
        f"say which report; start with arena league report {league.name} {first}, and "
        f"there are {others}"
    )


def _refuse(kind: Kind, bots: list[str]) -> None:
    if bots:
        raise CommandError(
            f"{shown(bots[0])} is one word too many: {kind} is about all bots; "
            "head-to-head is about two"
        )


def _match(store: Store, league: League) -> Report:
    if league.match is None:
        raise CommandError(
            f"league {league.name} is no match of two bots; `arena match` plays them"
        )
    return match_report(league.name, match_result(store, league))


def _pair(source: "Source", bots: list[str]) -> tuple[str, str]:
    """Return the two bots that are compared."""
    found = [called(bot, source.members) or bot for bot in bots]
    if len(bots) != _PAIR or found[0] == found[1]:
        given = "the same one is given twice"
        if len(bots) != _PAIR:
            given = f"{len(bots)} given"
        raise CommandError(
            f"head-to-head is about two bots, but {given}; for example "
            f"arena league report {source.facts.name} head-to-head ada careful"
        )
    if not source.ranked:
        raise CommandError(f"league {source.facts.name} has no game yet that counts")
    for bot in found:
        if source.facts.came_and_went.get(bot) == EXCLUDED:
            raise CommandError(
                f"{bot} is excluded from league {source.facts.name}, so that none of "
                "its games count"
            )
        if bot not in source.ranked:
            known = did_you_mean(bot, source.ranked) or (
                f"there are: {', '.join(source.ranked)}"
            )
            raise CommandError(
                f"league {source.facts.name} has no game of {shown(bot)}; {known}"
            )
    one, other = found
    return one, other
