"""Conduct: when a bot version that is given up again and again is suspended."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.conduct import (
    SUSPEND_GAMES_MIN,
    Conduct,
    Span,
    Suspension,
    departure,
)
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


def spanned(began: int, ended: int) -> Span:
    """A game's span, in minutes of one hour."""
    return Span(
        f"2026-01-01T12:{began:02}:00.000Z", f"2026-01-01T12:{ended:02}:00.000Z"
    )


def suspended_by(rules: SuspensionRules, departures: list[Span]) -> tuple[int, str]:
    """Return how many games from which a bot went suspend it, and why; 0 for none."""
    conduct = Conduct(rules)
    for count, span in enumerate(departures, start=1):
        found = conduct.note("fox", "1", cause="left", departure=span)
        if found is not None:
            return count, found.reason
    return 0, ""


def test_who_goes_goes_once() -> None:
    """Games that ran when the first of them was over are one, later ones are not."""
    rules = SuspensionRules(after=2)
    at_once = [spanned(0, 10 + number) for number in range(30)]
    again = [spanned(10, 50), spanned(11, 51)]

    assert (0, "") == suspended_by(rules, at_once)
    assert (
        31,
        "given up in 2 games in a row, those of one departure as one",
    ) == suspended_by(rules, [*at_once, *again])
    assert (2, "given up in 2 games in a row") == suspended_by(
        rules, [spanned(0, 10), spanned(10, 20)]
    )


def test_a_departure_is_one_game_of_its_share() -> None:
    """Neither the games of a departure nor those given up in it are more than one."""
    conduct = Conduct(SuspensionRules(share=0.5))
    notes = [
        conduct.note("fox", "1", cause="left", departure=spanned(0, 10 + number))
        for number in range(20)
    ]
    for _ in range(8):
        notes.append(conduct.note("fox", "1", cause=None))
    for number in range(7):
        notes.append(
            conduct.note(
                "fox", "1", cause="left", departure=spanned(30 + number, 31 + number)
            )
        )

    assert [None] * len(notes[:-1]) == notes[:-1]
    assert notes[-1] is not None
    assert notes[-1].reason.startswith("given up in 8 of 16 games")


@pytest.mark.parametrize(
    ("cause", "last_fault", "is_one"),
    [
        (None, None, False),
        ("left", None, True),
        ("left", "late", True),
        ("faults", "away", True),
        ("faults", "late", False),
        ("faults", "illegal", False),
        ("start", None, False),
    ],
)
def test_what_a_departure_is(
    cause: str | None, last_fault: str | None, is_one: bool
) -> None:
    """Who leaves or is not connected has gone; who crashes at the table has not."""
    span = spanned(0, 1)
    assert (span if is_one else None) == departure(cause, last_fault, span)


@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(0, 3)), min_size=1, max_size=12),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
def test_departures_count_however_many_games_they_end(
    departures: list[tuple[int, int]], after: int, chance: random.Random
) -> None:
    """With so many games given up and so many played to their ends between them."""
    conduct = Conduct(SuspensionRules(after=after))
    minute, row, found, expected = 0, 0, 0, 0
    for number, (games, played) in enumerate(departures, start=1):
        # All of them run when it goes, and end some time later, in some order.
        ends = sorted(minute + 9 + chance.randrange(9) for _ in range(games))
        for end in ends:
            span = Span(f"{minute + chance.randrange(9):06}", f"{end:06}")
            if conduct.note("fox", "1", cause="left", departure=span) and not found:
                found = number
        row += 1
        if row >= after and not expected:
            expected = number
        for _ in range(played):
            conduct.note("fox", "1", cause=None)
            row = 0
        minute = ends[-1]

    assert expected == found
