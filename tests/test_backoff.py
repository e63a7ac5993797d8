"""Backoff: how long to wait before a program is started again."""

from hypothesis import given
from hypothesis import strategies as st

from leagues.running.backoff import HEALTHY_SECONDS, Backoff


def test_pauses_grow_up_to_a_minute() -> None:
    """At once, then ever later, and after the last restart never."""
    backoff = Backoff(7)
    pauses = [backoff.pause(1.0, was_connected=True) for _ in range(8)]

    assert [0.0, 0.5, 2.0, 8.0, 32.0, 60.0, 60.0, None] == pauses


def test_a_healthy_life_forgives() -> None:
    """After ten minutes with the arena the count begins anew, else it does not."""
    backoff = Backoff(2)
    lives = [(1.0, True), (1.0, True), (HEALTHY_SECONDS, True), (1.0, True)]
    pauses = [backoff.pause(life, was_connected=was) for life, was in lives]

    assert [0.0, 0.5, 0.0, 0.5] == pauses
    assert Backoff(0).pause(HEALTHY_SECONDS, was_connected=False) is None


@given(st.integers(0, 1000), st.integers(0, 2000))
def test_restarts_are_counted(restarts_max: int, failures: int) -> None:
    """However often a program fails, it is given up exactly after its restarts."""
    backoff = Backoff(restarts_max)
    pauses = [backoff.pause(1.0, was_connected=False) for _ in range(failures)]

    assert min(restarts_max, failures) == sum(p is not None for p in pauses)
