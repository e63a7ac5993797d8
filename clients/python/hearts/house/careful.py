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
    ABOVE,
    BELOW,
    BIT,
    HEARTS,
    NO_CARD,
    RANK,
    SPADES,
    SUIT,
    SUIT_CARDS,
    card_set,
    double_set,
    without,
)
from hearts.house.risk import (
    LEAD,
    QUEEN_COST,
    caught_bonus,
    gifts,
    keep_cost,
    lead_cost,
    uncancelled,
)
from hearts.house.sight import Sight
from hearts.house.stakes import POINT, Stakes, stakes_of
from hearts.turn import Turn

VERSION: Final = "careful-1"
"""The name of this policy, as records tell it."""

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
    if not sight.trick:
        return min(choices, key=lambda card: _lead(sight, card))
    stakes = sight.stakes
    shooter, taken = lone_taker(sight, turn.points)
    stop = moon_threat(sight, taken) * stakes.moon // 1000
    if SUIT[choices[0]] == sight.led:
        return _follow(sight, choices, stop)
    if sight.winner == shooter:
        is_feared = taken >= stakes.points_feared and stakes.moon
        stop = -KEEP_FROM_SHOOTER if is_feared else 0
    return min(choices, key=lambda card: _throw(sight, card, stop))


def choose_pass(turn: Turn) -> list[Card]:
    """
    Choose the most dangerous cards, one after the other.
    """
    stakes = stakes_of(turn)
    hand = double_set(turn.hand) if stakes.is_double else card_set(turn.hand)
    choices = turn.choices
    chosen = []
    for _ in range(turn.answer_count):
        card = max(choices, key=lambda card: _pass_worth(stakes, hand, card))
        choices.remove(card)
        chosen.append(card)
        hand = without(hand, BIT[card])
    return chosen


def choose_moon(turn: Turn) -> str:
    """
    Add, unless that ends the game and another seat wins it.
    """
    ways = turn.moon_choices or ["add"]
    totals = turn.totals
    own = totals.pop(turn.seat)
    rules = turn.rules
    worth = turn.moon_points or 26
    end = rules.target + (rules.options.get("end_when") == "exceed")
    is_lost = max(totals) + worth >= end and own > min(totals) + worth
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
    hearts = sight.hearts_taken() if taken else 0
    return min(900, THREAT_PER_HEART * hearts) if hearts >= HEARTS_FEARED else 0


def _lead(sight: Sight, card: int) -> int:
    wins, taken = lead_cost(sight, card)
    cost = wins * (taken + LEAD) // 1000 - keep_cost(sight, card)
    # Spades make the queen come out, which is well for who has none above her.
    stakes = sight.stakes
    if SUIT[card] == SPADES and card < stakes.queen and sight.queen_seats:
        is_safe = not sight.hand & stakes.from_queen
        cost -= FLUSH * stakes.queen_cost // QUEEN_COST if is_safe else 0
    return cost


def _follow(sight: Sight, choices: list[Card], stop: int) -> Card:
    stakes = sight.stakes
    limit = sight.limit
    candidates = _follow_candidates(sight, choices)
    if len(candidates) == 1:
        return candidates[0]
    taken, queen_cost, rivals = _trick_prospect(sight)
    out = sight.out[sight.led]
    holds = stakes.odds.holds[rivals][sight.holders[sight.led]]

    def cost(card: int) -> int:
        keep = keep_cost(sight, card)
        if card < limit:
            return -keep - _relief(stakes, card)
        low = (out & BELOW[card]).bit_count()
        high = (out & ABOVE[card]).bit_count()
        wins = holds[low][high] if high and rivals else POINT
        points = taken + stakes.cost[card]
        points += queen_cost if card > stakes.queen else 0
        if not stakes.is_standard:
            wins = uncancelled(sight, card, wins)
            points += caught_bonus(sight, card) if sight.after else 0
        gain = stop if sight.trick_points + stakes.points[card] else 0
        return wins * (points + LEAD - gain) // 1000 - keep

    return min(candidates, key=cost)


def _follow_candidates(sight: Sight, choices: list[Card]) -> list[Card]:
    """
    The cards worth weighing, of those that follow suit.

    Of cards that are sure to lose, or sure to win, the highest goes first; the queen
    is thrown if she loses, and kept if she need not win.
    """
    stakes = sight.stakes
    limit = sight.limit
    dear = stakes.dear
    below = [card for card in choices if card < limit]
    above = [card for card in choices if card >= limit]
    thrown = [card for card in below if BIT[card] & dear]
    candidates = thrown[-1:] or below[-1:]
    if candidates and candidates[0] == stakes.bonus:
        candidates = below[-2:]
    if not sight.after:
        cheap = [card for card in above if not BIT[card] & dear]
        won = [card for card in cheap if card == stakes.bonus]
        above = won or cheap[-1:] or above
    return candidates + above


def _relief(stakes: Stakes, card: int) -> int:
    """
    The worth of giving a card to another seat; below 0 for the bonus card.
    """
    cost = stakes.cost[card]
    if BIT[card] & stakes.dear:
        return (THROW_POINT * cost + THROW_QUEEN * cost // 13) // 1000
    return THROW_POINT * cost // 1000


def _trick_prospect(sight: Sight) -> tuple[int, int, int]:
    """
    What the open trick holds and may still get, what the queen of spades adds for a
    card above her, and how many seats may still beat a card.
    """
    stakes = sight.stakes
    led = sight.led
    taken = sight.trick_cost
    if not (sight.is_first_trick and stakes.bans_points):
        taken += gifts(sight, led, sight.after)
    if not sight.out[led]:
        return taken, 0, 0
    rivals = sum([not sight.voids[seat] >> led & 1 for seat in sight.after])
    if led != SPADES or not rivals or not sight.queen_seats:
        return taken, 0, rivals
    coming = sum([seat in sight.queen_seats for seat in sight.after])
    return taken, stakes.queen_cost * coming // len(sight.queen_seats), rivals


def _throw(sight: Sight, card: int, stop: int) -> int:
    """
    The cost of a card of another suit; `stop` is what a point in this trick is worth
    because of a moon.
    """
    stakes = sight.stakes
    suit = SUIT[card]
    cost = -keep_cost(sight, card)
    if stakes.cost[card]:
        cost -= _relief(stakes, card)
        if stakes.points[card]:
            cost -= stop
    if suit < HEARTS:
        cost -= SHORTEN // max(1, (sight.hand & SUIT_CARDS[suit]).bit_count())
    return cost


HEIGHT: Final = [round(1000 * math.pow(rank / 12, 1.5)) for rank in range(13)]
"""How high a rank is, from 0 to 1000."""

QUEEN_COVERED: Final = [round(1000 * math.pow(0.6, count)) for count in range(27)]
SPADE_COVERED: Final = [round(1000 * math.pow(0.4, count)) for count in range(27)]
"""What remains of the danger of the queen, and of the king and ace of spades, with
so many low spades to spare, in thousandths."""

KEEP_LOW_SPADE: Final = -2000
"""The worth of passing a spade below the dearest one, or that one if it is low."""

KEEP_BONUS: Final = -3000
"""The worth of passing the bonus card."""

PASS_QUEEN: Final = 10
PASS_HIGH_SPADE: Final = 8
"""The worth of passing these without any low spade."""


def _pass_worth(stakes: Stakes, hand: int, card: int) -> int:
    suit = SUIT[card]
    if suit == SPADES and stakes.queen != NO_CARD:
        return _pass_spade_worth(stakes, hand, card)
    count = (hand & SUIT_CARDS[suit]).bit_count()
    if not stakes.is_standard:
        if card == stakes.bonus:
            return KEEP_BONUS
        # As many as in a hand of thirteen.
        count = (26 * count + stakes.size) // (2 * stakes.size)
    if suit == HEARTS:
        worth = 4 * HEIGHT[RANK[card]] - 100 * count
        return worth * stakes.heart_cost // POINT
    return 3 * HEIGHT[RANK[card]] + (750 * (4 - count) if count < 4 else 0)


def _pass_spade_worth(stakes: Stakes, hand: int, card: int) -> int:
    queen = stakes.queen
    bit = BIT[card]
    if stakes.has_low_queen:
        if card <= queen:
            return KEEP_LOW_SPADE
        cost = stakes.queen_cost + stakes.cost[card]
        worth = PASS_HIGH_SPADE * HEIGHT[RANK[card]] * cost // QUEEN_COST
        return worth - 100 * (hand & BELOW[card]).bit_count()
    if card < queen and not bit & stakes.dear:
        return KEEP_LOW_SPADE
    low = (hand & BELOW[queen] & ~stakes.dear).bit_count()
    if bit & stakes.dear:
        worth = PASS_QUEEN * QUEEN_COVERED[max(0, low - 2)]
        return worth * stakes.cost[card] // QUEEN_COST
    worth = PASS_HIGH_SPADE * SPADE_COVERED[max(0, low - 1)]
    worth = worth * stakes.queen_cost // QUEEN_COST
    return worth // 2 if hand & BIT[queen] else worth


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
