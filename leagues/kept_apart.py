"""Bots of one owner that never met: what they were spared tells in plain figures."""

from collections.abc import Iterable, Mapping

from leagues.results import GameResult

__all__ = ["kept_apart"]


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
