"""Conduct: when a bot version that is given up again and again is suspended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.conduct import SUSPEND_GAMES_MIN, Conduct, Suspension
from leagues.config import SuspensionRules


def suspended_after(
    rules: SuspensionRules, causes: list[str | None]
) -> tuple[int, str] | None:
    """Return after how many games the first suspension came, and why."""
    conduct = Conduct(rules)
    for count, cause in enumerate(causes, start=1):
        if found := conduct.note("fox", "1", cause=cause):
            return count, found.reason
    return None


@pytest.mark.parametrize(
    ("causes", "expected"),
    [
        (["faults"] * 3, (3, "given up in 3 games in a row")),
        (["left", "faults", None, "faults", "faults"], None),
        (["faults", "faults", None] * 3 + ["left"], (10, "given up in 7 of 10 games")),
        ([None] * 9 + ["faults"] * 2, None),
        (["start"] * 50, None),
        (
            ["faults", "start", "faults", "start", "faults"],
            (5, "given up in 3 games"),
        ),
    ],
)
def test_what_is_too_much(
    causes: list[str | None], expected: tuple[int, str] | None
) -> None:
    """A row or a share suspends; what the arena gave up itself is not counted."""
    found = suspended_after(SuspensionRules(after=3, share=0.6), causes)

    assert (expected is None) == (found is None)
    if found and expected:
        assert expected[0] == found[0]
        assert found[1].startswith(expected[1])


def test_another_version_begins_anew() -> None:
    """Neither version answers for the other, nor one entrant for another."""
    conduct = Conduct(SuspensionRules(after=2))
    notes = [("fox", "1"), ("fox", "2"), ("owl", "1"), ("fox", "2")]
    found = [conduct.note(*note, cause="faults") for note in notes]

    assert [None, None, None] == found[:3]
    assert found[3] == Suspension("fox", "given up in 2 games in a row", "2")
    assert "fox (version 2): given up in 2 games in a row" == found[3].text


@given(st.lists(st.sampled_from([None, "faults", "left", "start"])))
def test_nobody_is_suspended_without_rules(causes: list[str | None]) -> None:
    """With both at 0 nothing is ever too much."""
    assert suspended_after(SuspensionRules(), causes) is None


@given(st.lists(st.sampled_from([None, "faults"])), st.integers(1, 9))
def test_a_row_is_found_where_it_is(causes: list[str | None], after: int) -> None:
    """The suspension comes with the game that makes the row long enough."""
    text = "".join("x" if cause else "." for cause in causes)
    expected = text.find("x" * after)
    found = suspended_after(SuspensionRules(after=after), causes)

    assert (None if expected < 0 else expected + after) == (found and found[0])


@given(st.lists(st.sampled_from([None, "faults"]), max_size=SUSPEND_GAMES_MIN - 1))
def test_a_share_of_few_games_says_nothing(causes: list[str | None]) -> None:
    """Below ten games no share suspends."""
    assert suspended_after(SuspensionRules(share=0.01), causes) is None
