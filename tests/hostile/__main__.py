"""Attack an arena for long: `python -m tests.hostile --seconds 600`.

A league of four bots plays, each in a process of its own. After a quiet tenth of
the time all attacks come in turn, then several attackers come at once, and at last
there is quiet again. The figures of each part are printed; a bound that is broken
makes the exit code 1.
"""

import argparse
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass

from tests.benchmarks.programs import Program
from tests.hostile.arena import LEAGUE
from tests.hostile.report import Report, memory_kb, report

ARENA_TIME_P99_MAX = 0.050
MEMORY_MAX_KB = 300 * 1024
"""How much more memory the arena may have under attack than before it."""
MEMORY_GROWTH_MAX_KB = 64 * 1024
"""How much more it may have in the second half of the worst than in the first: at the
beginning memory falls into pieces, which the allocator keeps; then it must stay."""
LEFT_MAX = 4
"""How many more files and tasks there may be when it is over."""
THREADS_MAX = 64
TABLES = 16
ATTACKERS = 4
FORCE = 3


@dataclass(frozen=True, slots=True)
class Part:
    """What an arena did in a part of the time."""

    name: str
    before: Report
    after: Report
    memory_max_kb: int

    def __str__(self) -> str:
        times = self.after.spread("arena_time", self.before)
        lag = self.after.spread("lag", self.before)
        turns = self.after["turns"] - self.before["turns"]
        after = self.after
        p50, p99, p999 = (
            1000 * times.percentile(share) for share in (0.5, 0.99, 0.999)
        )
        return (
            f"{self.name:13} {turns:7} turns, arena time p50 {p50:.2f} p99 {p99:.1f}"
            f" p99.9 {p999:.1f} ms, lag p99 "
            f"{1000 * lag.percentile(0.99):.1f} ms, memory {after['rss_kb'] // 1024}"
            f" MiB (max {self.memory_max_kb // 1024}), files {after['files']}, tasks "
            f"{after['tasks']}, threads {after['threads']}, sessions "
            f"{after['sessions']}"
        )


def watch(arena: Program, name: str, seconds: float) -> Part:
    """Let time pass, and look at the arena meanwhile."""
    before = report(arena)
    end = time.monotonic() + seconds
    most = before["rss_kb"]
    while time.monotonic() < end:
        time.sleep(0.5)
        most = max(most, memory_kb(arena.pid))
    part = Part(name, before, report(arena), most)
    print(part, flush=True)
    return part


def attacked(
    arena: Program, address: str, name: str, seconds: float, *, by: int
) -> Part:
    """Have so many attackers at work while time passes."""
    with ExitStack() as stack:
        for seed in range(by):
            arguments = (address, str(seed + 1), str(FORCE))
            attacker = Program("tests.hostile.attacker", *arguments)
            stack.enter_context(attacker).ready()
        return watch(arena, name, seconds)


def broken(parts: list[Part]) -> list[str]:
    """Return which bounds are broken."""
    first, last = parts[0].after, parts[-1].after
    found = [f"{name}: {what}" for name, what in last.harm.items()]
    for part in parts[1:-1]:
        p99 = part.after.spread("arena_time", part.before).percentile(0.99)
        if p99 >= ARENA_TIME_P99_MAX:
            found.append(f"{part.name}: p99 of arena time {1000 * p99:.1f} ms")
        if part.memory_max_kb > first["rss_kb"] + MEMORY_MAX_KB:
            found.append(f"{part.name}: memory {part.memory_max_kb} KiB")
    half, whole = parts[-3].memory_max_kb, parts[-2].memory_max_kb
    if whole > half + MEMORY_GROWTH_MAX_KB:
        found.append(f"memory grows: {half} KiB, then {whole}")
    for name in ("files", "tasks"):
        if last[name] > first[name] + LEFT_MAX:
            found.append(f"{name} left: {last[name]}, before {first[name]}")
    if last["threads"] > THREADS_MAX:
        found.append(f"threads: {last['threads']}")
    if last["sessions"] != len(LEAGUE):
        found.append(f"sessions left: {last['sessions']}")
    return found


def main() -> int:
    """Attack, tell the figures, and return 1 if a bound is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--tables", type=int, default=TABLES)
    options = parser.parse_args()
    tenth = options.seconds / 10
    with ExitStack() as stack:
        arena = stack.enter_context(Program("tests.hostile.arena", str(options.tables)))
        address = arena.ready()
        for name in LEAGUE:
            stack.enter_context(Program("tests.hostile.bots", address, name))
        while report(arena)["turns"] < 100:
            time.sleep(0.1)
        parts = [
            watch(arena, "quiet", tenth),
            attacked(arena, address, "in turn", 2 * tenth, by=1),
            attacked(arena, address, "at once", 3 * tenth, by=ATTACKERS),
            attacked(arena, address, "at once still", 3 * tenth, by=ATTACKERS),
            watch(arena, "quiet again", tenth),
        ]
    last = parts[-1].after
    print(f"league: {last['seen']}; calls ended: {last['streams_ended']}")
    faults, voids = last["faults"], last["voids"]
    print(f"log: {last['errors']} errors; faults {faults}, voids {voids}")
    problems = broken(parts)
    for problem in problems:
        print(f"broken: {problem}")
    print("all bounds hold" if not problems else f"{len(problems)} bounds are broken")
    return min(len(problems), 1)


if __name__ == "__main__":
    sys.exit(main())
