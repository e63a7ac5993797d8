"""Marks: whose rating rests on the phantom, or on next to no results."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from leagues.rating.errors import BLOCKS_MIN
from leagues.rating.pairs import Floats, Integers

__all__ = ["ALWAYS", "APART", "FEW", "NEVER", "marks_of"]

ALWAYS: Final = ">"
"""Has won against everybody, always."""
NEVER: Final = "<"
"""Has never won against anybody."""
APART: Final = "!"
"""No chain of wins and losses joins it with the rest, so that its distance from them
is a guess."""

FEW: Final = "?"
"""Has played fewer than `BLOCKS_MIN` blocks."""


def marks_of(wins: Floats, blocks: Integers) -> tuple[str, ...]:
    """Mark each entrant; empty is no mark.

    Args:
        wins: How often who came out ahead of whom, ties half.
        blocks: How many blocks each took part in.
    """
    won, lost = wins.sum(axis=1), wins.sum(axis=0)
    sizes, group = _groups(wins > 0)
    main = max(sizes, default=0)
    # Of several that are the largest, none is what the others are apart from.
    is_one = main > 1 and sizes.count(main) == 1
    return tuple(
        ALWAYS
        if won[index] and not lost[index]
        else NEVER
        if lost[index] and not won[index]
        else APART
        if sizes[group[index]] < main or not is_one
        else FEW
        if blocks[index] < BLOCKS_MIN
        else ""
        for index in range(len(wins))
    )


def _groups(beats: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """Group those whom chains of wins join in both directions.

    Returns:
        The size of each group, and the group of each entrant.
    """
    reaches = beats | np.eye(len(beats), dtype=bool)
    while True:
        # Numbers with a point multiply much faster than truth values.
        steps = reaches.astype(np.float64)
        further = (steps @ steps) > 0
        if (further == reaches).all():
            break
        reaches = further
    joined = reaches & reaches.T
    numbers: dict[bytes, int] = {}
    group = [numbers.setdefault(row.tobytes(), len(numbers)) for row in joined]
    return [group.count(number) for number in range(len(numbers))], group
