"""`python -m tests.benchmarks`: prints all figures, the last line as JSON.

What each figure means is told in README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from tests.benchmarks.figures import Figures
from tests.benchmarks.measures import MEASURES, Effort, chosen, say

QUICK_SECONDS = 1.0


def _parser() -> argparse.ArgumentParser:
    names = "\n".join(f"  {one.name:11}{', '.join(one.figures)}" for one in MEASURES)
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description="Measure the arena beside gRPC alone; the last line is JSON.",
        epilog=f"names, and the figures that each one gives:\n{names}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="NAME[,NAME]",
        help="measure these alone, named as below or by a figure",
    )
    parser.add_argument(
        "--quick", action="store_true", help="one window of a second for each"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="of each window")
    parser.add_argument(
        "--repeats", type=int, default=5, help="how often what is compared alternates"
    )
    parser.add_argument(
        "--sessions", type=int, default=2000, help="idle bots for idle_session_kb"
    )
    return parser


def main(arguments: list[str]) -> None:
    """Measure what is asked for and print it."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.quick:
        options.seconds, options.repeats = QUICK_SECONDS, 1
    effort = Effort(options.seconds, options.repeats, options.sessions)
    try:
        measures = chosen(options.only)
    except ValueError as error:
        parser.error(str(error))
    figures: Figures = asdict(effort)
    for measure in measures:
        figures |= measure.run(effort)
    say(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
