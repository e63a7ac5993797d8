"""Verdicts: whose a fault was, from what the record keeps of it."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.claims import SLACK_MS, claims_of
from arena.missed import Missed
from arena.record import Fault, Note
from arena.verdict import KINDS, time_handed_back, verdict_of, verdicts
from tests.any_records import records
from tests.sample_records import sample_record

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
    silent_ms = figures.pop("silent_ms", answered_ms)
    return late("answered", silent_ms, **{**known, **figures})


HEARD_AT_ONCE = {"silent_ms": 1, "echoed_ms": 1}


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
        # Claims of a day do not fit into what was measured, nor does any pause into
        # a time in which the bot was heard of.
        (
            answered(302, 86_400_000, charged_ms=500, limit_ms=500),
            "bot",
            "thinking: its answer took 802 ms of the 500 ms it had, and by its own "
            "word it thought all along",
        ),
        (
            answered(
                302, 0, charged_ms=500, limit_ms=500, paused_ms=800, **HEARD_AT_ONCE
            ),
            "bot",
            "it says that its process stood still for longer than it was silent, but "
            "it was heard of 1 ms after its time was over",
        ),
        (
            answered(
                302,
                86_400_000,
                charged_ms=500,
                limit_ms=500,
                paused_ms=86_400_000,
                **HEARD_AT_ONCE,
            ),
            "bot",
            "by its own word it thought all along; it says that",
        ),
        # Two honest clocks are a little apart.
        (
            answered(497, 800, charged_ms=300, limit_ms=300),
            "bot",
            "it was thinking: its own clock says 797 ms of the 300 ms it had",
        ),
        # It stood still before the turn came, and went on between its two words.
        (
            answered(2_000, 5, paused_ms=6_000, silent_ms=1_900, echoed_ms=1_900),
            "unreachable",
            "nothing was heard of it for 2,900 ms, and by its own clock its process "
            "stood still all that time, as",
        ),
        (
            answered(2_000, 5, paused_ms=6_000, silent_ms=1, echoed_ms=1_999),
            "bot",
            "it was heard of 1 ms after its time was over",
        ),
        # A pause after its first sign of life is told with the silence it explains.
        (
            answered(2_000, 5, paused_ms=1_900, **HEARD_AT_ONCE),
            "unreachable",
            "nothing was heard of it for 1,999 ms, and by its own clock its process "
            "stood still for 1,900 ms, as",
        ),
        # What the arena lost is in the silence too.
        (
            answered(87, 5, returned_ms=513, paused_ms=1_400),
            "unreachable",
            "heard of it for 1,600 ms, and by its own clock its process stood still "
            "for 1,400 ms, as one does that is stopped, asleep or swapped out; 513 ms "
            "of the arena's own were handed back",
        ),
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


CLAIMS_MS = st.one_of(st.integers(0, 8_000), st.sampled_from((86_400_000, 2**31 - 1)))
SPANS_MS = st.one_of(st.integers(0, 100), st.integers(0, 8_000))


@st.composite
def measured(draw: st.DrawFn) -> Missed:
    """Return a late turn with any figures that an arena can measure, and any claims."""
    limit = draw(st.integers(1, 8_000))
    silent, after = draw(SPANS_MS), draw(SPANS_MS)
    end = draw(st.sampled_from(("answered", "heard", "lost", "stalled", "open")))
    is_answered = end == "answered"
    return Missed(
        allowance_ms=draw(st.integers(0, 50)),
        answered_ms=silent + after if is_answered else None,
        away_ms=draw(SPANS_MS),
        charged_ms=limit + draw(st.integers(0, 30)),
        deal=1,
        echoed_ms=draw(st.none() | st.just(silent) | SPANS_MS.map(silent.__add__)),
        end=end,
        limit_ms=limit,
        losses=draw(st.integers(0, 3)),
        paused_ms=draw(CLAIMS_MS) if is_answered else None,
        refunded_ms=draw(st.integers(0, 50)),
        returned_ms=draw(st.just(0) | SPANS_MS),
        round_trip_ms=draw(st.none() | st.integers(0, 500)),
        seat=1,
        silent_ms=silent,
        think_ms=draw(CLAIMS_MS) if is_answered else None,
        trick=3,
    )


def times_of(words: str) -> list[float]:
    """Return all times that are named, in milliseconds."""
    found = re.findall(r"([\d,]+(?:\.\d)?) (ms|s)\b", words)
    return [
        float(digits.replace(",", "")) * (1_000 if unit == "s" else 1)
        for digits, unit in found
    ]


@example(answered(302, 86_400_000, charged_ms=500, limit_ms=500, paused_ms=800))
@given(measured())
def test_no_line_names_a_longer_time_than_was_measured(missed: Missed) -> None:
    """Whatever a bot claims, the words hold no time that the arena did not see."""
    later = max(missed.silent_ms, missed.answered_ms or 0)
    whole = missed.charged_ms + missed.refunded_ms + missed.returned_ms + later
    trips = (missed.round_trip_ms or 0, missed.echoed_ms or 0, missed.allowance_ms)
    words = verdict_of(fault("late"), missed, turn_limit_ms=100).words

    # A tenth of a second is what a longer time is rounded to.
    assert max(whole, *trips) + 50 >= max(times_of(words), default=0), words


@given(measured())
def test_no_verdict_contradicts_a_measured_figure(missed: Missed) -> None:
    """Silence is no longer than measured, pauses fit in it, links were measured."""
    verdict = verdict_of(fault("late"), missed)
    claims = claims_of(missed)
    trips = (missed.round_trip_ms or 0, missed.echoed_ms or 0)
    silences = [
        times_of(told)[0]
        for told in re.findall("nothing was heard of it for [^ ]+ m?s", verdict.words)
    ]

    assert claims.paused_ms <= claims.silence_ms
    assert all(silence <= claims.silence_ms + 50 for silence in silences)
    assert verdict.kind != "link" or max(trips) > missed.allowance_ms
    assert verdict.kind != "bot" or "nothing was heard" not in verdict.words


@given(measured(), CLAIMS_MS)
def test_a_bot_that_was_at_hand_did_not_stand_still(
    missed: Missed, paused: int
) -> None:
    """Who was heard of at the closing explains nothing by a pause longer than that."""
    at_hand = replace(
        missed,
        end="answered",
        silent_ms=1,
        echoed_ms=1,
        answered_ms=1_000,
        think_ms=missed.think_ms or 0,
        round_trip_ms=1,
    )
    longest = max(claims_of(at_hand).silence_ms, 1)
    longer = replace(at_hand, paused_ms=longest + SLACK_MS + 1 + paused)

    assert verdict_of(fault("late"), replace(at_hand, paused_ms=0)).kind == (
        verdict_of(fault("late"), longer).kind
    )


def test_what_named_no_card_is_told_with_its_note_and_its_traceback() -> None:
    """An exception is named as such, with what the bot's SDK says of it."""
    empty = fault("illegal", reason="wrong_count")
    note = Note(deal=1, seat=1, text="raised TypeError", trick=3)
    record = replace(sample_record(1), faults=(empty,), notes=(note,))
    expected = (
        "named no card, as a bot does whose code raised; the traceback is in its own "
        "output, or its program's log"
    )

    assert expected == verdict_of(empty, None).words
    assert [f'{expected}; it notes "raised TypeError"'] == [
        verdict.words for _, verdict in verdicts(record)
    ]
