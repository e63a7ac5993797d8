"""Arrangements: where two sides sit when they fill a table together.

In a match two bots share the seats, and a block plays the same deals in every
arrangement: of four seats each side has two, in all six ways. So both sides hold every
hand, in every seat, as often, with either side to the left, the right and across; what
is left of a block's score is what they made of it. Of an odd number of seats each side
has one more in half of the games.
"""

from functools import lru_cache
from itertools import product
from typing import Final

__all__ = ["SEATS_MAX", "Arrangement", "arrangements", "bots_per_side"]

Arrangement = tuple[int, ...]
"""For each seat the side that sits there, 0 or 1."""

SEATS_MAX: Final = 8
"""With eight seats a block has 70 games; with more it would have hundreds."""


@lru_cache
def arrangements(seats: int) -> tuple[Arrangement, ...]:
    """Return every way in which two sides share a table evenly.

    Each is followed by the one with the sides exchanged.

    >>> ["".join("AB"[side] for side in one) for one in arrangements(4)]
    ['AABB', 'BBAA', 'ABAB', 'BABA', 'ABBA', 'BAAB']

    Args:
        seats: How many seats the table has, from 2 to `SEATS_MAX`.
    """
    if not 1 < seats <= SEATS_MAX:
        raise ValueError(f"two sides share 2 to {SEATS_MAX} seats, not {seats}")
    halves = (seats // 2, seats - seats // 2)
    firsts = [
        (0, *others)
        for others in product((0, 1), repeat=seats - 1)
        if sum(others) in halves
    ]
    return tuple(
        tuple(side ^ exchanged for side in one)
        for one in firsts
        for exchanged in (0, 1)
    )


def bots_per_side(seats: int) -> int:
    """Return how many seats a side has at most, and so how many bots it needs."""
    return seats - seats // 2
