"""`arena league close`: the results of a league as files that can be published."""

from pathlib import Path
from typing import Annotated

import typer

from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    counted,
    data_option,
    progress_bar,
)
from leagues.audit import REASON_MAX, checked_text
from leagues.commands.data import chosen_league, reading
from leagues.commands.process import orderly_termination, rare_collections
from leagues.storage.league import League

__all__ = ["EXAMPLES", "close"]

EXAMPLES = (
    "arena league close friday --output friday-results",
    'arena league close friday --output friday-results --early "the term is over"',
)


def close(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The league.")],
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="DIR", help="A new directory.", file_okay=False
        ),
    ],
    early: Annotated[
        str,
        typer.Option(metavar="REASON", help="Close a league that is not finished."),
    ] = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Write a results page with all records and checksums, to be published or printed.

    The directory holds index.html, which needs nothing from anywhere, and beside it
    records, results, standings and tables. It appears when it is whole. The store
    stays as it is.
    """
    # Templates are slow to load, and no other command needs them.
    from leagues.closing import CloseError, close_league

    with reading(data) as store:
        league = chosen_league(store, name)
        reason = _reason(league, early, data)
        if not league.games_finished:
            raise CommandError(f"league {name} has no finished game yet")
        with (
            orderly_termination(),
            rare_collections(),
            progress_bar("read", total=league.games_finished) as bar,
        ):
            try:
                files = close_league(
                    store, league, output, early=reason, on_record=bar.update
                )
            except CloseError as error:
                raise CommandError(str(error)) from None
    typer.echo(f"{output}: {counted(len(files), 'file')}; open {output / files[0]}")


def _reason(league: League, early: str, data: Path) -> str:
    """Check that the league may be closed; return why before its end."""
    if league.state == "running":
        raise CommandError(
            f"league {league.name} is being played; wait for its end, or stop it first"
        )
    if league.state == "finished":
        if early:
            raise CommandError(f"league {league.name} is finished; leave out --early")
        return ""
    if not early and league.ladder is not None:
        raise CommandError(
            f"{league.name} is a ladder, and goes on; arena league end finishes it, or "
            f"give a reason with arena league close {league.name} --output DIR "
            f"--early REASON{data_option(data)}"
        )
    if not early:
        raise CommandError(
            f"league {league.name} is not finished: {league.games_finished} of "
            f"{league.games_planned} games are; run it again, or give a reason with "
            f"arena league close {league.name} --output DIR --early REASON"
            f"{data_option(data)}"
        )
    try:
        return checked_text(early, what="the reason", length_max=REASON_MAX)
    except ValueError as error:
        raise CommandError(str(error)) from None
