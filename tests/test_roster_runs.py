"""Entrants that join, withdraw and come back while a league is played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest
import trio
from trio.testing import MockClock

from arena.spec import GameSpec
from leagues.appeals import AppealError
from leagues.audit import Action, first_fault
from leagues.storage.roster import settled_plans
from leagues.storage.store import Store
from tests.hosted_runs import HEARD_SECONDS, Arguments, HostedRun, Result, at_once
from tests.league_appeals import entry, void
from tests.league_games import NAMES
from tests.league_rosters import league, seated, with_more
from tests.league_server import FakeServer
from tests.simulation.clockwork import name_of


class SlowServer(FakeServer):
    """An arena whose games take longer than it takes to hear of a decision."""

    game_seconds_max = 20.0


async def test_a_run_takes_a_withdrawal_up(
    store: Store, autojump_clock: MockClock
) -> None:
    """Games that run end, and all others are played without whoever is gone."""
    match = HostedRun(store, league(60, entrants=6))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(3)
        match.decide(entry(Action.WITHDRAW, "it left", entrant="fox"))
        await trio.sleep(HEARD_SECONDS)
        begun = len(match.server.seeds)

    known = store.league("demo")
    results = store.results("demo")
    fox = [one.number for one in results if "fox" in {s.entrant for s in one.seats}]
    assert match.outcome is not None
    assert ("finished", "finished") == (match.outcome.reason, known.state)
    assert [*range(1, 61)] == [result.number for result in results]
    assert 0 < len(fox) <= begun < 60
    # Nobody's seat was given up, and nothing was dealt twice.
    assert {frozenset()} == set(match.server.given_up_seats.values())
    assert 60 == len(set(match.server.seeds)) == len(match.server.seeds)
    games = seated(known, range(1, 61))
    stayed = [games[name] for name in known.entrants if name != "fox"]
    assert max(stayed) - min(stayed) <= 1
    assert ("fox", "league demo: withdrawn: it left") in match.server.told
    assert any("fox withdrew" in note for note in match.notes)


async def test_whoever_withdrew_and_is_back_plays_in_the_same_run(
    store: Store, autojump_clock: MockClock
) -> None:
    """Its games are planned again, and it catches up."""
    match = HostedRun(store, league(80, entrants=6))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(3)
        match.decide(entry(Action.WITHDRAW, entrant="fox"))
        await trio.sleep(HEARD_SECONDS + 4)
        match.decide(entry(Action.REINSTATE, entrant="fox"))

    games = seated(store.league("demo"), range(1, 81))
    assert match.outcome is not None
    assert ("finished", 80) == (match.outcome.reason, len(store.results("demo")))
    assert max(games.values()) - min(games.values()) <= 2


async def test_games_that_break_down_after_a_withdrawal_are_seated_anew(
    store: Store, autojump_clock: MockClock
) -> None:
    """They are played by others, since nobody waits for who is gone."""
    match = HostedRun(store, league(40, entrants=6))
    broken: set[str] = set()

    def breakdown(spec: GameSpec, begun: int) -> str:
        if begun or "fox" not in {seat.bot for seat in spec.seats}:
            return ""
        broken.add(spec.game_id)
        return "it broke"

    match.server = SlowServer(breakdown=breakdown)
    match.server.come(NAMES)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(0.1)
        match.decide(entry(Action.WITHDRAW, entrant="fox"))

    results = store.results("demo")
    assert match.outcome is not None
    assert ("finished", 40) == (match.outcome.reason, len(results))
    fox = {
        f"demo-{one.number}"
        for one in results
        if "fox" in {seat.entrant for seat in one.seats}
    }
    assert fox < broken


async def test_an_absent_bot_that_withdraws_holds_nobody_up(
    store: Store, autojump_clock: MockClock
) -> None:
    """A league that waits for one bot goes on to its end once that has withdrawn."""
    match = HostedRun(store, league(40, entrants=6))
    match.server.go("fox")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(600)
        waiting = len(store.results("demo"))
        match.decide(entry(Action.WITHDRAW, "it never came", entrant="fox"))

    assert match.outcome is not None
    assert ("finished", 40) == (match.outcome.reason, len(store.results("demo")))
    assert 0 < waiting < 40
    assert 0 == seated(store.league("demo"), range(1, 41))["fox"]


async def test_a_withdrawal_before_the_run_has_begun_is_taken_up(
    store: Store, autojump_clock: MockClock
) -> None:
    """Also one that comes between the opening of the league and its first look."""
    config = league(20, entrants=6)
    match = HostedRun(store, config)
    agenda, times = store.agenda, list[int]()

    def decided_meanwhile(name: str) -> object:
        if not times:
            times.append(1)
            match.decide(entry(Action.WITHDRAW, entrant="fox"))
        return agenda(name)

    store.agenda = decided_meanwhile  # type: ignore[method-assign,assignment]
    outcome = await match.play()

    assert ("finished", 20) == (outcome.reason, len(store.results("demo")))
    assert 0 == seated(store.league("demo"), range(1, 21))["fox"]


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_game_made_void_while_others_are_seated_anew_is_played_once_more(
    store: Store, autojump_clock: MockClock, moment: str
) -> None:
    """Unheard of before the new plan, or heard of after it: once, with other cards."""
    match = HostedRun(store, league(40, entrants=6))
    calls: list[str] = []

    def decide() -> None:
        # A game with whoever is gone would be seated anew once more.
        seats = store.league("demo").seats
        numbers = [game.number for game in store.results("demo")]
        match.decide(void(next(n for n in numbers if "fox" not in seats(n))))

    async def slow(
        call: Callable[[*Arguments], Result],
        /,
        *arguments: *Arguments,
        limiter: trio.CapacityLimiter | None = None,
    ) -> Result:
        calls.append(name_of(call))
        is_first = calls.count("seat_anew") == 1
        if moment == "before" and is_first and calls[-1] == "seat_anew":
            decide()
        result = await at_once(call, *arguments)
        if moment == "after" and is_first and calls[-2:] == ["seat_anew", "agenda"]:
            decide()
            await trio.sleep(HEARD_SECONDS + 0.1)
        return result

    match.in_thread = slow
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(3)
        match.decide(entry(Action.WITHDRAW, entrant="fox"))

    results = store.results("demo")
    assert match.outcome is not None
    assert ("finished", 1) == (match.outcome.reason, match.outcome.league.run)
    assert [*range(1, 41)] == [one.number for one in results]
    # One game was played twice, and nothing was dealt twice.
    assert 41 == len(match.server.seeds) == len(set(match.server.seeds))


async def test_rotated_blocks_that_were_begun_end_with_whoever_withdrew(
    store: Store, autojump_clock: MockClock
) -> None:
    """The run plays them out, and the blocks that come after are the others'."""
    match = HostedRun(store, league(96, entrants=6, luck="rotate"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(6)
        match.decide(entry(Action.WITHDRAW, entrant="fox"))

    results = store.results("demo")
    blocks = Counter(
        one.block for one in results if "fox" in {seat.entrant for seat in one.seats}
    )
    assert match.outcome is not None
    assert ("finished", 96) == (match.outcome.reason, len(results))
    assert {4} == set(blocks.values())
    assert len(blocks) <= 6


@pytest.mark.parametrize("luck", ["none", "rotate"])
async def test_half_way_one_joins_and_one_withdraws_and_the_arena_dies_twice(
    store: Store, autojump_clock: MockClock, luck: str
) -> None:
    """However often it is begun again, it ends as evenly as if it had been planned."""
    config = league(96, entrants=6, luck=luck)
    for number, (file, leaving) in enumerate(
        [(config, ""), (with_more(config, "shooter"), "fox"), (None, "")]
    ):
        match = HostedRun(store, file or with_more(config, "shooter"))
        match.server.come([*NAMES, "shooter"])
        with trio.CancelScope() as dying:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(match.play)
                await trio.sleep(5)
                if leaving:
                    match.decide(entry(Action.WITHDRAW, entrant=leaving))
                    await trio.sleep(3)
                if number < 2:
                    dying.cancel()
    known = store.league("demo")
    games = seated(known, range(1, 97))
    stayed = [games[name] for name in known.entrants if name != "fox"]
    size = known.blocks.size

    assert "finished" == known.state
    assert [*range(1, 97)] == [one.number for one in store.results("demo")]
    assert max(stayed) - min(stayed) <= size * (1 if luck == "none" else 2)
    assert (*NAMES[:6], "shooter") == known.entrants


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_a_host_decides_and_whenever_the_arena_dies_all_is_played(
    store: Store, autojump_clock: MockClock, seed: int
) -> None:
    """Nothing is played twice or left out, and every commitment holds."""
    chance = random.Random(seed)
    luck = ("none", "rotate")[seed % 2]
    file = league(64, entrants=6, luck=luck)
    seeds: list[bytes] = []
    for life in range(4):
        match = HostedRun(store, file)
        match.server.come([*NAMES, "shooter"])
        with trio.CancelScope() as dying:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(match.play)
                for _ in range(3):
                    await trio.sleep(chance.uniform(0.1, 4))
                    decide_something(match, chance)
                if life < 3:
                    dying.cancel()
        seeds += match.server.seeds
        file = with_more(league(64, entrants=6, luck=luck), "shooter")
    known, agenda = store.league("demo"), store.agenda("demo")
    # Whoever is reinstated once it is finished plays no more.
    log = agenda.appeals.entries
    out = {one.entrant for one in log if one.action == Action.EXCLUDE}
    if len(known.entrants) - len(agenda.appeals.out) < 4:
        # Nobody is left to play in the place of those who have withdrawn.
        out |= agenda.appeals.withdrawn.keys()
    found = {one.number for one in store.results("demo")}
    with store.database.read() as connection:
        settled = settled_plans(connection, known)

    assert match.outcome is not None
    assert "finished" == match.outcome.reason == known.state
    for number in set(range(1, 65)) - found - agenda.appeals.dropped:
        assert not out.isdisjoint(known.seats(number))
    assert all(one.commitment(known.secret) == mark for one, mark in settled)
    assert first_fault("demo", store.decisions("demo")) is None
    if luck == "none":
        assert len(seeds) == len(set(seeds))


def decide_something(match: HostedRun, chance: random.Random) -> None:
    """Decide what a host may decide, or fail to."""
    bot = chance.choice(NAMES)
    finished = [one.number for one in match.store.results("demo")] or [1]
    asked = chance.choice(
        [
            entry(Action.WITHDRAW, entrant=bot),
            entry(Action.WITHDRAW, entrant=bot),
            entry(Action.REINSTATE, entrant=bot),
            entry(Action.EXCLUDE, entrant=bot),
            void(chance.choice(finished)),
            void(chance.choice(finished), is_replayed=False),
        ]
    )
    with suppress(AppealError):
        match.decide(asked)
