"""Runs of leagues whose host decides: paused, void, excluded and reinstated."""

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from leagues.audit import Action
from leagues.conduct import Suspension
from leagues.config import Suspended, SuspensionRules
from leagues.running.suspensions import Suspensions
from leagues.storage.audited import decide, void_records
from leagues.storage.store import Store
from tests.hosted_runs import HEARD_SECONDS, HostedRun
from tests.league_appeals import config, entry, play, void
from tests.league_games import NAMES


async def test_a_pause_lets_games_end_and_starts_none(
    store: Store, autojump_clock: MockClock
) -> None:
    """The run learns of it within seconds, waits, and goes on when it is resumed."""
    match = HostedRun(store, config(30))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(3)
        match.decide(entry(Action.PAUSE, "fire alarm"))
        await trio.sleep(HEARD_SECONDS)
        begun = len(match.server.seeds)
        await trio.sleep(1000)
        assert begun == len(match.server.seeds) == len(store.results("demo")) < 30
        assert match.last is not None
        assert (0, "fire alarm") == (match.last.running, match.last.paused)
        assert "pause: fire alarm" in match.notes
        told = {text for bot, text in match.server.told if "paused" in text}
        assert {"league demo is paused: fire alarm"} == told
        match.decide(entry(Action.RESUME))

    assert match.outcome is not None
    assert ("finished", 30) == (match.outcome.reason, len(store.results("demo")))


async def test_a_pause_lasts_across_runs(
    store: Store, autojump_clock: MockClock
) -> None:
    """A run of a paused league begins no game until it is resumed."""
    store.open_league(config())
    decide(store, "demo", entry(Action.PAUSE))
    for is_last in (False, True):
        match = HostedRun(store, config())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(match.play)
            await trio.sleep(100)
            assert [] == match.server.seeds
            if is_last:
                match.decide(entry(Action.RESUME))
            else:
                match.drain.set()

    assert 10 == len(store.results("demo"))


@pytest.mark.parametrize("seed", [None, "1"])
async def test_a_void_game_is_played_again_in_the_same_run(
    store: Store, autojump_clock: MockClock, seed: str | None
) -> None:
    """It counts once, dealt anew in a secret league, with its deals in an open one."""
    match = HostedRun(store, config(30, seed=seed))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(6)
        first = store.results("demo")[0]
        match.decide(void(first.number))

    assert match.outcome is not None
    assert ("finished", 31) == (match.outcome.reason, len(match.server.seeds))
    assert (30 if seed else 31) == len(set(match.server.seeds))
    again = store.results("demo")[0]
    assert [*range(1, 31)] == [result.number for result in store.results("demo")]
    assert (seed is not None) == (first.record_hash == again.record_hash)


async def test_a_game_that_is_void_at_once_is_played_again(
    store: Store, autojump_clock: MockClock
) -> None:
    """A decision about the last game, before anybody has noted its end, is heard."""
    match = HostedRun(store, config(4))
    finish = store.finish_game

    def finish_and_void(name: str, record: object) -> bool:
        is_new = finish(name, record)  # type: ignore[arg-type]
        if len(store.decisions("demo")) < 3:
            match.decide(void(store.results("demo")[-1].number))
        return is_new

    store.finish_game = finish_and_void  # type: ignore[method-assign]
    outcome = await match.play()

    assert ("finished", 3) == (outcome.reason, len(void_records(store, "demo")))
    assert [1, 2, 3, 4] == [result.number for result in store.results("demo")]
    assert 7 == len(set(match.server.seeds))


async def test_a_game_that_is_void_for_good_is_not_played_again(
    store: Store, autojump_clock: MockClock
) -> None:
    """The run ends without it, and says that nothing is left."""
    match = HostedRun(store, config(12))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(4)
        match.decide(void(store.results("demo")[0].number, is_replayed=False))

    assert match.outcome is not None
    assert "finished" == match.outcome.reason == match.outcome.league.state
    assert 12 == len(match.server.seeds) == len(store.results("demo")) + 1
    assert match.last is not None
    assert 11 == match.last.planned


async def test_an_excluded_entrant_plays_no_more(
    store: Store, autojump_clock: MockClock
) -> None:
    """Its games are left out, and the league ends without them."""
    match = HostedRun(store, config(30))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(3)
        match.decide(entry(Action.EXCLUDE, "a pair", entrant="fox"))
        await trio.sleep(HEARD_SECONDS)
        begun = len(match.server.seeds)

    league = store.league("demo")
    fox = [n for n in range(1, 31) if "fox" in league.seats(n)]
    found = {result.number for result in store.results("demo")}
    assert match.outcome is not None
    assert "finished" == match.outcome.reason == league.state
    assert set(range(1, 31)) - set(fox) <= found
    assert found & set(fox), "some of its games had ended before"
    assert begun <= len(match.server.seeds) == len(found) < 30
    assert ("fox", "league demo: excluded: a pair") in match.server.told
    # No seat was given up: what it had begun it has played.
    assert [] == match.server.given_up
    assert {frozenset()} == set(match.server.given_up_seats.values())
    assert "fox" not in {row.entrant for row in store.standings("demo").rows}


@pytest.mark.parametrize("games", list(Suspended))
async def test_a_reinstated_entrant_plays_all_its_games(
    store: Store, autojump_clock: MockClock, games: Suspended
) -> None:
    """Nothing is lost: its results are back, and it plays the rest itself."""
    rules = SuspensionRules(games=games)
    match = HostedRun(store, replace(config(40), suspension=rules))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(match.play)
        await trio.sleep(3)
        match.decide(entry(Action.EXCLUDE, entrant="fox"))
        await trio.sleep(HEARD_SECONDS + 2)
        rows = {row.entrant for row in store.standings("demo").rows}
        assert rows == set(NAMES) - {"fox"}
        match.decide(entry(Action.REINSTATE, entrant="fox"))

    assert match.outcome is not None
    assert ("finished", 40) == (match.outcome.reason, len(store.results("demo")))
    assert {frozenset()} == set(match.server.given_up_seats.values())
    counted = store.standings("demo").games_counted
    assert (40, 40) == (counted, len(set(match.server.seeds)))


async def test_a_finished_secret_league_plays_nothing_for_a_reinstated_entrant(
    store: Store, autojump_clock: MockClock
) -> None:
    """Its games count again; those that were left out would be dealt in the open."""
    store.open_league(config())
    play(store, config(), 1)
    seated = store.league("demo").seats(1)[0]
    decide(store, "demo", entry(Action.EXCLUDE, entrant=seated))
    assert "finished" == (await HostedRun(store, config()).play()).reason
    assert 0 < len(store.results("demo")) < 10
    decide(store, "demo", entry(Action.REINSTATE, entrant=seated))
    match = HostedRun(store, config())
    outcome = await match.play()

    assert ("finished", []) == (outcome.reason, match.server.seeds)
    assert seated in {row.entrant for row in store.standings("demo").rows if row.games}


def test_an_exclusion_covers_a_suspension() -> None:
    """Who is reinstated is as suspended as before."""
    suspensions = Suspensions()
    suspensions.lose("fox")
    (lost,) = suspensions.entries
    suspensions.exclude([Suspension("fox", "so", is_excluded=True)])
    assert frozenset({"fox"}) == suspensions.names == suspensions.excluded
    assert lost not in suspensions.entries
    suspensions.exclude([])

    assert ((lost,), frozenset()) == (suspensions.entries, suspensions.excluded)
