"""`python -m tests.stats.rotation`: what rotated deals are worth with the house bots.

Blocks are played by the real engine in this process, each a seating in all rotations
with the same deals, as a league with luck `rotate` plays them. A single one of these
games is one with deals of its own, so the same games tell what as many games of a
league with luck `none` would have left: the variance between games. The last line is
JSON; docs/ratings.md says what was found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hearts.local import play
from leagues.blocks import rotations
from leagues.rating.pairs import Floats

BLOCKS = 200
SEATS = 4
GROUPS = 20
"""How many times a part of the blocks is left out to see how sure a figure is."""

LINE_UPS: Mapping[str, tuple[str, ...]] = {
    "unequal": ("careful", "dodger", "lowest", "random"),
    "graded": ("daring", "careful", "ducker", "lowest"),
    "close": ("daring", "careful", "dodger", "ducker"),
    "alike": ("careful", "dodger", "careful", "dodger"),
}
"""Four house bots at a table, from very unequal ones to two of each."""
RULES: Mapping[str, Mapping[str, object]] = {
    "games": {"preset": "arena"},
    "deals": {"preset": "arena", "target": 1},
}
"""Games to the usual target, and games of one deal."""

Block = Sequence[tuple[Sequence[int], Sequence[float]]]
"""For each rotation the places, and the points a deal, by entrant."""


@dataclass(frozen=True, slots=True)
class Worth:
    """How many games with deals of their own tell as much as one of a block."""

    ratio: float
    """The variance without rotations, divided by that with them."""
    uncertainty: float
    """The standard error of that."""


def played(
    bots: Sequence[str],
    blocks: int,
    *,
    rules: Mapping[str, object] = RULES["games"],
    seed: int = 1,
) -> Iterator[Block]:
    """Play blocks; equal seeds and numbers of games have equal deals."""
    turns = rotations(range(SEATS))
    by_turn = [
        play([bots[who] for who in seating], games=blocks, seed=seed, rules=rules)
        for seating in turns
    ]
    for games in zip(*by_turn, strict=True):
        block = []
        for seating, game in zip(turns, games, strict=True):
            assert game.places is not None
            seat_of = [seating.index(who) for who in range(SEATS)]
            deals = len(game.points)
            block.append(
                (
                    [game.places[seat] for seat in seat_of],
                    [game.totals[seat] / deals for seat in seat_of],
                )
            )
        yield block


def differences(blocks: Sequence[Block]) -> dict[str, Floats]:
    """Return what each two differ by, by block, rotation and pair.

    It is half a point for each of two in the same place, and one for the better; and
    points a deal.
    """
    found = defaultdict(list)
    pairs = list(combinations(range(SEATS), 2))
    for block in blocks:
        found["places"].append(
            [
                [float(np.sign(place[two] - place[one])) / 2 for one, two in pairs]
                for place, _ in block
            ]
        )
        found["points"].append(
            [[point[two] - point[one] for one, two in pairs] for _, point in block]
        )
    return {name: np.array(rows) for name, rows in found.items()}


def ratio_of(values: Floats) -> float:
    """Divide the variance of single games by that of blocks, for as many games.

    Args:
        values: By block, rotation and pair.
    """
    blocks, games, _ = values.shape
    apart = values - values.mean(axis=(0, 1))
    alone = np.square(apart).sum() / (blocks * games - 1)
    together = np.square(apart.sum(axis=1)).sum() / (games * (blocks - 1))
    return float(alone / together)


def worth_of(values: Floats) -> Worth:
    """Return the ratio, and by a jackknife over groups of blocks how sure it is."""
    groups = np.arange(len(values)) % GROUPS
    left = np.array([ratio_of(values[groups != group]) for group in range(GROUPS)])
    variance = (GROUPS - 1) / GROUPS * np.square(left - left.mean()).sum()
    return Worth(round(ratio_of(values), 3), round(float(np.sqrt(variance)), 3))


def main(arguments: list[str]) -> None:
    """Measure all line-ups and print what was found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.stats.rotation",
        description="Measure what rotated deals are worth; the last line is JSON.",
    )
    parser.add_argument(
        "--blocks", type=int, default=BLOCKS, help="of each line-up; 200 by default"
    )
    parser.add_argument("--only", choices=LINE_UPS, help="one of the line-ups")
    asked = parser.parse_args(arguments)
    figures: dict[str, dict[str, list[float]]] = {}
    for unit, rules in RULES.items():
        for name, bots in LINE_UPS.items():
            if asked.only in (None, name):
                blocks = list(played(bots, asked.blocks, rules=rules))
                figures[f"{unit}_{name}"] = _told(unit, bots, differences(blocks))
    print(json.dumps(figures))


def _told(
    unit: str, bots: Sequence[str], values: Mapping[str, Floats]
) -> dict[str, list[float]]:
    """Tell people what was found for a line-up."""
    worth = {what: worth_of(rows) for what, rows in values.items()}
    texts = [f"{k} {w.ratio:.2f} (+/- {w.uncertainty:.2f})" for k, w in worth.items()]
    print(f"{unit}, {' '.join(bots)}: {', '.join(texts)}", flush=True)
    return {what: [each.ratio, each.uncertainty] for what, each in worth.items()}


if __name__ == "__main__":
    main(sys.argv[1:])
