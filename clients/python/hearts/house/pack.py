"""
The pack in tables: what house bots look up by the number of a card.

A set of cards is an integer with the bit `1 << number` for each card in it, so
that counting the cards below one another is a matter of two operations. The second
copy of a card, of two packs, is the bit `SECOND` places higher.
"""

from typing import Final

from hearts.cards import CARDS, QS, SUITS, Card

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
"""The suits by their place in notation order."""

QUEEN: Final = int(QS)
"""The number of the queen of spades."""

NO_CARD: Final = 53
"""Stands for a card that there is not; it is above all others."""

SECOND: Final = 64
"""How much higher the bit of a second copy is."""

SUIT: Final = (-1, *(SUITS.index(card.suit) for card in CARDS))
"""The suit of a card."""

RANK: Final = (-1, *(card.rank - 2 for card in CARDS))
"""The rank of a card, from 0 for a two to 12 for an ace."""

POINTS: Final = (0, *(card.points for card in CARDS))
"""The penalty points of a card under the standard rules."""

BIT: Final = tuple(1 << number for number in range(54))
"""The set that holds one card."""

_SUITS_ONCE: Final = [
    sum(BIT[card] for card in CARDS if SUIT[card] == suit) for suit in range(4)
]
_BELOW_ONCE: Final = [_SUITS_ONCE[SUIT[card]] & (BIT[card] - 1) for card in CARDS]


def both(cards: int) -> int:
    """
    The set that holds each of these cards twice.
    """
    return cards | cards << SECOND


PACK: Final = sum(_SUITS_ONCE)
"""The set of all cards, each once."""

SUIT_CARDS: Final = tuple(both(cards) for cards in _SUITS_ONCE)
"""The set of all cards of a suit, each twice; so are those below."""

BELOW: Final = (0, *(both(cards) for cards in _BELOW_ONCE))
"""The cards of the same suit that a card beats."""

ABOVE: Final = (
    0,
    *(SUIT_CARDS[SUIT[card]] & ~BELOW[card] & ~both(BIT[card]) for card in CARDS),
)
"""The cards of the same suit that beat a card."""


def card_set(cards: list[Card]) -> int:
    """
    The set of these cards, each once.
    """
    cards_held = 0
    for card in cards:
        cards_held |= BIT[card]
    return cards_held


def double_set(cards: list[Card]) -> int:
    """
    The set of these cards; what is there twice is in it twice.
    """
    cards_held = 0
    for card in cards:
        bit = BIT[card]
        cards_held |= bit << SECOND if cards_held & bit else bit
    return cards_held


def without(cards: int, gone: int) -> int:
    """
    What is left of a set when these cards of it are gone.

    >>> twice = double_set([QS, QS])
    >>> without(twice, card_set([QS])) == card_set([QS])
    True
    """
    twice = cards >> SECOND
    left = cards & ~gone & PACK
    return left | twice & ~(gone >> SECOND) | (twice & ~gone) << SECOND
