"""A real arena with a real league, as a program: `arena_league FOLDER TABLES`.

It is what `arena league run` does, with the store on disk and each bot in a
process that the arena starts, but it ends with its input instead of its schedule.
The bots write their stamps into the folder. To every line of its input it answers
with what it has counted so far, as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import trio

from arena.server import Server, open_server
from leagues.config import LeagueConfig, parse_league
from leagues.hosting import Hosted, host_league
from leagues.runner import Progress
from leagues.started import StartedTokens
from leagues.store import Store
from tests.benchmarks.programs import Once, announce

BOT_COUNT = 4
GAMES_COUNT = 5000
"""More than are played while anybody waits."""


def _league(folder: Path, table_count: int) -> LeagueConfig:
    """Return a league of four bots that play the lowest card."""
    lines = [
        'name = "benchmark"',
        f"games = {GAMES_COUNT}",
        f"tables_max = {table_count}",
        'practice_seed = "benchmark"',
    ]
    for number in range(BOT_COUNT):
        bot = [sys.executable, "-m", "tests.benchmarks.lowest_bot"]
        command = [*bot, str(stamps_path(folder, number)), str(table_count)]
        lines += ["[[entrant]]", f'name = "bot{number}"', f"command = {command!r}"]
    return parse_league("\n".join(lines), file="the benchmark's league")


def stamps_path(folder: Path, number: int) -> Path:
    """Return where a bot writes its stamps."""
    return folder / f"bot{number}.stamps"


def _counts(server: Server) -> str:
    """Return what an arena has counted, on one line."""
    seen = server.observe().result()
    counts = {
        "turns": seen.turns_answered,
        "frames_sent": seen.counts.frames_sent,
        "arena_time": seen.counts.arena_time.counts,
    }
    return json.dumps(counts)


def answer_input(server: Server) -> None:
    """Answer every line of the input with the counts; return when it ends."""
    for _ in sys.stdin:
        announce(_counts(server))


async def main(folder: Path, table_count: int) -> None:
    """Play until the input ends."""
    config = _league(folder, table_count)
    tokens = StartedTokens()
    ready = Once("ready")

    def tell(progress: Progress) -> None:
        if progress.running == table_count:
            ready.announce()

    with Store.open(folder / "data", command="benchmark") as store:
        async with open_server(tokens=tokens) as server, trio.open_nursery() as nursery:

            async def end_with_input() -> None:
                await trio.to_thread.run_sync(
                    answer_input, server, abandon_on_cancel=True
                )
                nursery.cancel_scope.cancel()

            nursery.start_soon(end_with_input)
            hosted = Hosted(config, Path.cwd())
            await host_league(server, store, hosted, tokens=tokens, on_progress=tell)


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), int(sys.argv[2]))
