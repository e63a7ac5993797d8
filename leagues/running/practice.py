"""
Practice: bots that ask for it play unrated games with house bots, at once.

Nothing of it is stored. The deals are random and never come again.
"""

import logging
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import trio

from arena.introduction import WHERE_TO_CHANGE
from arena.logs import Event
from arena.record import Record
from arena.rules import PRESETS, RuleSet, preset
from arena.server import Presence, Server, VoidGame
from arena.spec import GameSpec, SeatSpec
from leagues.programs.guarded import NotStartedError
from leagues.programs.processes import (
    Program,
    ProgramFailure,
    house_command,
    open_programs,
)
from leagues.running.started import StartedTokens

__all__ = [
    "OPPONENTS",
    "PracticeTables",
    "is_practice_house",
    "keep_practice_tables",
    "practice_rules",
]

log = logging.getLogger("leagues.running.practice")

OPPONENTS = ("careful", "ducker", "lowest")
"""The house bots that sit at practice tables."""
_SEATS = (4, 3)
"""How many seats a practice table may have, the usual number first."""
TABLES_PER_BOT = 8
"""The most practice games of one bot at once."""
NO_TABLE = (
    "practice tables have 3 or 4 seats and one pack, but your bot plays no preset "
    f"there; {WHERE_TO_CHANGE}; `arena play` seats any number"
)
"""What a bot is told that can't practise."""
CLOSED_SECONDS = 60.0
"""How long there are no tables where the machine does not let their bots run."""
ABSENT_SECONDS = 10.0
"""How long a bot that lost its connection may take to come back to its game."""


async def keep_practice_tables(
    server: Server, *, tokens: StartedTokens, logs: Path, drain: trio.Event
) -> None:
    """
    Seat every bot that asks for practice, until cancelled.

    Args:
        server: Plays the games.
        tokens: Where the house bots' secrets come from.
        logs: The folder for the house bots' logs; it must exist.
        drain: Once it is set no more games are started; those running end.
    """
    # No entrant can have such a name, so no league is dealt these sessions.
    programs = [
        Program(_house_name(house), house_command(house), log_name=house)
        for house in OPPONENTS
    ]
    while True:
        try:
            async with open_programs(
                programs,
                address=server.address,
                socket=server.socket,
                tokens=tokens,
                logs=logs,
                on_failure=_log_failure,
                on_note=lambda text: log.warning(Event("practice tables", why=text)),
            ):
                await PracticeTables(server, drain).keep()
                return
        except NotStartedError as error:
            # It ends no league, and what the machine lacks may come back.
            log.error(Event("the practice tables are closed", why=error))
            await trio.sleep(CLOSED_SECONDS)


_HOUSE_MARK = " (house)"


def _house_name(house: str) -> str:
    return f"{house}{_HOUSE_MARK}"


def is_practice_house(bot: str) -> bool:
    """Tell whether a bot is one of the house bots of the practice tables."""
    return bot.endswith(_HOUSE_MARK)


def _log_failure(failure: ProgramFailure) -> None:
    log.error(Event("a house bot of the practice tables failed", why=failure))


def practice_rules(present: Presence) -> RuleSet | None:
    """
    Return the rules of a bot's practice games, `arena` wherever it knows that.

    None when it can play under none that so few house bots are enough for.
    """
    for players in _SEATS:
        for name, made in PRESETS.items():
            if players in made.seats:
                rules = preset(name, players=players)
                if not present.refusal(rules):
                    return rules
    return None


class PracticeServer(Protocol):
    """What practice needs of `arena.server.Server`."""

    async def play(self, spec: GameSpec) -> Record:
        """Play one game; `VoidGame` when it does not count."""

    def presence(self) -> Mapping[str, Presence]:
        """Return the bots that are connected for league games."""

    def practice_presence(self) -> Mapping[str, Presence]:
        """Return the bots that are connected for practice."""

    async def presence_changed(self) -> None:
        """Wait until either has changed."""

    def tell(self, bot: str, message: str, waiting_for: tuple[str, ...] = ()) -> None:
        """Tell an idle bot what it waits for."""


class PracticeTables:
    """
    The practice games that are running.

    Args:
        server: Plays the games.
        drain: Once it is set no more games are started; those running end.
    """

    def __init__(self, server: PracticeServer, drain: trio.Event) -> None:
        self._server = server
        self._drain = drain
        self._open_games: Counter[str] = Counter()
        self._game_count = 0
        self._changed = trio.Event()
        self._told: set[str] = set()
        # Names must not come again after a restart of the arena, when bots may
        # still hold open games of before.
        self._prefix = f"practice-{secrets.token_hex(4)}"

    async def keep(self) -> None:
        """Seat whoever has places free, whenever something changes; never returns."""
        houses = {_house_name(house) for house in OPPONENTS}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch_presence)
            nursery.start_soon(self._watch_drain)
            while True:
                changed = self._changed
                if self._is_open(houses):
                    self._seat_all(nursery)
                await changed.wait()

    def _seat_all(self, nursery: trio.Nursery) -> None:
        """Start games for whoever has places free."""
        practising = self._server.practice_presence()
        self._told &= practising.keys()
        for bot, present in practising.items():
            rules = practice_rules(present)
            if rules is None:
                if bot not in self._told:
                    self._told.add(bot)
                    self._server.tell(bot, NO_TABLE)
                continue
            places = min(present.max_games, TABLES_PER_BOT)
            for _ in range(places - self._open_games[bot]):
                self._open_games[bot] += 1
                nursery.start_soon(self._play, bot, rules)

    def _is_open(self, houses: set[str]) -> bool:
        return houses <= self._server.presence().keys() and not self._is_draining

    async def _watch_presence(self) -> None:
        while True:
            await self._server.presence_changed()
            self._look_again()

    async def _watch_drain(self) -> None:
        await self._drain.wait()
        self._look_again()

    def _look_again(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _play(self, bot: str, rules: RuleSet) -> None:
        self._game_count += 1
        seats = [bot, *map(_house_name, OPPONENTS[: rules.players - 1])]
        shift = self._game_count % len(seats)
        spec = GameSpec(
            game_id=f"{self._prefix}-{self._game_count}",
            rules=rules,
            seats=tuple(map(SeatSpec, seats[shift:] + seats[:shift])),
            sequence_seed=secrets.token_bytes(32),
            table_key=secrets.token_bytes(8),
            practice=True,
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._stop_when_gone, bot, nursery.cancel_scope)
                await self._play_once(spec)
                nursery.cancel_scope.cancel()
        finally:
            self._open_games[bot] -= 1
            self._look_again()

    async def _play_once(self, spec: GameSpec) -> None:
        try:
            await self._server.play(spec)
        except VoidGame as void:
            log.warning(Event("void", game=spec.game_id, why=void.reason))
            # Whatever was wrong would still be wrong at once.
            await trio.sleep(1)

    async def _stop_when_gone(self, bot: str, game: trio.CancelScope) -> None:
        """Stop a game whose bot stays away: here nobody waits for its clocks."""
        is_hopeless = False
        while not is_hopeless:
            await self._until(lambda: not self._is_present(bot))
            with trio.move_on_after(ABSENT_SECONDS):
                await self._until(lambda: self._is_present(bot) or self._is_draining)
            is_hopeless = not self._is_present(bot)
        game.cancel()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await self._changed.wait()

    def _is_present(self, bot: str) -> bool:
        return bot in self._server.practice_presence()

    @property
    def _is_draining(self) -> bool:
        return self._drain.is_set()
