"""A running Elo of a league's bots, for screens that show it while it is played.

It follows who has played well lately, sooner than the ratings of all games do, and
hangs on the order of the games, which here is that of their numbers. Nothing rests on
it.
"""

from collections.abc import Iterable
from typing import Final

from leagues.rating.live import live_ratings
from leagues.results import GameResult

__all__ = ["GAMES_MAX", "running_elo"]

GAMES_MAX: Final = 5000
"""How many of the last games count: what was before no longer matters."""
_ANCHOR: Final = 1500.0


def running_elo(
    results: Iterable[GameResult], *, anchor: str | None
) -> dict[str, float]:
    """Return the running Elo of each bot.

    Args:
        results: Of the games that count, in any order.
        anchor: Who has 1500, as in the standings; all have it at first, where nobody
            is or the anchor has not played.
    """
    last = sorted(results, key=lambda game: game.number)[-GAMES_MAX:]
    found = live_ratings(
        [(seat.entrant, float(seat.place)) for seat in game.seats] for game in last
    )
    moved = _ANCHOR - found.get(anchor or "", _ANCHOR)
    return {name: rating + moved for name, rating in found.items()}
