"""
The pack in tables: what house bots look up by the number of a card.

A set of cards is an integer with the bit `1 << number` for each card in it, so
that counting the cards below one another is a matter of two operations.
"""

from typing import Final

from hearts.cards import CARDS, QS, SUITS, Card

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
"""The suits by their place in notation order."""

QUEEN: Final = int(QS)
"""The number of the queen of spades."""

SUIT: Final = (-1, *(SUITS.index(card.suit) for card in CARDS))
"""The suit of a card."""

RANK: Final = (-1, *(card.rank - 2 for card in CARDS))
"""The rank of a card, from 0 for a two to 12 for an ace."""

POINTS: Final = (0, *(card.points for card in CARDS))
"""The penalty points of a card under the standard rules."""

BIT: Final = tuple(1 << number for number in range(53))
"""The set that holds one card."""

SUIT_CARDS: Final = tuple(
    sum(BIT[card] for card in CARDS if SUIT[card] == suit) for suit in range(4)
)
"""The set of all cards of a suit."""

PACK: Final = sum(SUIT_CARDS)
"""The set of all cards."""

BELOW: Final = (
    0,
    *(SUIT_CARDS[SUIT[card]] & (BIT[card] - 1) for card in CARDS),
)
"""The cards of the same suit that a card beats."""

ABOVE: Final = (
    0,
    *(SUIT_CARDS[SUIT[card]] & ~BELOW[card] & ~BIT[card] for card in CARDS),
)
"""The cards of the same suit that beat a card."""


def card_set(cards: list[Card]) -> int:
    """
    The set of these cards; the copies of a double pack count once.
    """
    cards_held = 0
    for card in cards:
        cards_held |= BIT[card]
    return cards_held
