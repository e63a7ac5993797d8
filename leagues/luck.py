"""What a league file says of luck, and how many games that makes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from arena.excerpt import shown
from leagues.blocks import NONE, ROTATE
from leagues.entrants import Entrant, EntrantKind, Sandboxing
from leagues.toml_source import Table

__all__ = [
    "GAMES_DEFAULT",
    "GAMES_MAX",
    "VARIANCE_RATIOS",
    "RotatedGames",
    "may_rotate",
    "read_games",
    "read_luck",
    "rotated_games",
]

GAMES_DEFAULT: Final = 240
"""With luck `rotate` so many, or as many more as make the last block whole."""
GAMES_TIMED: Final = 100_000
"""The same where time is limited: as many as hardly any league plays in a night."""
GAMES_MAX: Final = 10_000_000

_WAY_OUT: Final = 'or set luck = "none"'


@dataclass(frozen=True, slots=True)
class RotatedGames:
    """How many games with luck `rotate` tell as much as a league's without."""

    fewest: int
    """Among bots of different styles, where it is worth the most."""
    most: int
    """Where it is worth the least."""
    alike: int
    """Among versions of one bot."""


VARIANCE_RATIOS: Final = (1.07, 1.16, 2.14)
"""How many games with deals of their own tell as much as one of a rotated block, by the
places of games: among house bots of different styles at the least and the most, and
among two versions of one; measured at tables of four, see docs/ratings.md."""


def rotated_games(games: int, *, seats: int) -> RotatedGames:
    """Return how many rotated games, in whole blocks, tell as much as so many."""

    def worth(ratio: float) -> int:
        return ceil(games / ratio / seats) * seats

    least, most, alike = VARIANCE_RATIOS
    return RotatedGames(worth(most), worth(least), worth(alike))


def may_rotate(entrants: Iterable[Entrant]) -> bool:
    """Tell whether luck `rotate` is allowed: nobody could remember a deal."""
    return not any(map(_memory, entrants))


def read_luck(root: Table, entrants: Sequence[Entrant]) -> str:
    """Read the luck mode, and refuse `rotate` where a deal may be remembered.

    Raises:
        ConfigError: There is no such mode, or an entrant can't be restarted without
            a memory.
    """
    luck = root.text("luck", NONE)
    if luck not in (NONE, ROTATE):
        raise root.error("luck", f"{shown(luck)} is neither 'none' nor 'rotate'")
    if luck == ROTATE:
        for table, entrant in zip(root.tables("entrant"), entrants, strict=True):
            if problem := _memory(entrant):
                raise table.error(entrant.kind, problem)
    return luck


def _memory(entrant: Entrant) -> str:
    """Say why an entrant could remember a deal; empty when it can't."""
    why = (
        "luck = 'rotate' plays the same deals in every rotation, and a bot that "
        "remembers them knows all hands"
    )
    if entrant.kind == EntrantKind.BOT:
        return (
            f"{entrant.name!r} dials in, so nobody can make it forget: {why}; give "
            f'its program as a command with sandbox = "bwrap", {_WAY_OUT}'
        )
    if entrant.kind == EntrantKind.COMMAND and entrant.sandbox == Sandboxing.NONE:
        return (
            f"{entrant.name!r} runs without a sandbox, so it can keep notes: {why}; "
            f'set sandbox = "bwrap" for it, {_WAY_OUT}'
        )
    return ""


def read_games(root: Table, *, luck: str, seats: int, is_timed: bool = False) -> int:
    """Read how many games a league has, or may have where its time is limited.

    A number that ends within a block is refused rather than rounded: the commitment
    covers the schedule, and so does what the host has told the entrants.

    Raises:
        ConfigError: It is out of range, or no whole number of blocks.
    """
    block = seats if luck == ROTATE else 1
    default = GAMES_TIMED if is_timed else GAMES_DEFAULT
    games = root.whole("games", -(-default // block) * block, low=1, high=GAMES_MAX)
    if extra := games % block:
        below, above = games - extra, games - extra + block
        nearest = f"{below} or {above}" if below else f"{above}"
        raise root.error(
            "games",
            f"{games} games are no whole number of blocks: luck = 'rotate' plays each "
            f"seating in {block} rotations; expected {nearest}",
        )
    return games
