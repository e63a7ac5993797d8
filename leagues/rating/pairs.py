"""Results between two: what the games of a table come to, as arrays.

A game counts once between each two of its seats: the better place wins, an equal
place is half a win.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Floats",
    "Games",
    "Integers",
    "Pairs",
    "blocks_ahead",
    "pairs_of",
    "wins_of",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Games(NamedTuple):
    """Games at tables of one size."""

    seats: ArrayLike
    """Who sat where: a row for each game, of entrants as numbers from 0."""
    places: ArrayLike
    """How they came out, in rows likewise: less is better, equal is a tie."""
    blocks: ArrayLike
    """The block of each game: any integers, the same for the same cards."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Results between two entrants, which are numbers from 0."""

    entrants: int
    """How many entrants there are, those without results among them."""
    blocks: int
    """How many blocks there are."""
    one: Integers
    other: Integers
    score: Floats
    """1 where the one came out ahead of the other, 0.5 where equal, else 0."""
    block: Integers
    """What was dealt from the same cards, as a number from 0."""


def pairs_of(*games: Games, entrants: int) -> Pairs:
    """Compare all seats of each game.

    Args:
        games: All games, those at tables of one size together.
        entrants: How many entrants there are.
    """
    nothing = Games(np.empty((0, 2)), np.empty((0, 2)), np.empty(0))
    parts = [_compared(same) for same in games or [nothing]]
    one, other, score, block = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    numbers, block = np.unique(block, return_inverse=True)
    return Pairs(
        entrants=entrants,
        blocks=len(numbers),
        one=one,
        other=other,
        score=score,
        block=block.astype(np.int64),
    )


def wins_of(pairs: Pairs) -> Floats:
    """Count who came out ahead of whom, ties half."""
    size = pairs.entrants
    won = _counted(pairs.one, pairs.other, pairs.score, size)
    return won + _counted(pairs.other, pairs.one, 1 - pairs.score, size)


def blocks_ahead(pairs: Pairs) -> Integers:
    """Count the blocks in which one won more results against another than it lost."""
    size = pairs.entrants
    lower = np.minimum(pairs.one, pairs.other)
    upper = np.maximum(pairs.one, pairs.other)
    margin = np.where(pairs.one < pairs.other, 1, -1) * (2 * pairs.score - 1)
    cells, cell = np.unique(
        (pairs.block * size + lower) * size + upper, return_inverse=True
    )
    sign = np.sign(np.bincount(cell, margin))
    lower, upper = cells // size % size, cells % size
    ahead = _counted(lower, upper, sign > 0, size)
    return (ahead + _counted(upper, lower, sign < 0, size)).astype(np.int64)


def _compared(games: Games) -> tuple[Integers, Integers, Floats, Integers]:
    """Return one, other, score and block of each pair at each table."""
    seats = np.asarray(games.seats, dtype=np.int64)
    places = np.asarray(games.places)
    blocks = np.asarray(games.blocks, dtype=np.int64)
    sides = list(combinations(range(seats.shape[1]), 2))
    one = [seat for seat, _ in sides]
    other = [seat for _, seat in sides]
    ahead = np.sign(places[:, other] - places[:, one])
    return (
        seats[:, one].ravel(),
        seats[:, other].ravel(),
        ((1.0 + ahead) / 2).ravel(),
        np.repeat(blocks, len(sides)),
    )


def _counted(
    rows: Integers, columns: Integers, weights: ArrayLike, size: int
) -> Floats:
    """Add weights up in a square matrix."""
    cells = np.bincount(rows * size + columns, weights, minlength=size * size)
    return np.asarray(cells.reshape(size, size), dtype=np.float64)
