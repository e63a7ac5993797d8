"""A real arena with a real league, as a program: `arena_league FOLDER TABLES`.

It is what `arena league run` does, with the store on disk and each bot in a
process that the arena starts, but it ends with its input instead of its schedule.
The bots write their stamps into the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

import trio

from arena.server import open_server
from leagues.config import LeagueConfig, parse_league
from leagues.hosting import Hosted, host_league
from leagues.runner import Progress
from leagues.started import StartedTokens
from leagues.store import Store
from tests.benchmarks.programs import announce

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


async def main(folder: Path, table_count: int) -> None:
    """Play until the input ends."""
    config = _league(folder, table_count)
    tokens = StartedTokens()

    def tell(progress: Progress) -> None:
        if progress.running == table_count and progress.finished == 0:
            announce("ready")

    with Store.open(folder / "data", command="benchmark") as store:
        async with open_server(tokens=tokens) as server, trio.open_nursery() as nursery:

            async def end_with_input() -> None:
                await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
                nursery.cancel_scope.cancel()

            nursery.start_soon(end_with_input)
            hosted = Hosted(config, Path.cwd())
            await host_league(server, store, hosted, tokens=tokens, on_progress=tell)


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), int(sys.argv[2]))
