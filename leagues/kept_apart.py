"""Bots of one owner that never meet: what that does to figures, and to counts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from arena.excerpt import cut, printable
from leagues.reports.words import listed
from leagues.results import GameResult

__all__ = ["apart_text", "kept_apart"]

_OWNERS_MAX: Final = 3
"""Of how many owners the bots are named."""


def kept_apart(results: Iterable[GameResult], owners: Mapping[str, str]) -> bool:
    """Tell whether an owner has several bots that played and never met.

    Points a deal, won results and places are then of unequal opponents: whose owner
    has a weak bot too is spared it.

    Args:
        results: Of the games that count.
        owners: Whose each bot is; nobody's have none, or an empty text.
    """
    played: dict[str, set[str]] = {}
    met: set[str] = set()
    if not any(owners.values()):
        return False
    for game in results:
        table: dict[str, str] = {}
        for seat in game.seats:
            if owner := owners.get(seat.entrant, ""):
                played.setdefault(owner, set()).add(seat.entrant)
                if table.setdefault(owner, seat.entrant) != seat.entrant:
                    met.add(owner)
    return any(len(bots) > 1 and owner not in met for owner, bots in played.items())


def apart_text(groups: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Say which bots never meet, and what that makes of their meetings with others.

    Args:
        groups: Owners, each with all the bots that never meet; nobody where there are
            none.
    """
    if not groups:
        return ""
    told = [
        f"{listed(list(bots))} ({cut(printable(owner))})"
        for owner, bots in groups[:_OWNERS_MAX]
    ]
    if len(groups) == 1:
        return f"{told[0]} never meet, so they meet others more often."
    if left := len(groups) - len(told):
        told.append(f"those of {left} other owner{'s' if left > 1 else ''}")
    return (
        "Bots of one owner never meet, so they meet others more often: "
        f"{'; '.join(told)}."
    )
