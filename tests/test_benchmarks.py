"""The benchmarks run and print what they promise; no figure is judged here."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.benchmarks.figures import intervals_us, percentile
from tests.benchmarks.measures import MEASURES, chosen
from tests.documents import read_document
from tests.sources import ROOT

SECONDS_MAX = 240


def explained_figures() -> list[str]:
    """Return the figures that the README explains."""
    return re.findall(
        r"`(\w+)`",
        "".join(
            line.split("|")[1]
            for line in read_document("tests/benchmarks/README.md").splitlines()
            if line.startswith("| `")
        ),
    )


@pytest.mark.e2e
@pytest.mark.slow
def test_a_short_run_prints_every_figure() -> None:
    """The last line is one JSON object with every figure that the README explains."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.benchmarks",
            "--seconds=0.2",
            "--repeats=1",
            "--sessions=50",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])

    assert sorted(explained_figures()) == sorted(figures)
    # That no turn was slow is a figure too.
    assert figures.pop("slow_turns_percent") >= 0
    assert [] == [name for name, figure in figures.items() if not figure]


def test_every_measure_says_what_it_gives() -> None:
    """The README explains what the measures give, and no figure is given twice."""
    given = [figure for measure in MEASURES for figure in measure.figures]

    assert sorted([*given, "seconds", "repeats", "sessions"]) == sorted(
        explained_figures()
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("", [measure.name for measure in MEASURES]),
        ("latency", ["latency"]),
        ("ratio_turn_p99", ["latency"]),
        ("verify_games_per_s,throughput", ["throughput", "engine"]),
    ],
)
def test_measures_are_chosen_by_name(names: str, expected: list[str]) -> None:
    """A measure is named by itself or by any of its figures; no name means all."""
    assert expected == [measure.name for measure in chosen(names)]


def test_an_unknown_figure_is_named() -> None:
    """A name that is no measure's and no figure's is refused, and said."""
    with pytest.raises(ValueError, match="no figure ratio_ecko"):
        chosen("latency,ratio_ecko")


def test_intervals_are_between_neighbours() -> None:
    """Stamps in nanoseconds give intervals in microseconds."""
    assert [1.0, 2.5] == intervals_us([1000, 2000, 4500])


@pytest.mark.parametrize(
    ("percent", "expected"), [(0, 1.0), (50, 51.0), (99, 100.0), (100, 100.0)]
)
def test_percentiles(percent: float, expected: float) -> None:
    """A percentile is one of the values, whatever their order."""
    values = [float(number) for number in range(100, 0, -1)]

    assert expected == percentile(values, percent)
