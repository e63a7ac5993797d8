"""`arena games export`: finished games as files of records, as text, as tables."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TextIO

import typer

from arena.commands.records import NO_RECORD, EntryError, each_once, record_entries
from arena.notation import write_notation
from arena.record import (
    Record,
    RecordError,
    read_record,
    write_record,
)
from arena.replay import VerifyError, replay
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    counted,
    print_note,
    progress_bar,
)
from arena.transcript import transcript
from leagues.analysis.rows import rows_of
from leagues.commands.data import chosen_league, reading, tell_withheld
from leagues.commands.process import orderly_termination, rare_collections
from leagues.results_file import record_result
from leagues.storage.audited import void_records
from leagues.storage.counted import result_lines
from leagues.storage.league import League
from leagues.storage.store import Store

__all__ = ["export"]


class ExportFormat(StrEnum):
    """What an export holds."""

    JSONL = "jsonl"
    """Records, one a line."""
    NOTATION = "notation"
    """Records as text, which reads as the same records again."""
    TEXT = "text"
    """Transcripts."""
    RESULTS = "results"
    """What ratings are computed from, a line a game."""
    PARQUET = "parquet"
    """Tables of games, deals and turns, for analysis."""


class _Game:
    """One game that is exported: its line of JSON, its record, or both."""

    def __init__(
        self, *, line: str = "", record: Record | None = None, place: str = ""
    ) -> None:
        self._line = line
        self._record = record
        self._place = f"{place}: " if place else ""

    @property
    def line(self) -> str:
        return self._line or write_record(self.record)

    @property
    def record(self) -> Record:
        if self._record is None:
            with self.told():
                self._record = read_record(self._line)
        return self._record

    def result(self) -> str:
        """Return its line of results."""
        try:
            return record_result(self.record)
        except ValueError as error:
            raise CommandError(f"{self._place}{error}, so it has no result") from None

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say where a record is from that is none, or contradicts itself."""
        try:
            yield
        except (RecordError, VerifyError) as error:
            message = f"{self._place}a record that can't be told: {error}"
            raise CommandError(message) from None


def export(
    league: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The league; by default the newest one."),
    ] = None,
    *,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format",
            help="Records, as JSON or as notation; transcripts; results, all that "
            "ratings need; or tables for analysis.",
        ),
    ] = ExportFormat.JSONL,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="By default standard output; a directory for parquet.",
        ),
    ] = None,
    after: Annotated[
        int, typer.Option(metavar="N", min=0, help="Only games with a greater number.")
    ] = 0,
    arena: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Download from a running arena.")
    ] = "",
    records: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Take the games from a file of records, JSON lines or notation, "
            "instead of a league; may stand several times.",
        ),
    ] = None,
    void: Annotated[
        bool,
        typer.Option("--void", help="Those that `arena league void` made void."),
    ] = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Write the records of a league's finished games, in the order of their numbers.

    The lines are the same whenever and wherever they are exported, apart from
    the times at their end. With --format parquet a directory gets games.parquet,
    deals.parquet and turns.parquet; docs/researchers.md describes their columns, and
    the keys of results. Games that are void are written with --void alone, so that
    whoever reads an export counts no game twice; games of excluded bots have no
    results.
    """
    if form == ExportFormat.PARQUET and output is None:
        raise CommandError("parquet needs a directory for its files: -o DIRECTORY")
    if void and (records or arena or after):
        raise CommandError("--void takes no --records, no --arena and no --after")
    if void and form == ExportFormat.RESULTS:
        raise CommandError("games that are void have no results")
    if records:
        if league or arena or after:
            raise CommandError("--records takes no league, no --arena and no --after")
        _write(_filed(records), form, output, total=0)
    elif arena:
        _write(_downloaded(league, arena, after), form, output, total=0)
        _tell_withheld(league, arena)
    else:
        with reading(data) as store:
            chosen = chosen_league(store, league)
            tell_withheld(store, chosen)
            total = chosen.games_finished - store.withheld(chosen.name).games
            if form == ExportFormat.RESULTS:
                _write_lines(_results(store, chosen, after), output, total=total)
                return
            lines = store.records(chosen.name, after=after)
            if void:
                kept = void_records(store, chosen.name)
                lines, total = iter(kept), len(kept)
            games = (_Game(line=line) for _, line in lines)
            _write(games, form, output, total=total)


def _results(store: Store, league: League, after: int) -> Iterator[str]:
    """Yield the results of a league as its standings count them."""
    results = store.counting_results(league.name)
    yield from result_lines(league, (one for one in results if one.number > after))


def _filed(files: Iterable[Path]) -> Iterator[_Game]:
    """Yield the games of files of records; none may be there twice."""
    places: dict[tuple[str, str], str] = {}
    for file in each_once(files):
        is_empty = True
        for entry in record_entries(file):
            is_empty = False
            try:
                record = entry.read()
            except EntryError as error:
                raise CommandError(f"{file}:{error.line}: {error}") from None
            game = record.league, record.game
            if before := places.get(game):
                message = f"{entry.place}: game {record.game} stands in {before} too"
                raise CommandError(message)
            places[game] = entry.place
            yield _Game(record=record, place=entry.place)
        if is_empty:
            raise CommandError(f"{file}: {NO_RECORD}")


def _downloaded(league: str | None, address: str, after: int) -> Iterator[_Game]:
    from hearts.league import LeagueError, download_games

    if league is None:
        raise CommandError("--arena needs the league's name: arena games export NAME …")
    try:
        for line in download_games(league, address=address, after_game_number=after):
            yield _Game(line=line)
    except LeagueError as error:
        raise CommandError(str(error)) from None


def _tell_withheld(league: str | None, address: str) -> None:
    """Say how many games a running arena has left out, if any, and why."""
    from hearts.league import LeagueError, withheld_games

    try:
        count = withheld_games(league or "", address=address)
    except LeagueError as error:
        raise CommandError(str(error)) from None
    if count:
        print_note(
            f"left out: {counted(count, 'game')}, withheld until all games of "
            "their blocks are played, since the same deals come again"
        )


def _write(
    games: Iterator[_Game], form: ExportFormat, output: Path | None, *, total: int
) -> None:
    if form == ExportFormat.PARQUET and output is not None:
        _write_tables(games, output, total)
        return
    _write_lines((_exported(game, form) for game in games), output, total=total)


def _write_lines(lines: Iterator[str], output: Path | None, *, total: int) -> None:
    count = 0
    with _opened(output) as file, progress_bar("exported", total=total) as bar:
        for line in lines:
            file.write(line + "\n")
            count += 1
            bar.update(count, total=total or None)
    if output:
        print_note(f"{output}: {counted(count, 'game')}")


def _write_tables(games: Iterator[_Game], directory: Path, total: int) -> None:
    try:
        from leagues.analysis.parquet import parquet_files
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        raise CommandError(
            "parquet needs the package 'pyarrow'; `pip install -e '.[analysis]'` in a "
            "clone of the project installs it"
        ) from None
    counts = [0, 0, 0]
    names: set[tuple[str, str]] = set()
    try:
        with (
            orderly_termination(),
            parquet_files(directory) as files,
            progress_bar("exported", total=total) as bar,
            rare_collections(),
        ):
            for game in games:
                with game.told():
                    rows = rows_of(game.record)
                name = game.record.league, game.record.game
                if name in names:
                    raise CommandError(f"game {name[1]} would stand there twice")
                names.add(name)
                files.add(rows)
                counts = [n + len(added) for n, added in zip(counts, rows, strict=True)]
                bar.update(counts[0], total=total or None)
    except OSError as error:
        raise CommandError(_refused(directory, error)) from None
    told = (
        counted(n, of) for n, of in zip(counts, ("game", "deal", "turn"), strict=True)
    )
    print_note(f"{directory}: {', '.join(told)}")


def _refused(output: Path, error: OSError) -> str:
    """Say what the system would not do with what is written."""
    return f"{output}: can't be written: {error.strerror or error}"


def _exported(game: _Game, form: ExportFormat) -> str:
    """Return a game in a form that is text; a line end follows it."""
    if form == ExportFormat.JSONL:
        return game.line
    if form == ExportFormat.NOTATION:
        return write_notation(game.record)
    with game.told():
        replay(game.record)  # Whoever sent it may have sent anything.
    if form == ExportFormat.RESULTS:
        return game.result()
    return transcript(game.record)


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    """Open the file that is written; it appears under its name when it is whole."""
    if output is None:
        yield sys.stdout
        return
    if output.exists() and not output.is_file():
        # A device or a pipe is written to, never replaced.
        with output.open("w", encoding="utf-8") as file:
            yield file
        return
    output = output.resolve()  # The file behind a link, not the link.
    part = output.with_name(output.name + ".part")
    try:
        with orderly_termination(), part.open("w", encoding="utf-8") as file:
            yield file
        os.replace(part, output)
    except OSError as error:
        raise CommandError(_refused(output, error)) from None
    finally:
        part.unlink(missing_ok=True)
