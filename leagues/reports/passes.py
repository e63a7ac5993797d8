"""Passes: what each bot takes in deals with a pass to the left, the right and so on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Final

import numpy as np
from scipy.special import stdtr

from leagues.rating.pairs import Integers
from leagues.rating.points import PointsPerDeal, points_per_deal
from leagues.rating.tiers import LEVEL
from leagues.reports.deals import DIRECTIONS, GameRecord, deals_of
from leagues.reports.document import Column, Report, Rows, Table, figure
from leagues.reports.source import Source

__all__ = ["BLOCKS_MIN", "contrasts_of", "passes", "sure_of"]

BLOCKS_MIN: Final = 20
"""With fewer blocks of a pass nothing is claimed of it."""

_DATA: Final = (
    Column("Entrant", "entrant", is_text=True),
    Column("Direction", "direction", is_text=True),
    Column("Deals", "deals"),
    Column("Pts/deal", "points_per_deal", 3),
    Column("+/-", "half_width", 3),
)


def passes(source: Source, games: Iterable[GameRecord]) -> Report:
    """Tell the points a deal of each bot by the direction of the pass."""
    deals = deals_of(source, games)
    size, ways = len(source.ranked), len(DIRECTIONS)
    cell = deals.entrant * ways + deals.direction
    found = points_per_deal(
        cell,
        deals.block,
        points=deals.points,
        deals=np.ones(len(cell)),
        count=size * ways,
    )
    counts = np.bincount(cell, minlength=size * ways)
    played = [way for way in range(ways) if counts[way::ways].any()]
    shown: Rows = tuple(
        (name, *(_shown(found, at * ways + way) for way in played))
        for at, name in enumerate(source.ranked)
    )
    columns = (
        Column("Entrant", "entrant", is_text=True),
        *(Column(DIRECTIONS[way].capitalize(), DIRECTIONS[way]) for way in played),
    )
    return source.report(
        "passes",
        _summary(source, contrasts_of(found, played)),
        Table(_DATA, _rows(source, found, counts, played)),
        tables=(Table(columns, shown, "Points a deal ± 95 %, by pass"),),
        notes=(
            "Each ± is for one figure alone; of twenty equal figures one is further "
            "off by chance. The first sentence judges all together.",
        ),
    )


def _rows(
    source: Source, found: PointsPerDeal, counts: Integers, played: list[int]
) -> Rows:
    ways = len(DIRECTIONS)
    return tuple(
        (
            name,
            DIRECTIONS[way],
            int(counts[at * ways + way]),
            float(found.means[at * ways + way]),
            float(found.half_widths[at * ways + way]),
        )
        for at, name in enumerate(source.ranked)
        for way in played
    )


def _shown(found: PointsPerDeal, at: int) -> str:
    width = figure(float(found.half_widths[at]), 2)
    mean = figure(float(found.means[at]), 2)
    return mean if width == "-" else f"{mean} ±{width}"


@dataclass(frozen=True, slots=True)
class Contrast:
    """How far a bot's points after two passes are apart."""

    entrant: int
    high: int
    """After which pass it takes more, as a place in `DIRECTIONS`."""
    low: int
    width: float
    """How many points a deal."""
    p_value: float
    """How often chance makes it as large; not a number with too few blocks."""


def contrasts_of(found: PointsPerDeal, played: Sequence[int]) -> list[Contrast]:
    """Compare each bot's points after every two passes.

    Args:
        found: Points a deal, all directions of a bot after those of the one before.
        played: The directions that there are.
    """
    ways = len(DIRECTIONS)
    contrasts = []
    for first in range(0, len(found.means), ways):
        for one, other in combinations(played, 2):
            width = float(found.means[first + one] - found.means[first + other])
            if width == width:
                high, low = (one, other) if width >= 0 else (other, one)
                p_value = _p_value(found, first + one, first + other)
                at = first // ways
                contrasts.append(Contrast(at, high, low, abs(width), p_value))
    return contrasts


def _p_value(found: PointsPerDeal, one: int, other: int) -> float:
    """Return how often equal points are as far apart by chance."""
    blocks = int(min(found.blocks[one], found.blocks[other]))
    if blocks < BLOCKS_MIN:
        return nan
    error = float(np.hypot(found.errors[one], found.errors[other]))
    distance = abs(float(found.means[one] - found.means[other])) / error
    return float(2 * stdtr(blocks - 1, -distance))


def sure_of(contrasts: Sequence[Contrast]) -> Contrast | None:
    """Return the surest contrast if chance does not explain it, all judged together."""
    tested = [one for one in contrasts if one.p_value == one.p_value]
    surest = min(tested, key=lambda one: one.p_value, default=None)
    if surest is None or surest.p_value * len(tested) > LEVEL:
        return None
    return surest


def _summary(source: Source, contrasts: Sequence[Contrast]) -> str:
    """Say first whether the pass matters, then for whom most, and how much."""
    if not contrasts:
        return "All deals were passed alike, so there is nothing to compare."
    if sure := sure_of(contrasts):
        name = source.ranked[sure.entrant]
        return f"For {name} the pass matters: it takes {_apart(sure)}."
    widest = max(contrasts, key=lambda one: one.width)
    name = source.ranked[widest.entrant]
    verdict = "There are too few games to say whether the pass matters"
    if any(one.p_value == one.p_value for one in contrasts):
        verdict = "For no bot the pass matters by more than luck explains"
    return f"{verdict}. Furthest apart is {name}, which took {_apart(widest)}."


def _apart(contrast: Contrast) -> str:
    return (
        f"{contrast.width:.1f} points a deal more after a pass {_words(contrast.high)} "
        f"than after one {_words(contrast.low)}"
    )


def _words(way: int) -> str:
    label = DIRECTIONS[way]
    return {"left": "to the left", "right": "to the right"}.get(
        label, "that is none (hold)" if label == "hold" else label
    )
