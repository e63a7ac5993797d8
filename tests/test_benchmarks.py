"""The benchmarks run and print what they promise; no figure is judged here."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.benchmarks.figures import intervals_us, percentile
from tests.documents import read_document
from tests.sources import ROOT

SECONDS_MAX = 120


@pytest.mark.e2e
@pytest.mark.slow
def test_a_short_run_prints_every_figure() -> None:
    """The last line is one JSON object with every figure that the README explains."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", "--seconds=0.2", "--repeats=1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    explained = re.findall(
        r"`(\w+)`",
        "".join(
            line.split("|")[1]
            for line in read_document("tests/benchmarks/README.md").splitlines()
            if line.startswith("| `")
        ),
    )

    assert sorted(explained) == sorted(figures)
    assert [] == [name for name, figure in figures.items() if not figure]


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
