"""Whole leagues on a virtual clock, with faults and crashes; one seed decides all."""

from pathlib import Path

import pytest

from tests.simulation.kinds import LADDER, ROSTER, TIMED
from tests.simulation.leagues import simulate
from tests.simulation.plans import COSTLESS, COSTLY, drawn_plan

KEPT_SEEDS = Path(__file__).parent / "league_seeds.txt"
"""Seeds that once failed; they are kept for ever."""
SEEDS = range(100)


def kept_seeds() -> list[int]:
    """Return the seeds of the file, the first word of each line."""
    return [int(line.split()[0]) for line in KEPT_SEEDS.read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*SEEDS, *kept_seeds()])
def test_a_league_ends_right_whatever_happens_to_it(seed: int) -> None:
    """No game is lost or counted twice, and one without a fault is as undisturbed."""
    outcome = simulate(seed)

    # A league is cut short by its host or its time only.
    cuts = {"decisions", "end", "timed"}
    assert cuts & {*outcome.plan.faults} or not outcome.left_out


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 12, 46, 74])
def test_one_seed_is_one_run(seed: int) -> None:
    """Two runs of a seed do the same at the same times, and end with the same games."""
    first, second = (simulate(seed, is_compared=False) for _ in range(2))

    assert first.timeline == second.timeline
    assert first.happened == second.happened


def test_the_seeds_draw_every_fault() -> None:
    """Each kind of fault is on in many of the normal seeds, and off in many."""
    drawn = [set(drawn_plan(seed).faults) for seed in SEEDS]
    for kind in (
        *COSTLESS,
        *COSTLY,
        "breakdown",
        "crash",
        "decisions",
        "drain",
        "lost",
        "slow disk",
        ROSTER,
        "joins",
        TIMED,
        LADDER,
        "visits",
        "end",
    ):
        count = sum(kind in faults for faults in drawn)

        assert 10 <= count <= 70, f"{kind} is on in {count} of {len(drawn)}"
