"""`arena games`: finished games as lists, transcripts and files of records."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any, TextIO

import typer

from arena.notation import write_notation
from arena.record import RecordError, read_record
from arena.replay import VerifyError, replay
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    JsonOption,
    counted,
    epilog,
    print_columns,
    print_json,
    print_note,
    progress_bar,
)
from arena.transcript import compact, transcript
from leagues.commands.data import chosen_league, game_number, reading
from leagues.commands.faults import faults
from leagues.results import GameResult

app = typer.Typer(help="List, show and export finished games.", no_args_is_help=True)

LeagueArgument = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="The league; by default the newest one."),
]


class ExportFormat(StrEnum):
    """What an export holds."""

    JSONL = "jsonl"
    """Records, one a line."""
    NOTATION = "notation"
    """Records as text, which reads as the same records again."""
    TEXT = "text"
    """Transcripts."""


@app.command(
    "list",
    epilog=epilog("arena games list demo", "arena games list --limit 0 --json"),
)
def list_(
    league: LeagueArgument = None,
    *,
    limit: Annotated[
        int, typer.Option(metavar="N", min=0, help="The last ones; 0 for all.")
    ] = 20,
    as_json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """List the finished games of a league, with totals and places by seat."""
    with reading(data) as store:
        name = chosen_league(store, league).name
        results = store.results(name)
    shown = results[-limit:] if limit else results
    if as_json:
        print_json([_summary(name, result) for result in shown])
        return
    heads = ("Game", "Deals", "Faults", "Entrants with totals, the best first")
    rows = [_row(name, result) for result in shown]
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    print_columns(heads, fitted_rows(heads, rows, width=width))
    if len(shown) < len(results):
        print_note(
            f"These are the last {len(shown)} of {counted(len(results), 'game')}; "
            "--limit 0 lists all."
        )


@app.command(
    "show", epilog=epilog("arena games show demo-17", "arena games show demo-17 --json")
)
def show(
    game: Annotated[str, typer.Argument(metavar="ID", help="Such as demo-17.")],
    *,
    short: Annotated[
        bool, typer.Option("--short", help="One line a deal instead of every trick.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the record itself.")
    ] = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """Print the transcript of a game: hands, passes, tricks, faults, scores."""
    with reading(data) as store:
        league, number = game_number(store, game)
        try:
            line = store.record(league.name, number)
        except KeyError:
            raise CommandError(f"game {game} is not finished yet") from None
    record = read_record(line)
    if as_json:
        typer.echo(line)
    else:
        typer.echo(compact(record) if short else transcript(record), nl=False)


@app.command(
    "export",
    epilog=epilog(
        "arena games export demo -o demo.jsonl",
        "arena games export demo --format notation -o demo.txt",
        "arena games export demo --format text | less",
        "arena games export demo --arena 192.168.1.5:50051 -o demo.jsonl",
    ),
)
def export(
    league: LeagueArgument = None,
    *,
    form: Annotated[
        ExportFormat,
        typer.Option(
            "--format", help="Records, as JSON or as notation, or transcripts."
        ),
    ] = ExportFormat.JSONL,
    output: Annotated[
        Path | None,
        typer.Option("-o", metavar="FILE", help="By default standard output."),
    ] = None,
    after: Annotated[
        int, typer.Option(metavar="N", min=0, help="Only games with a greater number.")
    ] = 0,
    arena: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Download from a running arena.")
    ] = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Write the records of a league's finished games, in the order of their numbers.

    The lines are the same whenever and wherever they are exported, apart from
    the times at their end.
    """
    if arena:
        lines, total = _downloaded(league, arena, after), 0
        _write(lines, form, output, total)
        return
    with reading(data) as store:
        chosen = chosen_league(store, league)
        lines = (line for _, line in store.records(chosen.name, after=after))
        _write(lines, form, output, chosen.games_finished)


app.command(
    "faults",
    epilog=epilog(
        "arena games faults demo",
        "arena games faults demo --bot careful",
        "arena games faults demo --json",
    ),
)(faults)


def _downloaded(league: str | None, address: str, after: int) -> Iterator[str]:
    from hearts.league import LeagueError, download_games

    if league is None:
        raise CommandError("--arena needs the league's name: arena games export NAME …")
    try:
        yield from download_games(league, address=address, after_game_number=after)
    except LeagueError as error:
        raise CommandError(str(error)) from None


def _write(
    lines: Iterator[str], form: ExportFormat, output: Path | None, total: int
) -> None:
    count = 0
    with _opened(output) as file, progress_bar("exported", total=total) as bar:
        for line in lines:
            file.write(_exported(line, form) + "\n")
            count += 1
            bar.update(count, total=total or None)
    if output:
        print_note(f"{output}: {counted(count, 'game')}")


def _exported(line: str, form: ExportFormat) -> str:
    """Return a record, given as a line of JSON, in a form; a line end follows it."""
    if form == ExportFormat.JSONL:
        return line
    try:
        record = read_record(line)
        if form == ExportFormat.NOTATION:
            return write_notation(record)
        replay(record)  # Whoever sent it may have sent anything.
    except (RecordError, VerifyError) as error:
        raise CommandError(f"a record that can't be told: {error}") from None
    return transcript(record)


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
        with part.open("w", encoding="utf-8") as file:
            yield file
        os.replace(part, output)
    except OSError as error:
        raise CommandError(f"{output}: can't be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def fitted_rows(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int | None
) -> list[tuple[str, ...]]:
    """
    Break the last column of a table between its entries, so that lines fit.

    An entry, which two blanks part from the next, is never broken itself.
    """
    *shorter, _ = zip(heads, *rows, strict=True)
    room = (width or sys.maxsize) - sum(2 + max(map(len, c)) for c in shorter)
    fitted = []
    for *cells, last in rows:
        lines = [""]
        for entry in last.split("  "):
            longer = f"{lines[-1]}  {entry}" if lines[-1] else entry
            if len(longer) <= room or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(entry)
        fitted.append((*cells, lines[0]))
        fitted += [(*("" for _ in cells), line) for line in lines[1:]]
    return fitted


def _summary(league: str, result: GameResult) -> dict[str, Any]:
    return {
        "game": f"{league}-{result.number}",
        "number": result.number,
        "deals": result.deals,
        "entrants": [seat.entrant for seat in result.seats],
        "totals": [seat.total for seat in result.seats],
        "places": [seat.place for seat in result.seats],
        "faults": len(result.faults),
        "given_up": [item.seat for item in result.given_up],
        "hash": result.record_hash,
    }


def _row(league: str, result: GameResult) -> tuple[str, ...]:
    seats = sorted(result.seats, key=lambda seat: seat.place)
    return (
        f"{league}-{result.number}",
        str(result.deals),
        str(len(result.faults)),
        "  ".join(f"{seat.entrant} {seat.total}" for seat in seats),
    )
