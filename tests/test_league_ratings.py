"""Ratings: the published vectors, and the laws that they obey."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.ratings import MEAN, Rating, rate

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "golden" / "ratings_vectors.json").read_text()
)

Game = list[tuple[str, int]]


def batch_games() -> list[Game]:
    """The 24 games of five bots in the vectors."""
    batch = VECTORS["batch"]
    return [
        [
            (batch["names"][bot], points)
            for bot, points in zip(r[1:5], r[5:], strict=True)
        ]
        for r in batch["rows"]
    ]


def elo(ratings: dict[str, Rating]) -> dict[str, float]:
    """The bare figures."""
    return {name: rating.elo for name, rating in ratings.items()}


def test_five_bots_have_the_ratings_of_the_vector() -> None:
    """Ratings, results won and results in all agree with the reference."""
    batch = VECTORS["batch"]
    ratings = rate(batch_games())

    assert elo(ratings) == pytest.approx(
        dict(zip(batch["names"], batch["rating"], strict=True)), abs=1e-5
    )
    assert batch["pair_points"] == [rating.wins for rating in ratings.values()]
    assert batch["pair_games"] == [rating.results for rating in ratings.values()]


def test_an_anchor_shifts_all_ratings_alike() -> None:
    """The anchor has its fixed rating and the differences stay."""
    anchor = VECTORS["batch"]["anchor"]
    ratings = rate(batch_games(), anchor="eve")
    expected = [rating - anchor["rating"] + MEAN for rating in anchor["ratings"]]

    assert list(elo(ratings).values()) == pytest.approx(expected, abs=1e-5)


def test_an_absent_anchor_leaves_the_mean() -> None:
    """An anchor that has not played anchors nothing."""
    assert rate(batch_games()) == rate(batch_games(), anchor="nobody")


@pytest.mark.parametrize("vector", VECTORS["all_win"])
def test_unbeaten_bots_have_finite_ratings(vector: dict[str, Any]) -> None:
    """The phantom bounds the distance of who has always won."""
    games: list[Game] = [[("a", 1), ("b", 2)]] * vector["a_beats_b"]
    ratings = rate(games, prior=vector["prior"])

    assert ratings["a"].elo - ratings["b"].elo == pytest.approx(
        vector["elo_diff"], abs=1e-5
    )
    assert (">", "<") == (ratings["a"].mark, ratings["b"].mark)


@pytest.mark.parametrize("vector", VECTORS["same_order"])
def test_the_same_order_in_every_game(vector: dict[str, Any]) -> None:
    """Four bots that always finish alike are spread evenly around the mean."""
    games: list[Game] = [[("a", 1), ("b", 2), ("c", 3), ("d", 4)]] * vector["games"]
    ratings = rate(games)

    assert list(elo(ratings).values()) == pytest.approx(vector["ratings"], abs=1e-5)
    assert [">", "!", "!", "<"] == [rating.mark for rating in ratings.values()]


def test_ties_are_half_a_win() -> None:
    """Where all share the first place, all are equal."""
    ratings = rate([[("a", 1), ("b", 1), ("c", 1), ("d", 1)]] * 7)

    assert list(elo(ratings).values()) == pytest.approx([1500.0] * 4, abs=1e-9)
    assert [""] * 4 == [rating.mark for rating in ratings.values()]


def test_separate_pools_are_marked() -> None:
    """Two pools that never met cannot be compared, and the smaller one is marked."""
    pool: list[Game] = [[("a", 1), ("b", 2)], [("b", 1), ("a", 2)]]
    other: list[Game] = [[("x", 1), ("y", 2)], [("x", 2), ("y", 1)]]
    third: list[Game] = [[("b", 1), ("z", 2)], [("z", 1), ("a", 2)]]

    assert {""} == {rating.mark for rating in rate(pool + third).values()}
    assert ["", "", "!", "!", ""] == [
        rating.mark for rating in rate(pool + other + third).values()
    ]


def test_nobody_has_no_rating() -> None:
    """Without games there are no ratings."""
    assert {} == rate([])


names = st.sampled_from(["ada", "bea", "cid", "dan", "eve", "flo"])
game_lists = st.lists(
    st.lists(names, min_size=2, max_size=4, unique=True).flatmap(
        lambda seated: st.tuples(
            *[st.tuples(st.just(name), st.integers(1, 4)) for name in seated]
        ).map(list)
    ),
    min_size=1,
    max_size=30,
)


@settings(deadline=None, max_examples=60)
@given(games=game_lists, seed=st.randoms(use_true_random=False))
def test_no_order_matters(games: list[Game], seed: Any) -> None:
    """Shuffled games, turned seats and other names give the same ratings."""
    shuffled = [game[1:] + game[:1] for game in games]
    seed.shuffle(shuffled)
    renamed = [[(name[::-1], place) for name, place in game] for game in shuffled]
    expected = elo(rate(games))

    assert elo(rate(shuffled)) == pytest.approx(expected, abs=1e-8)
    assert {
        name[::-1]: rating for name, rating in elo(rate(renamed)).items()
    } == pytest.approx(expected, abs=1e-8)


@settings(deadline=None, max_examples=60)
@given(games=game_lists)
def test_everybody_has_won_as_expected(games: list[Game]) -> None:
    """Each bot's results are the sum of its chances, the phantom's included."""
    ratings = rate(games)
    # The draw against the phantom explains the rest: less than half a win.
    for name, rating in ratings.items():
        chances = [
            1 / (1 + 10 ** ((ratings[other].elo - rating.elo) / 400))
            for game in games
            for other, _ in game
            if other != name and name in dict(game)
        ]

        assert abs(rating.wins - sum(chances)) < 0.5


@settings(deadline=None, max_examples=60)
@given(games=game_lists, winner=names, loser=names)
def test_one_more_win_never_costs(games: list[Game], winner: str, loser: str) -> None:
    """Another win over somebody raises the distance to that one."""
    if winner == loser:
        return
    seen: list[Game] = [*games, [("ada", 1), ("bea", 1)], [(winner, 1), (loser, 1)]]
    before, after = elo(rate(seen)), elo(rate([*seen, [(winner, 1), (loser, 2)]]))

    assert after[winner] - after[loser] >= before[winner] - before[loser] - 1e-8
