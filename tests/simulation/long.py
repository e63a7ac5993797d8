"""`python -m tests.simulation.long`: thousands of simulated leagues, one after another.

`--seed N` repeats one and tells what happened in it. A seed that fails is printed,
and belongs into `league_seeds.txt`, with a word on why it failed.
"""

import argparse
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

from tests.simulation.leagues import LawBroken, Outcome, simulate, told

PROGRESS_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Line:
    """What one seed came to, small enough to be sent between processes."""

    seed: int
    faults_on: tuple[str, ...]
    counts: dict[str, float] = field(default_factory=dict)
    happened: dict[str, int] = field(default_factory=dict)
    problem: str = ""


def line_of(seed: int) -> Line:
    """Simulate a seed; what fails becomes a line too."""
    logging.disable()
    try:
        outcome = simulate(seed)
    except Exception as error:
        return Line(seed, (), problem=f"{type(error).__name__}: {error}")
    return Line(seed, outcome.plan.faults, _counts(outcome), dict(outcome.happened))


def _counts(outcome: Outcome) -> dict[str, float]:
    return {
        "leagues": 1,
        "games": outcome.games,
        "crashes": outcome.crashes,
        "faults": outcome.faults,
        "given up": outcome.given_up,
        "voids": outcome.voids,
        "compared": outcome.compared,
        "hours": outcome.virtual_seconds / 3600,
    }


def lines(seeds: range, *, processes: int) -> Iterator[Line]:
    """Simulate many seeds, in so many processes."""
    if processes <= 1:
        yield from map(line_of, seeds)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(line_of, seeds, chunksize=8)


def run(seeds: range, *, processes: int) -> list[Line]:
    """Simulate many seeds and tell how far it is."""
    say = partial(print, flush=True)
    found: list[Line] = []
    told_at = time.monotonic()
    for line in lines(seeds, processes=processes):
        found.append(line)
        if line.problem:
            say(f"seed {line.seed} fails: {line.problem}")
        if time.monotonic() > told_at + PROGRESS_SECONDS:
            told_at = time.monotonic()
            failed = sum(bool(line.problem) for line in found)
            say(f"{len(found):,} of {len(seeds):,} leagues, {failed} failed")
    return found


def summary(found: list[Line]) -> str:
    """Add up what happened: in all, and in the leagues with each kind of fault."""
    names = list(_NAMES)
    rows = [["fault", *names], ["all", *_sums(found)]]
    for kind in sorted({kind for line in found for kind in line.faults_on}):
        rows.append([kind, *_sums([one for one in found if kind in one.faults_on])])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    happened: Counter[str] = Counter()
    for line in found:
        happened.update(line.happened)
    events = ", ".join(f"{name} {count:,}" for name, count in sorted(happened.items()))
    failed = [line.seed for line in found if line.problem]
    verdict = f"failed: {' '.join(map(str, failed))}" if failed else "none failed"
    return "\n".join([*table, f"What happened: {events}", verdict])


_NAMES = (
    "leagues",
    "games",
    "crashes",
    "faults",
    "given up",
    "voids",
    "compared",
    "hours",
)


def _sums(found: list[Line]) -> list[str]:
    return [
        f"{sum(line.counts.get(name, 0) for line in found):,.0f}" for name in _NAMES
    ]


def repeat(seed: int) -> int:
    """Simulate one seed and tell what happened."""
    logging.disable()
    try:
        print(told(simulate(seed)))
    except LawBroken as broken:
        for when, text in broken.timeline:
            print(f"{when:12.3f}  {text}")
        print(broken)
        return 1
    return 0


def main(arguments: list[str]) -> int:
    """Repeat one seed, or run many."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.long")
    parser.add_argument("--seed", type=int, help="repeat this one and tell about it")
    parser.add_argument("--count", type=int, default=5000, help="how many leagues")
    parser.add_argument("--first", type=int, default=1000, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.seed is not None:
        return repeat(options.seed)
    began = time.monotonic()
    seeds = range(options.first, options.first + options.count)
    found = run(seeds, processes=options.processes)
    print(summary(found))
    elapsed = time.monotonic() - began
    print(f"{elapsed:,.0f} s, {len(found) / elapsed:.1f} leagues a second")
    return 1 if any(line.problem for line in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
