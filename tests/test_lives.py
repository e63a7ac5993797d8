"""Lives: games that share their deals are never seen by one life of a program twice."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar, TypeVarTuple

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from arena.record import Record, read_record
from arena.rotations import game_number
from arena.server import VoidGame
from arena.spec import GameSpec
from leagues.blocks import Blocks, rotations
from leagues.config import EntrantKind, LeagueConfig, Suspended, SuspensionRules
from leagues.programs.lives import LIFE_SECONDS, RESTARTS_SHARE, Lives
from leagues.running.lobby import Lobby
from leagues.running.runner import Outcome, run_league
from leagues.running.suspensions import Suspensions
from leagues.storage.store import Store
from tests.league_games import NAMES, league_config
from tests.league_server import FakeServer

BLOCKS = Blocks(4)
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


@given(st.sets(st.integers(1, 60)), st.sets(st.integers(1, 60)))
def test_every_game_has_its_life_and_no_life_two_of_a_block(
    missing: set[int], broken: set[int]
) -> None:
    """Whatever is missing, and whichever games have to come back once."""
    lives = Lives(BLOCKS, missing, begun=(), are_many=True)
    left, waiting = set(broken), set(missing)
    while lives:
        numbers = lives.next()
        blocks = [BLOCKS.block(number) for number in numbers]
        again = left.intersection(numbers)
        left -= again
        lives.wait(again)
        waiting -= set(numbers) - again

        assert sorted(set(blocks)) == blocks
        assert numbers
        assert waiting == {*lives}

    assert set() == waiting


def test_bots_without_a_memory_need_one_life() -> None:
    """All games are there at once, in their order, and new ones at any time."""
    lives = Lives(BLOCKS, range(1, 41), begun=(), are_many=False)

    assert list(range(1, 41)) == lives.next()
    lives.begin(1, now=0.0)
    assert lives.takes_new(now=1e9)
    assert not lives


def test_a_life_takes_up_new_blocks_for_a_minute() -> None:
    """It begins with its first game; blocks that were begun are not new."""
    lives = Lives(BLOCKS, range(1, 41), begun=[2], are_many=True)
    numbers = lives.next()

    assert list(range(1, 41, 4)) == numbers
    assert lives.takes_new(now=1e9)
    lives.begin(1, now=1e9)
    assert lives.takes_new(now=1e9 + LIFE_SECONDS - 1)
    assert not lives.takes_new(now=1e9 + LIFE_SECONDS)
    assert [1, 5] == [number for number in numbers if not lives.is_new(number)]


def test_programs_that_start_slowly_have_longer_lives() -> None:
    """A start costs at most a tenth of the time in which games are begun."""
    lives = Lives(BLOCKS, range(1, 41), begun=(), are_many=True)
    lives.next()
    lives.begin(1, now=0.0)
    number = lives.next(renewed_at=100.0)[0]
    lives.begin(number, now=130.0)

    assert lives.takes_new(now=130.0 + RESTARTS_SHARE * 30 - 1)
    assert not lives.takes_new(now=130.0 + RESTARTS_SHARE * 30)


@dataclass
class Watched(FakeServer):
    """A server that knows which life of the programs has seen which deals."""

    game_seconds_max = 8.0
    life: int = 1
    begun: list[tuple[int, GameSpec]] = field(default_factory=list)
    """The life and the game of each that came to an answer."""

    async def play(self, spec: GameSpec) -> Record:
        """Play a game."""
        try:
            record = await super().play(spec)
        except VoidGame as void:
            if void.record is None or any(deal.plays for deal in void.record.deals):
                self.begun.append((self.life, spec))
            raise
        self.begun.append((self.life, spec))
        return record

    async def renew(self) -> None:
        """End all programs and start them afresh."""
        assert not +self.open_games, "programs are ended while they play"
        self.life += 1
        self.go(*NAMES)
        await trio.sleep(1)
        self.come(NAMES)

    def check(self) -> None:
        """No life has seen the deals of a block twice."""
        seen = [(life, spec.block) for life, spec in self.begun]

        assert len(seen) == len(set(seen))


def watched(**options: object) -> Watched:
    """A server with all bots connected."""
    server = Watched(**options)  # type: ignore[arg-type]
    server.come(NAMES)
    return server


def rotated(*, games: int = 40, seed: str | None = None) -> LeagueConfig:
    """A rotated league."""
    return league_config(games=games, seed=seed, luck="rotate")


async def here(
    call: Callable[[*Arguments], Result],
    *arguments: *Arguments,
    limiter: trio.CapacityLimiter | None = None,
) -> Result:
    """Run a call of the store at once, so that no time passes meanwhile."""
    await trio.lowlevel.checkpoint()
    return call(*arguments)


async def play(server: Watched, store: Store, config: LeagueConfig) -> Outcome:
    """Play a league whose programs could remember deals."""
    return await run_league(server, store, config, renew=server.renew, in_thread=here)


def check_blocks(store: Store, *, blocks: int) -> list[Record]:
    """Each block is one seating in all its rotations, dealt from one seed."""
    records = [read_record(text) for _, text in store.records("demo")]
    found = [records[first : first + 4] for first in range(0, len(records), 4)]
    seeds = {block[0].sequence_seed for block in found}

    assert list(range(1, 4 * blocks + 1)) == [game_number(one) for one in records]
    assert blocks == len(seeds)
    for number, block in enumerate(found, start=1):
        seats = [tuple(seat.bot for seat in one.seats) for one in block]
        names = rotations(range(4))

        assert [[seats[0][at] for at in turn] for turn in names] == list(
            map(list, seats)
        )
        assert {(number, block[0].sequence_seed, block[0].attempt)} == {
            (one.block, one.sequence_seed, one.attempt) for one in block
        }
        for one in block:
            for deal, first in zip(one.deals, block[0].deals, strict=False):
                assert (first.hands, first.dealer) == (deal.hands, deal.dealer)
    return records


async def test_a_rotated_league_deals_each_block_once(
    store: Store, autojump_clock: MockClock
) -> None:
    """Four lives play ten blocks, the games of each from one seed."""
    server = watched()
    outcome = await play(server, store, rotated())
    server.check()

    assert ("finished", 4) == (outcome.reason, server.life)
    check_blocks(store, blocks=10)


async def test_house_bots_need_no_new_life(
    store: Store, autojump_clock: MockClock
) -> None:
    """Bots that are pure may play all rotations at once."""
    server = watched()
    outcome = await run_league(server, store, rotated())

    assert ("finished", 1) == (outcome.reason, server.life)
    check_blocks(store, blocks=10)


async def test_a_long_league_has_blocks_open_for_minutes_only(
    store: Store, autojump_clock: MockClock
) -> None:
    """New blocks wait once a life is old, so that those which are open get closed."""
    server = watched()
    config = replace(rotated(games=160), tables_max=1)
    await play(server, store, config)
    open_most, finished = 0, set[int]()
    for life in range(1, server.life + 1):
        numbers = [_number(spec) for at, spec in server.begun if at == life]
        finished.update(numbers)
        open_most = max(open_most, len(BLOCKS.open(finished)))
    server.check()

    # A game takes four seconds on average, so a life has some fifteen.
    assert 10 < open_most < 30
    assert 10 < server.life < 16
    check_blocks(store, blocks=40)


def _number(spec: GameSpec) -> int:
    return int(spec.game_id.rpartition("-")[2])


@pytest.mark.parametrize("seed", [None, "7"])
async def test_a_void_game_waits_for_programs_that_have_forgotten_it(
    store: Store, autojump_clock: MockClock, seed: str | None
) -> None:
    """It is played again with the deals of its block, in a later life."""
    server = watched(
        breakdown=lambda spec, begun: "the plug" if begun < _number(spec) % 3 else ""
    )
    outcome = await play(server, store, rotated(seed=seed))
    server.check()

    assert "finished" == outcome.reason
    assert 10 == len(set(server.seeds))
    assert 40 + 14 + 2 * 13 == len(server.seeds)
    check_blocks(store, blocks=10)


async def test_a_block_keeps_its_deals_over_runs(
    store: Store, autojump_clock: MockClock
) -> None:
    """What a run has begun the next one goes on with; untouched blocks are new."""
    config = rotated()
    first, drain = watched(), trio.Event()
    first.steps, first.on_steps_over = 34, drain.set
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            lambda: run_league(first, store, config, renew=first.renew, drain=drain)
        )
    begun = {spec.block: spec.attempt for _, spec in first.begun}
    second = watched(life=100)
    second.begun += first.begun
    outcome = await play(second, store, config)
    second.check()
    records = check_blocks(store, blocks=10)

    assert 0 < len(first.begun) < 40
    assert "finished" == outcome.reason
    assert begun.items() <= {one.block: one.attempt for one in records}.items()


async def test_a_block_without_a_finished_game_is_dealt_afresh(
    store: Store, autojump_clock: MockClock
) -> None:
    """What a run only began in vain may have been seen by anybody."""
    first = watched(breakdown=lambda spec, begun: "cursed")
    outcome = await play(first, store, rotated(games=4))
    second = watched()
    await play(second, store, rotated(games=4))

    assert "stuck" == outcome.reason
    assert set() == set(first.seeds) & set(second.seeds)
    check_blocks(store, blocks=1)


async def test_a_league_without_a_suspended_bot_ends(
    store: Store, autojump_clock: MockClock
) -> None:
    """Blocks that are left out hold up no life."""
    suspensions = Suspensions()
    suspensions.lose("fox")
    config = replace(rotated(), suspension=SuspensionRules(games=Suspended.LEAVE_OUT))
    server = watched()
    outcome = await run_league(
        server, store, config, suspensions=suspensions, renew=server.renew
    )
    league = store.league("demo")
    missing = store.missing_games("demo")

    assert ("suspended", "stopped") == (outcome.reason, outcome.league.state)
    assert [n for n in range(1, 41) if "fox" in league.seats(n)] == missing
    assert 4 == server.life


async def test_programs_that_remember_deals_are_not_admitted(
    store: Store, autojump_clock: MockClock
) -> None:
    """Without a way to start them afresh a run does not begin."""
    config = rotated()
    entrants = (
        replace(config.entrants[0], kind=EntrantKind.COMMAND),
        *config.entrants[1:],
    )

    with pytest.raises(AssertionError, match="a program could remember deals"):
        await run_league(watched(), store, replace(config, entrants=entrants))


def test_what_is_withdrawn_from_the_lobby_holds_up_nobody() -> None:
    """Neither is it taken nor are its bots waited for, until it is put back."""
    lobby = Lobby({1: ("ann", "bob"), 2: ("ann", "cat"), 3: ("bob", "ann")})
    lobby.take({"ann": 0, "bob": 0})
    absent = lobby.absent()
    withdrawn = lobby.withdraw(lambda number: number > 1)

    assert ["cat"] == absent
    assert [2, 3] == withdrawn
    assert [] == lobby.absent()
    assert 1 == lobby.take({"ann": 1, "bob": 1})
    assert lobby.take({"ann": 1, "bob": 1}) is None
    lobby.put_back(3, ("bob", "ann"))
    assert 3 == lobby.take({"ann": 1, "bob": 1})
