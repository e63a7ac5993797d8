"""`python -m tests.benchmarks`: prints all figures, the last line as JSON.

What each figure means is told in README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from statistics import median

from tests.benchmarks.arena import turn_us, turns_per_s
from tests.benchmarks.bare import echo_per_s, ring_us
from tests.benchmarks.engine import deals_per_s, verify_games_per_s
from tests.benchmarks.figures import percentile

Figures = dict[str, float | int | None]


def throughput(seconds: float, repeats: int) -> Figures:
    """Measure echo and arena in turn, and their ratio."""
    echoes, turns = [], []
    for number in range(1, repeats + 1):
        echoes.append(echo_per_s(seconds))
        turns.append(turns_per_s(seconds))
        say(
            f"{number} of {repeats}: {echoes[-1]:,.0f} echoes/s, "
            f"{turns[-1]:,.0f} turns/s, ratio {turns[-1] / echoes[-1]:.2f}"
        )
    ratios = [turn / echo for turn, echo in zip(turns, echoes, strict=True)]
    return {
        "echo_per_s": round(median(echoes)),
        "turns_per_s": round(median(turns)),
        "ratio_echo": round(median(ratios), 2),
    }


def latency(seconds: float) -> Figures:
    """Measure the way from one client to the next, bare and through the arena."""
    figures: Figures = {}
    for name, measure in (("ring", ring_us), ("turn", turn_us)):
        values = _measured(name, lambda do=measure: do(seconds))  # type: ignore[misc]
        for percent in (50, 99):
            figures[f"{name}_p{percent}_us"] = round(percentile(values, percent))
        say(
            f"{name}: {figures[f'{name}_p50_us']} µs, 99 % within "
            f"{figures[f'{name}_p99_us']} µs, {len(values):,} of them"
        )
    return figures


def _measured(name: str, measure: Callable[[], list[float]]) -> list[float]:
    """Measure until there is something to tell: a ring whose message was lost when
    its programs started is begun again, and never told as 0 µs."""
    for _ in range(3):
        if values := measure():
            return values
        say(f"{name}: nothing was measured; once more")
    raise SystemExit(f"{name}: nothing was measured three times")


def engines(seconds: float) -> Figures:
    """Measure the engine, and OpenSpiel's where it is installed."""
    figures: Figures = {}
    for name, value in deals_per_s(seconds).items():
        digits = 2 if name.startswith("ratio") else None
        figures[name] = None if value is None else round(value, digits)
    own, other = figures["engine_deals_per_s"], figures["openspiel_deals_per_s"]
    say(f"engine: {own:,} deals/s")
    if other is not None:
        say(
            f"OpenSpiel: {other:,} deals/s; the engine plays "
            f"{figures['ratio_openspiel']} times as many whole deals, "
            f"{figures['ratio_openspiel_dealt']} from the same packs, "
            f"{figures['ratio_openspiel_ready']} from ready hands"
        )
    figures["verify_games_per_s"] = round(verify_games_per_s(seconds))
    say(f"verify: {figures['verify_games_per_s']:,} games/s")
    return figures


def say(line: str) -> None:
    """Tell people how far it is."""
    print(line, flush=True)


def main(arguments: list[str]) -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each window")
    parser.add_argument("--repeats", type=int, default=5, help="of echo and arena")
    options = parser.parse_args(arguments)
    figures: Figures = {"seconds": options.seconds, "repeats": options.repeats}
    figures |= throughput(options.seconds, options.repeats)
    figures |= latency(options.seconds)
    figures |= engines(options.seconds)
    say(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
