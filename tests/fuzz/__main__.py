"""Fuzz for long: `python -m tests.fuzz --seconds 60`, or some targets only.

Each target runs in a process of its own, one after the other, under atheris, which
changes inputs so that they reach new code. An input that fails is kept in the
corpus directory; move it to `tests/fuzz/found/TARGET/`, where the tests run it for
ever.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

from tests.fuzz.seeds import NAMES

ONE = "tests.fuzz.one"
_FIGURES = {
    "executions": r"stat::number_of_executed_units:\s*(\d+)",
    "a second": r"stat::average_exec_per_sec:\s*(\d+)",
    "new inputs": r"stat::new_units_added:\s*(\d+)",
    "peak MiB": r"stat::peak_rss_mb:\s*(\d+)",
}


def main() -> int:
    """Fuzz all targets in turn; return how many of them found something."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=" ".join(NAMES))
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--executions", type=int, default=0, help="for each target")
    parser.add_argument(
        "--corpus",
        type=Path,
        default=Path(gettempdir()) / "hearts-fuzz",
        help="where inputs are kept from run to run (default %(default)s)",
    )
    options = parser.parse_args()
    if unknown := set(options.targets) - set(NAMES):
        parser.error(f"no such target: {' '.join(sorted(unknown))}")
    found = 0
    for target in options.targets or NAMES:
        found += _run(
            target,
            corpus=options.corpus / target,
            seconds=options.seconds,
            executions=options.executions,
        )
    return min(found, 1)


def _run(target: str, *, corpus: Path, seconds: int, executions: int) -> bool:
    """Fuzz one target, tell its figures, and return whether it found something."""
    limit = f"-runs={executions}" if executions else f"-max_total_time={seconds}"
    corpus.mkdir(parents=True, exist_ok=True)
    ended = subprocess.run(
        [sys.executable, "-m", ONE, target, str(corpus), limit],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    figures = [
        f"{match[1]} {name}"
        for name, pattern in _FIGURES.items()
        if (match := re.search(pattern, ended.stdout))
    ]
    verdict = "found something" if ended.returncode else "nothing found"
    print(f"{target}: {verdict}; {', '.join(figures)}", flush=True)
    if ended.returncode:
        print(ended.stdout[-4000:], flush=True)
    return ended.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
