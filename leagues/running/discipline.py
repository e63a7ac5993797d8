"""
Discipline: who is suspended in a run of a league, and what that means for its games.

A bot version is suspended that was given up too often; the store keeps that. A program
that would not stay alive is out for this run: the next one starts it again. The games
of either are played with its seats given up, or not at all, as the league says.

An entrant that the host has excluded is out until it is reinstated, and its games are
never played meanwhile: they would count for nobody, and when it comes back it is to
play them itself.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Protocol

import trio

from arena.logs import Event
from arena.presence import Presence
from arena.record import Record
from leagues.appeals import Appeals
from leagues.conduct import Conduct, Suspension, departure_in
from leagues.config import LeagueConfig, Suspended
from leagues.running.suspensions import Suspensions
from leagues.running.threads import InThread
from leagues.storage.store import Store
from leagues.storage.suspended import conduct_of, lift, suspend, suspensions_of

__all__ = ["Discipline", "DisciplineServer"]

log = logging.getLogger("leagues.running.discipline")


class DisciplineServer(Protocol):
    """What it takes of the arena."""

    def give_up(self, bot: str, *, cause: str = "start") -> None:
        """Give up all seats of a bot in running games."""

    def tell(self, bot: str, message: str, waiting_for: tuple[str, ...] = ()) -> None:
        """Tell an idle bot something."""


class Discipline:
    """The suspensions of one run.

    Args:
        suspensions: Those that are known from outside; others are added.
        in_thread: Runs the store's calls, which block.
        say: Is told of each suspension that the run itself finds or ends.
    """

    def __init__(
        self,
        server: DisciplineServer,
        store: Store,
        config: LeagueConfig,
        *,
        suspensions: Suspensions,
        in_thread: InThread,
        say: Callable[[str], None],
    ) -> None:
        self.suspensions = suspensions
        self._server = server
        self._store = store
        self._league = config.name
        self._rules = config.suspension
        self._conduct = Conduct(config.suspension)
        self._in_thread = in_thread
        self._say = say
        # Games that end at the same time are judged one after the other.
        self._one_by_one = trio.Lock()
        self._told: frozenset[Suspension] = frozenset()

    async def load(self) -> None:
        """Go on where the last run has stopped."""
        run, store, league = self._in_thread, self._store, self._league
        for known in await run(suspensions_of, store, league):
            self.suspensions.add(known)
        self._conduct = await run(conduct_of, store, league, self._rules)

    @property
    def left_out(self) -> frozenset[str]:
        """The entrants whose games are not played at all."""
        is_left_out = self._rules.games == Suspended.LEAVE_OUT
        return self.suspensions.names if is_left_out else self.suspensions.excluded

    @property
    def stood_in(self) -> frozenset[str]:
        """The entrants whose seats are given up from the first card."""
        return self.suspensions.names - self.left_out

    def take_up(self, appeals: Appeals) -> None:
        """Exclude those whom the host has excluded, and no others."""
        self.suspensions.exclude(
            Suspension(name, entry.reason, is_excluded=True)
            for name, entry in appeals.excluded.items()
        )
        self.suspensions.withdraw(appeals.withdrawn)

    async def judge(self, record: Record) -> None:
        """Take note of how the bots of a game have done; suspend where it says so."""
        causes = {item.seat: item.cause for item in record.given_up}
        async with self._one_by_one:
            for index, seat in enumerate(record.seats):
                found = self._conduct.note(
                    seat.bot,
                    seat.version,
                    cause=causes.get(index),
                    departure=departure_in(record, index),
                )
                if found is not None and seat.bot not in self.suspensions.names:
                    await self._in_thread(suspend, self._store, self._league, found)
                    self.suspensions.add(found)

    async def lift_other_versions(self, present: Mapping[str, Presence]) -> None:
        """Let those play again that have come back with another version."""
        for suspension in self.suspensions.entries:
            name, here = suspension.entrant, present.get(suspension.entrant)
            versions = {one.version for one in here.introductions} if here else set()
            if suspension.version and versions - {suspension.version}:
                await self._in_thread(lift, self._store, self._league, name)
                self.suspensions.lift(name)
                self._say(f"{name} has come with another version and plays again")

    def tell(self) -> None:
        """Tell host, log and bots of suspensions that are new."""
        for suspension in self.suspensions.entries:
            if suspension not in self._told:
                self._tell(suspension)
        self._told = frozenset(self.suspensions.entries)

    def _tell(self, suspension: Suspension) -> None:
        name, league = suspension.entrant, self._league
        log.warning(
            Event(
                "excluded" if suspension.is_excluded else "suspended",
                league=league,
                entrant=name,
                version=suspension.version or "",
                why=suspension.reason,
            )
        )
        if suspension.is_excluded:
            # Games that run go on, so that they are whole if it is reinstated.
            self._server.tell(name, f"league {league}: excluded: {suspension.reason}")
            return
        if suspension.version is None:
            # The host hears of it from whoever ran the program.
            self._server.give_up(name, cause="start")
            return
        games = "left out" if self.left_out else "played by the stand-in"
        text = f"suspended: {suspension.text}; its remaining games are {games}"
        self._say(text)
        self._server.tell(name, f"league {league}: {text}")
