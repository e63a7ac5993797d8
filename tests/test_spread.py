"""Histograms of durations, and what the last minute holds of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.counters import Counters, LastMinute
from arena.spread import BOUNDS, Spread

DURATIONS = st.lists(st.floats(min_value=1e-5, max_value=70), min_size=1)


def spread_of(*durations: float) -> Spread:
    """Return a spread of durations in seconds."""
    spread = Spread()
    for duration in durations:
        spread.add(duration)
    return spread


@given(DURATIONS, st.floats(min_value=0.01, max_value=1))
def test_a_percentile_is_right_to_a_class(durations: list[float], share: float) -> None:
    """It lies in the class of the duration that has the share at or below it."""
    ordered = sorted(durations)
    wanted = share * len(ordered)
    true = next(one for rank, one in enumerate(ordered, 1) if rank >= wanted)
    found = spread_of(*durations).percentile(share)
    upper = next(bound for bound in BOUNDS if bound >= true)
    lower = max((bound for bound in BOUNDS if bound < true), default=0.0)

    assert lower <= found <= upper * (1 + 1e-9)


@given(DURATIONS, DURATIONS)
def test_what_was_added_since_is_the_difference(
    before: list[float], after: list[float]
) -> None:
    """A copy does not follow, and only what came later is left."""
    spread = spread_of(*before)
    copied = spread.copy()
    for duration in after:
        spread.add(duration)
    since = spread.since(copied)

    assert spread_of(*after).counts == since.counts
    assert pytest.approx(sum(after), abs=1e-6) == since.seconds
    assert len(before) == copied.count


def test_the_ends_have_percentiles_too() -> None:
    """Nothing gives 0, and more than the last bound gives that bound."""
    assert 0.0 == Spread().percentile(0.99)
    assert BOUNDS[-1] == spread_of(1000.0).percentile(0.5)
    assert 1 == spread_of(0.0).counts[0]


def test_the_last_minute_forgets_what_is_older() -> None:
    """Turns and times of more than a minute ago are left out, to a second."""
    counts, minute = Counters(), LastMinute()
    for second in range(200):
        minute.note(counts, turns=second * 5, now=float(second))
        counts.bot_time.add(0.001 if second < 100 else 1.0)
    recent = minute.recent(counts, 1000, now=200.0)

    assert pytest.approx(5.0, rel=0.01) == recent.turns_per_second
    assert 60.0 <= recent.seconds <= 62.0
    assert recent.seconds == recent.bot_time.count
    assert recent.bot_time.percentile(0.01) > 0.7


def test_a_young_arena_has_a_shorter_minute() -> None:
    """Rates are of the time that there was; without any there is none."""
    counts, minute = Counters(), LastMinute()

    assert 0.0 == minute.recent(counts, 0, now=7.0).turns_per_second
    minute.note(counts, 0, now=7.0)
    assert 10.0 == minute.recent(counts, 20, now=9.0).turns_per_second
