"""
The vocabulary of cards: numbers, names and sets.

A card is a number, the same as on the wire: `13 * suit + rank + 1`, so `2C` is 1
and `AS` is 52. The two copies of a card in a double pack are one number, since
nothing may depend on which of them it is. A set of cards is a number too, with the
bit `1 << card` for each card in it and the bit 52 places higher for a card that is
in it twice. Ascending numbers are the notation order, clubs diamonds hearts spades,
then two to ace, which every list of cards uses unless it says otherwise.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from arena.excerpt import shown

Card: TypeAlias = int
"""1 (`2C`) to 52 (`AS`)."""

CardSet: TypeAlias = int
"""The sum of `1 << card` over its cards, and of `1 << card + 52` over those that it
holds twice; 0 is the empty set."""

SUITS: Final = "CDHS"
"""The suits in notation order."""

RANKS: Final = "23456789TJQKA"
"""The ranks from low to high."""

PACK_SIZE: Final = 52
"""How many cards one pack has, and how much higher the bit of a second copy is."""


class CardError(ValueError):
    """Text that names no card."""


def suit(card: Card) -> int:
    """Return the suit's place in `SUITS`, 0 to 3."""
    return (card - 1) // 13


def rank(card: Card) -> int:
    """Return the rank's place in `RANKS`, 0 (two) to 12 (ace)."""
    return (card - 1) % 13


def card_name(card: Card) -> str:
    """
    Return the name of a card, rank then suit.

    >>> card_name(50)
    'QS'
    """
    return RANKS[rank(card)] + SUITS[suit(card)]


def parse_card(text: str) -> Card:
    """
    Read the name of a card, in either case, a ten as `T` or `10`.

    >>> parse_card("10d") == parse_card("TD") == 22
    True

    Raises:
        CardError: The text names no card.
    """
    card = _CARDS_BY_NAME.get(text)
    if card is None:
        card = _CARDS_BY_NAME.get(text.upper().replace("10", "T", 1))
    if card is None:
        raise CardError(f"{shown(text)} is not a card; cards are written like QS or TD")
    return card


def parse_cards(text: str) -> list[Card]:
    """
    Read names of cards with blanks between them, in the order given.

    >>> parse_cards("2C QS")
    [1, 50]
    """
    names = text.split()
    try:
        return [_CARDS_BY_NAME[name] for name in names]
    except KeyError:
        # Another spelling, or no card.
        return [parse_card(name) for name in names]


def card_names(cards: Iterable[Card]) -> str:
    """
    Return the names of cards in the order given, joined by blanks.

    >>> card_names([1, 50])
    '2C QS'
    """
    return " ".join([_NAMES[card] for card in cards])


def card_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of the given cards; a card may stand twice, but not more."""
    result = 0
    for card in cards:
        bit = 1 << card
        result |= bit << PACK_SIZE if result & bit else bit
    return result


def both(one: CardSet, other: CardSet) -> CardSet:
    """
    Return all cards of two sets that are parts of one double pack.

    >>> cards_in(both(card_set([1, 2]), card_set([2, 3])))
    [1, 2, 2, 3]
    """
    second = one & other & FULL_PACK
    result = (one | other) ^ second << PACK_SIZE
    assert not (one | other) >> PACK_SIZE & second, "a card is there more than twice"
    return result


def without(cards: CardSet, gone: CardSet) -> CardSet:
    """
    Return what is left of a set that holds all of `gone`.

    >>> cards_in(without(card_set([1, 2, 2]), card_set([2])))
    [1, 2]
    """
    twice = cards >> PACK_SIZE & FULL_PACK
    # Of a card that is there twice, the second copy goes first.
    seconds = twice & gone & ~(gone >> PACK_SIZE)
    return cards & ~(gone & ~seconds) & ~(seconds << PACK_SIZE)


def lowest(cards: CardSet) -> Card:
    """Return the first card of a set, which may be of second copies alone."""
    return ((cards & -cards).bit_length() - 2) % PACK_SIZE + 1


def cards_in(cards: CardSet) -> list[Card]:
    """
    Return the cards of a set in notation order, a card it holds twice two times.

    Each suit is one look-up: this runs for every turn that is sent.
    """
    if cards > FULL_PACK:
        return sorted(cards_in(cards & FULL_PACK) + cards_in(cards >> PACK_SIZE & ~1))
    return [
        *CLUB_CARDS[cards >> 1 & 0x1FFF],
        *DIAMOND_CARDS[cards >> 14 & 0x1FFF],
        *HEART_CARDS[cards >> 27 & 0x1FFF],
        *SPADE_CARDS[cards >> 40],
    ]


def _suit_table(index: int) -> tuple[tuple[Card, ...], ...]:
    """Tabulate the cards of one suit by their 13 bits, the lowest for the two."""
    first = 13 * index
    table: list[tuple[Card, ...]] = [()] * (1 << 13)
    for bits in range(1, 1 << 13):
        low = bits & -bits
        table[bits] = (first + low.bit_length(), *table[bits ^ low])
    return tuple(table)


FULL_PACK: Final[CardSet] = (1 << 53) - 2
"""All 52 cards of one pack."""

SUIT_SETS: Final[tuple[CardSet, ...]] = tuple(
    card_set(range(13 * index + 1, 13 * index + 14)) for index in range(4)
)
"""All cards of each suit, in the order of `SUITS`."""

HEARTS: Final[CardSet] = SUIT_SETS[2]
"""All hearts."""

QUEEN_OF_SPADES: Final[Card] = 50

CLUB_CARDS, DIAMOND_CARDS, HEART_CARDS, SPADE_CARDS = map(_suit_table, range(4))
"""The cards of every set within a suit, by its 13 bits, the lowest for the two."""

_NAMES: Final = ("", *(card_name(card) for card in range(1, PACK_SIZE + 1)))
_CARDS_BY_NAME: Final = {_NAMES[card]: card for card in range(1, PACK_SIZE + 1)}
