"""
House bots: opponents of graded strength.

Each decides by the turn alone: it keeps nothing in mind between turns, reads no
clock, and has no randomness but the turn's own. So a game of house bots that is
played again is the same game.

>>> from hearts.house import BOTS, describe
>>> list(BOTS)
['random', 'lowest', 'ducker', 'dodger', 'careful', 'daring']
>>> describe("lowest")
'Plays the lowest legal card and passes the highest ones.'
"""

from typing import Final

from hearts.bot import Bot
from hearts.house.careful import Careful
from hearts.house.chance import Random
from hearts.house.daring import Daring
from hearts.house.dodger import Dodger
from hearts.house.ducker import Ducker
from hearts.house.lowest import Lowest

__all__ = ["BOTS", "describe"]

BOTS: Final[dict[str, type[Bot]]] = {
    "random": Random,
    "lowest": Lowest,
    "ducker": Ducker,
    "dodger": Dodger,
    "careful": Careful,
    "daring": Daring,
}
"""The house bots by name, from the weakest to the strongest."""


def describe(name: str) -> str:
    """
    What a house bot does, in one line.

    Raises:
        KeyError: There is no such bot.
    """
    return (BOTS[name].__doc__ or "").strip()
