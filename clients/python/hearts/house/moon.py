"""
Shooting the moon: how likely it is, and how it is played.

The odds are a sum over the losers that a hand still has, fitted by logistic
regression to 770,000 turns of forced attempts against three careful bots.
"""

from typing import Final

from hearts.cards import Card
from hearts.house.pack import (
    ABOVE,
    BELOW,
    BIT,
    HEARTS,
    RANK,
    SUIT,
    SUIT_CARDS,
    card_set,
)
from hearts.house.sight import Sight
from hearts.house.stakes import Stakes
from hearts.turn import Turn

COUNT_MAX: Final = 14
SEATS_MAX: Final = 8

LONGEST: Final = [
    [
        out if holders <= 1 else -(-out // holders) + (out > holders)
        for out in range(COUNT_MAX)
    ]
    for holders in range(SEATS_MAX)
]
"""How many of `out` cards the longest of the seats that may hold them is reckoned
to have: `LONGEST[holders][out]`."""

ODDS_FULL: Final = 685
ODDS_HEART: Final = -463
ODDS_OTHER: Final = -411
ODDS_TAKEN: Final = -31
ODDS_TRICK: Final = 162
ODDS_LEADING: Final = 767
ODDS_HEART_TRICK: Final = -247
ODDS_OTHER_TRICK: Final = -16
"""The logarithm of the odds, in thousandths: of a full hand, and what is added for
a losing heart, another loser, a point taken, a trick played, having the lead, and
for losers that are still there, by trick."""


def losers(hand: int, *, out: int, holders: int) -> int:
    """
    How many cards of one suit in `hand` are reckoned to lose a trick.
    """
    count = hand.bit_count()
    if not count or not out:
        return 0
    masters = (hand >> out.bit_length()).bit_count()
    if masters >= min(count, LONGEST[holders][out.bit_count()]):
        # By then the other hands have run out of the suit.
        return 0
    highest = (hand & ((1 << out.bit_length()) - 1)).bit_length() - 1
    return min(count - masters, (out >> highest).bit_count())


def odds(sight: Sight, taken: int) -> int:
    """
    The logarithm of the odds of a moon, in thousandths, after `taken` points of 26.
    """
    hand = sight.hand
    counts = [
        losers(hand & cards, out=sight.out[suit], holders=sight.holders[suit])
        for suit, cards in enumerate(SUIT_CARDS)
    ]
    hearts = counts[HEARTS]
    others = sum(counts) - hearts
    tricks = sight.stakes.size - hand.bit_count()
    return (
        ODDS_FULL
        + ODDS_HEART * hearts
        + ODDS_OTHER * others
        + ODDS_TAKEN * taken
        + ODDS_TRICK * tricks
        + (0 if sight.trick else ODDS_LEADING)
        + ODDS_HEART_TRICK * hearts * tricks
        + ODDS_OTHER_TRICK * others * tricks
    )


def hand_odds(hand: int, *, pack: int, holders: int) -> int:
    """
    The logarithm of the odds of a moon before the first trick, in thousandths.
    """
    unseen = pack & ~hand
    counts = [
        losers(hand & cards, out=unseen & cards, holders=holders)
        for cards in SUIT_CARDS
    ]
    hearts = counts[HEARTS]
    return ODDS_FULL + ODDS_HEART * hearts + ODDS_OTHER * (sum(counts) - hearts)


def pass_for_moon(turn: Turn, stakes: Stakes) -> tuple[list[Card], int]:
    """
    The cards without which a hand is best for the moon, and its odds without them.
    """
    hand = card_set(turn.hand)
    pack = stakes.pack
    holders = turn.players - 1
    choices = turn.choices
    chosen = []

    def worth(card: Card) -> int:
        left = hand & ~BIT[card]
        return hand_odds(left, pack=pack, holders=holders) - 20 * RANK[card]

    for _ in range(min(turn.answer_count, len(choices))):
        card = max(choices, key=worth)
        choices.remove(card)
        chosen.append(card)
        hand &= ~BIT[card]
    return chosen, hand_odds(hand, pack=pack, holders=holders)


def play_for_moon(sight: Sight, choices: list[Card]) -> Card:
    """
    Choose a card that takes the trick, or loses it with what is of no use.
    """
    if not sight.trick:
        return max(choices, key=lambda card: _lead_worth(sight, card))
    if SUIT[choices[0]] != sight.led:
        return max(choices, key=lambda card: _throw_worth(sight, card))
    above = [card for card in choices if card > sight.best]
    if not above:
        return choices[0]
    return above[-1] if sight.after else above[0]


def _lead_worth(sight: Sight, card: int) -> int:
    suit = SUIT[card]
    out = sight.out[suit]
    if not out:
        # Nobody can take the lead with this suit; it keeps.
        return -2
    high = (out & ABOVE[card]).bit_count()
    if not high:
        return int(suit == HEARTS)
    return (out & BELOW[card]).bit_count() // 2 - 10 * high


def _throw_worth(sight: Sight, card: int) -> int:
    if BIT[card] & sight.stakes.dear:
        return -30
    suit = SUIT[card]
    return (sight.out[suit] & ABOVE[card]).bit_count() - (20 if suit == HEARTS else 0)
