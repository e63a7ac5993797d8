"""Passes: what each bot takes in deals with a pass to the left, the right and so on."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from leagues.rating.pairs import Integers
from leagues.rating.points import PointsPerDeal, points_per_deal
from leagues.reports.deals import DIRECTIONS, GameRecord, deals_of
from leagues.reports.document import Column, Report, Rows, Table, figure
from leagues.reports.source import Source

__all__ = ["passes"]

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
        _summary(source, found, played),
        Table(_DATA, _rows(source, found, counts, played)),
        tables=(Table(columns, shown, "Points a deal ± 95 %, by pass"),),
        notes=(
            "Each ± is for one figure alone; of twenty equal figures one is further "
            "off by chance.",
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


def _summary(source: Source, found: PointsPerDeal, played: list[int]) -> str:
    """Name the bot whose directions differ most, and how much."""
    ways = len(DIRECTIONS)
    widest = ("", 0.0, 0, 0)
    for at, name in enumerate(source.ranked):
        means = {way: float(found.means[at * ways + way]) for way in played}
        means = {way: mean for way, mean in means.items() if mean == mean}
        if len(means) > 1:
            low = min(means, key=lambda way: means[way])
            high = max(means, key=lambda way: means[way])
            if means[high] - means[low] > widest[1]:
                widest = (name, means[high] - means[low], high, low)
    name, width, high, low = widest
    if not name:
        return "All deals were passed alike, so there is nothing to compare."
    return (
        f"The pass matters most for {name}: it takes {width:.1f} points a deal more "
        f"after a pass {_words(high)} than after one {_words(low)}. Much of that may "
        "be luck."
    )


def _words(way: int) -> str:
    label = DIRECTIONS[way]
    return {"left": "to the left", "right": "to the right"}.get(
        label, "that is none (hold)" if label == "hold" else label
    )
