"""`arena demo`: the whole arena at work, in about twenty seconds."""

from pathlib import Path
from typing import Annotated

import typer

from arena.listen import Listen
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    data_option,
    epilog,
    print_note,
)
from leagues.commands.data import reading
from leagues.commands.league import house_names, play_league, report_outcome
from leagues.config import Entrant, EntrantKind, LeagueConfig
from leagues.running.hosting import Hosted

_ENTRANTS = 6
_SEED = "demo"
_EXAMPLE = Path("clients/python/examples/careful_bot.py")


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "demo",
        epilog=epilog(
            "arena demo",
            "arena demo --games 24 --data demo-data",
            wrong="games are left to play",
        ),
    )(_demo)


def _demo(
    *,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="How many.")
    ] = 240,
    port: Annotated[
        int,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65535,
            help="The arena's port; 0 is any free one.",
        ),
    ] = 0,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Play a small open league of six house bots, each in its own process.

    The league is called demo. A demo that was stopped goes on; after a finished
    one the next is demo-2, and so on. Its deals come from the practice seed
    "demo", so every demo of the same length deals the same cards.
    """
    name = _league_name(data, games)
    entrants = tuple(house_names())[:_ENTRANTS]
    config = LeagueConfig(
        name=name,
        entrants=tuple(
            Entrant(name=house, kind=EntrantKind.HOUSE, house=house)
            for house in entrants
        ),
        games=games,
        practice_seed=_SEED,
    )
    print_note(f"League {name}: {games} games of {', '.join(entrants)}")
    hosted = Hosted(config, Path.cwd())
    outcome, failures = play_league(
        data, hosted, listen=Listen(port=port), command="arena demo"
    )
    exit_code = report_outcome(data, outcome, failures)
    option, bot = data_option(data), _EXAMPLE if _EXAMPLE.exists() else "mybot.py"
    print_note(
        f"\nTry next:\n"
        f"  arena games show {name}-1{option}          every trick of the first game\n"
        f"  arena games export {name}{option} -o games.jsonl && "
        "arena verify games.jsonl\n"
        f"  arena play{option} -- python {bot}   your own bot against some of these"
    )
    raise typer.Exit(exit_code)


def _league_name(data: Path, games: int) -> str:
    """Return the demo to go on with, else a name that is free."""
    try:
        # A first demo finds nothing; what else is wrong shows when it is played.
        with reading(data) as store:
            leagues = {league.name: league for league in store.leagues()}
    except CommandError:
        leagues = {}
    number = 1
    while True:
        name = "demo" if number == 1 else f"demo-{number}"
        league = leagues.get(name)
        if league is None:
            return name
        is_whole = league.games_finished == len(league.seatings)
        if not is_whole and len(league.seatings) == games:
            return name
        number += 1
