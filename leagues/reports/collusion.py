"""Collusion: who gives points to whom beyond what chance explains.

A seat *gives* the penalty cards that it plays to a trick which another seat takes.
How much a bot gives and how much it takes depends on how it plays, and where the
other sits; so each pair is set against what the product of these three leads to. A
bot that spares its friend gives it less than that, one that feeds it more.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Final

import numpy as np
from scipy.special import stdtr

from arena.game import Game
from arena.replay import replay
from leagues.rating.pairs import Floats, Integers
from leagues.rating.points import points_per_deal
from leagues.reports.deals import GameRecord
from leagues.reports.document import Column, Report, Rows, Table
from leagues.reports.source import Source
from leagues.reports.words import counted

__all__ = ["Gifts", "collusion", "expected_gifts", "gifts_of", "judged", "report_of"]

LEVEL: Final = 0.05
"""How often a league in which nobody favours anybody names any pair at all."""
BLOCKS_MIN: Final = 20
"""Pairs with fewer blocks are not judged: one queen would decide."""
_SHOWN_MAX: Final = 12
_ROUNDS_MAX: Final = 1000
_CLOSE: Final = 1e-10

_DATA: Final = (
    Column("Giver", "giver", is_text=True),
    Column("Taker", "taker", is_text=True),
    Column("Deals", "deals"),
    Column("Blocks", "blocks"),
    Column("Given", "given_per_deal", 3),
    Column("Expected", "expected_per_deal", 3),
    Column("Beyond", "beyond", 3),
    Column("+/-", "half_width", 3),
    Column("p", "p_value", 5),
    Column("p of all", "p_adjusted", 4),
)


@dataclass(frozen=True, slots=True, eq=False)
class Gifts:
    """What each seat gave each other seat in each game, as columns."""

    giver: Integers
    """Who gave, as a place in `Source.ranked`."""
    taker: Integers
    distance: Integers
    """How many seats further on the taker sat."""
    points: Floats
    deals: Integers
    block: Integers


@dataclass(frozen=True, slots=True)
class _Pair:
    """What one gave another, in the order of the columns."""

    giver: str
    taker: str
    deals: int
    blocks: int
    given_per_deal: float
    expected_per_deal: float
    beyond: float
    half_width: float
    p_value: float
    p_adjusted: float

    @property
    def is_judged(self) -> bool:
        """Whether there are enough blocks."""
        return self.p_value == self.p_value


def collusion(source: Source, games: Iterable[GameRecord]) -> Report:
    """Tell which bots give which others more or fewer points than chance explains."""
    return report_of(source, gifts_of(source, games))


def report_of(source: Source, gifts: Gifts) -> Report:
    """Tell which gifts are more or fewer than expected."""
    pairs = _pairs(source, gifts)
    data: Rows = tuple(map(astuple, pairs))
    pairs.sort(key=lambda pair: (not pair.is_judged, pair.p_value, pair.giver))
    shown: Rows = tuple(map(astuple, pairs[:_SHOWN_MAX]))
    return source.report(
        "collusion",
        _summary(pairs),
        Table(_DATA, data),
        tables=(Table(_DATA, shown, "The pairs that are furthest from expectation"),),
        notes=(
            "Given: points of the cards that the giver played to tricks of the taker, "
            "a deal. Expected: from how much the one gives, the other takes, and where "
            "they sat.",
            "p of all: how often a league in which nobody favours anybody has any "
            "pair as far off (Holm's method). Two programs may fit each other badly or "
            "well by how they play, without knowing each other: this names pairs whose "
            "games are worth a look, and proves nothing. Games with a seat that was "
            "given up are left out.",
        ),
    )


def gifts_of(source: Source, games: Iterable[GameRecord]) -> Gifts:
    """Play each game again and add up who gave what to whom.

    Args:
        source: The league.
        games: Those of its results, in any order.
    """
    index = {name: place for place, name in enumerate(source.ranked)}
    rows: list[tuple[int, int, int, int, int, int]] = []
    for result, record in games:
        if result.given_up:
            continue
        given = _given(replay(record))
        seated = [index[seat.entrant] for seat in result.seats]
        size = len(seated)
        rows += [
            (
                seated[giver],
                seated[taker],
                (taker - giver) % size,
                given[giver][taker],
                result.deals,
                result.block,
            )
            for giver in range(size)
            for taker in range(size)
            if giver != taker
        ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 6).T
    giver, taker, distance, points, deals, block = columns
    return Gifts(giver, taker, distance, points.astype(np.float64), deals, block)


def expected_gifts(gifts: Gifts, *, count: int) -> Floats:
    """Return what each row leads one to expect: giver times taker times distance.

    The three factors are those with which everybody gives and takes as much in all as
    it did, and every distance sees as much; they are found in turns.

    Args:
        gifts: Who gave what to whom.
        count: How many bots there are.
    """
    sides = [gifts.giver, gifts.taker, gifts.distance]
    sizes = [count, count, int(gifts.distance.max(initial=0)) + 1]
    factors = [np.ones(size) for size in sizes]
    wanted = [
        np.bincount(side, gifts.points, minlength=size)
        for side, size in zip(sides, sizes, strict=True)
    ]
    expected = gifts.deals.astype(np.float64)
    for _ in range(_ROUNDS_MAX):
        moved = 0.0
        for side, size, factor, want in zip(sides, sizes, factors, wanted, strict=True):
            have = np.bincount(side, expected, minlength=size)
            change = np.divide(want, have, out=np.ones(size), where=have > 0)
            factor *= change
            expected = expected * change[side]
            moved = max(moved, float(np.abs(change - 1).max(initial=0)))
        if moved < _CLOSE:
            break
    return np.asarray(expected, dtype=np.float64)


def judged(p_values: Floats) -> Floats:
    """Return Holm's p-values of all pairs together; what is no number stays so."""
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    adjusted = np.full(len(p_values), np.nan)
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1)
    return adjusted


def _given(game: Game) -> list[list[int]]:
    """Return the points that each seat gave each other, by seats."""
    points = game.rules.card_points
    size = game.rules.players
    given = [[0] * size for _ in range(size)]
    for deal in game.deals:
        for trick, taker in enumerate(deal.takers):
            if taker is None:
                continue
            leader = deal.leaders[trick]
            for place, card in enumerate(deal.plays[trick * size : (trick + 1) * size]):
                given[(leader + place) % size][taker] += points[card]
    return given


def _pairs(source: Source, gifts: Gifts) -> list[_Pair]:
    size = len(source.ranked)
    cell = gifts.giver * size + gifts.taker
    expected = expected_gifts(gifts, count=size)
    found = points_per_deal(
        cell,
        gifts.block,
        points=gifts.points - expected,
        deals=gifts.deals,
        count=size * size,
    )
    deals = np.bincount(cell, gifts.deals, minlength=size * size)
    with np.errstate(invalid="ignore", divide="ignore"):
        given = np.bincount(cell, gifts.points, minlength=size * size) / deals
        distance = np.abs(found.means / found.errors)
        p_values = 2 * stdtr(np.maximum(found.blocks - 1, 1), -distance)
    p_values = np.where(found.blocks >= BLOCKS_MIN, p_values, np.nan)
    adjusted = judged(p_values)
    return [
        _Pair(
            giver=source.ranked[at // size],
            taker=source.ranked[at % size],
            deals=int(deals[at]),
            blocks=int(found.blocks[at]),
            given_per_deal=float(given[at]),
            expected_per_deal=float(given[at] - found.means[at]),
            beyond=float(found.means[at]),
            half_width=float(found.half_widths[at]),
            p_value=float(p_values[at]),
            p_adjusted=float(adjusted[at]),
        )
        for at in map(int, np.flatnonzero(deals > 0))
    ]


def _summary(pairs: list[_Pair]) -> str:
    """Sum up pairs that stand in the order of their p-values."""
    count = sum(pair.is_judged for pair in pairs)
    found = [pair for pair in pairs if pair.p_adjusted < LEVEL]
    if not count:
        return f"No two bots have met in {BLOCKS_MIN} blocks, so none can be judged."
    if not found:
        return "No bot gives another more or fewer points than chance explains."
    first = found[0]
    way = "more" if first.beyond > 0 else "fewer"
    does = "gives" if len(found) == 1 else "give"
    return (
        f"Of {counted(count, 'pair')} {len(found)} {does} more or fewer points than "
        f"chance explains, most clearly {first.giver}, which gives {first.taker} "
        f"{abs(first.beyond):.2f} points a deal {way} than expected. That can come "
        "from how the two play; look at their games."
    )
