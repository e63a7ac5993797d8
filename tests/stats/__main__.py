"""`python -m tests.stats`: measures what ratings claim; the last line is JSON.

docs/ratings.md says what each figure means and what was found.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from tests.stats.coverage import Coverage, coverage_of, drawn_leagues, false_tiers
from tests.stats.house import Places, all_places, house_leagues
from tests.stats.sequences import block_values, sequences_of

LEAGUES = 2000
BLOCKS = 400
"""How many blocks of two bots are played for the sequential test."""
ROTATIONS = 4

Figures = dict[str, dict[str, float]]


def drawn_figures(leagues: int) -> Figures:
    """Measure leagues whose games are drawn, so that the truth is known."""
    few = drawn_leagues(leagues, entrants=8, blocks_each=20)
    many = drawn_leagues(leagues, entrants=20, blocks_each=400)
    shared = drawn_leagues(
        leagues, entrants=8, blocks_each=20, rotations=4, luck=0.6, spread=0.0
    )
    return {
        "drawn_8_bots_20_blocks": _told(coverage_of(few, seed=1)),
        "drawn_20_bots_400_blocks": _told(coverage_of(many, seed=2)),
        "drawn_8_bots_20_blocks_of_4": _told(coverage_of(shared, seed=3)),
        "false_tiers": {
            f"blocks_{blocks}": false_tiers(leagues, entrants=8, blocks_each=blocks)
            for blocks in (20, 100)
        },
    }


def house_figures(places: Places) -> Figures:
    """Measure leagues of house bots, with cards dealt once and in all rotations.

    Args:
        places: Of all games, in all rotations.
    """
    once = coverage_of(house_leagues(places[:, :1]), seed=4)
    rotated = coverage_of(house_leagues(places), seed=5)
    # A variance counts for each deal, and a block has four of them.
    ratio = (once.rms_error / rotated.rms_error) ** 2 / places.shape[1]
    return {
        "house_none": _told(once),
        "house_rotate": _told(rotated),
        "house_variance": {"none_over_rotate": round(ratio, 2)},
    }


def sequence_figures(tests: int) -> Figures:
    """Measure the sequential test without an effect, and with the one it asks for."""
    values = block_values(BLOCKS)
    return {
        "sequence_of_no_effect": asdict(
            sequences_of(values, effect=0.0, wrong="h1", tests=tests)
        ),
        "sequence_of_effect": asdict(
            sequences_of(values, effect=0.1, wrong="h0", tests=tests)
        ),
    }


def _told(found: Coverage) -> dict[str, float]:
    figures = asdict(found) | {
        "uncertainty": found.uncertainty,
        "error_ratio": found.rms_error / found.mean_error,
    }
    return {name: round(figure, 4) for name, figure in figures.items()}


def main(arguments: list[str]) -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.stats",
        description="Measure what ratings claim of themselves; the last line is JSON.",
    )
    parser.add_argument(
        "--leagues", type=int, default=LEAGUES, help="of each kind; 2000 by default"
    )
    leagues = parser.parse_args(arguments).leagues
    figures = _said(drawn_figures(leagues)) | _said(sequence_figures(leagues))
    figures |= _said(house_figures(all_places(leagues, rotations=ROTATIONS)))
    print(json.dumps(figures))


def _said(figures: Figures) -> Figures:
    """Tell people what has been found so far."""
    for name, each in figures.items():
        print(f"{name}: {each}", flush=True)
    return figures


if __name__ == "__main__":
    main(sys.argv[1:])
