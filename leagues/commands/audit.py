"""`arena league audit`: the audit log of a league, and whether anything was changed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from arena.commands.opened import opened
from arena.commands.records import EntryError, record_entries
from arena.document import DocumentError
from arena.excerpt import shown
from arena.record import Record, RecordError, read_record
from arena.rotations import game_number
from arena.terminal import (
    DATA_DEFAULT,
    WRONG,
    CommandError,
    DataOption,
    JsonOption,
    counted,
    epilog,
    print_error,
    print_json,
    progress_bar,
)
from leagues.commands.data import chosen_league, reading
from leagues.evidence import (
    Evidence,
    altered,
    log_problem,
    read_evidence,
    record_problems,
)
from leagues.results import result_of
from leagues.storage.audited import void_records
from leagues.storage.store import Store

__all__ = ["add_to", "evidence_of"]


def add_to(app: typer.Typer) -> None:
    """Add the command to those of leagues."""
    app.command(
        "audit",
        epilog=epilog(
            "arena league audit friday",
            "arena league audit friday --head 3f0c…",
            "arena league audit --file friday.json --records friday.jsonl "
            "--void friday-void.jsonl",
            wrong="something was changed",
        ),
    )(audit)


def audit(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The league; by default the newest one."),
    ] = None,
    *,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Standings in JSON, instead of a data directory."
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --file: the records of its games."),
    ] = None,
    void: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --file: those of its void games."),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HEX", help="A head of the log that you have noted earlier."
        ),
    ] = None,
    as_json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Show the audit log of a league, and check that nothing was changed.

    Each entry of the log is chained by a hash to the one before, the records of
    games likewise, and the ends of both chains stand below all standings. What is
    wrong first is named. With --file it takes no data directory: anybody can check
    exported standings and records. The figures of the table stand under no hash:
    `arena rate --audit` works them out again from the records. Nor do the
    times in records stand under one, so what `arena games faults` tells is the word of
    whoever kept them. `arena verify` checks the games themselves.
    """
    if file is None and (records or void):
        raise CommandError("--records and --void go with --file")
    if file is not None and name is not None:
        raise CommandError(f"expected either the league {name} or --file, not both")
    unchecked = ""
    if file is not None:
        evidence, problems = _of_files(file, records, void)
        unchecked = _unchecked(records, void)
    else:
        evidence, problems = _of_store(data, name)
    wrong = log_problem(evidence, noted=[text.strip().lower() for text in head or []])
    problems = [*([wrong] if wrong else []), *problems]
    if as_json:
        _print_value(evidence, problems, is_file=file is not None)
    else:
        _print_text(evidence, problems, unchecked)
    if problems:
        raise typer.Exit(WRONG)


def _of_store(data: Path, name: str | None) -> tuple[Evidence, list[str]]:
    with reading(data) as store:
        league = chosen_league(store, name).name
        standings = store.standings(league)
        evidence = Evidence(
            league=league,
            entries=standings.appeals.entries,
            audit_head=standings.audit_head,
            records_digest=standings.digest,
            games_finished=standings.games_finished,
        )
        problems = list(_altered_results(store, league, standings.games_finished))
        # They are looked at and not told.
        void = void_records(store, league, with_withheld=True)
        kept = [_hash(text) for _, text in void]
    return evidence, [*problems, *record_problems(evidence, void=kept)]


def _altered_results(store: Store, league: str, total: int) -> Iterator[str]:
    """Compare the results that standings are made of with the records of games."""
    results = {result.number: result for result in store.results(league)}
    with progress_bar("audited", total=total) as bar:
        for count, (number, text) in enumerate(store.records(league), start=1):
            if not _hash(text):
                yield f"the record of game {league}-{number} was changed"
            elif number in results and results[number] != result_of(read_record(text)):
                yield f"the result of game {league}-{number} is not that of its record"
            bar.update(count)


def _hash(text: str) -> str:
    """Return the hash of a record; empty when it was changed."""
    try:
        record = read_record(text)
    except RecordError:
        return ""
    return "" if altered(record) else record.hash


def _of_files(
    file: Path, records: Path | None, void: Path | None
) -> tuple[Evidence, list[str]]:
    evidence = evidence_of(file)
    games = list(_read(records)) if records else []
    kept = list(_read(void)) if void else []
    problems = list(_altered_records((*games, *kept)))
    hashes = {_number(evidence, record, records): record.hash for record in games}
    if len(hashes) < len(games):
        problems.append(f"{records}: a game stands twice")
    problems += record_problems(
        evidence,
        hashes=hashes if records else None,
        void={record.hash for record in kept} if void else None,
    )
    return evidence, problems


def evidence_of(file: Path) -> Evidence:
    """
    Read standings in JSON.

    Raises:
        CommandError: The file holds none.
    """
    with opened(file, expected="standings in JSON") as lines:
        try:
            return read_evidence(lines.read())
        except DocumentError as error:
            raise CommandError(f"{file}: {error}") from None


def _number(evidence: Evidence, record: Record, file: Path | None) -> int:
    """Return the number of a game of the league; a block may have several games."""
    league = evidence.league
    try:
        if record.league == league:
            return game_number(record)
    except ValueError:
        pass
    raise CommandError(
        f"{file}: {shown(record.game)} is no game of league {shown(league)}"
    )


def _read(path: Path) -> Iterator[Record]:
    for entry in record_entries(path):
        try:
            yield entry.read()
        except EntryError as error:
            raise CommandError(f"{path}:{error.line}: {error}") from None


def _altered_records(records: Iterable[Record]) -> Iterator[str]:
    for record in records:
        if altered(record):
            yield f"the record of game {record.game} was changed"


def _unchecked(records: Path | None, void: Path | None) -> str:
    """Say what was checked of files, and what was not."""
    checked = "log" + ", records" * bool(records) + ", void games" * bool(void)
    return (
        f"Checked: {checked}; the table's figures are not: arena rate RECORDS --audit "
        "FILE works them out again."
    )


def _print_value(evidence: Evidence, problems: list[str], *, is_file: bool) -> None:
    print_json(
        {
            "league": evidence.league,
            "audit": [
                {**entry.document(), "digest": entry.digest}
                for entry in evidence.entries
            ],
            "audit_head": evidence.audit_head,
            "records_digest": evidence.records_digest,
            "games_finished": evidence.games_finished,
            "is_table_checked": not is_file,
            "is_right": not problems,
            "wrong": problems,
        }
    )


def _print_text(evidence: Evidence, problems: list[str], unchecked: str) -> None:
    for entry in evidence.entries:
        typer.echo(entry.line)
    typer.echo(f"Digest of records {evidence.records_digest}")
    typer.echo(f"Head of the audit log {evidence.audit_head}")
    for problem in problems:
        print_error(problem)
    if not problems:
        entries = len(evidence.entries)
        log = "1 entry" if entries == 1 else f"{entries} entries"
        games = counted(evidence.games_finished, "game")
        typer.echo(f"league {evidence.league}: {log}, {games}: nothing was changed")
    if unchecked:
        typer.echo(unchecked)
