"""Reports of deals and tricks: each figure against records read another way."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from arena.record import DealRecord, Record
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec
from leagues.rating.ratings import rate
from leagues.reports.collusion import collusion, gifts_of
from leagues.reports.convergence import convergence
from leagues.reports.deals import Deals
from leagues.reports.document import Report
from leagues.reports.formats import FORMATS
from leagues.reports.kinds import OF_RECORDS
from leagues.reports.luck import luck, skill_share
from leagues.reports.passes import passes
from leagues.reports.source import Source, source_of
from leagues.results import GameResult, result_of
from tests.league_games import NAMES, played
from tests.made_up_leagues import facts_of, made_up
from tests.sample_records import sample_record
from tests.test_league_reports import same

BOTS = NAMES[:5]
RANKS = "23456789TJQKA"
Played = Sequence[tuple[GameResult, Record]]


@cache
def league() -> tuple[Source, Played]:
    """A league of forty short games between bots that play at random."""
    rules = preset("arena", target=30)
    games = []
    for number in range(1, 41):
        seated = [BOTS[(number + step) % 5] for step in range(4)]
        spec = GameSpec(
            f"friday-{number}",
            rules,
            tuple(map(SeatSpec, seated)),
            number.to_bytes(32, "big"),
            table_key=number.to_bytes(8, "big"),
            league="friday",
            block=number,
        )
        record = played(spec)
        games.append((result_of(record), record))
    return source_of(facts_of(BOTS), [result for result, _ in games]), games


def rows_of(report: Report, *keys: str) -> dict[Any, Mapping[str, Any]]:
    """The data of a report by some of its columns."""
    return {
        tuple(row[key] for key in keys) if len(keys) > 1 else row[keys[0]]: row
        for row in report.data.objects()
    }


def interval(by_block: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """The mean of sums over counts, and half its 95 % interval."""
    total = sum(count for _, count in by_block)
    mean = sum(points for points, _ in by_block) / total
    squares = sum((points - mean * count) ** 2 for points, count in by_block)
    size = len(by_block)
    error = (size / (size - 1) * squares) ** 0.5 / total
    return mean, float(student.ppf(0.975, size - 1)) * error


def test_points_are_told_by_pass() -> None:
    """Deals, means and intervals of each bot and pass are what loops find."""
    source, games = league()
    rows = rows_of(passes(source, games), "entrant", "direction")
    for bot in BOTS:
        for direction in ("left", "right", "across", "hold"):
            taken = [
                [deal.points[seat] for deal in record.deals
                 if deal.direction == direction and deal.points]
                for _, record in games
                for seat in range(4)
                if record.seats[seat].bot == bot
            ]  # fmt: skip
            blocks = [(sum(points), len(points)) for points in taken if points]
            if not blocks:
                continue
            mean, half_width = interval(blocks)
            row = rows[bot, direction]

            assert sum(count for _, count in blocks) == row["deals"]
            assert row["points_per_deal"] == pytest.approx(mean)
            if len(blocks) >= 3:
                assert row["half_width"] == pytest.approx(half_width)


def test_the_variance_of_points_is_that_of_deals() -> None:
    """Mean and variance of each bot are those of all its deals."""
    source, games = league()
    rows = rows_of(luck(source, games), "entrant")
    for bot in BOTS:
        points = [
            deal.points[seat]
            for _, record in games
            for seat in range(4)
            for deal in record.deals
            if record.seats[seat].bot == bot and deal.points
        ]

        assert len(points) == rows[bot]["deals"]
        assert rows[bot]["points_per_deal"] == pytest.approx(np.mean(points))
        assert rows[bot]["points_variance"] == pytest.approx(np.var(points, ddof=1))
        assert rows[bot]["design_effect"] == pytest.approx(1)


def test_the_design_effect_is_a_ratio_of_squares() -> None:
    """It is that of the errors by block to those with a block for each game."""
    # What the cards of a seat are worth is the same for all four rotations.
    games = made_up(7, games=160, rotations=4, seat_bonus=(3, 1, -1, -3))
    source = source_of(facts_of(("ada", "bea", "careful", "dan", "eve", "flo")), games)
    report = luck(source, [])
    rows = report.data.objects()
    by_block = [row["error_by_block"] for row in rows]
    by_game = [row["error_by_game"] for row in rows]
    effect = float(report.notes[0].partition(",")[0].rpartition(" ")[2])
    whole = rate(games)
    alone = rate(
        [
            GameResult(g.number, g.number, g.deals, g.seats, (), (), g.record_hash)
            for g in games
        ]
    )
    pairs = [(i, j) for i in range(6) for j in range(i)]
    expected = sum(whole.pair_errors[pair] ** 2 for pair in pairs) / sum(
        alone.pair_errors[pair] ** 2 for pair in pairs
    )

    assert effect == pytest.approx(expected, abs=0.0006)
    assert sorted(by_block) == pytest.approx(sorted(whole.errors))
    assert sorted(by_game) == pytest.approx(sorted(alone.errors))
    assert effect < 0.7
    # Forty blocks: a variance is known to a fifth or so.
    assert "give or take 23 %" in report.notes[0]


def test_equal_bots_are_all_luck() -> None:
    """That few deals differ from bot to bot by chance is not who plays."""
    chance = np.random.default_rng(1)
    shares = []
    for _ in range(40):
        entrants = np.repeat(np.arange(8), 10)
        points = np.asarray(chance.exponential(6.5, len(entrants)), dtype=np.float64)
        nothing = np.zeros(len(entrants), dtype=np.int64)
        shares.append(skill_share(Deals(entrants, nothing, points, nothing, nothing)))

    assert np.mean(shares) < 0.03
    # Without a bot that has two deals nobody knows.
    two = np.arange(2)
    assert np.isnan(skill_share(Deals(two, two, two.astype(np.float64), two, two)))


def test_ratings_are_told_by_tenths() -> None:
    """After each tenth they are those of the games so far."""
    games = made_up(3, games=57)
    source = source_of(facts_of(("ada", "bea", "careful", "dan", "eve", "flo")), games)
    report = convergence(source)
    rows = rows_of(report, "percent", "entrant")
    for percent in range(10, 101, 10):
        part = games[: 57 * percent // 100]
        ratings = rate(part, anchor="careful")
        for at, name in enumerate(ratings.names):
            row = rows[percent, name]

            assert len(part) == row["games"]
            assert row["elo"] == pytest.approx(ratings.elo[at])
            assert row["half_width"] == pytest.approx(
                ratings.half_widths[at], nan_ok=True
            )
    assert report.summary.startswith("The second half of the games has moved ratings")


def test_too_few_games_have_not_converged() -> None:
    """With fewer games than parts nothing is claimed."""
    source = source_of(facts_of(NAMES), made_up(3, games=4))

    assert convergence(source).summary.startswith("There are too few games")


def holders(deal: DealRecord) -> dict[str, int]:
    """Which seat held each card after the pass, from the record alone."""
    holder = {
        card: seat for seat, hand in enumerate(deal.hands) for card in hand.split()
    }
    steps = {"left": 1, "right": 3, "across": 2, "hold": 0}[deal.direction]
    for seat, passed in enumerate(deal.passes):
        for card in passed.split():
            holder[card] = (seat + steps) % 4
    return holder


def naive_gifts(record: Record) -> dict[tuple[int, int], int]:
    """What each seat gave each other, card by card."""
    gifts: dict[tuple[int, int], int] = {}
    for deal in record.deals:
        holder, plays = holders(deal), deal.plays.split()
        for start in range(0, len(plays), 4):
            trick = plays[start : start + 4]
            followed = [card for card in trick if card[1] == trick[0][1]]
            best = max(followed, key=lambda card: RANKS.index(card[0]))
            for card in trick:
                points = 13 if card == "QS" else int(card[1] == "H")
                pair = holder[card], holder[best]
                if pair[0] != pair[1]:
                    gifts[pair] = gifts.get(pair, 0) + points
    return gifts


def test_gifts_are_what_cards_say() -> None:
    """Who gave what to whom is what a look at each trick finds."""
    source, games = league()
    found = gifts_of(source, games)
    rows = iter(
        zip(found.giver, found.taker, found.distance, found.points, strict=True)
    )
    for result, record in games:
        expected = naive_gifts(record)
        for giver in range(4):
            for taker in range(4):
                if giver == taker:
                    continue
                one, other, distance, points = next(rows)

                assert (
                    result.seats[giver].entrant,
                    result.seats[taker].entrant,
                    (taker - giver) % 4,
                    expected.get((giver, taker), 0),
                ) == (source.ranked[one], source.ranked[other], distance, points)
    assert not list(rows)


def test_games_with_a_given_up_seat_say_nothing_of_gifts() -> None:
    """The stand-in's cards are not its bot's."""
    record = sample_record(5)
    result = result_of(record)
    facts = facts_of([seat.bot for seat in record.seats])
    found = gifts_of(source_of(facts, [result]), [(result, record)])

    assert result.given_up
    assert 0 == len(found.giver)


@pytest.mark.parametrize("kind", OF_RECORDS)
def test_the_order_of_games_does_not_matter(kind: str) -> None:
    """Records that come in another order give the same report."""
    source, games = league()
    report = OF_RECORDS[kind](source, games)
    other = OF_RECORDS[kind](source, games[::-1])

    assert FORMATS["csv"](report) == FORMATS["csv"](other)
    assert report.summary == other.summary


@pytest.mark.parametrize("kind", OF_RECORDS)
def test_names_do_not_matter(kind: str) -> None:
    """Bots with other names have the same figures."""
    source, games = league()
    names = {name: f"x{number}" for number, name in enumerate(BOTS)}
    renamed = [
        (
            replace(
                result,
                seats=tuple(replace(s, entrant=names[s.entrant]) for s in result.seats),
            ),
            record,
        )
        for result, record in games
    ]
    facts = facts_of(tuple(names.values()))
    other = source_of(facts, [result for result, _ in renamed])
    before = OF_RECORDS[kind](source, games).data.objects()
    after = OF_RECORDS[kind](other, renamed).data.objects()

    assert same(before, names) == same(after, {})


@pytest.mark.parametrize("kind", OF_RECORDS)
def test_nothing_played_is_no_error(kind: str) -> None:
    """A league without games can be reported on in any format."""
    report = OF_RECORDS[kind](source_of(facts_of(BOTS), []), [])

    assert all(form(report) for form in FORMATS.values())


@pytest.mark.parametrize("kind", OF_RECORDS)
def test_reports_read_well(kind: str, assert_golden: Any) -> None:
    """The text for people is what the golden file shows."""
    assert_golden(f"report_{kind}.txt", FORMATS["text"](OF_RECORDS[kind](*league())))


def test_a_report_of_gifts_accuses_nobody() -> None:
    """Whatever is found, the words are of points and games, and not of guilt."""
    text = FORMATS["text"](collusion(*league())).lower()

    assert "proves nothing" in " ".join(text.split())
    for word in ("cheat", "collud", "guilt", "suspect", "fraud"):
        assert word not in text


@pytest.mark.parametrize(
    ("games", "bonus", "words"),
    [
        (160, (3, 1, -1, -3), "Dealing alike counts like "),
        (12, (), "The blocks are too few to say what dealing alike has saved."),
    ],
)
def test_what_dealing_alike_has_saved_is_said_where_it_is_known(
    games: int, bonus: Sequence[float], words: str
) -> None:
    """A clear saving is named, and an unclear one is not."""
    names = ("ada", "bea", "careful", "dan", "eve", "flo")
    results = made_up(7, games=games, rotations=4, seat_bonus=bonus)
    source = source_of(facts_of(names), results)
    record = sample_record(1)
    report = luck(source, [(result, record) for result in results])

    assert words in report.summary
