"""
The house bot `dodger`: a ducker that remembers which cards are gone.
"""

from hearts.bot import Bot
from hearts.cards import Card
from hearts.house import careful
from hearts.house.ducker import costliest
from hearts.house.pack import ABOVE, BELOW, BIT, HEARTS, RANK, SUIT, SUIT_CARDS
from hearts.house.sight import unseen_cards
from hearts.house.stakes import Stakes, stakes_of
from hearts.turn import Turn


class Dodger(Bot):
    """
    Ducks, leads what is likely to lose, and fears the queen of spades.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose by the open trick and by the cards that are not seen yet.
        """
        choices, trick = turn.choices, turn.trick
        if len(choices) == 1:
            return choices[0]
        stakes = stakes_of(turn)
        out = unseen_cards(turn, stakes)
        if not trick:
            return min(choices, key=lambda card: _lead_cost(stakes, card, out))
        led = SUIT[trick[0]]
        if SUIT[choices[0]] != led:
            return max(choices, key=lambda card: _throw_worth(stakes, card, out))
        is_last = len(trick) == turn.players - 1
        best = turn.winning_card or 0
        if is_last and sum([stakes.cost[card] for card in trick]) < 0:
            # Only the bonus card makes a trick worth taking.
            return choices[-1]
        won = [card for card in choices if card == stakes.bonus and card > best]
        if is_last and won:
            return won[0]
        # Of two equal cards the later one never wins.
        below = [card for card in choices if card <= best]
        if below:
            return costliest(below, stakes)
        safe = [card for card in choices if not _is_feared(stakes, card, out)]
        choices = safe or choices
        return choices[-1 if is_last else 0]

    def choose_pass(self, turn: Turn) -> list[Card]:
        """
        Choose the most dangerous cards.
        """
        return careful.choose_pass(turn)


def _is_feared(stakes: Stakes, card: int, out: int) -> bool:
    """
    Whether a spade is the queen, or may win her.
    """
    is_above = card > stakes.queen and out & BIT[stakes.queen]
    return bool(is_above or BIT[card] & stakes.dear)


def _lead_cost(stakes: Stakes, card: int, out: int) -> int:
    suit = SUIT[card]
    low = (out & BELOW[card]).bit_count()
    high = (out & ABOVE[card]).bit_count()
    if _is_feared(stakes, card, out):
        return 100 + RANK[card]
    if not out & SUIT_CARDS[suit]:
        return 90
    return 10 * low - 5 * high + (5 if suit == HEARTS else 0)


def _throw_worth(stakes: Stakes, card: int, out: int) -> int:
    if BIT[card] & stakes.dear:
        return 100 + stakes.points[card]
    if card == stakes.bonus:
        return -100
    if _is_feared(stakes, card, out):
        return 50 + RANK[card]
    low = (out & BELOW[card]).bit_count()
    return low + RANK[card] + (5 if SUIT[card] == HEARTS else 0)
