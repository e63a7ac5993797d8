"""
What commands print: one-line errors, progress, JSON, shared options.

Results go to standard output, everything else to standard error, so that a
result can be piped on. On a terminal there are colours and moving bars; elsewhere
plain lines.
"""

import json
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from arena.excerpt import printable

__all__ = [
    "FINE",
    "WRONG",
    "USAGE",
    "PASSING",
    "CommandError",
    "DataOption",
    "JsonOption",
    "ProgressBar",
    "counted",
    "data_option",
    "epilog",
    "only_cause",
    "print_columns",
    "print_error",
    "print_json",
    "print_note",
    "progress_bar",
]

FINE = 0
"""The exit code when all went well."""
WRONG = 1
"""The exit code when the thing that was checked or played is wrong."""
USAGE = 2
"""The exit code when the command could not do its work as it was called."""
PASSING = 75
"""The exit code when what failed may pass by itself, as in `sysexits.h`: a full disk, a
file that is busy. Whoever keeps an arena running may start it again."""

_LINE_SECONDS = 2.0
"""How far apart plain progress lines are."""

DataOption = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="HEARTS_DATA",
        metavar="DIR",
        help="The data directory: results, tokens and logs.",
        file_okay=False,
        show_default=True,
    ),
]
DATA_DEFAULT = Path("arena-data")

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


class CommandError(Exception):
    """Ends a command with one line: what is wrong, what was expected, what to do."""

    def __init__(self, message: str, *, exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def only_cause(error: BaseException) -> BaseException:
    """
    Return what a nursery has wrapped: the error that was there first.

    A group of several errors is what came of one thing that went wrong in several
    tasks at once, such as a full disk.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def epilog(
    *examples: str, wrong: str = "", stopped: str = "", passing: str = ""
) -> str:
    """
    Return what ends a command's help: its examples and its exit codes.

    Args:
        examples: command lines.
        wrong: what exit code 1 means; empty when the command never returns it.
        stopped: what exit code 130 means, if that is more than Ctrl-C.
        passing: what exit code 75 means; empty when the command never returns it.
    """
    codes = ["0 fine", *([f"1 {wrong}"] if wrong else ()), "2 it could not be done"]
    codes += [f"{PASSING} {passing}"] if passing else []
    codes += [f"130 {stopped}"] if stopped else []
    lines = ["Examples:", *(f"  {line}" for line in examples)]
    return "\n\n".join([*lines, "Exit codes: " + ", ".join(codes) + "."])


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, `1 game` or `2 games`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def data_option(data: Path) -> str:
    """Return how a command has to be given this directory, with a space before."""
    return "" if data == DATA_DEFAULT else f" --data {shlex.quote(str(data))}"


def print_error(message: str) -> None:
    """Print an error to standard error."""
    message = printable(message, keeps="\n")
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print("error:", style="bold red", end=" ")
    console.print(message, markup=False)


def print_note(message: str = "") -> None:
    """Print to standard error what belongs to no result."""
    message = printable(message, keeps="\n")
    Console(stderr=True, soft_wrap=True, highlight=False).print(message, markup=False)


def print_json(value: Mapping[str, Any] | list[Any]) -> None:
    """Print a value for programs to read, on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns; the last one is as long as it needs to be."""
    table = [heads, *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


class ProgressBar(Protocol):
    """How far a piece of work has come."""

    def update(self, done: int, *, total: int | None = None, note: str = "") -> None:
        """Show that `done` pieces of the total are done, with a few words."""


class _Silence:
    def update(self, done: int, *, total: int | None = None, note: str = "") -> None:
        pass


class _RichBar:
    def __init__(self, progress: Progress, label: str, *, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task(label, total=total, note="")

    def update(self, done: int, *, total: int | None = None, note: str = "") -> None:
        self._progress.update(self._task, completed=done, total=total, note=note)


class _PlainLines:
    """Says how far the work is every two seconds, so nothing at all if it is short."""

    def __init__(self, label: str, *, total: int, unit: str) -> None:
        self._label = label
        self._total = total
        self._unit = f" {unit}" if unit else ""
        self._last_time = time.monotonic()

    def update(self, done: int, *, total: int | None = None, note: str = "") -> None:
        self._total = self._total if total is None else total
        now = time.monotonic()
        if now - self._last_time >= _LINE_SECONDS:
            self._last_time = now
            # Nobody may know how much there is to do.
            of_all = f" of {self._total}" if self._total else ""
            progress = f"{done}{of_all}{self._unit}"
            print_note(f"{self._label}: {progress} {note}".rstrip())


@contextmanager
def progress_bar(
    label: str, *, total: int, unit: str = "", is_shown: bool = True
) -> Iterator[ProgressBar]:
    """
    Show progress while the block lasts: a bar on a terminal, else plain lines.

    Args:
        label: what is done, in one word.
        total: how much there is to do.
        unit: `bytes`, or nothing for a number of things.
        is_shown: without it nothing is printed, as where something else needs
            the terminal.
    """
    if not is_shown:
        yield _Silence()
        return
    if not sys.stderr.isatty():
        yield _PlainLines(label, total=total, unit=unit)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn() if unit == "bytes" else MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as progress:
        yield _RichBar(progress, label, total=total)
