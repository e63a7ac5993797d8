"""
The house bot `ducker`: stays out of tricks, without a thought for the cards gone.
"""

from hearts.bot import Bot
from hearts.cards import Card
from hearts.house.pack import HEARTS, QUEEN, RANK, SUIT
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
        led = SUIT[trick[0]]
        if SUIT[choices[0]] != led:
            return costliest(choices)
        best = max([card for card in trick if SUIT[card] == led])
        below = [card for card in choices if card < best]
        if below:
            return costliest(below)
        # Who must win may as well win with the highest card when nobody follows,
        # and hopes to be beaten otherwise; never with the queen by choice.
        others = [card for card in choices if card != QUEEN] or choices
        return others[-1 if len(trick) == turn.players - 1 else 0]


def costliest(cards: list[Card]) -> Card:
    """
    The queen of spades, else the highest heart, else the highest card.
    """
    return max(
        cards, key=lambda card: (card == QUEEN, SUIT[card] == HEARTS, RANK[card], card)
    )
