"""Practice tables: who asks is seated, who is gone holds up nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from trio.testing import wait_all_tasks_blocked

from arena.introduction import Introduction
from arena.record import Record
from arena.server import Presence, VoidGame
from arena.spec import GameSpec
from leagues.running.practice import (
    ABSENT_SECONDS,
    NO_TABLE,
    OPPONENTS,
    TABLES_PER_BOT,
    PracticeTables,
)
from tests.sample_records import sample_record

HOUSES = {f"{house} (house)": Presence(1, 64, 0) for house in OPPONENTS}
RECORD = sample_record(1, target=26)


class Bots:
    """A server without games: they run until the test ends them."""

    def __init__(self) -> None:
        self.houses = dict(HOUSES)
        self.bots: dict[str, Presence] = {}
        self.specs: dict[str, GameSpec] = {}
        """The games that are running."""
        self.count = 0
        self.told: list[tuple[str, str]] = []
        self._ends: dict[str, trio.Event] = {}
        self._void = False
        self._changed = trio.Event()

    async def play(self, spec: GameSpec) -> Record:
        """Play until `end`."""
        self.count += 1
        self.specs[spec.game_id] = spec
        self._ends[spec.game_id] = trio.Event()
        try:
            await self._ends[spec.game_id].wait()
        finally:
            del self.specs[spec.game_id]
        if self._void:
            raise VoidGame("broken", RECORD)
        return RECORD

    def end(self, *, void: bool = False) -> None:
        """End the game that began first."""
        self._void = void
        self._ends[next(iter(self.specs))].set()

    def presence(self) -> dict[str, Presence]:
        """Return the house bots."""
        return self.houses

    def practice_presence(self) -> dict[str, Presence]:
        """Return the bots that practise."""
        return self.bots

    async def presence_changed(self) -> None:
        """Wait for `see`."""
        await self._changed.wait()

    async def see(self, **max_games: int) -> None:
        """Let exactly these bots practise, with so many games at once."""
        self.bots = {name: Presence(1, count, 0) for name, count in max_games.items()}
        self._changed.set()
        self._changed = trio.Event()
        await wait_all_tasks_blocked()

    def tell(self, bot: str, message: str, waiting_for: tuple[str, ...] = ()) -> None:
        """Keep what a bot is told."""
        self.told.append((bot, message))

    async def meet(self, introduction: Introduction) -> None:
        """Let exactly this bot practise, with one game at once."""
        present = Presence(1, 1, 0, (introduction,))
        self.bots = {introduction.bot: present}
        self._changed.set()
        self._changed = trio.Event()
        await wait_all_tasks_blocked()


@asynccontextmanager
async def practice() -> AsyncIterator[tuple[Bots, trio.Event]]:
    """Keep practice tables while the block lasts."""
    bots, drain = Bots(), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(PracticeTables(bots, drain).keep)
        await wait_all_tasks_blocked()
        yield bots, drain
        nursery.cancel_scope.cancel()


async def test_a_bot_is_seated_with_house_bots() -> None:
    """A bot gets as many games as it takes, with itself in another seat in each."""
    async with practice() as (bots, _):
        await bots.see(fox=4)
        specs = list(bots.specs.values())
    seats = [[seat.bot for seat in spec.seats] for spec in specs]

    assert 4 == len(specs)
    assert {0, 1, 2, 3} == {names.index("fox") for names in seats}
    assert all({"fox", *HOUSES} == set(names) for names in seats)
    assert all(spec.practice for spec in specs)
    assert 4 == len({spec.sequence_seed for spec in specs})


@pytest.mark.parametrize(
    ("presets", "players", "expected"),
    [
        (("*",), (3, 4, 5), ("arena", 4)),
        (("spot", "party"), (4,), ("party", 4)),
        (("party",), (3, 7), ("party", 3)),
        (("black_maria",), (3,), ("black_maria", 3)),
    ],
)
async def test_a_bot_practises_what_it_can_play(
    presets: tuple[str, ...], players: tuple[int, ...], expected: tuple[str, int]
) -> None:
    """Who does not know the usual rules gets a table under others."""
    async with practice() as (bots, _):
        await bots.meet(Introduction("fox", presets=presets, players=players))
        (spec,) = bots.specs.values()

    assert expected == (spec.rules.preset, spec.rules.players)
    assert spec.rules.players == len({seat.bot for seat in spec.seats})


async def test_who_cannot_be_seated_is_told_once() -> None:
    """Seven seats are too many for the house bots of the practice tables."""
    async with practice() as (bots, _):
        for _ in range(2):
            await bots.meet(Introduction("fox", presets=("*",), players=(7,)))

    assert [("fox", NO_TABLE)] == bots.told
    assert 0 == bots.count


async def test_a_greedy_bot_gets_only_so_many_tables() -> None:
    """However many games a bot offers, others find the arena's time too."""
    async with practice() as (bots, _):
        await bots.see(fox=1000, owl=1)
        count = len(bots.specs)

    assert TABLES_PER_BOT + 1 == count


async def test_an_ended_game_is_followed_by_the_next() -> None:
    """A bot that stays is seated again."""
    async with practice() as (bots, _):
        await bots.see(fox=1)
        bots.end()
        await wait_all_tasks_blocked()
        running = len(bots.specs)

    assert (1, 2) == (running, bots.count)


async def test_nobody_is_seated_without_house_bots() -> None:
    """Games begin once all opponents are there."""
    async with practice() as (bots, _):
        bots.houses = {}
        await bots.see(fox=1)
        before = len(bots.specs)
        bots.houses = dict(HOUSES)
        await bots.see(fox=1)
        after = len(bots.specs)

    assert (0, 1) == (before, after)


async def test_a_void_game_is_not_followed_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """What broke one game down would break the next one too."""
    async with practice() as (bots, _):
        await bots.see(fox=1)
        bots.end(void=True)
        await wait_all_tasks_blocked(0.5)
        soon = len(bots.specs)
        await trio.sleep(1.5)
        later = len(bots.specs)

    assert (0, 1) == (soon, later)


@pytest.mark.parametrize("is_back", [True, False])
async def test_a_bot_that_is_gone_has_no_game(
    autojump_clock: trio.testing.MockClock, is_back: bool
) -> None:
    """A lost connection stops the game, unless the bot comes back in time."""
    async with practice() as (bots, _):
        await bots.see(fox=1)
        await bots.see()
        if is_back:
            await trio.sleep(ABSENT_SECONDS / 2)
            await bots.see(fox=1)
        await trio.sleep(2 * ABSENT_SECONDS)
        running = len(bots.specs)

    assert (int(is_back), 1) == (running, bots.count)


async def test_a_drain_lets_games_end_and_starts_none() -> None:
    """Running games go on, apart from those whose bot is gone."""
    async with practice() as (bots, drain):
        await bots.see(fox=1, owl=1)
        await bots.see(fox=1)
        drain.set()
        await wait_all_tasks_blocked()
        going_on = [spec.seats for spec in bots.specs.values()]
        bots.end()
        await wait_all_tasks_blocked()
        left = len(bots.specs)

    assert ["fox"] == [s.bot for seats in going_on for s in seats if s.bot in "fox owl"]
    assert (0, 2) == (left, bots.count)
