"""A real arena with real leagues, as a program: `arena_league FOLDER MODE COUNT`.

It is what `arena league run` does, with the store on disk, but it ends with its
input instead of its schedule. With the mode `started` it plays one league of four
bots at COUNT tables, each bot in a process that the arena starts; they write their
stamps into the folder. With `dialled` it plays COUNT leagues of four bots that dial
in, each at one table. In both modes any more bots may dial in, who have no games.

It says its address, and then that all tables are taken. To every line of its input
it answers with what it has counted so far, as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import trio

from arena.server import Server, open_server
from leagues.commands.process import prepare_process
from leagues.config import LeagueConfig, parse_league
from leagues.running.hosting import Hosted, host_league
from leagues.running.runner import Progress
from leagues.running.started import StartedTokens, TokensUnion
from leagues.storage.store import Store
from tests.benchmarks.dialled import DialledTokens, dialled_name
from tests.benchmarks.programs import Once, announce

BOT_COUNT = 4
GAMES_COUNT = 5000
"""More than are played while anybody waits."""
DIALLED_GAMES_COUNT = 100
"""The same for one of many leagues with one table each."""


def _league(folder: Path, table_count: int) -> LeagueConfig:
    """Return a league of four bots that play the lowest card."""
    entrants = []
    for number in range(BOT_COUNT):
        bot = [sys.executable, "-m", "tests.benchmarks.lowest_bot"]
        command = [*bot, str(stamps_path(folder, number)), str(table_count)]
        entrants.append(f'name = "bot{number}"\ncommand = {command!r}')
    return _config("benchmark", entrants, games=GAMES_COUNT, tables=table_count)


def _dialled_league(number: int) -> LeagueConfig:
    """Return a league of four bots that nobody else plays with."""
    first = number * BOT_COUNT
    bots = map(dialled_name, range(first, first + BOT_COUNT))
    entrants = [f'bot = "{bot}"' for bot in bots]
    return _config(f"league{number}", entrants, games=DIALLED_GAMES_COUNT, tables=1)


def _config(name: str, entrants: list[str], *, games: int, tables: int) -> LeagueConfig:
    lines = [
        f'name = "{name}"',
        f"games = {games}",
        f"tables_max = {tables}",
        'practice_seed = "benchmark"',
    ]
    for entrant in entrants:
        lines += ["[[entrant]]", entrant]
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
        "sessions": seen.sessions_connected,
    }
    return json.dumps(counts)


def answer_input(server: Server) -> None:
    """Answer every line of the input with the counts; return when it ends."""
    for _ in sys.stdin:
        announce(_counts(server))


class Tables:
    """Says, once, that all tables of some leagues are taken."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._running: dict[str, int] = {}
        self._ready = Once("ready")

    def tell(self, progress: Progress) -> None:
        """Take in how far a league has come."""
        self._running[progress.league] = progress.running
        if sum(self._running.values()) == self._count:
            self._ready.announce()


async def main(folder: Path, mode: str, count: int) -> None:
    """Play until the input ends."""
    if mode == "started":
        configs = [_league(folder, count)]
    else:
        configs = [_dialled_league(number) for number in range(count)]
    started = StartedTokens()
    tables = Tables(count)
    tokens = TokensUnion(started, DialledTokens())
    with Store.open(folder / "data", command="benchmark") as store:
        async with open_server(tokens=tokens) as server, trio.open_nursery() as nursery:
            announce(server.address)

            async def host(config: LeagueConfig) -> None:
                hosted = Hosted(config, Path.cwd())
                await host_league(
                    server, store, hosted, tokens=started, on_progress=tables.tell
                )

            for config in configs:
                nursery.start_soon(host, config)
            await trio.to_thread.run_sync(answer_input, server, abandon_on_cancel=True)
            nursery.cancel_scope.cancel()


if __name__ == "__main__":
    prepare_process()
    trio.run(main, Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
