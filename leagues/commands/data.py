"""The data directory as commands open it: errors in one line, the newest league."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.excerpt import shown
from arena.terminal import CommandError, print_note
from leagues.storage.store import League, Store, StoreError

__all__ = [
    "chosen_league",
    "game_number",
    "reading",
    "tell_withheld",
    "writing_beside",
]

_DIGITS_MAX = 9


@contextmanager
def reading(data: Path) -> Iterator[Store]:
    """Open a data directory to look into it, also while an arena owns it."""
    with _explained(), Store.open_read_only(data) as store:
        yield store


@contextmanager
def writing_beside(data: Path) -> Iterator[Store]:
    """Open a data directory for a short change, also while an arena owns it."""
    with _explained(), Store.open_beside(data) as store:
        yield store


def chosen_league(store: Store, name: str | None) -> League:
    """
    Return a league by its name, the newest one when there is no name.

    Raises:
        CommandError: There is no such league, or none at all.
    """
    leagues = store.leagues()
    for league in leagues:
        if name in (None, league.name):
            return league
    names = ", ".join(league.name for league in leagues)
    if name is None or not names:
        message = "there is no league yet; `arena demo` or `arena league run` make one"
        raise CommandError(message)
    raise CommandError(f"there is no league {shown(name)}; there are: {names}")


def game_number(store: Store, game: str) -> tuple[League, int]:
    """
    Find a game by its name, for example `demo-17`.

    Raises:
        CommandError: The name is none, or there is no such game.
    """
    league, _, number = game.rpartition("-")
    if not league or not number.isdecimal() or len(number) > _DIGITS_MAX:
        raise CommandError(
            f"{shown(game)} is no game; expected its name, such as demo-17"
        )
    found = chosen_league(store, league)
    if not 1 <= int(number) <= len(found.seatings):
        raise CommandError(
            f"league {league} has games 1 to {len(found.seatings)}, but no {number}"
        )
    return found, int(number)


def tell_withheld(store: Store, league: League) -> None:
    """Say how many games of a league are left out, if any, and why."""
    if (withheld := store.withheld(league.name)).games:
        print_note(f"left out: {withheld}")


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise CommandError(str(error)) from None
