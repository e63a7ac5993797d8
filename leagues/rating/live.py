"""Live ratings: a running Elo, for screens that show a league while it runs.

It follows the last games and depends on their order: the same games in another order
may give a hundred points more or less. Standings never use it.
"""

from collections.abc import Iterable, Sequence
from typing import Final

__all__ = ["LIVE_K", "after_game", "live_ratings"]

LIVE_K: Final = 16.0
"""How many points one game moves an entrant at most."""
_START: Final = 1500.0


def after_game(
    ratings: Sequence[float], places: Sequence[float], *, k: float = LIVE_K
) -> tuple[float, ...]:
    """Return the ratings of those at a table after a game.

    The game is a duel between each two of them, and all its duels together move a
    rating as much as one game of two.

    Args:
        ratings: Before the game.
        places: How they came out; less is better, equal is a tie.
        k: How many points the game moves an entrant at most.
    """
    share = k / (len(ratings) - 1)
    return tuple(
        own + share * sum(_beyond(own, rating, place, other) for rating, other in pairs)
        for own, place, pairs in _duels(ratings, places)
    )


def live_ratings(
    games: Iterable[Sequence[tuple[str, float]]], *, k: float = LIVE_K
) -> dict[str, float]:
    """Return the ratings after games, in the order in which they are given.

    Args:
        games: Who played, and how each came out; less is better.
        k: How many points a game moves an entrant at most.
    """
    ratings: dict[str, float] = {}
    for game in games:
        names = [name for name, _ in game]
        before = [ratings.get(name, _START) for name in names]
        after = after_game(before, [place for _, place in game], k=k)
        ratings |= zip(names, after, strict=True)
    return ratings


def _duels(
    ratings: Sequence[float], places: Sequence[float]
) -> Iterable[tuple[float, float, list[tuple[float, float]]]]:
    """Yield each rating and place, with those of all others."""
    table = list(zip(ratings, places, strict=True))
    for index, (rating, place) in enumerate(table):
        yield rating, place, table[:index] + table[index + 1 :]


def _beyond(own: float, rating: float, place: float, other: float) -> float:
    """Return what was won in a duel beyond what was to be expected."""
    won = 1.0 if place < other else 0.5 if place == other else 0.0
    return won - 1 / (1 + 10 ** ((rating - own) / 400))
