"""What ratings claim of themselves, on some hundred leagues: `make stats` has more."""

import pytest

from leagues.rating.pairs import Floats
from tests.stats.coverage import coverage_of, drawn_leagues, false_tiers
from tests.stats.house import all_places, house_leagues
from tests.stats.sequences import block_values, sequences_of

LEAGUES = 400
SPREADS = pytest.mark.parametrize(
    ("rotations", "luck", "spread"),
    [(1, 0.0, 150.0), (1, 0.0, 0.0), (4, 0.6, 0.0)],
    ids=["unequal", "equal", "rotations"],
)


@pytest.mark.slow
@SPREADS
def test_intervals_hold_in_19_leagues_of_20(
    rotations: int, luck: float, spread: float
) -> None:
    """The truth lies in as many intervals as 95 % promise, and errors are as large."""
    found = coverage_of(
        drawn_leagues(
            LEAGUES,
            entrants=8,
            blocks_each=20,
            rotations=rotations,
            luck=luck,
            spread=spread,
        ),
        seed=1,
    )

    assert 0 == found.without
    # Three errors; those of single pairs would hold in 88 % or in more than 99 %.
    assert abs(found.covered - 0.95) <= 3 * found.uncertainty
    assert 1 == pytest.approx(found.rms_error / found.mean_error, abs=0.1)


@pytest.mark.slow
def test_equal_bots_are_seldom_told_apart() -> None:
    """Some table of equal bots has more than one tier, but not one in ten has."""
    share = false_tiers(LEAGUES, entrants=8, blocks_each=60)

    assert 0 < share <= 0.05 + 3 * (0.05 * 0.95 / LEAGUES) ** 0.5


@pytest.mark.slow
def test_leagues_of_the_real_engine_have_intervals() -> None:
    """House bots' leagues are rated, and rotations of a deal are one block."""
    places = all_places(3, rotations=2)
    once = [ratings for ratings, _ in house_leagues(places[:, :1])]
    rotated = [ratings for ratings, _ in house_leagues(places)]

    assert (25, 2, 3, 4) == places.shape
    assert [20] * 5 == once[0].blocks.tolist() == rotated[0].blocks.tolist()
    assert 3 == len(once) == len(rotated)
    assert once[0].results.sum() * 2 == rotated[0].results.sum()


@pytest.fixture(scope="module")
def values() -> Floats:
    """Blocks of two house bots."""
    return block_values(40)


def test_the_better_bot_takes_fewer_points(values: Floats) -> None:
    """Over 40 blocks the stronger of two house bots has the better of it."""
    assert 40 == len(values)
    assert values.mean() > 0


@pytest.mark.slow
def test_few_sequential_tests_are_wrong(values: Floats) -> None:
    """Blocks of the real engine lead to the wrong verdict no more often than drawn."""
    found = sequences_of(values, effect=0.0, wrong="h1", tests=200, d1=0.2)

    # Three errors of a share of 5 % in 200 are 9.
    assert found.wrong * 200 <= 10 + 9
