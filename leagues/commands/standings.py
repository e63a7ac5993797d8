"""`arena league standings`: how a league stands."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from arena.terminal import DATA_DEFAULT, CommandError, DataOption, epilog
from leagues.board import board
from leagues.commands.data import chosen_league, reading
from leagues.reports.standings import FORMATS, as_text, full_form
from leagues.running_elo import GAMES_MAX, running_elo
from leagues.standings import Standings
from leagues.storage.store import Store

__all__ = ["Format", "FullOption", "add_to", "live_elo", "standings"]

FullOption = Annotated[
    bool,
    typer.Option("--full", help="All bots of each owner, and older versions too."),
]


class Format(StrEnum):
    """How standings are written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MD = "md"


def add_to(app: typer.Typer) -> None:
    """Add the command to those of leagues."""
    app.command(
        "standings",
        epilog=epilog(
            "arena league standings",
            "arena league standings friday --full",
            "arena league standings friday --live",
            "arena league standings friday --format csv > friday.csv",
        ),
    )(standings)


def standings(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The league; by default the newest one."),
    ] = None,
    *,
    form: Annotated[
        Format, typer.Option("--format", help="How they are written.")
    ] = Format.TEXT,
    full: FullOption = False,
    live: Annotated[
        bool,
        typer.Option(
            "--live", help="With a running Elo beside, which is for screens only."
        ),
    ] = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Print the standings of a league, also while it is played.

    Each version of a bot is rated by itself. A league that seats the latest versions
    shows these, and of an owner's bots the best one has a row, with how many more
    there are; --full shows all, as the formats json and csv do.
    """
    if live and form != Format.TEXT:
        raise CommandError(f"--live is for screens only; leave out --format {form}")
    with reading(data) as store:
        found = store.standings(chosen_league(store, name).name)
        running = live_elo(store, found) if live else None
    found = full_form(found) if full else found
    console = Console(highlight=False)
    if form == Format.TEXT and console.is_terminal:
        console.print(board(found, width=console.width, live=running))
    elif live:
        typer.echo(as_text(found, live=running), nl=False)
    else:
        typer.echo(FORMATS[form](found), nl=False)


def live_elo(store: Store, found: Standings) -> Mapping[str, float]:
    """Work the running Elo out that goes with standings."""
    league = found.league
    last = max(0, found.games_finished - GAMES_MAX)
    results = found.appeals.counting(store.results(league.name, after=last))
    return running_elo(results, anchor=league.anchor)
