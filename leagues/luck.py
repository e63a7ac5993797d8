"""What a league file says of luck, and how many games that makes."""

from collections.abc import Sequence
from typing import Final

from arena.excerpt import shown
from leagues.blocks import NONE, ROTATE
from leagues.entrants import Entrant, EntrantKind, Sandboxing
from leagues.toml_source import Table

__all__ = ["GAMES_DEFAULT", "GAMES_MAX", "read_games", "read_luck"]

GAMES_DEFAULT: Final = 240
"""With luck `rotate` so many, or as many more as make the last block whole."""
GAMES_TIMED: Final = 100_000
"""The same where time is limited: as many as hardly any league plays in a night."""
GAMES_MAX: Final = 10_000_000

_WAY_OUT: Final = 'or set luck = "none"'


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
