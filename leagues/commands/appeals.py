"""`arena league pause` and the like: what the host of a league decides about it."""

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
from leagues.appeals import AppealError, appeals_of
from leagues.audit import BY_MAX, REASON_MAX, Action, AuditEntry, checked_text
from leagues.commands.data import chosen_league, game_number, reading, writing_beside
from leagues.reports.words import listed
from leagues.storage.audited import decide, now
from leagues.storage.counted import count_lost, count_lost_later, is_too_old
from leagues.storage.league import League
from leagues.storage.roster import user_name

__all__ = ["add_to"]

LeagueArgument = Annotated[
    str, typer.Argument(metavar="LEAGUE", help="The league's name.")
]
EntrantArgument = Annotated[
    str, typer.Argument(metavar="BOT", help="The entrant, with all its versions.")
]
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
        (withdraw, 'arena league withdraw friday ada --reason "its owner has left"'),
        (reinstate, 'arena league reinstate friday ada --reason "it was a mistake"'),
        (end, 'arena league end friday --reason "the lesson is over"'),
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
    with reading(data) as store, store.database.read() as connection:
        was_old = is_too_old(connection, store.league(league), number)
    found = _decided(data, league, entry)
    counts = "did" if was_old else "does"
    again = "is not played again"
    if not no_replay:
        with reading(data) as store:
            excluded = appeals_of(store.decisions(league)).excluded
        names = sorted(excluded.keys() & set(found.seats(number)))
        again = f"is played again{_when(found)}"
        if names:
            again = f"is not played again as long as {listed(names)} is excluded"
    typer.echo(f"game {league}-{number} {counts} not count any more, and {again}")


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
    found = _decided(data, league, entry)
    with reading(data) as store, store.database.read() as connection:
        lost = count_lost(connection, found, bot)
        hidden = count_lost_later(connection, found, bot)
    verb = "counts" if lost == 1 else "count"
    out = f"{counted(lost, 'finished game')} that counted until now {verb} for nobody"
    if hidden:
        out += f", nor {counted(hidden, 'game')} of it withheld in open blocks"
    typer.echo(f"{bot} is excluded from league {league}: {out}, and no more are played")


def withdraw(
    league: LeagueArgument,
    bot: EntrantArgument,
    *,
    reason: ReasonOption,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Let an entrant play no more, while all that it has played counts.

    Games that run end. Those that are left are planned anew among the others, who
    play as many games as before or more: at once where an arena plays the league, else
    when it is run the next time. `arena league reinstate` lets it play again, and
    `arena league exclude` takes away what it has played.
    """
    entry = _entry(Action.WITHDRAW, reason=reason, by=by, entrant=bot)
    found = _decided(data, league, entry)
    typer.echo(
        f"{bot} has withdrawn from league {league}: what it has played counts, and the "
        f"games that are left are planned anew without it{_when(found)}"
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
    Take an entrant back that was excluded, or that has withdrawn.

    Its games count again, and those that are left are played, unless the league is
    finished and its secret published meanwhile. For an entrant without any, since
    they were planned anew without it, they are planned anew once more: it plays more
    often than the others until it has caught up with them.
    """
    with reading(data) as store:
        former = appeals_of(store.decisions(chosen_league(store, league).name))
    entry = _entry(Action.REINSTATE, reason=reason, by=by, entrant=bot)
    found = _decided(data, league, entry)
    counts = "its games count again"
    rest = f"those that are left are played{_when(found)}"
    if bot not in former.excluded:
        counts = "the games that are left"
        rest = f"are planned anew with it{_when(found)}"
    elif bot in former.withdrawn:
        rest = "it plays no more, as it has withdrawn"
    elif found.state == "finished":
        rest = "as the league is finished, no more are played"
    joint = ", and " if bot in former.excluded else " "
    typer.echo(f"{bot} is back in league {league}: {counts}{joint}{rest}")


def end(
    league: LeagueArgument,
    *,
    reason: ReasonOption,
    by: ByOption = "",
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Finish a league with the games that it has played.

    Running games end and count; no more are played. Its secret is published, so there
    is no way back.
    """
    found = _decided(data, league, _entry(Action.END, reason=reason, by=by))
    planned = "" if found.ladder else f"{found.games_finished} of "
    number = found.games_finished if found.ladder else found.games_planned
    games = f"{planned}{counted(number, 'game')} played"
    if found.state == "running":
        typer.echo(f"league {league} ends: running games are played to their ends")
    else:
        typer.echo(f"league {league} is finished, {games}")


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
            by=checked_text(by or user_name(), what="--by", length_max=BY_MAX),
            time=now(),
            entrant=entrant,
            game=game,
            is_replayed=is_replayed,
        )
    except ValueError as error:
        raise CommandError(str(error)) from None


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
