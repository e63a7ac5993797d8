"""`arena league lift`: ends the suspension of an entrant."""

from collections.abc import Collection
from typing import Annotated

import typer

from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.terminal import DATA_DEFAULT, CommandError, DataOption
from leagues.appeals import appeals_of
from leagues.commands.data import chosen_league, reading
from leagues.storage.store import Store, StoreError
from leagues.storage.suspended import lift as lift_suspension
from leagues.storage.suspended import suspensions_of

__all__ = ["EXAMPLES", "lift"]

EXAMPLES = ("arena league lift friday ada",)


def lift(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The league.")],
    entrant: Annotated[
        str, typer.Argument(metavar="ENTRANT", help="Who is to play again.")
    ],
    *,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Let an entrant that is suspended play again, from the next run on.

    What it has done so far is forgiven: it takes as many given-up games as before
    until it is suspended again. In a finished league nothing is played any more,
    and its standings keep what they say.
    """
    with reading(data) as store:
        league = chosen_league(store, name)
        suspended = {one.entrant for one in suspensions_of(store, name)}
        excluded = appeals_of(store.decisions(name)).excluded
    if entrant not in league.entrants:
        known = did_you_mean(entrant, league.entrants) or (
            f"it has {', '.join(league.entrants)}"
        )
        raise CommandError(f"league {name} has no entrant {shown(entrant)}; {known}")
    if entrant in excluded:
        raise CommandError(
            f"{entrant} is excluded from league {name}: {excluded[entrant].reason}; "
            f"`arena league reinstate {name} {entrant}` takes that back"
        )
    if league.state == "finished":
        typer.echo(_finished_words(name, entrant, suspended))
        return
    try:
        with Store.open_beside(data) as store:
            was_suspended = lift_suspension(store, name, entrant)
    except StoreError as error:
        raise CommandError(str(error)) from None
    if was_suspended:
        typer.echo(f"{entrant} plays again when league {name} is run the next time")
    else:
        typer.echo(f"{entrant} is not suspended in league {name}")


def _finished_words(name: str, entrant: str, suspended: Collection[str]) -> str:
    """Say why there is nothing to lift in a finished league."""
    done = f"league {name} is finished, and nothing more will be played"
    if entrant in suspended:
        return f"{done}; its standings go on to say that {entrant} was suspended"
    return f"{done}; {entrant} is not suspended in it"
