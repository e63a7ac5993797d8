"""The arena of the soak, as a program: `arena FOLDER [trace]`.

It plays one league after the other, at as many tables as there are in the load. It
says its address first. To `look` on its input it answers with what it holds, as
JSON; `play` begins the leagues, `stop` ends them, and so does the input's end.
"""

import asyncio
import gc
import json
import logging
import os
import sys
import threading
import tracemalloc
from pathlib import Path

import trio

from arena.server import Server, open_server
from leagues.commands.process import prepare_process
from leagues.config import LeagueConfig, parse_league
from leagues.running.runner import Progress, run_league
from leagues.storage.store import Store
from tests.benchmarks.dialled import DialledTokens, dialled_name
from tests.benchmarks.programs import announce

BOTS = 8
TABLES = 64
GAMES = 300
"""Of one league; then the next one begins."""
GROWN_MAX = 25
"""How many places in the source are told that hold more than before."""


class Leagues:
    """One league after the other, until they are stopped."""

    def __init__(self, server: Server, store: Store) -> None:
        self.server = server
        self.store = store
        self.count = 0
        self.games = 0
        self.scope = trio.CancelScope()

    async def play(self) -> None:
        """Play leagues for ever."""
        with self.scope:
            while True:
                self.count += 1
                await run_league(
                    self.server,
                    self.store,
                    _config(self.count),
                    on_progress=self._count,
                )
                self.games += GAMES

    def _count(self, progress: Progress) -> None:
        self.tables = progress.running


def _config(number: int) -> LeagueConfig:
    lines = [f'name = "soak-{number}"', f"games = {GAMES}", f"tables_max = {TABLES}"]
    lines += ["[rules]", "target = 50"]
    for bot in range(BOTS):
        lines += ["[[entrant]]", f'bot = "{dialled_name(bot)}"']
    return parse_league("\n".join(lines), file="the soak's league")


async def _look(leagues: Leagues) -> dict[str, int]:
    """Return what the process holds, in numbers."""
    edge, found = leagues.server._edge, dict[str, int]()
    token, seen = trio.lowlevel.current_trio_token(), trio.Event()

    def look(now: float) -> None:
        host = edge.host
        found.update(
            tasks=len(asyncio.all_tasks()),
            streams=len(edge._streams),
            sessions=len(host.sessions),
            tables=len(host.tables),
            timers=len(host._timers),
            turns=host.turns_answered,
            voids=sum(host.counts.voids.values()),
            faults=sum(host.counts.faults.values()),
        )
        token.run_sync_soon(seen.set)

    edge.submit(look)
    await seen.wait()
    return {
        **found,
        **_files(leagues.store.directory),
        "threads": threading.active_count(),
        "trio_tasks": trio.lowlevel.current_statistics().tasks_living,
        "leagues": leagues.count,
        "games": leagues.games,
    }


def _files(store: Path) -> dict[str, int]:
    """Count open files: those of the store, which pools them, and the others."""
    names = []
    for number in os.listdir("/proc/self/fd"):
        try:
            names.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue  # The one that the list itself was read from.
    stored = sum(name.startswith(str(store)) for name in names)
    return {"files": len(names) - stored, "store_files": stored}


def _grown(before: tracemalloc.Snapshot) -> None:
    gc.collect()
    found = tracemalloc.take_snapshot().compare_to(before, "traceback")
    for line in found[:GROWN_MAX]:
        print(line, *line.traceback.format()[-6:], sep="\n", file=sys.stderr)


async def _main(folder: Path, *, is_traced: bool) -> None:
    logging.basicConfig(level=logging.ERROR)
    with Store.open(folder, command="soak") as store:
        async with (
            open_server(tokens=DialledTokens()) as server,
            trio.open_nursery() as nursery,
        ):
            leagues = Leagues(server, store)
            announce(server.address)
            before: tracemalloc.Snapshot | None = None
            while line := (await trio.to_thread.run_sync(sys.stdin.readline)).strip():
                if line == "play":
                    nursery.start_soon(leagues.play)
                elif line == "stop":
                    leagues.scope.cancel()
                elif line == "trace" and is_traced:
                    gc.collect()
                    before = tracemalloc.take_snapshot()
                elif line == "grown" and before is not None:
                    _grown(before)
                announce(json.dumps(await _look(leagues)))
            nursery.cancel_scope.cancel()


if __name__ == "__main__":
    prepare_process()
    if "trace" in sys.argv[2:]:
        tracemalloc.start(8)
    trio.run(
        lambda: _main(Path(sys.argv[1]).absolute(), is_traced="trace" in sys.argv[2:])
    )
