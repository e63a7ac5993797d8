"""
The house bot `ducker`: stays out of tricks, without a thought for the cards gone.
"""

from hearts.bot import Bot
from hearts.cards import Card
from hearts.house.pack import BIT, RANK, SUIT
from hearts.house.stakes import Stakes, stakes_of
from hearts.turn import Turn


class Ducker(Bot):
    """
    Plays the highest card that does not win, and throws what costs most.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose by the open trick alone.
        """
        choices, trick = turn.choices, turn.trick
        if not trick:
            return min(choices, key=RANK.__getitem__)
        stakes = stakes_of(turn)
        led = SUIT[trick[0]]
        if SUIT[choices[0]] != led:
            return costliest(choices, stakes)
        best = turn.winning_card or 0
        # Of two equal cards the later one never wins.
        below = [card for card in choices if card <= best]
        if below:
            return costliest(below, stakes)
        # Who must win may as well win with the highest card when nobody follows,
        # and hopes to be beaten otherwise; never with the queen by choice.
        others = [card for card in choices if not BIT[card] & stakes.dear] or choices
        return others[-1 if len(trick) == turn.players - 1 else 0]


def costliest(cards: list[Card], stakes: Stakes) -> Card:
    """
    The card that costs most, mostly the queen of spades; else the highest.
    """
    cost = stakes.cost
    return max(cards, key=lambda card: (cost[card], RANK[card], card))
