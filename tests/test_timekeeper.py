"""The timekeeper: what clocks that disagree say of a machine."""

import pytest

from arena.disturbance import CLOCK, LAG, SLEEP, Disturbance
from arena.timekeeper import Reading, Timekeeper

TICK = 0.05


def look(
    *,
    slept: float = 0.0,
    jumped: float = 0.0,
    late: float = 0.0,
    has_boot: bool = True,
    started: tuple[float, float, float] = (1000.0, 5000.0, 1.7e9),
) -> Disturbance | None:
    """Look twice, a tick apart, with something between the looks."""
    monotonic, boot, wall = started
    keeper = Timekeeper(Reading(monotonic, boot if has_boot else None, wall))
    passed = TICK + late
    reading = Reading(
        monotonic + passed,
        boot + passed + slept if has_boot else None,
        wall + passed + slept + jumped,
    )
    return keeper.look(reading, lag=late)


def test_clocks_that_agree_say_nothing() -> None:
    """A look in time, or a little late, finds nothing."""
    assert look() is None
    assert look(late=0.25) is None
    assert look(slept=0.9, jumped=-0.9) is None


@pytest.mark.parametrize("seconds", [1.5, 3600.0])
def test_a_machine_that_slept_is_noticed(seconds: float) -> None:
    """The clock that counts a sleep tells it, and running clocks lost only a tick."""
    found = look(slept=seconds)

    assert found is not None
    assert (SLEEP, f"the machine slept for {seconds:.0f} s") == (found.kind, str(found))
    assert (seconds, TICK) == pytest.approx((found.seconds, found.lost_seconds))
    assert (seconds > 5) == found.is_doubtful


@pytest.mark.parametrize("seconds", [1.5, -3600.0])
def test_a_clock_that_was_set_is_noticed(seconds: float) -> None:
    """Forwards and back, the wall clock tells it by its difference."""
    found = look(jumped=seconds)

    assert found is not None
    assert CLOCK == found.kind
    assert seconds == pytest.approx(found.seconds)


def test_without_a_clock_that_counts_sleep_the_wall_clock_tells() -> None:
    """Where no clock counts a sleep, it looks like a clock that was set."""
    found = look(slept=30.0, has_boot=False)

    assert found is not None
    assert (CLOCK, True) == (found.kind, found.is_doubtful)
    assert 30.0 == pytest.approx(found.seconds)


@pytest.mark.parametrize(("late", "is_doubtful"), [(0.3, False), (6.0, True)])
def test_an_arena_that_stood_still_has_back_all_since_the_last_look(
    late: float, is_doubtful: bool
) -> None:
    """Nobody knows when it began to stand, so it began right after the last look."""
    found = look(late=late)

    assert found is not None
    assert (LAG, is_doubtful) == (found.kind, found.is_doubtful)
    assert (late, late + TICK) == pytest.approx((found.seconds, found.lost_seconds))


def test_every_look_compares_with_the_one_before() -> None:
    """What was told once is not told again."""
    keeper = Timekeeper(Reading(0.0, 0.0, 0.0))
    first = keeper.look(Reading(0.05, 60.05, 60.05), lag=0.0)
    second = keeper.look(Reading(0.10, 60.10, 60.10), lag=0.0)

    assert first is not None
    assert second is None
