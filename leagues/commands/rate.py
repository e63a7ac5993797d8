"""`arena rate`: ratings of the games in files, without a data directory."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from arena.commands.records import Entry, EntryError, record_entries
from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.record import Record
from arena.terminal import (
    WRONG,
    CommandError,
    counted,
    epilog,
    print_note,
    progress_bar,
)
from leagues.commands.audit import evidence_of
from leagues.commands.report import ReportFormat
from leagues.commands.standings import FullOption
from leagues.evidence import Evidence, log_problem
from leagues.reports.decided import Decided
from leagues.reports.merged import FileGame, FileGames, MergeError, merged
from leagues.reports.standings import FORMATS, full_form
from leagues.results_file import ResultsError, is_result, read_result
from leagues.standings import standings_of

ANCHOR_DEFAULT = "careful"
"""The house bot that is rated 1500 where it plays."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "rate",
        epilog=epilog(
            "arena rate friday.jsonl",
            "arena rate friday.jsonl saturday.jsonl --format csv",
            "arena games export friday | arena rate - --anchor ada",
            "arena games export friday --format results | arena rate -",
            "arena rate records.jsonl --audit standings.json",
            wrong="an audit log was changed",
        ),
    )(_rate)


def _rate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            help="Records, JSON lines or notation, or results; - reads stdin.",
        ),
    ],
    *,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who is rated 1500; by default careful where it plays, else the "
            "mean of all is.",
        ),
    ] = None,
    form: Annotated[
        ReportFormat, typer.Option("--format", help="How standings are written.")
    ] = ReportFormat.TEXT,
    full: FullOption = False,
    audit: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Standings in JSON, whose audit log counts: void games and those of "
            "excluded bots do not. One for each league.",
        ),
    ] = None,
) -> None:
    """
    Rate the games in files together, and print the standings with errors.

    The games of several leagues count as those of one, if their rules are the same.
    Each version of a bot is rated by itself.
    Whoever has the records of a league, or its results (arena games export), can so
    work out its standings.
    """
    reader = _Reader()
    try:
        decided = Decided(map(_audit_log, audit or ()))
        games = decided.counting(reader.games(files))
        facts, results = merged(
            games,
            state=f"from {counted(len(files), 'file')}",
            anchor=anchor or ANCHOR_DEFAULT,
        )
    except MergeError as error:
        raise CommandError(str(error)) from None
    if anchor is not None and anchor not in facts.entrants:
        known = did_you_mean(anchor, facts.entrants) or (
            f"there are: {', '.join(facts.entrants)}"
        )
        raise CommandError(f"no game seats {shown(anchor)}; {known}")
    appeals = decided.appeals(sorted({game.league for game in games}))
    standings = standings_of(facts, results, appeals=appeals)
    standings = full_form(standings) if full else standings
    typer.echo(FORMATS[form](standings), nl=False)
    if reader.left_out:
        print_note(f"Left out: {counted(reader.left_out, 'game')} void or unfinished.")
    if decided.void:
        print_note(f"Left out: {counted(decided.void, 'game')} made void by the host.")
    if decided.excluded:
        left_out = counted(decided.excluded, "game")
        print_note(f"Left out: {left_out} with excluded bots.")
    if reader.open_deals:
        print_note("Open deals, not for competition.")


class _Reader:
    """Reads the finished games of files, and counts what is to be noted of them."""

    def __init__(self) -> None:
        self.left_out = 0
        self.open_deals = 0
        self._games = FileGames()

    def games(self, files: list[Path]) -> Iterator[FileGame]:
        """Yield the finished games of all files."""
        read = 0
        with progress_bar("read", total=0) as bar:
            for entry in chain.from_iterable(map(record_entries, files)):
                read += 1
                bar.update(read, total=read)
                if isinstance(entry.content, str) and is_result(entry.content):
                    yield self._of_result(entry, entry.content)
                    continue
                record = _read(entry)
                if record.places is None or record.totals is None:
                    self.left_out += 1
                else:
                    self.open_deals += record.open_deals
                    yield self._games.of_record(record, place=entry.place)

    def _of_result(self, entry: Entry, text: str) -> FileGame:
        try:
            line = read_result(text, file=entry.file, line=entry.line)
        except ResultsError as error:
            raise CommandError(str(error)) from None
        return self._games.of_result(line)


def _audit_log(path: Path) -> Evidence:
    """Read the audit log that standings hold, which must be whole."""
    evidence = evidence_of(path)
    if problem := log_problem(evidence):
        raise CommandError(f"{path}: {problem}", exit_code=WRONG)
    return evidence


def _read(entry: Entry) -> Record:
    try:
        return entry.read()
    except EntryError as error:
        raise CommandError(f"{entry.file}:{error.line}: {error}") from None
