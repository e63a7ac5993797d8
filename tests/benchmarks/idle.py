"""What idle bots cost: the arena's memory, and the turns of those that play."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.arena import TABLE_COUNT, Arena, Span, four_bots, open_arena
from tests.benchmarks.figures import Window
from tests.benchmarks.processes import anonymous_kib
from tests.benchmarks.programs import Program

IDLE_COUNT = 496
PROCESS_BOTS_MAX = 1000
"""How many idle bots share a process; each has its own connection."""
FILES_SPARE = 200
"""Files that an arena may have open besides its connections."""
SETTLE_SECONDS = 0.5
SETTLE_SECONDS_MAX = 20.0


def idle_session_kb(count: int) -> float:
    """Measure by how much each of many idle sessions makes an arena grow, in KiB."""
    allow_files(count + FILES_SPARE)
    with TemporaryDirectory() as name, open_arena(Path(name), "dialled", 0) as arena:
        before = _settled_kib(arena)
        with idle_bots(arena, count):
            return (_settled_kib(arena) - before) / count


def with_and_without_idle(seconds: float, repeats: int) -> Iterator[tuple[Span, Span]]:
    """Let four bots play alone, then beside 496 idle ones, again and again."""
    allow_files(IDLE_COUNT + FILES_SPARE)
    with TemporaryDirectory() as name, four_bots(Path(name), TABLE_COUNT) as arena:
        for _ in range(repeats):
            alone = arena.watch(Window(seconds))
            with idle_bots(arena, IDLE_COUNT):
                beside = arena.watch(Window(seconds))
            yield alone, beside


@contextmanager
def idle_bots(arena: Arena, count: int) -> Iterator[None]:
    """Have idle bots connected, each on a connection of its own."""
    with ExitStack() as programs:
        started = [
            programs.enter_context(
                Program(
                    "tests.benchmarks.idle_bots",
                    arena.address,
                    str(first),
                    str(min(count - first, PROCESS_BOTS_MAX)),
                )
            )
            for first in range(0, count, PROCESS_BOTS_MAX)
        ]
        for program in started:
            program.ready()
        yield


def allow_files(count: int) -> None:
    """Let this process and those that it starts have so many files open.

    Raises:
        SystemExit: The system does not allow it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise SystemExit(
            f"a process may have {hard} files open, and {count} are needed; raise the "
            f"hard limit, for example with `ulimit -Hn {count}` as the superuser"
        )
    if soft != resource.RLIM_INFINITY and soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def _settled_kib(arena: Arena) -> float:
    """Return an arena's memory in KiB once it no longer changes, or after a while."""
    found = anonymous_kib(arena.program.pid)
    for _ in range(int(SETTLE_SECONDS_MAX / SETTLE_SECONDS)):
        time.sleep(SETTLE_SECONDS)
        known, found = found, anonymous_kib(arena.program.pid)
        if found == known:
            break
    return found
