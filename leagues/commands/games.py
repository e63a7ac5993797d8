"""`arena games`: finished games as lists, transcripts and files of records."""

import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import Annotated, Any

import typer

from arena.record import read_record
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
)
from arena.transcript import compact, transcript
from leagues.audit import Action
from leagues.commands.data import (
    chosen_league,
    game_number,
    reading,
    tell_withheld,
)
from leagues.commands.export import export
from leagues.commands.faults import faults
from leagues.results import GameResult
from leagues.storage.league import League
from leagues.storage.store import Store

app = typer.Typer(help="List, show and export finished games.", no_args_is_help=True)

LeagueArgument = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="The league; by default the newest one."),
]


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
        chosen = chosen_league(store, league)
        name = chosen.name
        results = store.results(name)
        tell_withheld(store, chosen)
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
            raise CommandError(_why_untold(store, league, number)) from None
    record = read_record(line)
    if as_json:
        typer.echo(line)
    else:
        typer.echo(compact(record) if short else transcript(record), nl=False)


def _why_untold(store: Store, league: League, number: int) -> str:
    """Say why a game can't be shown."""
    game, blocks = f"game {league.name}-{number}", league.blocks
    try:
        store.record(league.name, number, with_withheld=True)
    except KeyError:
        return f"{game} {_why_missing(store, league, number)}"
    others = blocks.games(blocks.block(number))
    return (
        f"{game} is withheld until games {others[0]} to {others[-1]} are finished, "
        "since they are dealt from the same cards"
    )


def _why_missing(store: Store, league: League, number: int) -> str:
    """Say why a game has no record among those that are finished."""
    for entry in reversed(store.decisions(league.name)):
        if entry.action == Action.VOID and entry.game == number:
            return (
                f"is void, and was not played again so far: {entry.reason}; "
                f"`arena games export {league.name} --void` writes its record"
            )
    if league.state == "finished":
        return "was not played, and the league is finished"
    return "is not finished yet"


app.command(
    "export",
    epilog=epilog(
        "arena games export demo -o demo.jsonl",
        "arena games export demo --format notation -o demo.txt",
        "arena games export demo --format text | less",
        "arena games export demo --format results -o results.jsonl",
        "arena games export demo --format parquet -o tables",
        "arena games export --records demo.jsonl --format parquet -o tables",
        "arena games export demo --arena 192.168.1.5:50051 -o demo.jsonl",
    ),
)(export)
app.command(
    "faults",
    epilog=epilog(
        "arena games faults demo",
        "arena games faults demo --bot careful",
        "arena games faults demo --json",
    ),
)(faults)


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
