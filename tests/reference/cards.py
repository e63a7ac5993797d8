"""Cards as two letters of text: a rank and a suit, "2C" to "AS"."""

from collections.abc import Iterable, Sequence

SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades: the order in which cards are listed."""

RANKS = "23456789TJQKA"
"""From the lowest to the highest."""

QUEEN = "QS"
"""The queen of spades, whatever she costs."""

SINGLE_PACK = [rank + suit for suit in SUITS for rank in RANKS]


def suit(card: str) -> str:
    """Return the letter of a card's suit."""
    return card[1]


def rank(card: str) -> int:
    """Return how high a card is, from 0 for a two to 12 for an ace."""
    return RANKS.index(card[0])


def is_heart(card: str) -> bool:
    """Say whether a card is a heart."""
    return suit(card) == "H"


def is_card(text: str) -> bool:
    """Say whether a text is the name of a card."""
    return text in SINGLE_PACK


def in_order(cards: Iterable[str]) -> list[str]:
    """List cards by suit and then by rank, as people write them down."""
    return sorted(cards, key=SINGLE_PACK.index)


def of_suit(cards: Sequence[str], wanted: str) -> list[str]:
    """List the cards of one suit."""
    return [card for card in cards if suit(card) == wanted]
