"""Closing a league: a directory with its results, its records and their checksums.

The directory appears whole, under its name, or not at all.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.commitment import write_schedule
from arena.record import Record, read_record
from leagues.audit import head_of
from leagues.reports.checks import schedule_words
from leagues.reports.formats import FORMATS as REPORT_FORMATS
from leagues.reports.kinds import OF_RESULTS
from leagues.reports.page import PageFile, results_page
from leagues.reports.pgn import pairs_pgn
from leagues.reports.source import Source, source_of
from leagues.reports.standings import FORMATS, full_form
from leagues.reports.worst_deals import WorstDeals
from leagues.standings import Standings, records_digest
from leagues.storage.audited import void_records
from leagues.storage.counted import result_lines
from leagues.storage.league import League
from leagues.storage.roster import settled_plans
from leagues.storage.store import Store

__all__ = ["CHECKSUMS", "CloseError", "FILES", "close_league"]

CHECKSUMS: Final = "SHA256SUMS"
FILES: Final = (
    PageFile("records.jsonl", "every finished game, card by card"),
    PageFile("void.jsonl", "the games that the host has made void, card by card"),
    PageFile("results.jsonl", "what each game that counts came to"),
    PageFile("schedule.json", "roster, rules and schedule"),
    PageFile("standings.txt", "the standings as text"),
    PageFile("standings.md", "the standings in Markdown"),
    PageFile("standings.csv", "the standings as a table"),
    PageFile("standings.json", "the standings with every fault and decision"),
    PageFile("crosstable.csv", "everybody against everybody"),
    PageFile("errors.csv", "the error of the difference of each two ratings"),
    PageFile("los.csv", "how likely each is better than each"),
    PageFile("seats.csv", "points and score by seat and by left neighbour"),
    PageFile("faults.csv", "faults by bot"),
    PageFile("balance.csv", "how evenly everybody has played"),
    PageFile("pairs.pgn", "the results of each two seats, for other programs"),
    PageFile(CHECKSUMS, "checksums of all these files"),
)
"""What lies beside the page, `index.html`."""

_PAGE: Final = "index.html"
_STANDINGS: Final = {"txt": "text", "md": "md", "csv": "csv", "json": "json"}
_TABLES: Final = ("crosstable", "errors", "los", "seats", "faults", "balance")


class CloseError(Exception):
    """A league that can't be closed, or not into this directory."""


def close_league(
    store: Store,
    league: League,
    output: Path,
    *,
    early: str = "",
    on_record: Callable[[int], None] = lambda _: None,
) -> list[str]:
    """Write the results of a league that is not being played into a new directory.

    Args:
        store: Where the league is.
        league: It has finished games.
        output: Where to; there must be nothing yet, or an empty directory.
        early: Why it is closed before its end; empty when it is finished.
        on_record: Called after each record with how many there are so far.

    Returns:
        The names of the files.

    Raises:
        CloseError: Something is there already, or the league has changed meanwhile,
            be it that its host has decided something.
    """
    standings = store.standings(league.name)
    if early:
        facts = replace(standings.league, state=f"closed early ({early})")
        standings = replace(standings, league=facts)
    results = store.counting_results(league.name)
    source = source_of(standings.league, results)
    with _appearing(output) as part:
        worst = _write_records(store, standings, source, part, on_record)
        lines = result_lines(league, results)
        _write(part / "results.jsonl", "".join(line + "\n" for line in lines))
        _write_tables(standings, source, part)
        with store.database.read() as connection:
            settled = write_schedule(settled_plans(connection, league))
        _write(part / "schedule.json", settled)
        files = [_told(file, standings) for file in FILES]
        page = results_page(standings, source, worst=worst.of, files=files)
        _write(part / _PAGE, page)
        names = [_PAGE, *(file.name for file in FILES[:-1])]
        sums = [f"{_checksum(part / name)}  {name}\n" for name in names]
        _write(part / CHECKSUMS, "".join(sums))
    return [*names, CHECKSUMS]


@contextmanager
def _appearing(output: Path) -> Iterator[Path]:
    """Give a directory beside the output, which takes its name at the end."""
    output = output.absolute()  # Even `.` has a name then, and a place beside it.
    if output.is_symlink() or (output.exists() and not output.is_dir()):
        raise CloseError(f"{output} is there already and no directory; name a new one")
    if output.is_dir() and any(output.iterdir()):
        raise CloseError(
            f"{output} is there already and not empty; name a new one, or remove it"
        )
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{output.name}.", dir=output.parent))
    except OSError as error:
        raise CloseError(f"{output}: can't be made: {error.strerror}") from None
    try:
        yield part
        # What is published is to be read by others than its owner, as far as the
        # user lets files be.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o777 & ~mask)
        part.rename(output)
    except OSError as error:
        raise CloseError(f"{output}: can't be written: {error.strerror}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write_records(
    store: Store,
    standings: Standings,
    source: Source,
    part: Path,
    on_record: Callable[[int], None],
) -> WorstDeals:
    """Write records, and look for the worst deals on the way."""
    # With the names of what is rated, which are those that worst deals are told of.
    counting = {result.number: result for result in source.results}
    worst = WorstDeals()
    hashes = []
    with (part / "records.jsonl").open("w", encoding="utf-8") as records:
        for number, line in store.records(standings.league.name):
            record: Record = read_record(line)
            records.write(line + "\n")
            hashes.append(record.hash)
            if number in counting:
                worst.add((counting[number], record))
            on_record(len(hashes))
    void = [line + "\n" for _, line in void_records(store, standings.league.name)]
    _write(part / "void.jsonl", "".join(void))
    name = standings.league.name
    head = head_of(name, store.decisions(name))
    if records_digest(hashes) != standings.digest or head != standings.audit_head:
        raise CloseError(f"league {name} has changed meanwhile; close it again")
    return worst


def _told(file: PageFile, standings: Standings) -> PageFile:
    """Say what a file holds, where that is another thing in each league."""
    if file.name != "schedule.json":
        return file
    return replace(file, what=schedule_words(standings))


def _write_tables(standings: Standings, source: Source, part: Path) -> None:
    for ending, form in _STANDINGS.items():
        _write(part / f"standings.{ending}", FORMATS[form](full_form(standings)))
    for kind in _TABLES:
        text = REPORT_FORMATS["csv"](OF_RESULTS[kind](source))
        _write(part / f"{kind}.csv", text)
    with (part / "pairs.pgn").open("w", encoding="utf-8") as file:
        file.writelines(pairs_pgn(standings.league.name, source.results))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _checksum(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
