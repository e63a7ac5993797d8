"""Verdicts: whose a fault was, from what the record keeps of it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from arena.missed import Missed
from arena.record import Fault
from arena.verdict import KINDS, time_handed_back, verdict_of, verdicts
from tests.any_records import records

LATE = Missed(
    allowance_ms=30,
    answered_ms=None,
    away_ms=0,
    charged_ms=1_000,
    deal=1,
    echoed_ms=None,
    end="open",
    limit_ms=1_000,
    losses=0,
    paused_ms=None,
    refunded_ms=0,
    returned_ms=0,
    round_trip_ms=2,
    seat=1,
    silent_ms=0,
    think_ms=None,
    trick=3,
)


def fault(kind: str, *, reason: str = "", offered: str = "") -> Fault:
    """Return a fault of a kind."""
    return Fault(deal=1, kind=kind, offered=offered, reason=reason, seat=1, trick=3)


def late(end: str, silent_ms: int, **figures: Any) -> Missed:
    """Return what is known of a late turn."""
    return replace(LATE, end=end, silent_ms=silent_ms, **figures)


def answered(answered_ms: int, think_ms: int, **figures: Any) -> Missed:
    """Return what is known of a turn whose answer came too late."""
    known = {"answered_ms": answered_ms, "think_ms": think_ms, "paused_ms": 0}
    return late("answered", answered_ms, **{**known, **figures})


@pytest.mark.parametrize(
    ("missed", "kind", "words"),
    [
        (answered(204, 1_204), "bot", "its own clock says 1,204 ms of the 1,000 ms"),
        (answered(14_000, 15_000), "bot", "its own clock says 15.0 s of the 1,000 ms"),
        # A long round trip is no excuse for a bot that says it thought too long.
        (answered(900, 1_400, round_trip_ms=402), "bot", "it was thinking: "),
        # The claim is short, and nothing that was measured supports it.
        (answered(204, 3), "bot", "but a round trip of 2 ms can't be the reason"),
        (answered(204, 0), "bot", "it thought less than 1 ms, or it does not say, but"),
        (answered(5_000, 0, round_trip_ms=402), "bot", "402 ms can't be the reason"),
        # Either heartbeat measures the link.
        (
            answered(70, 2, charged_ms=330, limit_ms=300, round_trip_ms=402),
            "link",
            "a round trip of 402 ms, of which 30 ms are allowed; the bot itself "
            "thought 2 ms",
        ),
        (
            answered(70, 2, charged_ms=330, round_trip_ms=None, echoed_ms=401),
            "link",
            "a round trip of 401 ms",
        ),
        (answered(70, 2, round_trip_ms=None, echoed_ms=9), "bot", "round trip of 9 ms"),
        # A bot at work sends the heartbeat back late: that measures nothing.
        (
            answered(70, 2, round_trip_ms=None, echoed_ms=71),
            "unknown",
            "no round trip was measured",
        ),
        # Nor does one that waits for the constructor of the next game: its own word
        # explains the turn, or leaves the link too little of it,
        (answered(600, 1_560, echoed_ms=1_650), "bot", "it was thinking: "),
        (answered(35, 990, echoed_ms=1_650), "bot", "round trip of 2 ms can't be"),
        (
            answered(35, 990, echoed_ms=1_650, round_trip_ms=None),
            "unknown",
            "its own clock says 990 ms, and no round trip was measured",
        ),
        # or it says nothing, and the link was quick before.
        (
            answered(600, 0, echoed_ms=1_650),
            "unknown",
            "came back after 1,650 ms, be it for the link or behind other work",
        ),
        # A link that has become slow: the bot's word leaves it the time.
        (answered(70, 2, echoed_ms=1_055), "link", "a round trip of 1,055 ms"),
        (
            answered(2_000, 2_900, paused_ms=2_800),
            "unreachable",
            "heard of it for 3,000 ms, and by its own clock its process stood still "
            "for 2,800 ms",
        ),
        # A short pause explains nothing that it did not cause.
        (
            answered(2_000, 2_900, paused_ms=300),
            "bot",
            "says 2,900 ms of the 1,000 ms it had; its process stood still for only "
            "300 ms of that",
        ),
        # Here the limit was prolonged, and what the arena lost was handed back.
        (
            answered(
                87,
                3_000,
                charged_ms=2_400,
                limit_ms=2_400,
                returned_ms=513,
                paused_ms=117,
            ),
            "bot",
            "its own clock says 3,000 ms of the 2,400 ms it had; its process stood "
            "still for only 117 ms of that; 513 ms of the arena's own",
        ),
        # A pause counts, however small, without which the bot would be in time.
        (answered(87, 1_080, paused_ms=117), "unreachable", "stood still for 117 ms"),
        (answered(147, 1_147, paused_ms=116), "bot", "for only 116 ms of that"),
        (answered(147, 1_147, paused_ms=117), "unreachable", "still for 117 ms, as"),
        # Most of the time is enough, though the rest was too long as well.
        (answered(5_000, 6_000, paused_ms=3_000), "unreachable", "for 3,000 ms, as"),
        (answered(5_000, 6_000, paused_ms=2_999), "bot", "for only 2,999 ms of that"),
        # The round trip is judged as ever, and the pause told.
        (
            answered(
                70, 2, charged_ms=330, limit_ms=300, paused_ms=5, round_trip_ms=402
            ),
            "link",
            "thought 2 ms; its process stood still for only 5 ms of that",
        ),
        # No answer, and a pause that is known: the larger share counts there too.
        (
            late("open", 487, paused_ms=117),
            "bot",
            "it did not answer for 1,487 ms, though it had 1,000 ms; its process stood "
            "still for only 117 ms of that",
        ),
        (late("open", 487, paused_ms=900), "unreachable", "stood still for 900 ms, as"),
        (late("open", 487, paused_ms=0), "bot", "though it had 1,000 ms"),
        (late("heard", 2_000, paused_ms=117), "bot", "for only 117 ms of that"),
        (late("heard", 3), "bot", "could be reached and was heard of 3 ms after"),
        (late("heard", 2_000), "unreachable", "nothing was heard of it for 3,000 ms"),
        (
            late("lost", 30_000),
            "unreachable",
            "nothing was heard of it for 31.0 s, then its connection was lost; a "
            "stopped process and a dead link look alike",
        ),
        (late("stalled", 30_000), "bot", "its connection lived, but it said nothing"),
        (late("open", 40), "unknown", "and 40 ms later the game was over"),
        (
            late("stalled", 30_000, returned_ms=1_002),
            "bot",
            "; 1,002 ms of the arena's own were handed back",
        ),
        (None, "unknown", "no answer in time; the record does not say more"),
    ],
)
def test_a_late_turn_is_judged_by_what_was_measured(
    missed: Missed | None, kind: str, words: str
) -> None:
    """The bot's own word explains what the arena's figures do not contradict."""
    verdict = verdict_of(fault("late"), missed)

    assert (kind, True) == (verdict.kind, words in verdict.words), verdict.words


@pytest.mark.parametrize(
    ("losses", "cause"), [(0, ", for the arena to read what had arrived"), (1, "")]
)
def test_the_figures_of_a_late_turn_add_up(losses: int, cause: str) -> None:
    """What was added to the limit, handed back and late is all that the bot took."""
    missed = answered(
        229, 1_600, charged_ms=1_155, limit_ms=1_155, returned_ms=216, losses=losses
    )

    assert 1_000 + 155 + 216 + 229 == missed.think_ms
    assert (
        "it was thinking: its own clock says 1,600 ms of the 1,155 ms it had; these "
        f"1,155 ms are the turn's 1,000 ms and 155 ms that were added{cause}; 216 ms "
        "of the arena's own were handed back besides, and the answer came 229 ms "
        "after all that"
    ) == verdict_of(fault("late"), missed, turn_limit_ms=1_000).words


def test_a_limit_that_the_bank_made_shorter_is_told_as_it_is() -> None:
    """Nothing is said of the turn's limit where nothing was added to it."""
    late_one = answered(204, 1_204)

    assert (
        verdict_of(fault("late"), late_one)
        == verdict_of(fault("late"), late_one, turn_limit_ms=1_000)
        == verdict_of(fault("late"), late_one, turn_limit_ms=5_000)
    )


@pytest.mark.parametrize(
    ("losses", "times"), [(1, "lost once and"), (5, "lost 5 times and")]
)
def test_time_away_is_told(losses: int, times: str) -> None:
    """A bot that did not come back is told how often and how long it was gone."""
    missed = replace(LATE, end="away", losses=losses, away_ms=61_500)
    verdict = verdict_of(fault("away"), missed)

    assert "unreachable" == verdict.kind
    assert f"its connection was {times} gone for 61.5 s in all" in verdict.words


def test_a_wrong_answer_is_the_bots() -> None:
    """An illegal card is told with its name."""
    wrong = fault("illegal", reason="illegal", offered="AH")

    assert ("bot", "broke the rules: AH") == (
        verdict_of(wrong, None).kind,
        verdict_of(wrong, None).words,
    )


@given(records())
def test_every_record_can_be_explained(record: Any) -> None:
    """Whatever a record says, each fault has one verdict, in the order of the game."""
    told = list(verdicts(record))
    places = [(fault.deal, fault.trick) for fault, _ in told]
    back = time_handed_back([record, record])

    assert sorted(places) == places
    assert sorted(map(repr, record.faults)) == sorted(repr(fault) for fault, _ in told)
    assert {verdict.kind for _, verdict in told} <= {*KINDS}
    assert all(verdict.words for _, verdict in told)
    assert back.most_ms * min(back.turns, 1) <= back.ms
