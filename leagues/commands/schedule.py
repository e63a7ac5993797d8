"""`arena league schedule`: what a league has settled, and its commitment covers."""

from typing import Annotated

import typer

from arena.commitment import write_schedule
from arena.terminal import DATA_DEFAULT, DataOption, epilog
from leagues.commands.data import chosen_league, reading
from leagues.storage.roster import settled_plans

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command to those of leagues."""
    app.command(
        "schedule",
        epilog=epilog(
            "arena league schedule friday > schedule.json",
            "arena verify --secret 5f0c... --schedule schedule.json friday.jsonl",
            "arena verify --secret 5f0c... --schedule schedule.json "
            "--audit standings.json friday.jsonl",
        ),
    )(schedule)


def schedule(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The league; by default the newest one."),
    ] = None,
    *,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Print what a league's commitment covers: roster, rules and schedule, as JSON.

    `arena verify --secret` takes it, and works out the commitment that the league
    published before its first game, and those of plans that were made anew when
    entrants came or went; these have to be in the audit log, which --audit gives it.
    """
    with reading(data) as store:
        league = chosen_league(store, name)
        with store.database.read() as connection:
            settled = settled_plans(connection, league)
    typer.echo(write_schedule(settled), nl=False)
