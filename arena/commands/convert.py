"""`arena convert`: records from JSON to the notation, and back."""

from pathlib import Path
from typing import Annotated

import typer

from arena.commands.records import NO_RECORD, EntryError, record_entries
from arena.notation import write_notation
from arena.record import write_record
from arena.terminal import WRONG, CommandError, epilog


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "convert",
        epilog=epilog(
            "arena convert games.jsonl > games.txt",
            "arena convert position.txt > position.jsonl",
            wrong="a record can't be read",
        ),
    )(_convert)


def _convert(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="JSON lines or notation; - reads stdin."),
    ],
) -> None:
    """
    Print records in the other form: JSON lines as notation, notation as JSON lines.

    Nothing is lost on the way, in either direction; there and back gives the same
    line of JSON. What the records say is not checked, see `arena verify`.
    """
    count = 0
    for entry in record_entries(file):
        try:
            record = entry.read()
        except EntryError as error:
            message = f"{file}:{error.line}: {error}"
            raise CommandError(message, exit_code=WRONG) from None
        if entry.is_notation:
            typer.echo(write_record(record))
        else:
            typer.echo(("\n" if count else "") + write_notation(record), nl=False)
        count += 1
    if not count:
        raise CommandError(f"{file}: {NO_RECORD}")
