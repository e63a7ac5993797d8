"""
The vocabulary of cards.

There are 52 `Card` objects, one for each card, shared by everything. A card is
an integer, the same one as on the wire, so that cards compare, sort and hash in
notation order: clubs, diamonds, hearts, spades, each from two to ace.

>>> queen = Card("QS")
>>> queen.suit, queen.rank, queen.points, int(queen)
('S', 12, 13, 50)
>>> sorted([queen, Card("2C")])
[2C, QS]
"""

from collections.abc import Iterable
from typing import NoReturn

SUITS = "CDHS"
"""The suits in notation order."""

RANKS = "23456789TJQKA"
"""The ranks from the lowest to the highest."""


class CardError(ValueError):
    """
    Something is not the name or the number of a card.
    """


class Card(int):
    """
    One card of the pack.

    `Card("QS")` and `Card(50)` give the same object; anything that is not a card
    raises `CardError`.
    """

    suit: str
    """`C`, `D`, `H` or `S`."""

    rank: int
    """2 to 14; the ace is 14."""

    name: str
    """Rank, then suit: `QS`."""

    points: int
    """Penalty points under the standard rules: a heart 1, the queen of spades 13.
    What a card costs in the game at hand is `turn.rules.points(card)`."""

    def __new__(cls, value: int | str) -> "Card":
        if isinstance(value, str):
            return parse_card(value)
        card = CARD_BY_NUMBER.get(value)
        if card is None:
            raise CardError(f"{value!r} is not the number of a card; expected 1 to 52")
        return card

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cards are shared; {name} cannot be set")

    def __reduce__(self) -> tuple[type["Card"], tuple[int]]:
        return Card, (int(self),)

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __format__(self, format_spec: str) -> str:
        return format(self.name, format_spec)


def _make_card(suit_index: int, rank_index: int) -> Card:
    card = int.__new__(Card, 13 * suit_index + rank_index + 1)
    suit = SUITS[suit_index]
    name = RANKS[rank_index] + suit
    points = 1 if suit == "H" else 13 if name == "QS" else 0
    card.__dict__.update(suit=suit, rank=rank_index + 2, name=name, points=points)
    return card


CARDS: tuple[Card, ...] = tuple(
    _make_card(suit_index, rank_index)
    for suit_index in range(len(SUITS))
    for rank_index in range(len(RANKS))
)
"""The pack in notation order."""

CARD_BY_NUMBER: dict[int, Card] = {int(card): card for card in CARDS}
"""The cards by their numbers on the wire, 1 to 52."""

_CARD_BY_NAME = {card.name: card for card in CARDS}


def parse_card(text: str) -> Card:
    """
    Read the name of a card, in either case; `10D` is accepted for `TD`.

    Raises:
        CardError: It names no card.
    """
    name = text.strip().upper()
    card = _CARD_BY_NAME.get("T" + name[2:] if name.startswith("10") else name)
    if card is None:
        raise CardError(
            f"{text!r} is not a card; expected a rank of {RANKS} and a suit of"
            f" {SUITS}, for example QS"
        )
    return card


def card_names(cards: Iterable[Card]) -> str:
    """
    Write cards as names with spaces between them: `2C QS`.
    """
    return " ".join([card.name for card in cards])


TC, JC, QC, KC, AC = CARDS[8:13]
TD, JD, QD, KD, AD = CARDS[21:26]
TH, JH, QH, KH, AH = CARDS[34:39]
TS, JS, QS, KS, AS = CARDS[47:52]
