"""An arena with a league, as a program: `python -m tests.hostile.arena [TABLES]`.

It says its address in its first line. While it runs, a line `report` is answered
with a line of JSON: what was counted, and what the process holds. It ends with its
input, or when a second one is to be stopped.
"""

import asyncio
import gc
import json
import logging
import os
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import trio

from arena.rules import preset
from arena.server import Server, VoidGame, open_server
from arena.spec import GameSpec, SeatSpec
from hearts.arena.v1 import league_pb2
from tests.arena_thread import NamedTokens
from tests.hostile.victim import FOES

LEAGUE = ("ada", "bob", "cat", "dot")

RECORD_SIZE_BYTES = 20_000
GAMES_STORED = 20_000


class EndlessLibrary:
    """A league with more games than anybody wants to read."""

    def leagues(self) -> league_pb2.ListLeaguesResponse:
        """Return the one league."""
        return league_pb2.ListLeaguesResponse(leagues=[league_pb2.League(name="big")])

    def secrecy(self, league: str) -> str:
        """Return nothing: everybody may read it."""
        return ""

    def standings(self, league: str) -> league_pb2.GetStandingsResponse:
        """Return standings without rows."""
        self._check(league)
        return league_pb2.GetStandingsResponse(league=league_pb2.League(name="big"))

    def games(
        self, league: str, *, after: int, limit: int
    ) -> league_pb2.ListGamesResponse:
        """Return a page of games."""
        self._check(league)
        numbers = range(after + 1, min(after + limit, GAMES_STORED) + 1)
        return league_pb2.ListGamesResponse(
            games=[league_pb2.GameSummary(game_id=f"big-{n}") for n in numbers]
        )

    def records(self, league: str, *, after: int, limit: int) -> list[tuple[int, str]]:
        """Return a page of records."""
        self._check(league)
        numbers = range(after + 1, min(after + limit, GAMES_STORED) + 1)
        return [(n, "x" * RECORD_SIZE_BYTES) for n in numbers]

    def _check(self, league: str) -> None:
        if league != "big":
            raise KeyError(league)


class Errors(logging.Handler):
    """Counts what is logged as an error, and keeps the first of it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line of the log, with its trace."""
        self.count += 1
        if len(self.texts) < 5:
            self.texts.append(logging.Formatter().format(record))


class League:
    """Games of the four bots without an end, so many at a time."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.seen: Counter[str] = Counter()
        self._numbers = count(1)

    async def keep_playing(self) -> None:
        """Play one game after the other."""
        while True:
            number = next(self._numbers)
            order = [LEAGUE[(seat + number) % 4] for seat in range(4)]
            spec = GameSpec(
                game_id=f"beside-{number}",
                rules=preset("arena", target=50),
                seats=tuple(map(SeatSpec, order)),
                sequence_seed=number.to_bytes(32, "big"),
            )
            try:
                record = await self.server.play(spec)
            except VoidGame as void:
                self.seen[f"void: {void.reason}"] += 1
                await trio.sleep(0.1)
            else:
                self.seen["games"] += 1
                self.seen["faults"] += len(record.faults)
                self.seen["given_up"] += len(record.given_up)


def _held() -> dict[str, int]:
    """Return what the process holds."""
    status = Path("/proc/self/status").read_text()
    words = dict(line.split(":", 1) for line in status.splitlines())
    return {
        "rss_kb": int(words["VmRSS"].split()[0]),
        "files": len(os.listdir("/proc/self/fd")),
        "threads": int(words["Threads"]),
    }


async def _report(league: League, errors: Errors) -> dict[str, object]:
    tasks: list[int] = []
    told = trio.Event()
    token = trio.lowlevel.current_trio_token()

    def look(_: float) -> None:
        gc.collect()
        tasks.append(len(asyncio.all_tasks()))
        token.run_sync_soon(told.set)

    league.server._edge.submit(look)
    await told.wait()
    seen = await trio.to_thread.run_sync(league.server.observe().result, 20)
    counts = seen.counts
    return {
        **_held(),
        "tasks": tasks[0],
        "sessions": seen.sessions_connected + seen.sessions_away,
        "turns": seen.turns_answered,
        "seen": dict(league.seen),
        "faults": dict(counts.faults),
        "voids": dict(counts.voids),
        "streams_ended": dict(counts.streams_ended),
        "arena_time": counts.arena_time.counts,
        "lag": counts.lag.counts,
        "errors": errors.count,
        "error_texts": errors.texts,
    }


async def _answer(league: League, errors: Errors) -> None:
    while line := (await trio.to_thread.run_sync(sys.stdin.readline)).strip():
        if line == "report":
            print(json.dumps(await _report(league, errors)), flush=True)


async def _main(tables: int) -> None:
    errors = Errors()
    logging.basicConfig(level=logging.WARNING, handlers=[errors])
    names = (*LEAGUE, *(f"foe{number}" for number in range(FOES)))
    tokens = NamedTokens(names)
    async with open_server(tokens=tokens, library=EndlessLibrary()) as server:
        print(server.address, flush=True)
        async with trio.open_nursery() as nursery:
            league = League(server)
            nursery.start_soon(_start, league, tables, nursery)
            await _answer(league, errors)
            nursery.cancel_scope.cancel()


async def _start(league: League, tables: int, nursery: trio.Nursery) -> None:
    while not set(LEAGUE) <= set(league.server.presence()):
        await league.server.presence_changed()
    for _ in range(tables):
        nursery.start_soon(league.keep_playing)


if __name__ == "__main__":
    trio.run(_main, int(sys.argv[1]) if len(sys.argv) > 1 else 4)
