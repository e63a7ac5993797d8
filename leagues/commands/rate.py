"""`arena rate`: ratings of the games in files, without a data directory."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from arena.commands.records import Entry, EntryError, each_once, record_entries
from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.record import Record
from arena.terminal import (
    WRONG,
    CommandError,
    counted,
    epilog,
    print_error,
    print_note,
    progress_bar,
)
from leagues.commands.audit import evidence_of
from leagues.commands.report import ReportFormat
from leagues.commands.standings import FullOption
from leagues.evidence import Evidence, altered, log_problem
from leagues.families import called, families
from leagues.reports.decided import Decided
from leagues.reports.merged import FileGame, FileGames, MergeError, merged
from leagues.reports.proven import Proof, proof_of, table_problem
from leagues.reports.standings import FORMATS, full_form
from leagues.results import GameResult
from leagues.results_file import ResultsError, is_result, read_result
from leagues.standings import LeagueFacts, Standings, standings_of

_SHOWN_MAX = 20
_EXPECTED = (
    "records or results, as `arena games export` writes them: a line of JSON for each "
    "game, or records in notation; standings in JSON go with --audit"
)
"""What files hold, for errors."""
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
            wrong="games or standings were changed, or games are missing",
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
            "excluded bots do not; games are compared with their digest and table. One "
            "for each league.",
        ),
    ] = None,
) -> None:
    """
    Rate the games in files together, and print the standings with errors.

    The games of several leagues count as those of one, if their rules are the same.
    Each version of a bot is rated by itself, and all of them have rows; with --audit
    they are rated and shown as in those standings.
    Whoever has the records of a league, or its results (arena games export), can so
    work out its standings. With --audit the records are compared with the hashes in
    the standings, and where they are all there the table with the one worked out here;
    what was changed or is missing is named.
    """
    files = each_once(files)
    logs = [(path, _audit_log(path)) for path in audit or ()]
    reader = _Reader({log.league for _, log in logs})
    try:
        decided = Decided(log for _, log in logs)
        found = list(reader.games(files))
        games = decided.counting(found)
        proofs = _proofs(logs, found, reader.altered)
        facts, results = merged(
            games,
            state=f"from {counted(len(files), 'file')}",
            anchor=anchor or ANCHOR_DEFAULT,
        )
    except MergeError as error:
        raise CommandError(str(error)) from None
    leagues = sorted({game.league for game in games})
    facts = _as_published(facts, [log for _, log in logs if [log.league] == leagues])
    if anchor is not None:
        facts = replace(facts, anchor=_anchor(anchor, facts, results))
    facts = replace(facts, window=decided.window(leagues))
    earlier = [item.result.record_hash for item in decided.old if facts.window]
    standings = standings_of(
        facts, results, appeals=decided.appeals(leagues), earlier=earlier
    )
    shown_form = full_form(standings) if full else standings
    typer.echo(FORMATS[form](shown_form), nl=False)
    _print_notes(reader, decided)
    if anchor is None and (note := _anchor_note(facts.entrants)):
        print_note(note)
    problems = [f"{path}: {proof.missing}" for path, proof in proofs if proof.missing]
    if len(leagues) == 1:
        for (path, log), (_, proof) in zip(logs, proofs, strict=True):
            problems += _held(path, log, proof, standings, facts, results)
    for problem in problems:
        print_error(problem)
    if problems:
        raise typer.Exit(WRONG)


def _anchor_note(entrants: Collection[str]) -> str:
    """Say how games of a match are rated from the bot that its own standings take."""
    first = f"{ANCHOR_DEFAULT}-1"
    if ANCHOR_DEFAULT in entrants or first not in entrants:
        return ""
    return (
        f"no game seats {ANCHOR_DEFAULT}, so 1500 is the mean of all; --anchor {first} "
        f"rates from {first}, as the standings of a match do"
    )


def _as_published(facts: LeagueFacts, logs: list[Evidence]) -> LeagueFacts:
    """Rate the versions of bots as standings do that are given with their games."""
    tables = [log.table for log in logs if log.table is not None]
    return replace(facts, versions=tables[0].versions) if tables else facts


def _anchor(anchor: str, facts: LeagueFacts, results: list[GameResult]) -> str:
    """Return the entrant that is to be rated 1500, which may be named as a version.

    Raises:
        CommandError: It has played in none of the games.
    """
    if anchor in facts.entrants:
        return anchor
    members = families(results, facts.versions).members
    if (found := called(anchor, members)) is not None:
        return found
    known = did_you_mean(anchor, facts.entrants) or (
        f"there are: {', '.join(facts.entrants)}"
    )
    raise CommandError(f"no game seats {shown(anchor)}; {known}")


def _proofs(
    logs: list[tuple[Path, Evidence]], games: list[FileGame], altered: set[str]
) -> list[tuple[Path, Proof]]:
    """Compare games with standings.

    Raises:
        CommandError: Some were changed, or stand twice.
    """
    proofs = [(path, proof_of(log, games, altered=altered)) for path, log in logs]
    wrong = [text for _, proof in proofs for text in proof.changed]
    if wrong:
        for text in wrong[:_SHOWN_MAX]:
            print_error(text)
        more = len(wrong) - _SHOWN_MAX
        ending = f" and {more} more" if more > 0 else ""
        message = f"nothing is rated: see above{ending}"
        raise CommandError(message, exit_code=WRONG)
    return proofs


def _held(
    path: Path,
    log: Evidence,
    proof: Proof,
    standings: Standings,
    facts: LeagueFacts,
    results: list[GameResult],
) -> Iterator[str]:
    """Hold the table of a file against these games, where they are all of a league."""
    if not proof.is_whole or log.table is None:
        return
    if problem := table_problem(log, standings, facts, results):
        yield f"{path}: {problem}"
        return
    what = "digest and table" if proof.is_digest_checked else "table"
    print_note(
        f"{path}: {what} checked against these games; not checked: owners, causes of "
        "faults, and how the league was set up and ended."
    )


def _print_notes(reader: "_Reader", decided: Decided) -> None:
    """Say which games were left out, and what else is to be known of them."""
    if reader.left_out:
        print_note(f"Left out: {counted(reader.left_out, 'game')} void or unfinished.")
    if decided.void:
        print_note(f"Left out: {counted(decided.void, 'game')} made void by the host.")
    if decided.old:
        print_note(
            f"Left out: {counted(len(decided.old), 'game')} too old for a ladder."
        )
    if decided.excluded:
        left_out = counted(decided.excluded, "game")
        print_note(f"Left out: {left_out} with excluded bots.")
    if reader.open_deals:
        print_note("Open deals, not for competition.")
    if reader.unproven:
        print_note(
            f"Not proven: the figures of {counted(reader.unproven, 'result')}, which "
            "have only the hashes of their records; rate the records for that."
        )


class _Reader:
    """Reads the finished games of files, and counts what is to be noted of them."""

    def __init__(self, proven: Collection[str]) -> None:
        """
        Start without games.

        Args:
            proven: The leagues whose records are compared with their standings.
        """
        self.left_out = 0
        self.open_deals = 0
        self.unproven = 0
        """Results of these leagues, without records."""
        self.altered: set[str] = set()
        """Where records of these leagues stand that have another hash than they say."""
        self._proven = proven
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
                    if record.league in self._proven and altered(record):
                        self.altered.add(entry.place)
                    yield self._games.of_record(record, place=entry.place)

    def _of_result(self, entry: Entry, text: str) -> FileGame:
        try:
            line = read_result(text, file=entry.file, line=entry.line)
        except ResultsError as error:
            raise CommandError(str(error)) from None
        self.unproven += line.league in self._proven
        return self._games.of_result(line)


def _audit_log(path: Path) -> Evidence:
    """Read the audit log that standings hold, which must be whole."""
    evidence = evidence_of(path)
    if problem := log_problem(evidence):
        raise CommandError(f"{path}: {problem}", exit_code=WRONG)
    return evidence


def _read(entry: Entry) -> Record:
    try:
        return entry.read(expected=_EXPECTED)
    except EntryError as error:
        raise CommandError(f"{entry.file}:{error.line}: {error}") from None
