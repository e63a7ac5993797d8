"""How often the sequential test is wrong, on blocks that the real engine played."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hearts.local import play
from leagues.rating.pairs import Floats
from leagues.rating.sequential import SequentialTest, Verdict

PAIR = ("ducker", "dodger")
SEATS = 4


@dataclass(frozen=True, slots=True)
class Sequences:
    """What many tests of two bots came to."""

    wrong: float
    """The share of tests with the wrong verdict."""
    mean_blocks: float
    """How many blocks a test took."""


def block_values(blocks: int) -> Floats:
    """Play two bots against each other, two seats each.

    A block has the same cards in all six arrangements of the two, so that no luck of
    cards, seats or neighbours is left in the mean of its deals.

    Returns:
        For each block how many points a deal the second bot took less than the first.
    """
    values = []
    for seconds in combinations(range(SEATS), 2):
        results = play(
            [PAIR[seat in seconds] for seat in range(SEATS)],
            deals=blocks,
            rules={"preset": "arena", "target": 100_000},
        )
        points = np.array([deal for game in results for deal in game.points])
        theirs = points[:, list(seconds)].sum(axis=1)
        values.append((points.sum(axis=1) - 2 * theirs) / 2)
    return np.asarray(np.mean(values, axis=0), dtype=np.float64)


def sequences_of(
    values: Floats, *, effect: float, wrong: Verdict, tests: int, d1: float = 0.1
) -> Sequences:
    """Run tests of no effect against `d1` on blocks that have a certain effect.

    Args:
        values: Of blocks; they are moved so that they have the effect.
        effect: The mean of the blocks by their standard deviation.
        wrong: The verdict that is wrong then.
        tests: How many tests to run.
        d1: The effect under the claim `h1`.
    """
    moved = values - values.mean() + effect * values.std()
    random = np.random.default_rng(1)
    ended = []
    for _ in range(tests):
        test = SequentialTest(d0=0, d1=d1)
        while test.verdict is None:
            for value in random.choice(moved, 100).tolist():
                if test.add(value):
                    break
        ended.append(test)
    return Sequences(
        wrong=sum(test.verdict == wrong for test in ended) / tests,
        mean_blocks=sum(test.blocks for test in ended) / tests,
    )
