"""Runs of leagues whose hosts decide meanwhile, in virtual time."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import trio

from leagues.audit import AuditEntry
from leagues.config import LeagueConfig
from leagues.running.runner import Outcome, Progress, run_league
from leagues.running.threads import InThread
from leagues.storage.audited import decide
from leagues.storage.database import Database
from leagues.storage.store import Store
from tests.league_games import NAMES
from tests.league_server import FakeServer

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
HEARD_SECONDS = 2.0
"""How soon a run learns of a decision."""


class HostedRun:
    """A league that is played while its host decides."""

    def __init__(self, store: Store, league: LeagueConfig) -> None:
        self.store, self.league = store, league
        self.server = FakeServer()
        self.server.come(NAMES)
        self.notes: list[str] = []
        self.last: Progress | None = None
        self.outcome: Outcome | None = None
        self.drain = trio.Event()
        self.in_thread: InThread = at_once

    async def play(self) -> Outcome:
        """Play it to its end."""
        self.outcome = await run_league(
            self.server,
            self.store,
            self.league,
            drain=self.drain,
            on_note=self.notes.append,
            on_progress=self._report,
            in_thread=self.in_thread,
        )
        return self.outcome

    def _report(self, progress: Progress) -> None:
        self.last = progress

    def decide(self, asked: AuditEntry) -> None:
        """Decide as a command beside it would."""
        decide_beside(self.store, asked)


def decide_beside(store: Store, asked: AuditEntry) -> None:
    """Decide something of the league `demo` beside the process that owns its store."""
    database = Database(store.directory, may_write=True)
    with Store(store.directory, database, None) as beside:
        decide(beside, "demo", asked)


async def at_once(
    call: Callable[[*Arguments], Result],
    /,
    *arguments: *Arguments,
    limiter: trio.CapacityLimiter | None = None,
) -> Result:
    """Run a call right here, so that virtual time stands still meanwhile."""
    await trio.lowlevel.checkpoint()
    return call(*arguments)
