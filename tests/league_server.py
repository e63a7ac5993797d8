"""A server in memory: what the runner needs of the arena, without a network.

Games take a random time, are played by the real table, and bots come and go as a
test says.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import trio

from arena.introduction import Introduction
from arena.record import Record
from arena.server import Presence, VoidGame
from arena.spec import GameSpec
from arena.spread import Spread
from arena.table import Loss
from tests.league_games import played

Fault = Callable[[GameSpec, int], str]
"""Says why a game breaks down when it is begun for the n-th time, from 0; an empty
text when it does not."""


@dataclass
class FakeServer:
    """An arena whose bots need no programs."""

    game_seconds_max: ClassVar[float] = 2.0
    """The longest that a game takes."""
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    breakdown: Fault = lambda spec, begun: ""
    unsteady: frozenset[str] = frozenset()
    steps: int = 0
    """After so many beginnings and ends of games `on_steps_over` is called."""
    on_steps_over: Callable[[], None] = lambda: None
    places: dict[str, int] = field(default_factory=dict)
    """How many games each bot that is connected may be in."""
    introductions: dict[str, Introduction] = field(default_factory=dict)
    """What bots say of themselves; who says nothing can play everything."""
    others: dict[str, Introduction] = field(default_factory=dict)
    """What a second session of a bot says, which came after the first one."""
    charged: dict[str, float] = field(default_factory=dict)
    """The mean time a turn of bots that are measured, in seconds."""
    serial: dict[str, float] = field(default_factory=dict)
    """How many seconds each game of a bot takes it, one game after the other."""
    ended: dict[int, float] = field(default_factory=dict)
    """When each game ended."""
    given_up_seats: dict[int, frozenset[int]] = field(default_factory=dict)
    """The seats of each game that were given up from the first card."""
    seeds: list[bytes] = field(default_factory=list)
    """The sequence seed of every game that was begun."""
    given_up: list[tuple[str, str]] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    paused: str = ""
    """Why no new games should start."""
    lateness: Callable[[], float] = lambda: 0.0001
    """How late the arena's timer is now, in seconds."""
    losses: Callable[[GameSpec], tuple[Loss, ...]] = lambda spec: ()
    """Who was lost in a game that broke down."""
    unexcused: list[frozenset[int]] = field(default_factory=list)
    """The seats of every game that was begun that have no excuse."""
    open_games: Counter[str] = field(default_factory=Counter)
    games_max: Counter[str] = field(default_factory=Counter)
    """The most games that each bot was in at once."""
    tables_max: int = 0
    """The most games that ran at once."""

    def __post_init__(self) -> None:
        self._begun: Counter[str] = Counter()
        self._running = 0
        self._lag = Spread()
        self._changed = trio.Event()
        self._computers = {bot: trio.CapacityLimiter(1) for bot in self.serial}

    def come(self, bots: Iterable[str], *, places: int = 8) -> None:
        """Connect bots."""
        self.places |= dict.fromkeys(bots, places)
        self._notify()

    def go(self, *bots: str) -> None:
        """Disconnect bots; their games go on."""
        for bot in bots:
            del self.places[bot]
        self._notify()

    async def play(self, spec: GameSpec) -> Record:
        """Play a game that takes up to two seconds."""
        bots = [seat.bot for i, seat in enumerate(spec.seats) if i not in spec.given_up]
        for bot in bots:
            if self.open_games[bot] >= self.places.get(bot, 0):
                raise VoidGame(f"{bot} is not here", played(spec, answers_max=0))
        spec = self._with_versions(spec)
        self._enter(bots, 1)
        self.seeds.append(spec.sequence_seed)
        self.unexcused.append(spec.unexcused)
        reason = self.breakdown(spec, self._begun[spec.game_id])
        self._begun[spec.game_id] += 1
        self._step()
        try:
            await trio.sleep(self.game_seconds_max * self.chance.random())
            for bot in self.serial.keys() & set(bots):
                async with self._computers[bot]:
                    await trio.sleep(self.serial[bot])
        finally:
            self._enter(bots, -1)
        self.ended[spec.block] = trio.current_time()
        self.given_up_seats[spec.block] = spec.given_up
        self._step()
        if reason:
            record = played(spec, answers_max=30, void=reason)
            raise VoidGame(reason, record, self.losses(spec))
        return played(spec, unsteady=self.unsteady)

    def presence(self) -> dict[str, Presence]:
        """Return who is connected."""
        return {bot: self._present(bot, self._introduced(bot)) for bot in self.places}

    def _introduced(self, bot: str) -> tuple[Introduction, ...]:
        known = (self.introductions.get(bot), self.others.get(bot))
        return tuple(one for one in known if one is not None)

    def _present(self, bot: str, sessions: tuple[Introduction, ...]) -> Presence:
        return Presence(
            1,
            self.places[bot],
            self.open_games[bot],
            sessions,
            self.charged.get(bot, 0.0),
            by_version={one.version: self._present(bot, (one,)) for one in sessions}
            if len(sessions) > 1
            else {},
        )

    def _with_versions(self, spec: GameSpec) -> GameSpec:
        """Return a game with the versions of those who take its seats."""
        versions: list[str | None] = []
        for index, seat in enumerate(spec.seats):
            here = [one.version for one in self._introduced(seat.bot)]
            if index in spec.given_up or not here:
                versions.append(None)
            elif not seat.is_pinned:
                versions.append(here[0])
            elif seat.version in here:
                versions.append(seat.version)
            else:
                reason = f"version {seat.version} of {seat.bot} is not here"
                raise VoidGame(reason, played(spec, answers_max=0))
        return spec.with_versions(versions)

    async def presence_changed(self) -> None:
        """Wait until somebody comes or goes."""
        await self._changed.wait()

    def pause(self) -> str:
        """Return why no new games should start."""
        return self.paused

    def go_on(self) -> None:
        """End a pause."""
        self.paused = ""
        self._notify()

    async def lag(self) -> Spread:
        """Look a hundred times more, at five seconds a call, and return all of it."""
        for _ in range(100):
            self._lag.add(self.lateness())
        return self._lag.copy()

    def give_up(self, bot: str, *, cause: str = "start") -> None:
        """Note who was given up."""
        self.given_up.append((bot, cause))

    def tell(
        self,
        bot: str,
        message: str,
        waiting_for: tuple[str, ...] = (),
        *,
        version: str = "",
    ) -> None:
        """Note what a bot, or one version of it, was told."""
        self.told.append((f"{bot}@{version}" if version else bot, message))

    def _step(self) -> None:
        self.steps -= 1
        if self.steps == 0:
            self.on_steps_over()

    def _enter(self, bots: list[str], change: int) -> None:
        self._running += change
        self.tables_max = max(self.tables_max, self._running)
        for bot in bots:
            self.open_games[bot] += change
            self.games_max[bot] = max(self.games_max[bot], self.open_games[bot])

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
