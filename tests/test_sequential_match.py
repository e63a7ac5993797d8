"""A match that ends with its test, by the real runner on a virtual clock."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, TypeVarTuple

import pytest
import trio
from trio.testing import MockClock

from arena.record import Record
from arena.rules import RuleSet
from arena.spec import GameSpec
from leagues.appeals import Agenda
from leagues.audit import Action, AuditEntry
from leagues.config import LeagueConfig
from leagues.match import Claims
from leagues.match_config import Side, match_config
from leagues.match_score import MatchResult
from leagues.running.runner import Outcome, run_league
from leagues.running.sequential_match import AHEAD_MIN
from leagues.storage.audited import decide, now
from leagues.storage.match_stored import match_result
from leagues.storage.store import Store
from tests.league_server import FakeServer

NAMES = ("new-1", "new-2", "old-1", "old-2")
OLD = frozenset(NAMES[2:])
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


def match(
    claims: Claims | None = None, *, blocks: int = 60, seed: str | None = "1"
) -> LeagueConfig:
    """A match of short games between bots that play at random."""
    return match_config(
        "new-old",
        (Side("new", house="careful"), Side("old", house="lowest")),
        rules=RuleSet(target=10),
        blocks=blocks,
        claims=claims or Claims(0, 0.8),
        practice_seed=seed,
    )


@dataclass
class Watched(FakeServer):
    """A server that starts programs afresh, and knows which life has begun what."""

    life: int = 1
    begun: list[tuple[int, GameSpec]] = field(default_factory=list)

    async def play(self, spec: GameSpec) -> Record:
        """Play a game, and note who has seen its deals."""
        self.begun.append((self.life, spec))
        return await super().play(spec)

    async def renew(self) -> None:
        """End all programs and start them afresh."""
        assert not +self.open_games, "programs are ended while they play"
        self.life += 1
        self.go(*NAMES)
        await trio.sleep(1)
        self.come(NAMES)

    @property
    def blocks(self) -> int:
        """How many blocks were begun."""
        return len({spec.block for _, spec in self.begun})


def watched(**options: object) -> Watched:
    """A server with all bots connected."""
    server = Watched(**options)  # type: ignore[arg-type]
    server.come(NAMES)
    return server


async def here(
    call: Callable[[*Arguments], Result],
    *arguments: *Arguments,
    limiter: trio.CapacityLimiter | None = None,
) -> Result:
    """Run a call of the store at once, so that no time passes meanwhile."""
    await trio.lowlevel.checkpoint()
    return call(*arguments)


async def play(
    server: Watched,
    store: Store,
    config: LeagueConfig,
    *,
    drain: trio.Event | None = None,
    are_house_bots: bool = False,
) -> Outcome:
    """Play a match."""
    renew = None if are_house_bots else server.renew
    return await run_league(
        server, store, config, renew=renew, drain=drain, in_thread=here
    )


def result(store: Store) -> MatchResult:
    """What the match came to."""
    return match_result(store, store.league("new-old"))


@pytest.mark.parametrize("are_house_bots", [False, True])
async def test_a_match_ends_once_one_bot_is_clearly_better(
    store: Store, autojump_clock: MockClock, are_house_bots: bool
) -> None:
    """A bot that is given up again and again is worse, and few blocks say so."""
    server = watched(unsteady=OLD)
    config = match(seed=None)
    outcome = await play(server, store, config, are_house_bots=are_house_bots)
    found = result(store)
    # House bots remember nothing; of all others no life sees a deal twice.
    seen = [
        (life, spec.game_id if are_house_bots else spec.block)
        for life, spec in server.begun
    ]
    assert found.test is not None

    assert ("finished", "test") == (outcome.reason, outcome.league.stopped_by)
    assert ("h1", True) == (found.test.verdict, found.is_over)
    assert found.blocks <= server.blocks <= found.blocks + AHEAD_MIN + 1
    assert found.margin > 0
    assert found.given_up[1] > found.given_up[0] == 0
    assert len(seen) == len(set(seen))


async def test_bots_that_play_alike_are_not_told_apart(
    store: Store, autojump_clock: MockClock
) -> None:
    """Whatever the test ends with, it is not that one is better."""
    outcome = await play(watched(), store, match(Claims(0, 1)))
    found = result(store)
    assert found.test is not None

    assert ("finished", "h0") == (outcome.reason, found.test.verdict)


async def test_a_match_may_run_out_of_blocks(
    store: Store, autojump_clock: MockClock
) -> None:
    """It is over then without a verdict, and its schedule has ended it."""
    outcome = await play(watched(), store, match(Claims(0, 0.01), blocks=11))
    found = result(store)
    assert found.test is not None

    assert ("finished", "") == (outcome.reason, outcome.league.stopped_by)
    assert (11, None) == (found.blocks, found.test.verdict)


async def test_a_stopped_match_goes_on_as_if_nothing_had_been(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """With the same deals it ends at the same block, with the same figures."""
    found = []
    for steps in (0, 7, 77):
        with Store.open(tmp_path / str(steps), command="a test") as store:
            if steps:
                first, drain = watched(unsteady=OLD), trio.Event()
                first.steps, first.on_steps_over = steps, drain.set
                await play(first, store, match(), drain=drain)
                assert not result(store).is_over
            await play(watched(unsteady=OLD), store, match())
            found.append(result(store))

    assert [(one.blocks, one.margin, one.test) for one in found[:1]] * 3 == [
        (one.blocks, one.margin, one.test) for one in found
    ]


async def test_a_match_whose_test_has_ended_plays_no_more(
    store: Store, autojump_clock: MockClock
) -> None:
    """Not even where its last run was killed before it could say so."""
    await play(watched(unsteady=OLD), store, match())
    before = result(store)
    reopen(store)
    server = watched(unsteady=OLD)
    outcome = await play(server, store, match())

    assert [] == server.begun
    assert ("finished", "test") == (outcome.reason, outcome.league.stopped_by)
    assert before.test == result(store).test


def reopen(store: Store) -> None:
    """Leave a league as a killed run leaves it."""
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE leagues SET state='running', stopped_by=''")


async def test_a_game_that_is_made_void_meanwhile_takes_its_block_along(
    store: Store, autojump_clock: MockClock
) -> None:
    """The test goes on without the block, as if it had never been closed."""
    server = watched(unsteady=OLD)
    server.steps = 100
    server.on_steps_over = lambda: void_first(store)
    await play(server, store, match(seed=None))
    found = result(store)
    agenda: Agenda = store.agenda("new-old")
    numbers = {one.number for one in store.results("new-old")}
    assert found.test is not None

    assert 1 == len(agenda.appeals.dropped)
    assert agenda.appeals.dropped.isdisjoint(numbers)
    assert "h1" == found.test.verdict
    assert 5 <= found.games_beyond


def void_first(store: Store) -> None:
    """Make the first finished game void, as a host would beside the run."""
    finished = set(range(1, 361)) - set(store.agenda("new-old").missing)
    entry = AuditEntry(
        action=Action.VOID,
        reason="the lights went out",
        by="host",
        time=now(),
        game=min(finished),
        is_replayed=False,
    )
    decide(store, "new-old", entry)
