"""
Sparring: one bot's program plays unrated games against house bots.

    async with open_sparring(plan, logs=…) as sparring:
        record = await sparring.play(1)

Nothing is stored; the caller gets the records. The bot's program is started
once: when it ends before its games do, its seats are given up and the games go on
without it, so that the record shows where that was.
"""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import trio

from arena.introduction import WHERE_TO_CHANGE
from arena.record import Fault, Record
from arena.rules import RuleSet, preset
from arena.seeds import sequence_seed, table_key
from arena.server import Server, VoidGame, open_server
from arena.spec import GameSpec, SeatSpec, TimeControl
from leagues.limits import NO_LIMITS, SANDBOX_LIMITS
from leagues.programs.processes import (
    Program,
    ProgramFailure,
    house_command,
    open_programs,
)
from leagues.programs.sandbox import View, open_sandboxes
from leagues.rules_line import rules_line
from leagues.running.started import StartedTokens

__all__ = ["Sparring", "SparringError", "SparringPlan", "open_sparring"]

_VOID_MAX = 3
"""How often a void game is played again before something must be wrong."""
_HASH_SHOWN = 6
"""How many digits of the rules' hash stand in names."""
_TAG_LENGTH_MAX = 28
"""How long the name of the rules may be, so that games have at most 80 characters."""
_LOOK_SECONDS = 0.5
"""How often running games are looked at for turns without an answer."""


class SparringError(Exception):
    """The games can't be played: a program does not come, or a game stays void."""


@dataclass(frozen=True, slots=True)
class SparringPlan:
    """What is to be played."""

    bot: str
    """The name of the bot."""
    command: tuple[str, ...]
    opponents: tuple[str, ...]
    """House bots; one may stand here several times."""
    rules: RuleSet
    seed: str
    """Decides all deals."""
    time_control: TimeControl
    start_seconds: float
    is_attached: bool = False
    """Whether the bot's program has the arena's terminal, for a debugger."""
    view: View | None = None
    """What the bot sees of the disk in a sandbox; `None` runs it without one."""

    def names(self) -> tuple[str, ...]:
        """Return the names at the table: the bot, then its opponents, all different."""
        names = [self.bot]
        for house in self.opponents:
            count = 1
            name = house
            while name in names:
                count += 1
                name = f"{house}-{count}"
            names.append(name)
        return tuple(names)

    @property
    def series(self) -> str:
        """
        What the games are named by: the seed, and the rules if they are special.

        So games of one seed under other rules have other names: `7` for the usual
        rules, else `spot-4seats-7`, with the beginning of the rules' hash in it where
        single options differ from the preset.
        """
        rules = self.rules
        if rules == preset("arena"):
            return self.seed
        tag = f"{rules.preset}-{rules.players}seats"
        if rules.overrides:
            tag += f"-{rules.hash[:_HASH_SHOWN]}"
        if len(tag) > _TAG_LENGTH_MAX:
            tag = f"{rules.players}seats-{rules.hash[:_HASH_SHOWN]}"
        return f"{tag}-{self.seed}"

    def spec(self, number: int, *, attempt: int = 0) -> GameSpec:
        """
        Return one of the games.

        The bot sits in seat 0 in the first one and moves on by one seat in each
        game after it.
        """
        secret = hashlib.sha256(b"hearts/1/sparring" + self.seed.encode()).digest()
        names, shift = self.names(), (number - 1) % self.rules.players
        seats = names[len(names) - shift :] + names[: len(names) - shift]
        return GameSpec(
            game_id=f"play-{self.series}-{number}",
            rules=self.rules,
            seats=tuple(map(SeatSpec, seats)),
            sequence_seed=sequence_seed(secret, block=number, attempt=attempt),
            table_key=table_key(f"play-{self.seed}", number),
            block=number,
            attempt=attempt,
            time_control=self.time_control,
        )


class Sparring:
    """The open arena of a plan; made by `open_sparring`."""

    def __init__(self, plan: SparringPlan, server: Server) -> None:
        self.plan = plan
        self.failures: list[ProgramFailure] = []
        """Programs that have ended; the bot's own among them at most once."""
        self._server = server
        self._failed = trio.Event()

    async def wait_until_present(self) -> int:
        """
        Wait for all bots; return how many games the bot plays at once.

        Raises:
            SparringError: a program ended, did not connect in time, or does not
                play by the rules.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._cancel_on_failure, nursery.cancel_scope)
            while not set(self.plan.names()) <= self._server.presence().keys():
                await self._server.presence_changed()
            nursery.cancel_scope.cancel()
        if self.failures:
            raise SparringError(str(self.failures[0]))
        present = self._server.presence()
        for name in self.plan.names():
            if reason := present[name].refusal(self.plan.rules):
                raise SparringError(
                    f"the rules are {rules_line(self.plan.rules)}, but {name} "
                    f"{reason}; {WHERE_TO_CHANGE}"
                )
        return present[self.plan.bot].max_games

    async def play(self, number: int) -> Record:
        """
        Play a game, again with other deals if it is void.

        Raises:
            SparringError: the game was void three times.
        """
        for attempt in range(_VOID_MAX):
            try:
                return await self._server.play(self.plan.spec(number, attempt=attempt))
            except VoidGame as void:
                reason = void.reason
        raise SparringError(f"game {number} was void {_VOID_MAX} times: {reason}")

    async def first_late_turn(self) -> Fault:
        """Wait until the bot has left a turn of a running game without an answer."""
        while True:
            for fault in await self._server.faults_of(self.plan.bot):
                if fault.kind == "late":
                    return fault
            await trio.sleep(_LOOK_SECONDS)

    def fail(self, failure: ProgramFailure) -> None:
        """Take note of a program that ended, and give its seats up."""
        self.failures.append(failure)
        self._failed.set()
        self._server.give_up(failure.bot)

    async def _cancel_on_failure(self, waiting: trio.CancelScope) -> None:
        await self._failed.wait()
        waiting.cancel()


@asynccontextmanager
async def open_sparring(plan: SparringPlan, *, logs: Path) -> AsyncIterator[Sparring]:
    """
    Start an arena and all programs; end them when the block is left.

    Args:
        plan: what is to be played.
        logs: the folder for the programs' logs; it must exist.

    Raises:
        SandboxError: the bot should run in a sandbox, and there can be none.
        NotStartedError: the machine does not let a program run.
    """
    tokens = StartedTokens()
    limits = NO_LIMITS if plan.view is None else SANDBOX_LIMITS
    name, *opponents = plan.names()
    programs = [
        Program(
            name,
            plan.command,
            restarts_max=0,
            is_attached=plan.is_attached,
            limits=limits,
            view=plan.view,
        ),
        *(
            Program(opponent, house_command(house), restarts_max=0)
            for opponent, house in zip(opponents, plan.opponents, strict=True)
        ),
    ]
    with open_sandboxes([name]) if plan.view else nullcontext() as sandboxes:
        sockets = sandboxes.sockets if sandboxes else []
        async with open_server(tokens=tokens, program_sockets=sockets) as server:
            sparring = Sparring(plan, server)
            async with open_programs(
                programs,
                address=server.address,
                socket=server.socket,
                tokens=tokens,
                logs=logs,
                on_failure=sparring.fail,
                start_seconds=plan.start_seconds,
                sandboxes=sandboxes,
            ):
                yield sparring
