"""`python -m tests.soak --minutes 30`: full load, and what the arena holds meanwhile.

It fails when memory grows by more than a mebibyte an hour once the arena is warm, or
when anything is left over after the last bot. This is a measurement: it takes the
time that it takes.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.processes import anonymous_kib
from tests.benchmarks.programs import Program
from tests.soak.crowd import Crowd

LOOK_SECONDS = 5.0
ACT_SECONDS = (1.0, 4.0)
WARM_SECONDS = 600.0
WARM_SHARE = 1 / 3
"""Of a shorter run."""
GROWTH_MAX_KIB = 1024.0
"""How much more memory an hour may cost."""
REST_SECONDS = 60.0
"""How long after the last bot everything must be gone."""
HELD = ("tasks", "trio_tasks", "threads", "files", "streams", "sessions", "tables")
STORE_FILES_MAX = 3 * 15
"""Three files for each connection that the pool of the store may hold."""

Sample = tuple[float, float]
"""Seconds and KiB."""


def growth_an_hour(samples: list[Sample]) -> float:
    """Return by how much memory grows, in KiB an hour: the median of all slopes.

    A few outliers do not move it, as they would a line of least squares.
    """
    slopes = [
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for earlier, later in combinations(samples, 2)
        if later[0] > earlier[0]
    ]
    return 3600 * median(slopes) if slopes else 0.0


def left_over(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """Return what there is more of than before the first bot."""
    more = {name: after[name] - before[name] for name in HELD}
    found = {name: count for name, count in more.items() if count > 0}
    if after["store_files"] > STORE_FILES_MAX:
        found["store_files"] = after["store_files"]
    return found


class Soak:
    """One run: an arena, its crowd, and what was seen of them."""

    def __init__(self, arena: Program, address: str, seed: int) -> None:
        self.arena = arena
        self.chance = random.Random(seed)
        self.crowd = Crowd(address, self.chance)
        self.samples: list[Sample] = []

    def ask(self, word: str) -> dict[str, int]:
        """Ask the arena for something, and for what it holds."""
        found: dict[str, int] = json.loads(self.arena.ask(word))
        return found

    def load(self, seconds: float) -> None:
        """Keep the arena under load for so long."""
        began = time.monotonic()
        act_at, look_at = began + 10, began + LOOK_SECONDS
        said_at = began
        warm_at = began + warm_seconds(seconds)
        while (now := time.monotonic()) < began + seconds:
            if now >= act_at:
                self.crowd.act(now)
                act_at = now + self.chance.uniform(*ACT_SECONDS)
            if now >= look_at:
                look_at = now + LOOK_SECONDS
                self.samples.append((now - began, anonymous_kib(self.arena.pid)))
                if now >= said_at:
                    said_at = now + 12 * LOOK_SECONDS
                    say(f"{now - began:6.0f} s  {self.text(self.ask('look'))}")
                if now >= warm_at:
                    warm_at = float("inf")
                    self.ask("trace")
            time.sleep(0.05)

    def text(self, held: dict[str, int]) -> str:
        """Tell what the arena holds."""
        kib = self.samples[-1][1] if self.samples else 0
        counts = ", ".join(f"{name} {count:,}" for name, count in held.items())
        return f"{kib / 1024:,.1f} MiB, {counts}"

    def rest(self, before: dict[str, int]) -> dict[str, int]:
        """End all bots and leagues; return what does not go away."""
        self.crowd.end()
        self.ask("stop")
        until = time.monotonic() + REST_SECONDS
        while (found := left_over(before, self.ask("look"))) and (
            time.monotonic() < until
        ):
            time.sleep(1.0)
        return found


def warm_seconds(seconds: float) -> float:
    """Return from when on memory may not grow."""
    return min(WARM_SECONDS, WARM_SHARE * seconds)


@contextmanager
def _arena(*words: str) -> Iterator[Soak]:
    with (
        TemporaryDirectory() as folder,
        Program("tests.soak.arena", str(Path(folder) / "data"), *words) as arena,
    ):
        yield Soak(arena, arena.ready(), seed=1)


def say(line: str) -> None:
    """Tell people how far it is."""
    print(line, flush=True)


def main(arguments: list[str]) -> int:
    """Soak an arena, and tell what it came to."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--trace", action="store_true", help="tell what has grown")
    options = parser.parse_args(arguments)
    seconds = 60 * options.minutes
    with _arena(*(["trace"] if options.trace else [])) as soak:
        before = soak.ask("look")
        say(f"before    {soak.text(before)}")
        soak.crowd.begin()
        soak.ask("play")
        soak.load(seconds)
        soak.ask("grown")
        left = soak.rest(before)
        after = soak.ask("look")
        say(f"after     {soak.text(after)}")
    warm = [sample for sample in soak.samples if sample[0] >= warm_seconds(seconds)]
    growth = growth_an_hour(warm)
    say(f"What happened to bots: {soak.crowd.acts}")
    say(f"left over: {left or 'nothing'}")
    figures = {
        "minutes": options.minutes,
        "turns": after["turns"],
        "leagues": after["leagues"],
        "memory_growth_kib_an_hour": round(growth),
        "left_over": left,
    }
    say(json.dumps(figures))
    return 1 if left or growth >= GROWTH_MAX_KIB else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
