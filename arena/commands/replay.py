"""`arena replay`: the table at the end of a record, or all that led there."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.commands.records import NO_RECORD, Entry, EntryError, record_entries
from arena.excerpt import printable, shown
from arena.notation import write_notation
from arena.position import position_text, position_value
from arena.record import Record
from arena.replay import VerifyError, replay
from arena.terminal import WRONG, CommandError, JsonOption, epilog, print_json
from arena.transcript import compact, transcript

_NAMED_MAX = 5


class Form(StrEnum):
    """How much of the whole game is told."""

    FULL = "full"
    COMPACT = "compact"


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "replay",
        epilog=epilog(
            "arena replay games.jsonl --game demo-17 --transcript full",
            "arena replay games.jsonl --game demo-17 --json",
            "arena replay games.jsonl --game demo-17 --notation > position.txt",
            "arena replay arena-data/void/demo-17-run1-0.json",
            wrong="the record is wrong",
        ),
    )(_replay)


def _replay(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="JSON lines or notation; - reads stdin."),
    ],
    *,
    game: Annotated[
        str, typer.Option(metavar="ID", help="Which game, when there are several.")
    ] = "",
    form: Annotated[
        Form | None,
        typer.Option(
            "--transcript", help="The whole game: every trick, or a line a deal."
        ),
    ] = None,
    notation: Annotated[
        bool,
        typer.Option("--notation", help="The record as text that can be edited."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """
    Show the table at the end of a record, or with --transcript full the whole game.

    An unfinished record is a position: whose turn it is, the legal cards, all
    hands, the open trick and the scores. With --notation the record is printed as it
    is, whether or not it follows the rules.
    """
    entry, record = _chosen(file, game)
    if notation:
        typer.echo(write_notation(record), nl=False)
        return
    try:
        end = replay(record)
    except VerifyError as error:
        raise CommandError(f"{entry.place}: {error}", exit_code=WRONG) from None
    names = [seat.bot for seat in record.seats]
    if form and not as_json:
        text = transcript if form == Form.FULL else compact
        typer.echo(text(record), nl=False)
        return
    if as_json:
        print_json({"game": record.game, **position_value(end, names=names)})
        return
    league = f" of league {record.league}" if record.league else ""
    typer.echo(printable(f"Game {record.game}{league}"))
    names = [printable(name) for name in names]
    typer.echo(position_text(end, names=names), nl=False)


def _chosen(file: Path, game: str) -> tuple[Entry, Record]:
    """Return the only record, or the one that is asked for."""
    found: list[tuple[Entry, Record]] = []
    for entry in record_entries(file):
        try:
            record = entry.read()
        except EntryError as error:
            message = f"{file}:{error.line}: {error}"
            raise CommandError(message, exit_code=WRONG) from None
        if game in ("", record.game):
            found.append((entry, record))
    if len(found) == 1:
        return found[0]
    if not found:
        what = f"no game {shown(game)}" if game else NO_RECORD
        raise CommandError(f"{file}: {what}")
    names = ", ".join(record.game for _, record in found[:_NAMED_MAX])
    more = ", …" if len(found) > _NAMED_MAX else ""
    raise CommandError(
        f"{file}: {len(found)} games; choose one with --game ID ({names}{more})"
    )
