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
    POINTS,
    QUEEN,
    SPADES,
    SUIT,
    SUIT_CARDS,
)
from hearts.house.sight import Sight

POINT: Final = 1000
"""A point in the unit of all costs."""

LEAD: Final = 520
"""The cost of having to lead the next trick."""

OVERTAKE: Final = 0.15
"""How often a seat wins a trick that it need not win."""

THROWN_HEART: Final = 1575
"""What a seat without the suit led is expected to throw when it lacks the queen:
a heart, and the worse for it the later it comes."""

QUEEN_FALLS: Final = 13 * POINT

KEEP_PLAIN: Final = 1200
KEEP_HEART: Final = 3000
"""The cost of keeping a card that is sure to win its trick, by suit."""

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

COUNT_MAX: Final = 14
SEATS_MAX: Final = 8


def _table(value: float) -> int:
    return round(POINT * value)


SHARE_PLAIN: Final = [
    [_table((low / out) ** 1.3) if out else 0 for low in range(COUNT_MAX)]
    for out in range(COUNT_MAX)
]
SHARE_HEART: Final = [
    [_table((low / out) ** 0.975) if out else 0 for low in range(COUNT_MAX)]
    for out in range(COUNT_MAX)
]
"""How sure a card is to win its trick, with so many `low` cards of the `out` ones
below it: `SHARE[out][low]`, in thousandths."""

UNCOVERED: Final = [_table(0.9025**count) for count in range(COUNT_MAX)]
"""What remains of a danger with so many lower cards of the suit to play before."""

QUEEN_UNCOVERED: Final = [_table(0.325**count) for count in range(COUNT_MAX)]
SPADE_UNCOVERED: Final = [_table(0.5**count) for count in range(COUNT_MAX)]
"""The same for the queen and for the king and ace of spades."""

HAS_NONE: Final = [
    [_table((1 - 1 / holders) ** out if out else 1) for out in range(COUNT_MAX)]
    for holders in range(1, SEATS_MAX)
]
HAS_NONE.insert(0, [POINT] * COUNT_MAX)
"""How likely one of the seats that may hold a suit has none of its `out` cards:
`HAS_NONE[holders][out]`, in thousandths."""


def _holds(holders: int, *, low: int, high: int, after: int) -> int:
    """
    How likely a card wins: none of the seats `after` must or wants to beat it.
    """
    share = 1 - 1 / holders
    has_high = 1 - share**high if high else 0.0
    no_low = share**low if low else 1.0
    beats = no_low * has_high + OVERTAKE * (1 - no_low) * has_high
    return _table((1 - beats) ** after)


HOLDS: Final = [
    [
        [
            [
                _holds(max(holders, 1), low=low, high=high, after=after)
                for high in range(COUNT_MAX)
            ]
            for low in range(COUNT_MAX)
        ]
        for holders in range(SEATS_MAX)
    ]
    for after in range(SEATS_MAX)
]
"""`HOLDS[after][holders][low][high]`, in thousandths."""


def keep_cost(sight: Sight, card: int) -> int:
    """
    The cost of keeping a card: what it is expected to take later on.
    """
    suit = SUIT[card]
    if suit == SPADES:
        return _keep_spade_cost(sight, card)
    out = sight.out[suit]
    if not out:
        return LAST_HEART if suit == HEARTS else LAST_OF_SUIT
    below = BELOW[card]
    low = (out & below).bit_count()
    if not low:
        return -LOSER
    uncovered = UNCOVERED[(sight.hand & below).bit_count()]
    if suit == HEARTS:
        return KEEP_HEART * SHARE_HEART[out.bit_count()][low] * uncovered // 1000000
    return KEEP_PLAIN * SHARE_PLAIN[out.bit_count()][low] * uncovered // 1000000


def _keep_spade_cost(sight: Sight, card: int) -> int:
    out = sight.out[SPADES]
    hand = sight.hand
    if card == QUEEN:
        if not out:
            return KEEP_QUEEN // 3
        count = (hand & SUIT_CARDS[SPADES]).bit_count() - 1
        return KEEP_QUEEN * QUEEN_UNCOVERED[count] // 1000 + KEEP_QUEEN_SURE
    if card > QUEEN and sight.queen_seats:
        count = (hand & BELOW[QUEEN]).bit_count()
        return KEEP_HIGH_SPADE * SPADE_UNCOVERED[count] // 1000 + KEEP_HIGH_SPADE_SURE
    if not out:
        return LAST_SPADE
    low = (out & BELOW[card]).bit_count()
    cost = KEEP_PLAIN * SHARE_PLAIN[out.bit_count()][low] // 1000 if low else -LOSER
    covers = card < QUEEN and hand >> QUEEN
    return cost - COVER if covers and (sight.queen_seats or hand & BIT[QUEEN]) else cost


def lead_cost(sight: Sight, card: int) -> tuple[int, int]:
    """
    How likely a lead wins, in thousandths, and what it then takes.
    """
    suit = SUIT[card]
    out = sight.out[suit]
    low = (out & BELOW[card]).bit_count()
    high = (out & ABOVE[card]).bit_count()
    if high and not low:
        return 0, 0
    holders = sight.holders[suit]
    wins = HOLDS[holders][holders][low][high] if high else POINT
    taken = POINT * POINTS[card] + gifts(sight, suit, sight.after)
    if card > QUEEN and sight.queen_seats:
        taken += QUEEN_FALLS
    return wins, taken


def gifts(sight: Sight, suit: int, seats: list[int]) -> int:
    """
    What these seats are expected to add to a trick of a suit that another wins.
    """
    out = sight.out[suit]
    may_be_void = HAS_NONE[sight.holders[suit]][out.bit_count()]
    heart = THROWN_HEART if sight.hearts_are_out else 0
    queen_seats = sight.queen_seats if suit != SPADES else ()
    queen_share = POINT // len(queen_seats) if queen_seats else 0
    total = 0
    for seat in seats:
        is_void = POINT if sight.voids[seat] >> suit & 1 else may_be_void
        thrown = heart
        if seat in queen_seats:
            thrown += (13 * POINT - heart) * queen_share // POINT
        total += is_void * thrown // POINT
        if suit == HEARTS:
            total += POINT - is_void
    return total
