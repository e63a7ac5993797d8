"""The sequential test: the published vectors, its errors, and another way to it."""

import doctest
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from leagues.rating import sequential
from leagues.rating.sequential import SequentialTest, Verdict, nelo, t_llr

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "golden" / "ratings_vectors.json").read_text()
)
NORMALIZED = [each for each in VECTORS["pentanomial"] if "nelo0" in each]
LOGISTIC = [each for each in VECTORS["pentanomial"] if "elo0" in each]
SCORES = np.arange(5) / 4
"""What a pair of games may score, for counts of pairs from both lost to both won."""


def shares(vector: dict[str, Any]) -> tuple[float, np.ndarray[Any, Any]]:
    """How many pairs of games there are, and the share of each score."""
    counts = np.array(vector["counts_LL_to_WW"], dtype=float)
    return counts.sum(), counts / counts.sum()


def likeliest(observed: np.ndarray[Any, Any], mean: float) -> np.ndarray[Any, Any]:
    """The likeliest shares with a given mean score."""
    away = SCORES - mean
    low, high = -1 / away.max(), -1 / away.min()
    tilt = brentq(
        lambda x: (observed * away / (1 + x * away)).sum(), low + 1e-9, high - 1e-9
    )
    return np.asarray(observed / (1 + tilt * away))


def likeliest_effect(
    observed: np.ndarray[Any, Any], effect: float
) -> np.ndarray[Any, Any]:
    """The likeliest shares whose mean is so many deviations from a half."""
    chosen = np.full(5, 0.2)
    for _ in range(50):
        mean = (chosen * SCORES).sum()
        deviation = np.sqrt((chosen * (SCORES - mean) ** 2).sum())
        slope = (
            SCORES
            - 0.5
            - effect * deviation * (1 + ((mean - SCORES) / deviation) ** 2) / 2
        )
        low, high = -1 / slope.max(), -1 / slope.min()
        tilt = brentq(
            lambda x, slope=slope: (observed * slope / (1 + x * slope)).sum(),
            low + 1e-9,
            high - 1e-9,
        )
        chosen = observed / (1 + tilt * slope)
    return np.asarray(chosen)


@pytest.mark.parametrize("vector", VECTORS["t_llr"])
def test_ratios_are_those_of_the_vector(vector: dict[str, Any]) -> None:
    """Likelihood ratios agree with the reference."""
    found = t_llr(
        vector["n"], vector["mean"], vector["sd"], d0=vector["d0"], d1=vector["d1"]
    )

    assert vector["llr"] == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("vector", NORMALIZED)
def test_exact_likelihoods_give_nearly_the_same(vector: dict[str, Any]) -> None:
    """For pairs of games the exact ratio is the vector's, and ours is close to it."""
    count, observed = shares(vector)
    effects = [
        vector[name] / sequential.NELO * np.sqrt(2) for name in ("nelo0", "nelo1")
    ]
    zero, one = (likeliest_effect(observed, effect) for effect in effects)
    exact = count * (observed * np.log(one / zero)).sum()
    mean = (observed * SCORES).sum()
    deviation = np.sqrt((observed * (SCORES - mean) ** 2).sum())
    ours = t_llr(round(count), mean - 0.5, deviation, d0=effects[0], d1=effects[1])

    assert vector["llr"] == pytest.approx(exact, abs=1e-4)
    assert vector["llr"] == pytest.approx(ours, abs=2e-3)


@pytest.mark.parametrize("vector", LOGISTIC)
def test_exact_likelihoods_of_plain_elo(vector: dict[str, Any]) -> None:
    """The oracle also has the ratio that is published for claims in plain Elo."""
    count, observed = shares(vector)
    means = [1 / (1 + 10 ** (-vector[name] / 400)) for name in ("elo0", "elo1")]
    zero, one = (likeliest(observed, mean) for mean in means)

    assert vector["llr"] == pytest.approx(
        count * (observed * np.log(one / zero)).sum(), abs=1e-4
    )


def test_bounds_follow_from_the_errors_allowed() -> None:
    """With 5 % for each error the bounds are the logarithms of 1/19 and 19."""
    lower, upper = SequentialTest(d0=0, d1=0.1).bounds

    assert [-np.log(19), np.log(19)] == pytest.approx([lower, upper])


def test_mean_and_deviation_are_those_of_the_figures() -> None:
    """Adding one by one gives what all together give."""
    values = np.random.default_rng(1).normal(2, 3, 500)
    test = SequentialTest(d0=0, d1=5)
    for value in values:
        test.add(float(value))

    assert [500, values.mean(), values.std()] == pytest.approx(
        [test.blocks, test.mean, test.deviation]
    )


def test_there_is_no_verdict_before_ten_blocks() -> None:
    """However clear nine blocks are, they are too few."""
    test = SequentialTest(d0=0, d1=2)

    assert 9 * [None] == [test.add(5.0 + index) for index in range(9)]
    assert "h1" == test.add(5.0)


def test_a_verdict_stays() -> None:
    """What comes after the verdict does not change it."""
    test = SequentialTest(d0=0, d1=1)
    while test.add(1.0 + test.blocks % 2) is None:
        pass
    for _ in range(1000):
        test.add(-3.0)

    assert "h1" == test.verdict


def test_who_always_wins_by_as_much_is_better() -> None:
    """Figures that never differ are the clearest sign, and equal bots none."""
    winner, equal = SequentialTest(d0=0, d1=0.1), SequentialTest(d0=0, d1=0.1)
    for _ in range(1000):
        winner.add(3.0)
        equal.add(0.0)

    assert ("h1", "h0") == (winner.verdict, equal.verdict)


def test_a_higher_mean_never_speaks_for_h0() -> None:
    """The ratio rises with the mean, however far that is."""
    ratios = [t_llr(100, mean, 1.0, d0=0, d1=0.1) for mean in np.arange(-9, 9, 0.1)]

    assert ratios == sorted(ratios)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"d0": 0.1, "d1": 0.1}, "d0 must be less than d1"),
        ({"d0": 0, "d1": 1, "alpha": 0.5}, "alpha and beta"),
        ({"d0": 0, "d1": 1, "beta": 0.0}, "alpha and beta"),
    ],
)
def test_claims_that_make_no_sense_are_refused(
    bounds: dict[str, float], message: str
) -> None:
    """The two claims must differ, and errors must be possible and not usual."""
    with pytest.raises(ValueError, match=message):
        SequentialTest(**bounds)


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "wrong"), [(0.0, "h1"), (0.25, "h0")])
def test_errors_are_as_rare_as_allowed(effect: float, wrong: Verdict) -> None:
    """Of 400 tests no more than about one in twenty ends with the wrong claim."""
    random = np.random.default_rng(7)
    verdicts = []
    for _ in range(400):
        test = SequentialTest(d0=0, d1=0.25)
        while test.add(float(random.normal(effect))) is None:
            pass
        verdicts.append(test.verdict)

    # Three errors of a share of 5 % in 400 are 13.
    assert verdicts.count(wrong) <= 20 + 13


def test_effects_in_normalised_elo() -> None:
    """A block's effect counts by the root of how many games it has."""
    assert 347.435586 == pytest.approx(nelo(1, games=1))
    assert 24.567406 == pytest.approx(nelo(0.1, games=2))


def test_the_example_is_true() -> None:
    """The example in the documentation runs as it says."""
    assert 0 == doctest.testmod(sequential).failed
