"""
What a card may cost: in the trick at hand, and by staying in the hand.

All costs are integers in thousandths of a point, so that every machine makes the
same decisions. The weights were found by playing deals against each other: one
weight at a time was changed, and kept where it lost fewer points.
"""

from typing import Final

from hearts.house.pack import (
    ABOVE,
    BELOW,
    BIT,
    HEARTS,
    NO_CARD,
    SPADES,
    SUIT,
    SUIT_CARDS,
)
from hearts.house.sight import Sight
from hearts.house.stakes import POINT

LEAD: Final = 520
"""The cost of having to lead the next trick."""

THROWN_HEART: Final = 1575
"""What a seat without the suit led is expected to throw when it lacks the queen:
a heart, and the worse for it the later it comes; for hearts of one point."""

KEEP_PLAIN: Final = 1200
KEEP_HEART: Final = 3000
"""The cost of keeping a card that is sure to win its trick, by suit."""

QUEEN_COST: Final = 13 * POINT
"""What the queen of spades costs in the standard game."""

KEEP_QUEEN: Final = 3900
KEEP_QUEEN_SURE: Final = 1000
KEEP_HIGH_SPADE: Final = 5000
KEEP_HIGH_SPADE_SURE: Final = 500
"""The cost of keeping the queen, or the king or ace of spades while she is out,
without another spade as cover, and what remains of it with any cover."""

COVER: Final = 600
"""The worth of a low spade beside the queen or above."""

LOSER: Final = 65
"""The worth of a card that cannot win while others have its suit."""

LAST_OF_SUIT: Final = 500
LAST_HEART: Final = 1000
LAST_SPADE: Final = 200
"""The cost of keeping a card whose suit nobody else has."""

LOW_SPADE_CAUGHT: Final = 400
"""How likely a spade that is sure to win gets the dearest one, where that is low, in
thousandths."""

COUNT_MAX: Final = 27


def _table(value: float) -> int:
    return round(POINT * value)


UNCOVERED: Final = [_table(0.9025**count) for count in range(COUNT_MAX)]
"""What remains of a danger with so many lower cards of the suit to play before."""

QUEEN_UNCOVERED: Final = [_table(0.325**count) for count in range(COUNT_MAX)]
SPADE_UNCOVERED: Final = [_table(0.5**count) for count in range(COUNT_MAX)]
"""The same for the queen and for the king and ace of spades."""

BONUS_KEPT: Final = 800
BONUS_CAUGHT: Final = 100
BONUS_HUNTED: Final = 250
"""How likely the bonus card in the hand is won by it, a higher card takes the one of
another in a trick that it wins, and does so some time later, in thousandths."""

CANCELLED: Final = 700
"""How likely a card is cancelled in a trick while its twin is out, in thousandths."""


def keep_cost(sight: Sight, card: int) -> int:
    """
    The cost of keeping a card: what it is expected to take later on.
    """
    stakes = sight.stakes
    cost = 0
    if stakes.bonus_worth:
        cost = _hunt(sight, card)
    suit = SUIT[card]
    if suit == SPADES and stakes.queen != NO_CARD:
        return cost + _keep_spade_cost(sight, card)
    out = sight.out[suit]
    if not out:
        return cost + (LAST_HEART if suit == HEARTS else LAST_OF_SUIT)
    below = BELOW[card]
    low = (out & below).bit_count()
    if not low:
        return cost - LOSER
    uncovered = UNCOVERED[(sight.hand & below).bit_count()]
    odds = stakes.odds
    if suit == HEARTS:
        share = odds.share_heart[out.bit_count()][low]
        keep = KEEP_HEART * share * uncovered // 1000000
        return cost + keep * stakes.heart_cost // POINT
    share = odds.share_plain[out.bit_count()][low]
    return cost + KEEP_PLAIN * share * uncovered // 1000000


def _keep_spade_cost(sight: Sight, card: int) -> int:
    stakes = sight.stakes
    out = sight.out[SPADES]
    hand = sight.hand
    queen = stakes.queen
    if stakes.has_low_queen:
        return _keep_low_spade_cost(sight, card)
    if BIT[card] & stakes.dear:
        cost = KEEP_QUEEN // 3
        if out:
            count = (hand & SUIT_CARDS[SPADES]).bit_count() - 1
            cost = KEEP_QUEEN * QUEEN_UNCOVERED[count] // 1000 + KEEP_QUEEN_SURE
        return cost * stakes.cost[card] // QUEEN_COST
    if card > queen and sight.queen_seats:
        count = (hand & BELOW[queen]).bit_count()
        cost = KEEP_HIGH_SPADE * SPADE_UNCOVERED[count] // 1000 + KEEP_HIGH_SPADE_SURE
        return cost * stakes.queen_cost // QUEEN_COST
    if not out:
        return LAST_SPADE
    low = (out & BELOW[card]).bit_count()
    cost = -LOSER
    if low:
        share = stakes.odds.share_plain[out.bit_count()][low]
        cost = KEEP_PLAIN * share // 1000
    covers = card < queen and hand & stakes.from_queen
    return cost - COVER if covers and (sight.queen_seats or hand & BIT[queen]) else cost


def _keep_low_spade_cost(sight: Sight, card: int) -> int:
    """
    The same where the dearest spade is low: the high ones catch it, as hearts do.
    """
    stakes = sight.stakes
    out = sight.out[SPADES]
    if not out:
        return LAST_SPADE + stakes.cost[card]
    low = (out & BELOW[card]).bit_count()
    if not low:
        return -LOSER
    share = stakes.odds.share_plain[out.bit_count()][low]
    uncovered = UNCOVERED[(sight.hand & BELOW[card]).bit_count()]
    taken = stakes.cost[card] + (stakes.queen_cost if sight.queen_seats else 0)
    keep = KEEP_PLAIN + taken * LOW_SPADE_CAUGHT // 1000
    return keep * share * uncovered // 1000000


def _hunt(sight: Sight, card: int) -> int:
    """
    What a card is expected to do about the bonus card; below 0, since it is a gain.
    """
    stakes = sight.stakes
    bonus = stakes.bonus
    if card == bonus:
        return -stakes.bonus_worth * BONUS_KEPT // 1000
    if card > bonus and SUIT[card] == SUIT[bonus] and sight.unseen & BIT[bonus]:
        return -stakes.bonus_worth * BONUS_HUNTED // 1000
    return 0


def lead_cost(sight: Sight, card: int) -> tuple[int, int]:
    """
    How likely a lead wins, in thousandths, and what it then takes.
    """
    stakes = sight.stakes
    suit = SUIT[card]
    out = sight.out[suit]
    low = (out & BELOW[card]).bit_count()
    high = (out & ABOVE[card]).bit_count()
    if high and not low:
        return 0, 0
    holders = sight.holders[suit]
    wins = stakes.odds.holds[holders][holders][low][high] if high else POINT
    taken = stakes.cost[card] + gifts(sight, suit, sight.after)
    if card > stakes.queen and sight.queen_seats:
        taken += stakes.queen_cost
    if not stakes.is_standard:
        taken += sight.trick_cost + caught_bonus(sight, card)
        wins = uncancelled(sight, card, wins)
    return wins, taken


def caught_bonus(sight: Sight, card: int) -> int:
    """
    What a card that wins is expected to get by the bonus card of another; 0 or below.
    """
    stakes = sight.stakes
    bonus = stakes.bonus
    if card < bonus or SUIT[card] != SUIT[bonus] or not sight.unseen & BIT[bonus]:
        return 0
    return -stakes.bonus_worth * BONUS_CAUGHT // 1000


def uncancelled(sight: Sight, card: int, wins: int) -> int:
    """
    How likely a card wins that no equal one may cancel, and does so.
    """
    if sight.stakes.cancels and sight.unseen & BIT[card] and sight.after:
        return wins * (1000 - CANCELLED) // 1000
    return wins


def gifts(sight: Sight, suit: int, seats: list[int]) -> int:
    """
    What these seats are expected to add to a trick of a suit that another wins.
    """
    stakes = sight.stakes
    out = sight.out[suit]
    may_be_void = stakes.odds.has_none[sight.holders[suit]][out.bit_count()]
    heart = THROWN_HEART * stakes.heart_cost // POINT if sight.hearts_are_out else 0
    queen_seats = sight.queen_seats if suit != SPADES else ()
    queen_share = POINT // len(queen_seats) if queen_seats else 0
    total = 0
    for seat in seats:
        is_void = POINT if sight.voids[seat] >> suit & 1 else may_be_void
        thrown = heart
        if seat in queen_seats:
            thrown += (stakes.queen_cost - heart) * queen_share // POINT
        total += is_void * thrown // POINT
        if suit == HEARTS:
            total += (POINT - is_void) * stakes.heart_cost // POINT
    return total
