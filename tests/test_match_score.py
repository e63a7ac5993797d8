"""The score of a match: blocks in their order, whatever the order of the games."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arena.record import Fault, GivenUp
from leagues.match import Claims, Match, block_figure, game_score, match_of
from leagues.match_score import MatchResult, MatchScore, score_of
from leagues.rating.sequential import nelo, t_llr
from leagues.results import GameResult
from tests.match_games import SIDES, blocks_at, game, match, match_games

FIGURES = st.lists(st.integers(-6, 8), min_size=1, max_size=40)


def played(
    results: Sequence[GameResult], *, claims: Claims | None = None, seats: int = 4
) -> MatchScore:
    """The score after these games, in their order."""
    score = MatchScore(match(claims), seats=seats, blocks=blocks_at(seats))
    for one in results:
        score.add(one)
    return score


def whole(
    results: Sequence[GameResult],
    *,
    claims: Claims | None = None,
    dropped: Sequence[int] = (),
) -> MatchResult:
    """What a match that is over came to."""
    return score_of(
        match(claims),
        results,
        seats=4,
        blocks=blocks_at(4),
        planned=100,
        dropped=dropped,
        is_over=True,
    )


def naive(results: Sequence[GameResult], claims: Claims) -> tuple[int, float, str]:
    """The same test another way: sort all games, cut them into blocks, look at each.

    Returns:
        After how many blocks it ends, the ratio there, and with what.
    """
    values: list[float] = []
    ordered = sorted(results, key=lambda one: one.number)
    blocks = [ordered[at : at + 6] for at in range(0, len(ordered), 6)]
    for block in blocks:
        if len(block) < 6:
            break
        points = dict.fromkeys(SIDES, 0.0)
        deals = 0
        for one in block:
            deals += one.deals
            for seat in one.seats:
                points[seat.entrant.rpartition("-")[0]] += seat.points / 2
        values.append((points["old"] - points["new"]) / deals)
        ratio = t_llr(
            len(values),
            float(np.mean(values)),
            float(np.std(values)),
            d0=claims.d0,
            d1=claims.d1,
        )
        if len(values) >= 10 and ratio >= math.log((1 - claims.beta) / claims.alpha):
            return len(values), ratio, "h1"
        if len(values) >= 10 and ratio <= math.log(claims.beta / (1 - claims.alpha)):
            return len(values), ratio, "h0"
    return len(values), ratio if values else 0.0, ""


@given(FIGURES, st.randoms(use_true_random=False))
def test_the_order_in_which_games_end_changes_nothing(
    figures: list[int], chance: random.Random
) -> None:
    """The same games in any order end the test at the same block, with one ratio."""
    claims = Claims(0, 0.5, alpha=0.2, beta=0.2)
    results = match_games(figures)
    mixed = [*results]
    chance.shuffle(mixed)

    # What is not a number is equal to nothing, but is written alike.
    assert repr(played(results, claims=claims).result()) == repr(
        played(mixed, claims=claims).result()
    )


@given(
    FIGURES,
    st.sampled_from([(0.0, 0.1), (0.0, 0.5), (-0.4, 0.0), (-0.3, 0.3)]),
    st.randoms(use_true_random=False),
)
def test_the_test_is_that_of_sorted_games(
    figures: list[int], effects: tuple[float, float], chance: random.Random
) -> None:
    """It ends where another way to the same figures says, whatever ends first."""
    claims = Claims(*effects, alpha=0.2, beta=0.2)
    results = match_games(figures)
    mixed = [*results]
    chance.shuffle(mixed)
    found = played(mixed, claims=claims).result()
    assert found.test is not None

    blocks, ratio, verdict = naive(results, claims)

    assert (blocks, verdict) == (found.blocks, found.test.verdict or "")
    assert ratio == pytest.approx(found.test.llr, abs=1e-9)


def test_a_block_waits_for_those_before_it() -> None:
    """Blocks that are closed early count once all before them are closed."""
    results = match_games([1, 2, 3])
    score = played(results[6:])
    before = score.result()
    for one in results[:6]:
        score.add(one)

    assert (0, 12) == (before.blocks, before.games_beyond)
    assert (3, 3) == (score.result().blocks, score.closed)


@given(FIGURES, st.integers(3, 8))
def test_a_figure_is_what_the_first_side_took_less(
    figures: list[int], seats: int
) -> None:
    """Luck of the cards is gone from each block, at tables of any size."""
    found = played(match_games(figures, seats=seats), seats=seats).result()

    assert found.margin == pytest.approx(np.mean(figures))
    assert found.points[1] - found.points[0] == pytest.approx(found.margin)


def test_intervals_are_those_of_students_t() -> None:
    """Margin, effect and normalised Elo agree with scipy and with the test's own."""
    figures = [3, -1, 4, 1, -5, 9, 2, 6, -5, 3]
    found = played(match_games(figures), claims=Claims(0, 0.1)).result()
    low, high = stats.t.interval(
        0.95, len(figures) - 1, np.mean(figures), stats.sem(figures)
    )
    effect = np.mean(figures) / np.std(figures)
    assert found.test is not None

    assert [(high - low) / 2, effect, nelo(float(effect), games=6)] == pytest.approx(
        [found.half_width, found.effect, found.nelo]
    )
    mean, deviation = float(np.mean(figures)), float(np.std(figures))
    assert found.test.llr == pytest.approx(t_llr(10, mean, deviation, d0=0, d1=0.1))


def test_what_comes_after_the_verdict_does_not_count() -> None:
    """Games that ran meanwhile change neither figures nor verdict."""
    figures = [2 + number % 3 for number in range(30)]
    results = match_games(figures)
    found = played(results, claims=Claims(0, 0.5)).result()
    short = played(results[: 6 * found.blocks], claims=Claims(0, 0.5)).result()
    assert found.test is not None

    assert "h1" == found.test.verdict
    assert 10 <= found.blocks < 30
    assert 180 - 6 * found.blocks == found.games_beyond
    assert (short.margin, short.test) == (found.margin, found.test)


@given(FIGURES)
def test_blocks_to_go_are_those_of_the_drift(figures: list[int]) -> None:
    """With as much for each further block as so far, the ratio is at its bound."""
    score = played(match_games(figures), claims=Claims(0, 0.1))
    test = score.result().test
    assert test is not None

    if not test.llr:
        assert math.inf == score.to_go
    elif test.verdict is None:
        bound = test.upper if test.llr > 0 else test.lower
        each = test.llr / len(figures)
        assert bound == pytest.approx(test.llr + score.to_go * each)
        assert score.to_go > 0


def test_games_of_other_lengths_count_by_their_deals() -> None:
    """A block's figure is points by deals, of all its games together."""
    names = ("new-1", "new-2", "old-1", "old-2")
    long = game_score(game(1, names, (10, 20, 30, 50), block=1, deals=9), names[:2])
    short = game_score(game(2, names, (0, 0, 0, 26), block=1, deals=1), names[:2])

    assert (15 / 10, 53 / 10) == block_figure([long, short])


def test_a_game_that_is_void_takes_its_block_along() -> None:
    """A block that lacks an arrangement favours a side, so it does not count."""
    results = match_games([5, 1, 1])
    left = [one for one in results if one.number != 3]
    score = played(results)
    score.decide(left, dropped=[3])

    assert (2, 1.0, 3) == (
        score.result().blocks,
        score.result().margin,
        score.closed,
    )
    assert 5 == score.result().games_beyond


def test_a_game_that_is_played_again_holds_up_what_comes_after() -> None:
    """Taken back, its block is open; once it is there again all count."""
    results = match_games([5, 1, 1])
    score = played(results)
    score.decide([one for one in results if one.number != 3], dropped=[])
    without = score.result()
    score.add(results[2])

    assert (0, 3) == (without.blocks, score.result().blocks)


def test_blocks_that_will_never_be_whole_are_passed_over_at_the_end() -> None:
    """In a match that is over later blocks count, though one before is not whole."""
    results = match_games([1, 2, 3])
    running = played(results[1:]).result()
    over = whole(results[1:])

    assert (0, 2) == (running.blocks, over.blocks)
    assert 2.5 == over.margin


def test_a_game_counts_once() -> None:
    """To hear of a game again changes nothing."""
    results = match_games([1, 2])

    assert repr(played(results).result()) == repr(
        played([*results, *results[3:]]).result()
    )


def test_faults_are_those_of_the_side() -> None:
    """Whichever seat of a side was late, it is told of the side."""
    names = ("new-1", "old-2", "new-2", "old-1")
    late = Fault(deal=1, kind="late", offered="", reason="", seat=2, trick=3)
    gone = GivenUp(cause="start", deal=1, seat=1, trick=1)
    score = game_score(
        game(1, names, (1, 2, 3, 4), block=1, faults=[late, late], given_up=[gone]),
        {"new-1", "new-2"},
    )

    assert ((2, 0), (0, 1)) == (score.faults, score.given_up)


def test_bots_that_play_alike_have_no_effect() -> None:
    """Where all figures are nothing the test ends with `h0`, and no figure breaks."""
    found = played(match_games([0] * 60), claims=Claims(0, 0.5)).result()
    assert found.test is not None

    assert ("h0", 0.0, 0.0) == (found.test.verdict, found.margin, found.half_width)
    assert 0.0 == found.effect


def test_two_blocks_have_no_interval() -> None:
    """There is a margin, and nobody knows how far off it is."""
    found = played(match_games([1, 3])).result()

    assert 2.0 == found.margin
    assert math.isnan(found.half_width)


@pytest.mark.parametrize("claims", [None, Claims(0, 0.1), Claims(-1, 2, alpha=0.01)])
def test_a_match_is_read_as_it_was_written(claims: Claims | None) -> None:
    """The form in the store holds all of it."""
    one = Match(SIDES, claims, programs=("ab", ""))

    assert one == match_of(one.form())
    assert match_of(None) is None


def test_claims_that_make_no_sense_are_refused() -> None:
    """They are those of the test."""
    with pytest.raises(ValueError, match="d0 must be less than d1"):
        Claims(0.1, 0)
