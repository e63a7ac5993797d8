"""
The house bot `lowest`: plays low and keeps its high cards to the bitter end.
"""

from hearts.bot import Bot
from hearts.cards import Card
from hearts.house.pack import RANK
from hearts.turn import Turn


class Lowest(Bot):
    """
    Plays the lowest legal card and passes the highest ones.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose the lowest rank, equal ranks in notation order.
        """
        return min(turn.choices, key=RANK.__getitem__)
