"""What a match says of its two bots: in words first, then in figures."""

import csv
import io
import json
from dataclasses import replace

import pytest

from leagues.match import Claims
from leagues.match_score import MatchResult, Weighed, score_of
from leagues.reports.formats import FORMATS
from leagues.reports.match import (
    match_facts,
    match_report,
    progress_words,
    verdict_words,
)
from tests.match_games import blocks_at, match, match_games

CLEAR = [2 + number % 3 for number in range(20)]
"""Blocks in which the first side is better by three points a deal."""
EVEN = [(-3, 3, -1, 1)[number % 4] for number in range(20)]
"""Blocks that favour nobody."""


def result(
    figures: list[int], claims: Claims | None = None, *, is_over: bool = True
) -> MatchResult:
    """What a match with these figures came to."""
    return score_of(
        match(claims),
        match_games(figures),
        seats=4,
        blocks=blocks_at(4),
        planned=20,
        is_over=is_over,
    )


def ended(claims: Claims, verdict: str | None) -> MatchResult:
    """A match whose test has ended so, whatever its blocks were."""
    tested = Weighed(0.0, -2.94, 2.94, verdict)  # type: ignore[arg-type]
    return replace(result(EVEN, claims), test=tested)


def worse(figures: list[int]) -> list[int]:
    """The same blocks for the other side."""
    return [-figure for figure in figures]


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        (CLEAR, "new is better than old. It took 2.95 points a deal fewer than old"),
        (
            worse(CLEAR),
            "old is better than new. new took 2.95 points a deal more than old",
        ),
        (EVEN, "The match does not tell new and old apart. new took as many points"),
        ([1, 5], "There are too few blocks to tell the two apart. new took 3.00"),
        ([0] * 5, "In all 5 blocks new and old came out exactly alike."),
        ([], "No block is finished, so nothing is known."),
    ],
)
def test_a_fixed_number_of_blocks_is_told_by_its_interval(
    figures: list[int], told: str
) -> None:
    """Better is only who is so with 95 % confidence."""
    assert " ".join(verdict_words(result(figures))).startswith(told)


@pytest.mark.parametrize(
    ("claims", "verdict", "told"),
    [
        (
            Claims(0, 0.1),
            "h1",
            "new is better than old. Where the two are equal, 5 of 100 such matches",
        ),
        (
            Claims(0, 0.1, beta=0.1),
            "h0",
            "new is not better than old, or by less than was asked for (an effect of "
            "0.1). Where the effect is 0.1, 10 of 100 such matches end so by chance.",
        ),
        (Claims(-0.1, 0), "h0", "new is worse than old. Where the two are equal, 5"),
        (
            Claims(-0.1, 0),
            "h1",
            "new is not worse than old, or by less than was feared (an effect of "
            "-0.1). Where the effect is -0.1, 5 of 100",
        ),
        (Claims(-0.1, 0.1), "h1", "new is better than old. Where the effect is -0.1"),
        (Claims(-0.1, 0.1), "h0", "old is better than new. Where the effect is 0.1"),
        (Claims(0, 0.1), None, "Not decided: the test has not ended within 20 blocks"),
    ],
)
def test_a_test_is_told_by_what_it_has_claimed(
    claims: Claims, verdict: str | None, told: str
) -> None:
    """The words say no more than the claim, and how often it is wrong."""
    assert " ".join(verdict_words(ended(claims, verdict))).startswith(told)


def test_a_match_that_goes_on_claims_nothing() -> None:
    """Its words say so, and a line tells how it stands."""
    claims = Claims(0, 0.1)
    running = result(EVEN, claims, is_over=False)
    fixed = result(CLEAR, is_over=False)

    assert "Not decided yet." == verdict_words(running)[0]
    assert "new is better than old so far." == verdict_words(fixed)[0]
    assert (
        "20 blocks, LLR -0.10 (-2.94 to +2.94), new better by 0.00 ±1.07 points a deal"
    ) == progress_words(running)
    assert "no block finished yet" == progress_words(result([]))


def test_a_match_that_was_ended_early_is_not_decided() -> None:
    """That is told from one that has run out of blocks."""
    cut = replace(ended(Claims(0, 0.1), None), is_cut_short=True)

    assert "Not decided: the match was ended before its test." == verdict_words(cut)[0]


def test_the_report_has_every_format() -> None:
    """The text has the words and the figures; programs get one row with all of them."""
    report = match_report("new-old", result(CLEAR, Claims(0, 0.5)))
    text = FORMATS["text"](report)
    document = json.loads(FORMATS["json"](report))
    (row,) = csv.DictReader(io.StringIO(FORMATS["csv"](report)))

    assert text.startswith("League new-old: match\nnew is better than old. Where the ")
    assert (
        "LLR     +2.97             ends at -2.94 for an effect of 0, at +2.94 for 0.5\n"
    ) in text
    assert "Blocks  12 of at most 20  72 games, 144 deals\n" in text
    assert "48 games more had been finished or begun by then" in text
    assert ("h1", 72) == (document["rows"][0]["verdict"], document["games"])
    assert ("new", "old", "h1", "0.5") == (
        row["a"],
        row["b"],
        row["verdict"],
        row["d1"],
    )
    assert "# League new\\-old" not in FORMATS["md"](report)


def test_what_has_no_value_is_null() -> None:
    """JSON knows no number that is none."""
    facts = match_facts(result([1]))

    assert (1.0, None, None) == (
        facts["margin"],
        facts["margin_half_width"],
        facts["llr"],
    )
    json.dumps(facts, allow_nan=False)
