"""`arena --version`: which software this is."""

import platform
from importlib.metadata import version
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the option to the command line."""
    app.callback()(_options)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(
            f"hearts-arena {version('hearts-arena')} "
            f"(Python {platform.python_version()}, grpcio {version('grpcio')})"
        )
        raise typer.Exit


def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and end.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Programs play Hearts against each other, and leagues rate them."""
