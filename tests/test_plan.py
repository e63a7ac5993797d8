"""Plans: what a league will be, and how right the figures come out."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from scipy import stats

from arena.rules import preset
from leagues.blocks import ROTATE, planned
from leagues.kept_apart import apart_text
from leagues.luck import VARIANCE_RATIOS, RotatedGames, rotated_games
from leagues.plan_text import Duration, lasting, plan_text
from leagues.rating.ratings import rate_arrays
from leagues.scheduling.balance import Spreads
from leagues.scheduling.owners import Owners
from leagues.scheduling.plan import plan, rounds_of
from leagues.scheduling.precision import (
    Precision,
    error_factor,
    games_for_gap,
    precision,
)
from leagues.scheduling.schedule import design_of, schedule
from leagues.storage.pace import busy_seconds, turns_per_deal
from tests.documents import read_document
from tests.sources import ROOT

DURATION = Duration(7200, 600, 2000, "tried", "assumed")


def text(
    entrants: int, games: int, *, seats: int = 4, anchor: str | None = None
) -> str:
    """The plan of a league in words, as one line."""
    found = plan(
        schedule(entrants, games=games, seats=seats),
        entrants=entrants,
        seats=seats,
        is_anchored=anchor is not None,
    )
    told = plan_text(found, DURATION, name="friday", rules="arena", anchor=anchor)
    return " ".join(told.split())


def test_the_factors_of_errors_are_the_known_ones() -> None:
    """From two to seven seats an error is so much over the root of the games."""
    found = [round(error_factor(seats), 1) for seats in range(2, 8)]

    assert [347.4, 283.7, 259.0, 245.7, 237.3, 231.6] == found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "seats", "games"), [(13, 4, 390), (6, 4, 300), (12, 5, 360)]
)
@pytest.mark.parametrize("is_anchored", [True, False])
def test_the_expected_intervals_come_true(
    entrants: int, seats: int, games: int, is_anchored: bool
) -> None:
    """Equal entrants whose places are drawn get the intervals that were planned."""
    seatings = np.array(schedule(entrants, games=games, seats=seats))
    chance = np.random.default_rng(4)
    expected = plan(
        list(map(tuple, seatings.tolist())),
        entrants=entrants,
        seats=seats,
        is_anchored=is_anchored,
    )
    widths = []
    gaps = []
    for _ in range(12):
        places = chance.permuted(np.tile(np.arange(1, seats + 1), (games, 1)), axis=1)
        ratings = rate_arrays(
            seatings,
            places,
            np.arange(games),
            entrants=entrants,
            anchor=0 if is_anchored else None,
        )
        widths.append(ratings.half_widths[1:].mean())
        gaps.append(ratings.pair_errors[0, 1:].mean())

    assert expected.precision is not None
    assert expected.precision.half_width == pytest.approx(np.mean(widths), rel=0.05)
    assert expected.precision.gap == pytest.approx(2.8016 * np.mean(gaps), rel=0.05)


def test_gaps_are_told_apart_as_often_as_is_said() -> None:
    """A difference as large as the gap is found significant four times in five."""
    found = precision(1000, blocks=1000, entrants=10, seats=4, is_anchored=False)
    assert found is not None
    error = found.gap / (stats.t.ppf(0.975, 999) + stats.norm.ppf(0.8))
    chance = random.Random(3)
    draws = [chance.gauss(found.gap, error) for _ in range(20_000)]
    share = sum(abs(one) > 1.9623 * error for one in draws) / 20_000

    assert 0.80 == pytest.approx(share, abs=0.01)
    assert found.gap_among_all > found.gap > found.half_width


@pytest.mark.parametrize("games", [5, 10, 20, 50, 400])
@pytest.mark.parametrize("is_anchored", [True, False])
def test_few_games_widen_intervals(games: int, is_anchored: bool) -> None:
    """The t distribution is close enough, by another library's word."""
    found = precision(games, blocks=games, entrants=8, seats=4, is_anchored=is_anchored)
    assert found is not None
    share = (2 * 7 / 8) ** 0.5 if is_anchored else 7 / 8
    expected = stats.t.ppf(0.975, games - 1) * error_factor(4) / games**0.5 * share

    assert found.half_width == pytest.approx(expected, rel=0.02)


def test_too_few_games_have_no_precision() -> None:
    """Of two blocks a bot no error can be told."""
    assert precision(8, blocks=2, entrants=8, seats=4, is_anchored=True) is None
    assert isinstance(
        precision(12, blocks=3, entrants=8, seats=4, is_anchored=True), Precision
    )


def test_games_for_a_gap_are_those_that_tell_it_apart() -> None:
    """The number of games for a gap is the one whose precision has that gap."""
    for gap in (100, 25):
        games = games_for_gap(gap, entrants=12, seats=4)
        found = precision(games, blocks=games, entrants=12, seats=4, is_anchored=False)

        assert found is not None
        assert found.gap == pytest.approx(gap, rel=0.02)


def test_games_for_tiers_are_those_of_the_one_page() -> None:
    """The table of how-to-read-a-table.md is what plans are made with."""
    text = read_document("docs/how-to-read-a-table.md").partition("## How many games")[
        2
    ]
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if "|" in line]
    gaps = list(map(int, lines[0][1:]))

    assert [400, 200, 100, 50, 25] == gaps
    for line, entrants in zip(lines[2:5], (4, 10, 30), strict=True):
        for gap, games in list(zip(gaps, line[1:], strict=True))[1:]:
            found = games_for_gap(gap, entrants=entrants, seats=4, among_all=True)

            assert found == pytest.approx(int(games), rel=0.1)


def test_the_tiers_of_two_differ_at_the_gap_among_all() -> None:
    """The number of games for a gap in tiers is the one whose precision has it."""
    for gap in (200, 25):
        games = games_for_gap(gap, entrants=12, seats=4, among_all=True)
        found = precision(games, blocks=games, entrants=12, seats=4, is_anchored=False)

        assert found is not None
        assert found.gap_among_all == pytest.approx(gap, rel=0.02)


def test_a_plan_counts_what_is_played() -> None:
    """Of twelve entrants in two cycles all counts are told, and the games near by."""
    found = plan(schedule(12, games=66), entrants=12, seats=4)

    assert (66, 22, (66,)) == (found.games, found.rounds, found.even_games)
    assert (22, 22) == found.ranges.games
    assert (6, 6) == found.ranges.pairs
    assert (2, 2) == found.ranges.lefts == found.ranges.across
    assert found.is_even
    assert Spreads(games=0, pairs=3, lefts=2, across=1, seats=3) == found.worst


def test_the_last_round_may_be_begun_only() -> None:
    """A number of games that fills no round leaves the last one short."""
    rounds = rounds_of(schedule(12, games=8), design_of(12))

    assert [3, 3, 2] == [len(seatings) for seatings in rounds]


def test_a_rotated_league_is_planned_in_blocks() -> None:
    """Each table comes in four rotations, so a round has four times the games."""
    seatings = planned(12, games=132, seats=4, luck=ROTATE)
    found = plan(seatings, entrants=12, seats=4, rotations=4)
    told = plan_text(found, DURATION, name="friday", rules="arena", anchor=None)

    assert (132, 11, (132,)) == (found.games, found.rounds, found.even_games)
    assert (12, 12) == found.ranges.pairs
    assert (11, 11) == found.ranges.seats
    assert 0 == found.worst.seats
    assert "11 rounds of 3 tables with 4 seats, each in 4 rotations" in told
    assert "Shared deals make all that smaller" in told


def test_too_few_blocks_are_told_as_blocks() -> None:
    """Eight games of two blocks are not fewer than three games."""
    seatings = planned(4, games=8, seats=4, luck=ROTATE)
    found = plan(seatings, entrants=4, seats=4, rotations=4)
    told = plan_text(found, DURATION, name="friday", rules="arena", anchor=None)

    assert "Fewer than three blocks for each entrant: no rating will have a ±." in told


def test_pairs_that_may_not_meet_are_left_out() -> None:
    """The meetings of bots of one owner, which are none, count for no range."""
    owners = Owners(["ann", "ann", *[""] * 10])
    seatings = schedule(12, games=66, owners=owners)
    found = plan(seatings, entrants=12, seats=4, owners=owners)

    assert found.ranges.pairs[0] >= 5
    assert (22, 22) == found.ranges.games


def of_owners(games: int, *, luck: str = "none", rotations: int = 1) -> str:
    """The plan of nine bots, of which two are Ada's, in words and as one line."""
    owners = Owners(["Ada L.", "Ada L.", *[""] * 7])
    seatings = planned(9, games=games, seats=4, luck=luck, owners=owners)
    found = plan(seatings, entrants=9, seats=4, rotations=rotations, owners=owners)
    told = plan_text(
        found,
        DURATION,
        name="friday",
        rules="arena",
        anchor=None,
        owned=[("Ada L.", ["ducker", "dodger"])],
    )
    return " ".join(told.split())


@pytest.mark.parametrize(("luck", "rotations"), [("none", 1), (ROTATE, 4)])
def test_who_never_meets_is_told_in_a_plan(luck: str, rotations: int) -> None:
    """Whose bots they are, and that the others' meetings are as even as can be."""
    told = of_owners(144 * rotations, luck=luck, rotations=rotations)

    assert (
        "Everybody plays equally often, and meets others as evenly as owners allow. "
        "ducker and dodger (Ada L.) never meet, so they meet others more often. "
        "Everybody meets each bot it may meet "
    ) in told
    assert "Close to even" not in told


def test_few_games_of_owners_promise_no_meetings_that_never_are() -> None:
    """Everybody meets those it may meet, and not everybody."""
    told = of_owners(6)

    assert (
        "Some never meet though they may; everybody meets each bot it may meet in 18 "
        "games."
    ) in told
    assert "everybody meets everybody" not in told


def test_bots_of_many_owners_are_told_shortly() -> None:
    """Three owners are named, and of each so many bots as a line has room for."""
    groups = [(f"owner {n}", [f"bot{n}{k}" for k in range(9)]) for n in range(5)]
    told = apart_text(groups)

    assert told.startswith(
        "Bots of one owner never meet, so they meet others more often: "
        "bot00, bot01, bot02, bot03, bot04 and 4 others (owner 0); bot10"
    )
    assert told.endswith("(owner 2); those of 2 other owners.")
    assert "" == apart_text([])


@pytest.mark.parametrize(
    ("entrants", "games", "words"),
    [
        (
            12,
            66,
            "meets everybody equally often. Everybody meets each other one 6 times",
        ),
        (
            10,
            20,
            "Everybody plays equally often, and meets everybody equally often, or",
        ),
        (12, 70, "Close to even; most even after 66 or 99 games."),
        (12, 20, "Some never meet; everybody meets everybody in 33 games."),
        (42, 420, "As even as this schedule becomes."),
        (6, 15, "15 games in 15 rounds of 1 table with 4 seats: every set of"),
        (6, 2, "Fewer than three games for each entrant: no rating will have a ±."),
        (10, 8, "in five, if they are more than 800 Elo apart; for one pair alone"),
    ],
)
def test_a_plan_says_in_words_how_even_it_is(
    entrants: int, games: int, words: str
) -> None:
    """Whoever reads no figures reads the verdict."""
    assert words in text(entrants, games)


def test_a_plan_tells_of_opposites_only_where_there_are_any() -> None:
    """At five seats nobody sits across."""
    assert "opposite" in text(12, 33)
    assert "opposite" not in text(12, 33, seats=5)


def test_ratings_are_told_from_where_they_are_counted() -> None:
    """Intervals are those from the anchor, or from the mean without one."""
    assert "from careful" in text(12, 66, anchor="careful")
    assert "from the mean of all" in text(12, 66)


def test_what_rotated_deals_would_save_is_what_was_measured() -> None:
    """The ratios are those of docs/ratings.md, by the places of games."""
    table = (ROOT / "docs" / "ratings.md").read_text().partition("| games: places |")[2]
    rows = re.findall(r"^\| `.*?\| ([\d.]+) ±", table, re.MULTILINE)
    *unlike, alike = map(float, rows[:4])

    assert (min(unlike), max(unlike), alike) == VARIANCE_RATIOS


def test_rotated_games_are_whole_blocks() -> None:
    """So many games tell at least as much as all the others, and no block is cut."""
    found = rotated_games(468, seats=4)

    assert RotatedGames(fewest=404, most=440, alike=220) == found
    for games, ratio in zip((440, 404, 220), VARIANCE_RATIOS, strict=True):
        assert games % 4 == 0
        assert games - 4 < 468 / ratio <= games


def test_durations_have_the_unit_that_suits_them() -> None:
    """Seconds, minutes, hours and days, each roughly."""
    told = [lasting(seconds) for seconds in (0.2, 89, 600, 7200, 400_000)]

    assert ["1 s", "89 s", "10 min", "2.0 h", "4.6 days"] == told


def test_overlapping_games_are_busy_once() -> None:
    """Time in which several games run counts once, and pauses do not count."""
    spans = [
        ("2026-01-01T12:00:05Z", "2026-01-01T12:00:20Z"),
        ("2026-01-01T12:00:00Z", "2026-01-01T12:00:10.500Z"),
        ("2026-01-01T12:00:07Z", "2026-01-01T12:00:08Z"),
        ("2026-01-01T13:00:00Z", "2026-01-01T13:00:01Z"),
    ]

    assert 21.0 == busy_seconds(spans)
    assert 0.0 == busy_seconds([])


def test_a_deal_has_a_turn_for_each_card_and_each_pass() -> None:
    """Three deals of four are passed in the arena's rules, none without passing."""
    assert 52 + 4 * 0.75 == turns_per_deal(preset("arena"))
    assert 52 == turns_per_deal(preset("arena", pass_count="0"))
