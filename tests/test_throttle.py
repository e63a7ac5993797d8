"""How many tables run at once: fewer while the arena is late, and more again later."""

from collections.abc import Callable
from math import ceil

import pytest

from arena.spread import Spread
from leagues.throttle import LATE_SECONDS, Throttle, ThrottleChange


class Machine:
    """A throttle that is asked every five seconds, and how late its machine is."""

    def __init__(self, *, most: int = 64, least: int = 2) -> None:
        self.throttle = Throttle(most=most, least=least)
        self.lag = Spread()
        self.now = 100.0
        self.changes: list[ThrottleChange] = []

    def run(
        self,
        seconds: float,
        late: float | Callable[[int], float],
        *,
        running: int | None = None,
    ) -> list[int]:
        """Run for a time; return the numbers of tables that followed."""
        changes = []
        for _ in range(int(seconds / 5)):
            for number in range(100):
                self.lag.add(late if isinstance(late, float) else late(number))
            self.now += 5
            tables = self.throttle.tables
            change = self.throttle.look(
                self.lag, running=tables if running is None else running, now=self.now
            )
            if change is not None:
                changes.append(change)
        self.changes += changes
        return [change.tables for change in changes]


def test_a_machine_in_time_keeps_its_tables() -> None:
    """Lateness of less than five milliseconds changes nothing."""
    machine = Machine()

    assert [] == machine.run(300, 0.004)
    assert 64 == machine.throttle.tables


def test_a_late_machine_has_a_quarter_less_at_a_time() -> None:
    """Every twenty seconds, down to the number that seats everybody once."""
    machine = Machine(least=20)

    assert [48, 36, 27, 21, 20] == machine.run(200, 0.02)
    assert [] == machine.run(100, 0.02)


def test_nothing_is_concluded_from_the_first_seconds() -> None:
    """However late a machine is while programs start, its tables stay."""
    machine = Machine()

    assert [] == machine.run(20, 1.0)
    assert [] == machine.run(60, 0.001)


@pytest.mark.parametrize(("late_of_a_hundred", "expected"), [(1, []), (3, [48])])
def test_a_spike_now_and_then_is_no_lateness(
    late_of_a_hundred: int, expected: list[int]
) -> None:
    """One look of a hundred may be late; three may not."""
    machine = Machine()

    def late(number: int) -> float:
        return 0.05 if number < late_of_a_hundred else 0.0005

    assert expected == machine.run(50, late)


def test_tables_come_back_step_by_step_after_a_minute_in_time() -> None:
    """Each step takes a minute, and none goes beyond what the league asks for."""
    machine = Machine()

    assert [48, 36] == machine.run(60, 0.02)
    assert [45, 56, 64] == machine.run(260, 0.001)
    assert [] == machine.run(120, 0.001)


def test_between_the_bounds_nothing_moves() -> None:
    """A machine that is just in time keeps what it has."""
    machine = Machine()
    machine.run(60, 0.02)

    assert [] == machine.run(300, 0.003)


def test_the_tables_that_run_are_those_that_count() -> None:
    """A limit that was never reached is lowered to below what does run."""
    assert [6] == Machine(most=640).run(50, 0.02, running=8)


def test_there_is_always_a_table() -> None:
    """A league of one table plays it, however slow the machine is."""
    assert [] == Machine(most=1, least=3).run(100, 0.5)


def test_the_warning_says_what_to_do() -> None:
    """It names the measure, the bound and both numbers of tables."""
    machine = Machine()
    machine.run(60, 0.02)
    machine.run(60, 0.001)

    tenths = ceil(machine.changes[0].late_seconds * 10_000)

    assert 0.02 == pytest.approx(machine.changes[0].late_seconds, rel=0.01)
    assert (
        f"the arena is late by {tenths / 10:.1f} ms at the "
        "99th percentile, more than 5 ms: "
        "48 tables at once instead of 64; set tables_max to fewer, or use a faster "
        "machine"
    ) == str(machine.changes[0])
    assert str(machine.changes[-1]).startswith("the arena keeps up again (late by 1")


def test_a_figure_does_not_look_like_its_own_limit() -> None:
    """What is a little more than the limit is not told as just that."""
    late = ThrottleChange(8, 6, LATE_SECONDS + 0.00001)

    assert "late by 5.1 ms at the 99th percentile, more than 5 ms:" in str(late)
