"""What cards cost: hearts, the spades that cost something, and the bonus card."""

from collections import Counter
from collections.abc import Iterable

from tests.reference.cards import RANKS, is_heart, suit
from tests.reference.options import Options

HEART_VALUES: dict[str, list[int]] = {
    #          2  3  4  5  6  7  8  9   T   J   Q   K   A
    "flat": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    "spot": [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15],
    "rank": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    "pips10": [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10],
    "face": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5],
}
"""What each heart costs, from the two to the ace."""


def card_points(options: Options, card: str) -> int:
    """Return the penalty points of a card; the bonus card has none."""
    if is_heart(card):
        return HEART_VALUES[options.heart_values][RANKS.index(card[0])]
    if suit(card) == "S":
        return options.spade_penalties.get(card[0], 0)
    return 0


def points_of(options: Options, cards: Iterable[str]) -> int:
    """Return the penalty points of several cards."""
    return sum(card_points(options, card) for card in cards)


def is_penalty(options: Options, card: str) -> bool:
    """Say whether a card is one of the penalty cards: it costs something."""
    return card_points(options, card) > 0


def penalty_cards(options: Options, cards: Iterable[str]) -> Counter[str]:
    """Count the penalty cards among some cards."""
    return Counter(card for card in cards if is_penalty(options, card))


def total_points(options: Options) -> int:
    """Return the penalty points of all cards in play."""
    return points_of(options, options.pack)
