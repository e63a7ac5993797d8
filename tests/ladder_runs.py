"""Runs of ladders against a server in virtual time."""

import trio

from arena.introduction import Introduction
from leagues.config import LeagueConfig, parse_league
from leagues.running.progress import Progress
from leagues.running.runner import Outcome, run_league
from leagues.storage.store import Store
from tests.hosted_runs import at_once
from tests.league_server import FakeServer

HOUSES = ("careful", "ducker", "dodger", "lowest")
SHORT = "\n[rules]\ntarget = 10\n"


def ladder(text: str = "", *, houses: int = 4) -> LeagueConfig:
    """A ladder of some house bots, with more keys."""
    parts = ["name = 'open'", "kind = 'ladder'", text]
    parts += [f"[[entrant]]\nhouse = '{house}'" for house in HOUSES[:houses]]
    return parse_league("\n".join(parts) + SHORT, file="open.toml")


class LongGames(FakeServer):
    """A server whose games take up to ten seconds, so that there are not too many."""

    game_seconds_max = 10.0


def dial_in(server: FakeServer, *bots: str, places: int = 8, owner: str = "") -> None:
    """Let bots dial in that nobody has heard of."""
    for bot in bots:
        server.introductions[bot] = Introduction(bot, owner=owner)
    server.come(bots, places=places)


def opened(*bots: str, houses: int = 4, **options: object) -> FakeServer:
    """A server with the house bots, and others that have dialled in."""
    server = LongGames(**options)  # type: ignore[arg-type]
    server.come(HOUSES[:houses])
    dial_in(server, *bots)
    return server


class Run:
    """A ladder that is played while the block lasts."""

    def __init__(self, store: Store, server: FakeServer, config: LeagueConfig) -> None:
        self.store = store
        self.server = server
        self.config = config
        self.drain = trio.Event()
        self.progress: list[Progress] = []
        self.outcome: Outcome | None = None

    async def play(self) -> None:
        """Play until it is drained or over."""
        self.outcome = await run_league(
            self.server,
            self.store,
            self.config,
            drain=self.drain,
            on_progress=self.progress.append,
            in_thread=at_once,
        )

    def games(self, *, after: int = 0) -> list[tuple[str, ...]]:
        """Who has played in each finished game."""
        results = self.store.results("open", after=after)
        return [tuple(seat.entrant for seat in one.seats) for one in results]


async def play_for(
    store: Store, server: FakeServer, config: LeagueConfig, seconds: float
) -> Run:
    """Play a ladder for some time."""
    run = Run(store, server, config)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(seconds)
        run.drain.set()
    return run
