"""
The house bot `careful`: counts cards, and loses as little as it can.

It weighs each choice by what the trick may cost and by what the card may cost if
it is kept. It knows who has run out of a suit, who may hold the queen of spades,
and who may be shooting the moon, and gives a point to stop that.

The three functions decide, from the turn alone. Arenas play them for seats that
are given up, and records are checked against them for ever: a better policy gets
a new `VERSION` in a module of its own, and this one stays as it is.
"""

import math
from typing import Final

from hearts.bot import Bot
from hearts.cards import Card
from hearts.house.pack import (
    BELOW,
    BIT,
    HEARTS,
    POINTS,
    QUEEN,
    RANK,
    SPADES,
    SUIT,
    SUIT_CARDS,
    card_set,
)
from hearts.house.risk import (
    HOLDS,
    LEAD,
    POINT,
    QUEEN_FALLS,
    gifts,
    keep_cost,
    lead_cost,
)
from hearts.house.sight import Sight
from hearts.turn import Turn

VERSION: Final = "careful-1"
"""The name of this policy, as records tell it."""

MOON: Final = 26 * POINT
"""What the moon of another costs."""

FLUSH: Final = 1200
"""The worth of a low spade led while another seat holds the queen."""

THROW_POINT: Final = 525
"""The worth of giving a point to another seat."""

THROW_QUEEN: Final = 3000
"""The worth of giving the queen away, on top of her points."""

SHORTEN: Final = 1125
"""The worth of throwing the last card of a suit; of the last but one, half."""

THREAT_PER_HEART: Final = 65
"""How likely the seat that alone has points shoots the moon, in thousandths, for
each heart that it has taken. Counted in 12,000 deals; the queen tells nothing."""

HEARTS_FEARED: Final = 3
"""From how many hearts a point is taken or thrown to stop a moon."""

POINTS_FEARED: Final = 8
"""From how many points on no heart is thrown on the tricks of such a seat."""

KEEP_FROM_SHOOTER: Final = 4 * POINT
"""How dear a heart is then."""


def choose_card(turn: Turn) -> Card:
    """
    Choose the card of the least cost; of equal ones the first.
    """
    choices = turn.choices
    if len(choices) == 1:
        return choices[0]
    sight = Sight(turn)
    shooter, taken = lone_taker(sight, turn.points)
    if not sight.trick:
        return min(choices, key=lambda card: _lead(sight, card))
    stop = moon_threat(sight, taken) * MOON // 1000
    if SUIT[choices[0]] == sight.led:
        return _follow(sight, choices, stop)
    if sight.winner == shooter:
        stop = -KEEP_FROM_SHOOTER if taken >= POINTS_FEARED else 0
    return min(choices, key=lambda card: _throw(sight, card, stop))


def choose_pass(turn: Turn) -> list[Card]:
    """
    Choose the most dangerous cards, one after the other.
    """
    hand = card_set(turn.hand)
    choices = turn.choices
    chosen = []
    for _ in range(turn.answer_count):
        card = max(choices, key=lambda card: _pass_worth(hand, card))
        choices.remove(card)
        chosen.append(card)
        hand &= ~BIT[card]
    return chosen


def choose_moon(turn: Turn) -> str:
    """
    Add, unless that ends the game and another seat wins it.
    """
    ways = turn.moon_choices or ["add"]
    totals = turn.totals
    own = totals.pop(turn.seat)
    target = turn.rules.overrides.get("target", "")
    end = int(target) if target.isdecimal() else 100
    is_lost = max(totals) + 26 >= end and own > min(totals) + 26
    wanted = "subtract" if is_lost else "add"
    return wanted if wanted in ways else ways[0]


def lone_taker(sight: Sight, points: list[int]) -> tuple[int, int]:
    """
    The other seat that has all points so far, and how many; else -1, 0.
    """
    taken = max(points)
    seat = points.index(taken)
    if not taken or taken != sum(points) or seat == sight.seat:
        return -1, 0
    return seat, taken


def moon_threat(sight: Sight, taken: int) -> int:
    """
    How likely a seat that alone has taken so many points shoots the moon, in
    thousandths; 0 while it is not worth a point.
    """
    hearts = taken - 13 if sight.queen_is_taken else taken
    return min(900, THREAT_PER_HEART * hearts) if hearts >= HEARTS_FEARED else 0


def _lead(sight: Sight, card: int) -> int:
    wins, taken = lead_cost(sight, card)
    cost = wins * (taken + LEAD) // 1000 - keep_cost(sight, card)
    # Spades make the queen come out, which is well for who has none above her.
    if SUIT[card] == SPADES and card < QUEEN and sight.queen_seats:
        cost -= 0 if sight.hand >> QUEEN else FLUSH
    return cost


def _follow(sight: Sight, choices: list[Card], stop: int) -> Card:
    best = sight.best
    below = [card for card in choices if card < best]
    above = [card for card in choices if card >= best]
    # Of cards that are sure to lose, or sure to win, the highest goes first; the
    # queen is thrown if she loses, and kept if she need not win.
    candidates = [card for card in below if card == QUEEN] or below[-1:]
    if not sight.after:
        above = [card for card in above if card != QUEEN][-1:] or above
    candidates += above
    if len(candidates) == 1:
        return candidates[0]
    taken, queen_cost, rivals = _trick_prospect(sight)
    out = sight.out[sight.led]
    holds = HOLDS[rivals][sight.holders[sight.led]]

    def cost(card: int) -> int:
        keep = keep_cost(sight, card)
        if card < best:
            relief = THROW_POINT * POINTS[card] + (THROW_QUEEN if card == QUEEN else 0)
            return -keep - relief
        low = (out & BELOW[card]).bit_count()
        high = out.bit_count() - low
        wins = holds[low][high] if high and rivals else POINT
        points = taken + POINT * POINTS[card] + (queen_cost if card > QUEEN else 0)
        gain = stop if sight.trick_points + POINTS[card] else 0
        return wins * (points + LEAD - gain) // 1000 - keep

    return min(candidates, key=cost)


def _trick_prospect(sight: Sight) -> tuple[int, int, int]:
    """
    What the open trick holds and may still get, what the queen of spades adds for a
    card above her, and how many seats may still beat a card.
    """
    led = sight.led
    taken = POINT * sight.trick_points
    if not sight.is_first_trick:
        # Nobody may throw points on the first one.
        taken += gifts(sight, led, sight.after)
    if not sight.out[led]:
        return taken, 0, 0
    rivals = sum([not sight.voids[seat] >> led & 1 for seat in sight.after])
    if led != SPADES or not rivals or not sight.queen_seats:
        return taken, 0, rivals
    coming = sum([seat in sight.queen_seats for seat in sight.after])
    return taken, QUEEN_FALLS * coming // len(sight.queen_seats), rivals


def _throw(sight: Sight, card: int, stop: int) -> int:
    """
    The cost of a card of another suit; `stop` is what a point in this trick is worth
    because of a moon.
    """
    suit = SUIT[card]
    cost = -keep_cost(sight, card)
    if POINTS[card]:
        cost -= THROW_POINT * POINTS[card] + stop
    if card == QUEEN:
        cost -= THROW_QUEEN
    if suit < HEARTS:
        cost -= SHORTEN // max(1, (sight.hand & SUIT_CARDS[suit]).bit_count())
    return cost


HEIGHT: Final = [round(1000 * math.pow(rank / 12, 1.5)) for rank in range(13)]
"""How high a rank is, from 0 to 1000."""

QUEEN_COVERED: Final = [round(1000 * math.pow(0.6, count)) for count in range(14)]
SPADE_COVERED: Final = [round(1000 * math.pow(0.4, count)) for count in range(14)]
"""What remains of the danger of the queen, and of the king and ace of spades, with
so many low spades to spare, in thousandths."""

PASS_QUEEN: Final = 10
PASS_HIGH_SPADE: Final = 8
"""The worth of passing these without any low spade."""


def _pass_worth(hand: int, card: int) -> int:
    suit = SUIT[card]
    count = (hand & SUIT_CARDS[suit]).bit_count()
    if suit == SPADES:
        low = (hand & BELOW[QUEEN]).bit_count()
        if card < QUEEN:
            return -2000
        if card == QUEEN:
            return PASS_QUEEN * QUEEN_COVERED[max(0, low - 2)]
        worth = PASS_HIGH_SPADE * SPADE_COVERED[max(0, low - 1)]
        return worth // 2 if hand & BIT[QUEEN] else worth
    if suit == HEARTS:
        return 4 * HEIGHT[RANK[card]] - 100 * count
    return 3 * HEIGHT[RANK[card]] + 750 * max(0, 4 - count)


class Careful(Bot):
    """
    Counts cards, keeps out of danger, and stops whoever shoots the moon.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose the card of the least cost.
        """
        return choose_card(turn)

    def choose_pass(self, turn: Turn) -> list[Card]:
        """
        Choose the most dangerous cards.
        """
        return choose_pass(turn)

    def choose_moon(self, turn: Turn) -> str:
        """
        Add, unless that loses the game.
        """
        return choose_moon(turn)
