"""The laws of the arena under random mixes of faults; one seed decides all."""

from pathlib import Path

import pytest

from tests.simulation.swarm import simulate

KEPT_SEEDS = Path(__file__).parent / "seeds.txt"
"""Seeds that once failed; they are kept for ever."""


def kept_seeds() -> list[int]:
    """Return the seeds of the file, one a line."""
    return [int(line) for line in KEPT_SEEDS.read_text().split()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(40), *kept_seeds()])
def test_the_laws_hold_whatever_bots_and_networks_do(seed: int) -> None:
    """Every game ends in bounded time, verifies, and faults stay with their seats."""
    outcome = simulate(seed)

    assert 4 == outcome.finished + outcome.void


@pytest.mark.slow
def test_one_seed_is_one_run() -> None:
    """Two runs of a seed give the same records, byte for byte."""
    assert simulate(3).text == simulate(3).text
