"""`arena league pause` and the like: what the host of a league decides about it."""

import getpass
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from arena.excerpt import shown
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    counted,
    epilog,
    print_note,
)
from leagues.appeals import AppealError
from leagues.audit import BY_MAX, REASON_MAX, Action, AuditEntry, checked_text
from leagues.audited import decide, now
from leagues.commands.data import chosen_league, game_number, reading, writing_beside
from leagues.league import League

__all__ = ["add_to"]

LeagueArgument = Annotated[
    str, typer.Argument(metavar="LEAGUE", help="The league's name.")
]
EntrantArgument = Annotated[str, typer.Argument(metavar="BOT", help="The entrant.")]
ReasonOption = Annotated[
    str,
    typer.Option(
        "--reason",
        metavar="TEXT",
        help=f"Why, for everybody to read; at most {REASON_MAX} characters.",
    ),
]
ByOption = Annotated[
    str,
    typer.Option(
        "--by", metavar="NAME", help="Who decides it; by default the user's name."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add the commands to those of leagues."""
    commands: tuple[tuple[Callable[..., None], str], ...] = (
        (pause, 'arena league pause friday --reason "fire alarm"'),
        (resume, 'arena league resume friday --reason "false alarm"'),
        (void, 'arena league void friday 17 --reason "the network was down"'),
        (exclude, 'arena league exclude friday ada --reason "two bots of one owner"'),
        (reinstate, 'arena league reinstate friday ada --reason "it was a mistake"'),
    )
    for command, example in commands:
        app.command(command.__name__, epilog=epilog(example))(command)


def pause(
    league: LeagueArgument,
    *,
    reason: ReasonOption,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Start no more games of a league until it is resumed.

    Running games end. An arena that plays the league learns of it within seconds,
    and whoever runs it later waits too.
    """
    entry = _entry(Action.PAUSE, reason=reason, by=by)
    _decided(data, league, entry)
    typer.echo(
        f"league {league} is paused: running games end, and no more start until "
        f"`arena league resume {league}`"
    )


def resume(
    league: LeagueArgument,
    *,
    reason: ReasonOption,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """Let a league go on that was paused."""
    found = _decided(data, league, _entry(Action.RESUME, reason=reason, by=by))
    typer.echo(f"league {league} goes on{_when(found)}")


def void(
    league: LeagueArgument,
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="Its number, such as 17 or friday-17.")
    ],
    *,
    reason: ReasonOption,
    no_replay: Annotated[
        bool, typer.Option("--no-replay", help="Do not play it again.")
    ] = False,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Let a finished game count for nobody, and play it again.

    It is dealt anew, unless the league's deals are open. Its record is kept:
    `arena games export LEAGUE --void` writes it.
    """
    number = _number(data, league, game)
    entry = _entry(
        Action.VOID, reason=reason, by=by, game=number, is_replayed=not no_replay
    )
    found = _decided(data, league, entry)
    again = "is not played again" if no_replay else f"is played again{_when(found)}"
    typer.echo(f"game {league}-{number} does not count any more, and {again}")


def exclude(
    league: LeagueArgument,
    bot: EntrantArgument,
    *,
    reason: ReasonOption,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Take an entrant out of a league.

    It has no place in the standings, the games that it has played count for nobody,
    and those that are left are not played. Nothing is lost: `arena league reinstate`
    takes it back.
    """
    entry = _entry(Action.EXCLUDE, reason=reason, by=by, entrant=bot)
    _decided(data, league, entry)
    with reading(data) as store:
        standings = store.standings(league)
    out = counted(standings.games_finished - standings.games_counted, "finished game")
    typer.echo(
        f"{bot} is excluded from league {league}: {out} with excluded entrants count "
        "for nobody, and no more are played"
    )


def reinstate(
    league: LeagueArgument,
    bot: EntrantArgument,
    *,
    reason: ReasonOption,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Take an entrant back that was excluded.

    Its games count again, and those that are left are played, unless the league is
    finished and its secret published meanwhile.
    """
    entry = _entry(Action.REINSTATE, reason=reason, by=by, entrant=bot)
    found = _decided(data, league, entry)
    rest = f"those that are left are played{_when(found)}"
    if found.state == "finished":
        rest = "as the league is finished, no more are played"
    typer.echo(f"{bot} is back in league {league}: its games count again, and {rest}")


def _entry(
    action: Action,
    *,
    reason: str,
    by: str,
    entrant: str = "",
    game: int = 0,
    is_replayed: bool = False,
) -> AuditEntry:
    try:
        return AuditEntry(
            action=action,
            reason=checked_text(reason, what="--reason", length_max=REASON_MAX),
            by=checked_text(by or _user(), what="--by", length_max=BY_MAX),
            time=now(),
            entrant=entrant,
            game=game,
            is_replayed=is_replayed,
        )
    except ValueError as error:
        raise CommandError(str(error)) from None


def _user() -> str:
    """Return the name of the operating system's user, or the number."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"user {os.getuid()}"


def _number(data: Path, league: str, game: str) -> int:
    """Read the number of a game, with or without the league's name."""
    text = game.removeprefix(f"{league}-")
    if not (text.isascii() and text.isdecimal()):
        raise CommandError(
            f"{shown(game)} is no game; expected its number, such as 17 or {league}-17"
        )
    with reading(data) as store:
        return game_number(store, f"{league}-{text}")[1]


def _decided(data: Path, name: str, entry: AuditEntry) -> League:
    """Put a decision into force; return the league as it is then."""
    with reading(data) as store:
        chosen_league(store, name)
    with writing_beside(data) as store:
        try:
            kept = decide(store, name, entry)
        except AppealError as error:
            raise CommandError(str(error)) from None
        league = store.league(name)
    print_note(
        f"entry {kept.number} of the audit log of {name}; its head is now {kept.digest}"
    )
    return league


def _when(league: League) -> str:
    """Say when a league goes on that has something to play."""
    if league.state == "running":
        return ", within seconds"
    return " when the league is run the next time"
