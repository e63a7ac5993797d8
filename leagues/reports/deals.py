"""Deals one by one: what each seat took, for reports that need more than results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from arena.record import Record
from arena.rules import PassDirection
from leagues.rating.pairs import Floats, Integers
from leagues.reports.source import Source
from leagues.results import GameResult

__all__ = ["DIRECTIONS", "Deals", "GameRecord", "deals_of"]

GameRecord = tuple[GameResult, Record]
"""A game's result, and its record."""

DIRECTIONS: Sequence[str] = tuple(
    direction.label for direction in sorted(PassDirection)
)
"""The pass directions, in the order in which they are told."""


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """What each seat took in each deal, as columns."""

    entrant: Integers
    """Who sat there, as a place in `Source.ranked`."""
    direction: Integers
    """Where to cards were passed, as a place in `DIRECTIONS`."""
    points: Floats
    block: Integers
    deal: Integers
    """Which rows are one deal, from 0."""


def deals_of(source: Source, games: Iterable[GameRecord]) -> Deals:
    """Read each game once; only the points of its deals are kept.

    Args:
        source: The league.
        games: Those of its results, in any order.
    """
    index = {name: place for place, name in enumerate(source.ranked)}
    rows: list[tuple[int, int, int, int, int]] = []
    count = 0
    for result, record in games:
        seated = [index[seat.entrant] for seat in result.seats]
        for played in record.deals:
            if played.points is not None:
                direction = DIRECTIONS.index(played.direction)
                rows += [
                    (entrant, direction, taken, result.block, count)
                    for entrant, taken in zip(seated, played.points, strict=True)
                ]
                count += 1
    table = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    entrants, directions, points, blocks, numbers = table
    return Deals(entrants, directions, points.astype(np.float64), blocks, numbers)
