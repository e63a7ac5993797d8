"""Reports: each figure against a plain computation, laws, and how they read."""

import csv
import io
import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from leagues.rating.ratings import rate
from leagues.reports.document import Column, Report, Table, figure
from leagues.reports.formats import FORMATS
from leagues.reports.head_to_head import head_to_head
from leagues.reports.kinds import OF_RESULTS
from leagues.reports.page import told_apart
from leagues.reports.source import Source, source_of
from leagues.reports.words import listed
from leagues.results import GameResult
from leagues.standings import standings_of
from tests.made_up_leagues import NAMES, facts_of, made_up, with_faults

SKILL = {"ada": 1.5, "bea": 0.2, "dan": -1.0, "eve": -1.2, "flo": -3.0}


def league(seed: int = 1, **options: Any) -> Source:
    """A made-up league, ready for reports."""
    return source_of(facts_of(NAMES), made_up(seed, skill=SKILL, **options))


def lines_of(report: Report) -> list[Mapping[str, Any]]:
    """The data of a report."""
    return report.data.objects()


def naive_margin(
    games: Sequence[GameResult], one: str, other: str
) -> tuple[float, float]:
    """The points a deal that one took more than another, and half the interval."""
    by_block: dict[int, list[tuple[int, int]]] = {}
    for game in games:
        points = {seat.entrant: seat.points for seat in game.seats}
        if one in points and other in points:
            pair = (points[one] - points[other], game.deals)
            by_block.setdefault(game.block, []).append(pair)
    sums = [
        (sum(points for points, _ in block), sum(deals for _, deals in block))
        for block in by_block.values()
    ]
    deals, count = sum(n for _, n in sums), len(sums)
    mean = sum(points for points, _ in sums) / deals
    squares = sum((points - mean * n) ** 2 for points, n in sums)
    error = math.sqrt(count / (count - 1) * squares) / deals
    return mean, float(student.ppf(0.975, count - 1)) * error


def naive_score(games: Sequence[GameResult], one: str, other: str) -> float:
    """Which part of the games together one came out ahead in, ties half."""
    scores = []
    for game in games:
        places = {seat.entrant: seat.place for seat in game.seats}
        if one in places and other in places:
            ahead = places[one] < places[other]
            scores.append(0.5 if places[one] == places[other] else float(ahead))
    return sum(scores) / len(scores)


def naive_holm(source: Source) -> set[frozenset[str]]:
    """The pairs that Holm's method tells apart at 5 %."""
    names, p_values = source.ratings.names, source.ratings.p_values()
    pairs = sorted(
        (float(p_values[i, j]), frozenset((names[i], names[j])))
        for i in range(len(names))
        for j in range(i)
    )
    found = set()
    for place, (p_value, pair) in enumerate(pairs):
        if p_value > 0.05 / (len(pairs) - place):
            break
        found.add(pair)
    return found


@pytest.mark.parametrize("rotations", [1, 4])
def test_a_crosstable_has_what_each_two_did(rotations: int) -> None:
    """Score, points with interval, games, blocks and LOS are what loops find."""
    source = league(games=120, rotations=rotations)
    rows = {
        (row["entrant"], row["opponent"]): row
        for row in lines_of(OF_RESULTS["crosstable"](source))
    }

    assert len(NAMES) * (len(NAMES) - 1) == len(rows)
    for (one, other), row in rows.items():
        margin, half_width = naive_margin(source.results, one, other)
        met = [
            g for g in source.results if {one, other} <= {s.entrant for s in g.seats}
        ]

        assert row["score"] == pytest.approx(naive_score(source.results, one, other))
        assert row["points_difference"] == pytest.approx(margin)
        assert row["half_width"] == pytest.approx(half_width)
        assert (len(met), len({game.block for game in met})) == (
            row["games"],
            row["blocks"],
        )
        assert row["los"] == pytest.approx(source.ratings.los(one, other))


def test_pairs_are_marked_by_their_tiers() -> None:
    """Where all have met, those are told apart whom Holm's method tells apart."""
    source = league(games=200)
    found = {
        frozenset((row["entrant"], row["opponent"]))
        for row in lines_of(OF_RESULTS["crosstable"](source))
        if row["told_apart"]
    }
    pairs = len(NAMES) * (len(NAMES) - 1) // 2

    assert naive_holm(source) == found
    assert 0 < len(found) < pairs


@pytest.mark.parametrize("seed", range(12))
def test_nothing_contradicts_the_tiers(seed: int) -> None:
    """Standings, crosstable, head-to-head and page tell the same pairs apart."""
    # Two never meet, so that others alone say which of them is better.
    skill = dict(zip(NAMES, (4.0, 1.5, 0, 0.5, -1.5, -4.0), strict=True))
    games = [
        replace(game, number=number)
        for number, game in enumerate(made_up(seed, games=400, skill=skill), start=1)
        if not {NAMES[0], NAMES[-1]} <= {seat.entrant for seat in game.seats}
    ][: 20 + 20 * seed]
    facts = facts_of(NAMES)
    source = source_of(facts, games)
    tiers = {row.entrant: row.tier for row in standings_of(facts, games).rows}
    rows = lines_of(OF_RESULTS["crosstable"](source))
    page = {name: told_apart(source, name) for name in source.ranked}

    assert len(source.ranked) * (len(source.ranked) - 1) == len(rows)
    for row in rows:
        one, other = row["entrant"], row["opponent"]
        mine, theirs = tiers[one], tiers[other]
        assert mine is not None
        assert theirs is not None
        is_apart = mine.last < theirs.first or theirs.last < mine.first

        assert is_apart == row["told_apart"]
        assert is_apart == (other not in page[one]["open"])
        assert (mine.last < theirs.first) == (other in page[one]["beats"])
        assert is_apart == lines_of(head_to_head(source, one, other))[0]["told_apart"]


def test_two_that_never_met_can_be_told_apart_by_others() -> None:
    """Who is better than a better one is better, and all that is printed says so."""
    skill = {"a": 5.0, "b": 2.0, "c": -2.0, "d": -5.0, "x": 0.0, "y": 0.0}
    games = [
        game
        for game in made_up(3, games=400, names=tuple(skill), skill=skill)
        if not {"a", "d"} <= {seat.entrant for seat in game.seats}
    ]
    source = source_of(facts_of(tuple(skill)), games)
    text = FORMATS["text"](OF_RESULTS["crosstable"](source))
    at = source.ranked.index("a"), source.ranked.index("d")

    assert source.differs[at]
    assert "-+" in text
    assert "-+ and --: nor did these, but games with others" in re.sub(
        r"\s+", " ", text
    )


def test_matrices_hold_the_ratings_errors_and_los() -> None:
    """Each cell is the figure of its pair, the best bot first."""
    source = league()
    ratings = source.ratings
    errors = {row["_entrant"]: row for row in lines_of(OF_RESULTS["errors"](source))}
    los = {row["_entrant"]: row for row in lines_of(OF_RESULTS["los"](source))}
    elo = dict(zip(ratings.names, ratings.elo, strict=True))

    assert sorted(NAMES, key=lambda name: -elo[name]) == list(errors) == list(los)
    for one in NAMES:
        assert errors[one][one] is None
        for other in set(NAMES) - {one}:
            at = ratings.names.index(one), ratings.names.index(other)

            assert ratings.pair_errors[at] == errors[one][other]
            assert los[one][other] == pytest.approx(ratings.los(one, other))


@pytest.mark.parametrize("rotations", [1, 4])
def test_two_bots_are_compared_by_their_games(rotations: int) -> None:
    """Counts and points are from the games of the two, the rest from all games."""
    source = league(games=80, rotations=rotations)
    (row,) = lines_of(head_to_head(source, "ada", "eve"))
    margin, half_width = naive_margin(source.results, "ada", "eve")
    ratings = source.ratings
    one, other = ratings.names.index("ada"), ratings.names.index("eve")
    degrees = min(ratings.blocks[one], ratings.blocks[other]) - 1
    width = student.ppf(0.975, degrees) * ratings.pair_errors[one, other]

    assert row["games"] == row["ahead"] + row["equal"] + row["behind"]
    assert row["score"] == pytest.approx(naive_score(source.results, "ada", "eve"))
    assert row["points_difference"] == pytest.approx(margin)
    assert row["points_half_width"] == pytest.approx(half_width)
    assert row["points_per_deal_one"] - row["points_per_deal_other"] == pytest.approx(
        margin
    )
    assert row["elo_difference"] == pytest.approx(ratings.elo[one] - ratings.elo[other])
    assert row["elo_half_width"] == pytest.approx(width)


def test_two_bots_are_the_same_from_the_other_side() -> None:
    """Exchanged bots exchange counts and signs."""
    source = league(games=80)
    (row,) = lines_of(head_to_head(source, "ada", "eve"))
    (back,) = lines_of(head_to_head(source, "eve", "ada"))

    assert (row["ahead"], row["equal"], row["behind"]) == (
        back["behind"],
        back["equal"],
        back["ahead"],
    )
    for name in ("points_difference", "elo_difference"):
        assert row[name] == pytest.approx(-back[name])
    assert row["los"] == pytest.approx(1 - back["los"])


def test_two_bots_may_never_have_met() -> None:
    """Without a game of the two there are no figures, and the report says so."""
    games = [
        game
        for game in made_up(3)
        if not {"ada", "bea"} <= {seat.entrant for seat in game.seats}
    ]
    report = head_to_head(source_of(facts_of(NAMES), games), "ada", "bea")

    assert report.summary.startswith("ada and bea have not met at a table. ")
    assert 0 == report.games
    assert re.search(r"^Score, percent +- +-$", FORMATS["text"](report), re.MULTILINE)


def test_faults_are_counted_by_bot() -> None:
    """Kinds, given-up seats and games with faults are what loops find."""
    games = with_faults(made_up(5), 5)
    source = source_of(facts_of(NAMES), games)
    rows = {row["entrant"]: row for row in lines_of(OF_RESULTS["faults"](source))}
    for name in NAMES:
        seated = [
            (game, seat)
            for game in games
            for seat in range(4)
            if game.seats[seat].entrant == name
        ]
        late = sum(
            fault.kind == "late" and fault.seat == seat
            for game, seat in seated
            for fault in game.faults
        )
        faulty = sum(
            any(fault.seat == seat for fault in game.faults) for game, seat in seated
        )
        given_up = sum(
            item.seat == seat for game, seat in seated for item in game.given_up
        )

        assert (len(seated), late, faulty, given_up) == (
            rows[name]["games"],
            rows[name]["late"],
            rows[name]["games_with_faults"],
            rows[name]["given_up"],
        )
        assert rows[name]["games_with_faults_percent"] == 100 * faulty / len(seated)
    assert rows["bea"]["late"]
    assert rows["bea"]["given_up"]


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), rotations=st.sampled_from([1, 4]))
def test_neither_order_nor_names_matter(seed: int, rotations: int) -> None:
    """Shuffled games and renamed bots change nothing but the names."""
    chance = random.Random(seed)
    games = with_faults(made_up(seed, games=24, rotations=rotations), seed)
    names = {name: f"x{number}" for number, name in enumerate(NAMES)}
    names["careful"] = "careful"
    renamed = [
        replace(
            game,
            seats=tuple(replace(s, entrant=names[s.entrant]) for s in game.seats),
        )
        for game in chance.sample(games, len(games))
    ]
    for kind, make in OF_RESULTS.items():
        # Bots with equal ratings stand by name, so compare without the order.
        before = lines_of(make(source_of(facts_of(NAMES), games)))
        after = lines_of(make(source_of(facts_of(list(names.values())), renamed)))

        assert same(before, names) == same(after, {}), kind


def same(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[str]:
    """Rows in an order that depends on nothing, with other names and fewer digits."""

    def cell(value: Any) -> str:
        # No sign before what is nothing.
        plain = round(value, 6) + 0.0 if isinstance(value, float) else value
        return str(names.get(value, plain) if isinstance(value, str) else plain)

    return sorted(
        str(sorted((names.get(key, key), cell(value)) for key, value in row.items()))
        for row in rows
    )


@pytest.mark.parametrize("kind", OF_RESULTS)
def test_a_league_without_games_can_be_reported_on(kind: str) -> None:
    """Nothing played is no error in any format."""
    report = OF_RESULTS[kind](source_of(facts_of(NAMES), []))

    assert all(form(report) for form in FORMATS.values())
    assert 0 == report.games


@pytest.mark.parametrize("kind", OF_RESULTS)
def test_reports_read_well(
    kind: str, assert_golden: Callable[[str, str], None]
) -> None:
    """The text for people is what the golden file shows."""
    source = source_of(facts_of(NAMES), with_faults(made_up(1, skill=SKILL), 1))

    assert_golden(f"report_{kind}.txt", FORMATS["text"](OF_RESULTS[kind](source)))


def test_two_bots_read_well(assert_golden: Callable[[str, str], None]) -> None:
    """The comparison of two for people is what the golden file shows."""
    report = head_to_head(league(), "ada", "careful")

    assert_golden("report_head_to_head.txt", FORMATS["text"](report))


def test_markdown_reads_well(assert_golden: Callable[[str, str], None]) -> None:
    """A report in Markdown is what the golden file shows."""
    report = OF_RESULTS["crosstable"](league())

    assert_golden("report_crosstable.md", FORMATS["md"](report))


def sample_report(**changes: Any) -> Report:
    """A small report, for formats."""
    data = Table(
        (Column("Who", "who", is_text=True), Column("What", "what", 2)),
        (("a_b|c", 1 / 3), ("<d>", float("nan")), ("=e", None)),
        "Things",
    )
    report = Report("sample", "friday", "So it is.", "games", 2, 1, data)
    return replace(report, **changes)


def test_programs_read_what_people_read() -> None:
    """CSV and JSON have each row of the data, and nothing for what is no number."""
    report = sample_report(alarm="Beware.")
    rows = list(csv.reader(io.StringIO(FORMATS["csv"](report))))
    document = json.loads(FORMATS["json"](report))

    assert [
        ["who", "what"],
        ["a_b|c", "0.333333"],
        ["<d>", ""],
        ["'=e", ""],
    ] == rows
    assert {
        "report": "sample",
        "league": "friday",
        "summary": "So it is.",
        "alarm": "Beware.",
        "unit": "games",
        "games": 2,
        "blocks": 1,
        "rows": [
            {"who": "a_b|c", "what": 0.333333},
            {"who": "<d>", "what": None},
            {"who": "=e", "what": None},
        ],
    } == document


def test_markdown_takes_no_name_for_its_own() -> None:
    """Bars, underscores and angles in names stay what they are."""
    text = FORMATS["md"](sample_report(alarm="Beware of *~."))

    assert "| a\\_b\\|c | 0.33 |" in text
    assert "| \\<d\\> | - |" in text
    assert "**Alarm: Beware of \\*\\~.**" in text
    assert "2 games, 1 block; unit: games" in text


def test_an_alarm_stands_at_the_head() -> None:
    """An alarm follows the summary at once, and there is none without reason."""
    lines = FORMATS["text"](sample_report(alarm="Beware.")).splitlines()

    assert ["League friday: sample", "So it is.", "ALARM: Beware."] == lines[:3]
    assert "ALARM" not in FORMATS["text"](sample_report())


def test_figures_have_no_sign_before_nothing() -> None:
    """What rounds to nothing is 0, however it came about."""
    assert ["0.0", "+0.0", "-0.1", "+0.1", "-"] == [
        figure(-0.04, 1),
        figure(-0.04, 1, has_sign=True),
        figure(-0.06, 1),
        figure(0.06, 1, has_sign=True),
        figure(float("nan"), 1),
    ]


def test_long_lists_are_cut() -> None:
    """Of many names the first ones are said, and how many there are beside."""
    names = [f"b{number}" for number in range(1, 9)]

    assert "b1" == listed(names[:1])
    assert "b1, b2, b3, b4, b5 and b6" == listed(names[:6])
    assert "b1, b2, b3, b4, b5 and 3 others" == listed(names)


def test_the_best_bot_comes_first() -> None:
    """Reports rank as ratings do."""
    source = league()
    ratings = rate(source.results, anchor="careful")
    elo = dict(zip(ratings.names, ratings.elo, strict=True))

    assert sorted(NAMES, key=lambda name: -elo[name]) == list(source.ranked)
