"""Reports that test for something: they find it where it is, and seldom elsewhere."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2
from scipy.stats import f as fisher

from leagues.rating.pairs import Floats
from leagues.rating.points import points_per_deal
from leagues.reports.collusion import (
    BLOCKS_MIN,
    LEVEL,
    Gifts,
    expected_gifts,
    judged,
    report_of,
)
from leagues.reports.document import Report
from leagues.reports.passes import contrasts_of, sure_of
from leagues.reports.seats import ALARM, seats
from leagues.reports.source import Source, source_of
from leagues.reports.symmetry import symmetry_of
from tests.made_up_leagues import NAMES, facts_of, made_up

SKILL = {"ada": 1.5, "bea": 0.2, "dan": -1.0, "eve": -1.2, "flo": -3.0}
LEAGUES = 100
GAMES = 150


def source(seed: int, **options: Any) -> Source:
    """A made-up league, ready for reports."""
    games = made_up(seed, games=GAMES, skill=SKILL, **options)
    return source_of(facts_of(NAMES), games)


def p_of_seats(league: Source) -> float:
    """The p-value of the seats, from the title of their table."""
    return float(seats(league).shown_tables[0].title.rpartition("p = ")[2])


def test_sums_are_measured_by_how_blocks_differ() -> None:
    """Chi-square and p are what matrices of blocks by things give."""
    chance = np.random.default_rng(3)
    blocks = np.repeat(np.arange(40), 4)
    which = np.tile(np.arange(4), 40)
    by_block = chance.normal(0.1 * np.arange(4), 1, size=(40, 4))
    by_block -= by_block.mean(axis=1, keepdims=True)
    found = symmetry_of(which, blocks, by_block.ravel(), count=4)
    # Three of the four sums say it all, since each block's add up to nothing.
    total = by_block[:, :3].sum(axis=0)
    spread = 40 * np.cov(by_block[:, :3].T)
    expected = float(total @ np.linalg.inv(spread) @ total)

    assert 3 == found.degrees
    assert found.chi_square == pytest.approx(expected)
    assert found.p_value == pytest.approx(
        fisher.sf(expected * (40 - 3) / (3 * 39), 3, 37)
    )
    assert found.p_value == pytest.approx(chi2.sf(expected, 3), abs=0.05)


def test_too_few_blocks_say_nothing() -> None:
    """With no more blocks than things there is no p-value, and no alarm."""
    one = np.zeros(4, dtype=np.int64)
    found = symmetry_of(np.arange(4), one, np.ones(4), count=4)
    few = seats(source_of(facts_of(NAMES), made_up(1, games=3)))

    assert np.isnan(found.p_value)
    assert "" == few.alarm
    assert few.summary.startswith("There are too few blocks")


def test_equal_seats_raise_no_alarm() -> None:
    """In fair leagues p-values are spread evenly, and there is no alarm at all."""
    p_values = np.array([p_of_seats(source(seed)) for seed in range(LEAGUES)])

    assert p_values.min() > ALARM
    # One in twenty is expected; more than eleven in a hundred come once in 200 times.
    assert (p_values < 0.05).sum() <= 11
    assert 0.35 < p_values.mean() < 0.65


@pytest.mark.parametrize("rotations", [1, 4])
def test_unequal_seats_raise_an_alarm(rotations: int) -> None:
    """A seat that takes two points a deal fewer is found in every league."""
    bonus = (0, 2, 0, 0)
    for seed in range(10):
        report = seats(source(seed, rotations=rotations, seat_bonus=bonus))

        assert "seats are not equal" in report.alarm
        assert report.summary.startswith("Some seats are better than others")


def test_seats_have_the_figures_of_their_games() -> None:
    """Points and score of each seat and each left neighbour are what loops find."""
    league = source(2, rotations=4)
    rows = {(row["by"], row["which"]): row for row in seats(league).data.objects()}
    for seat in range(4):
        points = sum(game.seats[seat].points for game in league.results)
        deals = sum(game.deals for game in league.results)

        assert rows["seat", str(seat)]["points_per_deal"] == pytest.approx(
            points / deals
        )
        assert rows["seat", str(seat)]["score"] == pytest.approx(
            100 * np.mean([won(game.seats, seat) for game in league.results])
        )
    for name in NAMES:
        found = [
            (game, seat)
            for game in league.results
            for seat in range(4)
            if game.seats[(seat + 1) % 4].entrant == name
        ]

        assert len(found) == rows["left", name]["games"]
        assert rows["left", name]["score"] == pytest.approx(
            100 * np.mean([won(game.seats, seat) for game, seat in found])
        )


def won(placed: Any, seat: int) -> float:
    """Which part of its results a seat won."""
    own = placed[seat].place
    others = [other.place for at, other in enumerate(placed) if at != seat]
    ahead = sum((own < place) + (own == place) / 2 for place in others)
    return float(ahead / len(others))


def made_up_gifts(
    seed: int, *, games: int = 240, favour: float = 1.0, players: int = 4
) -> Gifts:
    """Gifts at tables drawn at random, hearts and the queen; `ada` treats `bea` so.

    Everybody gives and takes as suits it, whoever the other is, but for the favour.
    """
    chance = np.random.default_rng(seed)
    gives, takes = chance.uniform(0.5, 1.5, (2, len(NAMES)))
    rows = []
    for game in range(games):
        seated = chance.permutation(len(NAMES))[:players]
        deals = int(chance.integers(5, 12))
        for giver in range(players):
            for taker in range(players):
                if giver != taker:
                    one, other = int(seated[giver]), int(seated[taker])
                    rate = deals * gives[one] * takes[other]
                    rate *= favour if (one, other) == (0, 1) else 1
                    points = chance.poisson(0.6 * rate) + 13 * chance.poisson(
                        0.06 * rate
                    )
                    rows.append(
                        (one, other, (taker - giver) % players, points, deals, game)
                    )
    giver_, taker_, distance, given, dealt, block = np.array(rows).T
    return Gifts(giver_, taker_, distance, given.astype(float), dealt, block)


def reported(gifts: Gifts) -> Report:
    """The report of made-up gifts."""
    names = source_of(facts_of(NAMES), made_up(1, games=12))
    return report_of(names, gifts)


def lowest(report: Report) -> float:
    """The least p-value of all pairs together."""
    return min(float(row["p_adjusted"]) for row in report.data.objects())


def test_expectation_has_the_sums_of_what_happened() -> None:
    """Everybody gives and takes in all as much as expected, and so at each distance."""
    gifts = made_up_gifts(1, favour=3)
    expected = expected_gifts(gifts, count=len(NAMES))
    for side in (gifts.giver, gifts.taker, gifts.distance):
        np.testing.assert_allclose(
            np.bincount(side, gifts.points), np.bincount(side, expected), rtol=1e-6
        )


def test_expectation_is_the_likeliest_product() -> None:
    """Small changes of any factor make what happened less likely."""
    gifts = made_up_gifts(2)
    expected = expected_gifts(gifts, count=len(NAMES))

    def unlikelihood(rates: Floats) -> float:
        return float((rates - gifts.points * np.log(rates)).sum())

    for side in (gifts.giver, gifts.taker, gifts.distance):
        for thing in np.unique(side):
            for factor in (0.99, 1.01):
                changed = np.where(side == thing, expected * factor, expected)

                assert unlikelihood(expected) < unlikelihood(changed)


def test_all_pairs_are_judged_together() -> None:
    """Holm's p-values are what its definition gives, and what is none stays so."""
    found = judged(np.array([0.02, np.nan, 0.01, 0.03, 0.9]))

    np.testing.assert_allclose(found, [0.06, np.nan, 0.04, 0.06, 0.9])


def test_nobody_is_named_where_nobody_favours() -> None:
    """At most about one fair league in twenty names any pair."""
    named = [lowest(reported(made_up_gifts(seed))) < LEVEL for seed in range(LEAGUES)]

    # More than eleven in a hundred would come once in 200 times.
    assert sum(named) <= 11


@pytest.mark.parametrize(("favour", "way"), [(0.4, "fewer"), (2.2, "more")])
def test_favours_are_found(favour: float, way: str) -> None:
    """Whoever spares or feeds another is named first, nearly always, and mildly."""
    found = 0
    for seed in range(30):
        report = reported(made_up_gifts(seed, favour=favour))
        names = [NAMES[0], NAMES[1]]
        first = report.shown_tables[0].objects()[0]
        if first["p_adjusted"] < LEVEL and [first["giver"], first["taker"]] == [
            *ranked(names)
        ]:
            found += 1
            assert f"points a deal {way} than expected" in report.summary
            assert report.summary.endswith("look at their games.")

    assert found >= 27


def ranked(names: list[str]) -> list[str]:
    """The names that the places of gifts stand for."""
    order = source_of(facts_of(NAMES), made_up(1, games=12)).ranked
    return [order[NAMES.index(name)] for name in names]


def test_pairs_with_few_blocks_are_not_judged() -> None:
    """Below twenty blocks one queen would decide, so nothing is said."""
    report = reported(made_up_gifts(1, games=BLOCKS_MIN, favour=9))

    assert f"No two bots have met in {BLOCKS_MIN} blocks" in report.summary
    assert all(np.isnan(row["p_value"]) for row in report.data.objects())


def surely_matters(chance: np.random.Generator, *, more: float) -> bool:
    """Whether a pass is said to matter, for six bots of which one takes so many more.

    Each sits in sixty games, of three deals for each pass; points are as uneven as
    those of cards.
    """
    bots, games, ways, deals = 6, 60, 4, 3
    shape = (bots, games, ways, deals)
    bot, game, way, _ = np.indices(shape)
    points = np.minimum(26, np.floor(chance.exponential(6.5, shape)))
    points[0, :, 0] += more
    found = points_per_deal(
        (bot * ways + way).ravel(),
        game.ravel(),
        points=points.ravel(),
        deals=np.ones(points.size),
        count=bots * ways,
    )
    sure = sure_of(contrasts_of(found, range(ways)))
    return sure is not None and (not more or (sure.entrant, sure.high) == (0, 0))


def test_a_pass_is_said_to_matter_where_it_does() -> None:
    """By chance in one league of twenty at most, and where it is so nearly always."""
    chance = np.random.default_rng(11)
    by_chance = sum(surely_matters(chance, more=0) for _ in range(400))
    found = sum(surely_matters(chance, more=3) for _ in range(40))

    # Twenty of 400 are allowed; 31 are two and a half errors more.
    assert by_chance <= 31
    assert found >= 38
