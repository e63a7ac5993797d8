"""The disk of a simulated arena: how long its store takes, and when it all crashes.

A call of the store is made here and now. The arena may crash before it, at a statement
of its transaction, or after it; then the directory lies as it was left.
"""

import shutil
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar, TypeVarTuple

import trio

from arena.record import Record
from arena.rotations import game_number
from leagues.storage.store import Store
from tests.simulation.clockwork import name_of

if TYPE_CHECKING:
    from tests.simulation.world import World

_PLANNING: Final = frozenset(
    {"open_league", "seat_anew", "plan_games", "end_after", "stop_run"}
)
"""The calls that may change entrants, seats or the end of a league."""

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class ArenaCrash(BaseException):
    """The arena's process is gone; nothing may catch it."""


def is_crash(error: BaseException) -> bool:
    """Tell whether a crash is all that ended a run."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_crash, error.exceptions))
    return isinstance(error, ArenaCrash)


class Disk:
    """What the store of a world's arena lies on."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._writes_until_crash = 0

    async def in_thread(
        self,
        call: Callable[[*Arguments], Result],
        *arguments: *Arguments,
        limiter: trio.CapacityLimiter | None = None,
    ) -> Result:
        """Run a call of the store here and now, as long as the disk takes."""
        await trio.lowlevel.checkpoint()
        async with limiter or trio.CapacityLimiter(1):
            with trio.CancelScope(shield=True):
                await self._wait()
                result = self._called(call, *arguments)
                await self._wait()
        return result

    def on_write(self, *event: object) -> None:
        """Crash in a transaction, if this is its statement."""
        if self._writes_until_crash > 0:
            self._writes_until_crash -= 1
            if self._writes_until_crash == 0:
                self.crash("in a transaction")

    def crashes(self, share: float) -> bool:
        """Tell whether the arena crashes now, by this chance."""
        world = self._world
        if world.is_calm or world.crashes >= world.plan.crashes_max:
            return False
        return world.chance.random() < share

    def crash(self, where: str) -> None:
        """Throw away what is in memory; the disk stays as it is."""
        world = self._world
        world.crashes += 1
        world.clockwork.note(f"the arena crashes {where}")
        after = world.folder / f"life-{world.lives}"
        shutil.copytree(world.directory, after)
        world.directory = after
        self._writes_until_crash = 0
        if world.door is not None:
            world.door.die()
        raise ArenaCrash

    async def _wait(self) -> None:
        self._require_life()
        if most := self._world.plan.disk_seconds:
            await trio.sleep(self._world.chance.uniform(0, most))
            self._require_life()

    def _require_life(self) -> None:
        if self._world.door is None or not self._world.door.is_alive:
            raise ArenaCrash

    def _called(
        self,
        call: Callable[[*Arguments], Result],
        *arguments: *Arguments,
    ) -> Result:
        world = self._world
        # A run listens all the time, and that changes nothing on the disk.
        is_write = (name := name_of(call)) != "_decisions"
        will_crash = is_write and self.crashes(world.plan.crash_a_write)
        # Before the call, at a statement of its transaction, or after it.
        self._writes_until_crash = world.chance.randint(1, 9) if will_crash else 0
        if isinstance(call, partial) and name == "plan_games":
            world.ladder.plan(call.args[1], **call.keywords)
        result = call(*arguments)
        world.judge.note_call(name)
        if name in _PLANNING:
            with Store.open_read_only(world.directory) as store:
                world.look(store)
        for argument in arguments:
            if isinstance(argument, Record) and isinstance(result, bool):
                self._note_commit(argument, is_new=result)
        if self._writes_until_crash:
            self.crash(f"after {name}")
        return result

    def _note_commit(self, record: Record, *, is_new: bool) -> None:
        assert is_new, f"{record.game} was stored already"
        world = self._world
        with Store.open_read_only(world.directory) as store:
            number = game_number(record)
            text = store.record(record.league, number, with_withheld=True)
        world.committed[number] = text
        world.roster.leave(number)
        world.clockwork.note(f"{record.game} is stored")
