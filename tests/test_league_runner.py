"""The runner: every game once, whoever comes, goes, breaks down or pulls the plug."""

import json
import random
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.introduction import Introduction
from arena.record import read_record
from leagues.config import EntrantKind, LeagueConfig
from leagues.reports.standings import FORMATS
from leagues.running import runner
from leagues.running.lobby import Lobby
from leagues.running.runner import (
    Progress,
    UnableEntrantError,
    run_league,
)
from leagues.running.suspensions import Suspensions
from leagues.standings import records_digest
from leagues.storage.store import LeagueChanged, Store, StoreError
from tests.league_games import NAMES, league_config
from tests.league_server import FakeServer


def open_server(**options: object) -> FakeServer:
    """A server with all bots connected."""
    server = FakeServer(**options)  # type: ignore[arg-type]
    server.come(NAMES)
    return server


class Watch:
    """Progress as it is reported, and a way to wait for it.

    The clock of these tests runs on while the store's threads work, so that tests
    wait for what has happened and not for a time.
    """

    def __init__(self) -> None:
        self.seen: list[Progress] = []
        self._changed = trio.Event()

    def __call__(self, progress: Progress) -> None:
        """Take note of a report."""
        self.seen.append(progress)
        self._changed.set()
        self._changed = trio.Event()

    async def until(self, finished: int, *, running: int = 0) -> Progress:
        """Wait until so many games are finished and running."""
        while True:
            last = self.seen[-1] if self.seen else None
            if last and (last.finished, last.running) == (finished, running):
                return last
            await self._changed.wait()


def records(store: Store) -> list[str]:
    """All records of the league."""
    return [text for _, text in store.records("demo")]


async def test_a_league_is_played_to_its_end(
    store: Store, autojump_clock: MockClock
) -> None:
    """All games are stored, counted and reported, and the league is finished."""
    seen: list[Progress] = []
    config = league_config(games=30)
    outcome = await run_league(open_server(), store, config, on_progress=seen.append)

    assert ("finished", "finished") == (outcome.reason, outcome.league.state)
    assert [] == store.missing_games("demo")
    assert Progress("demo", 30, 30, 0, (), 0) == replace(
        seen[-1], running=0, finished=30
    )
    assert sorted(progress.finished for progress in seen) == [
        progress.finished for progress in seen
    ]


async def test_a_finished_league_plays_nothing(
    store: Store, autojump_clock: MockClock
) -> None:
    """Run again, a finished league reports its end and no run begins."""
    config = league_config(games=3)
    await run_league(open_server(), store, config)
    server = open_server()
    outcome = await run_league(server, store, config)

    assert ("finished", 1, []) == (outcome.reason, outcome.league.run, server.seeds)


async def test_a_league_killed_after_its_last_game_is_finished_by_the_next_run(
    store: Store, autojump_clock: MockClock
) -> None:
    """All games are there, and only the word that they are was lost."""
    config = league_config(games=3)
    await run_league(open_server(), store, config)
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE leagues SET state = 'stopped'")
    outcome = await run_league(open_server(), store, config)

    assert ("finished", "finished") == (outcome.reason, outcome.league.state)
    assert outcome.league.facts().secret


async def test_a_changed_league_is_refused(
    store: Store, autojump_clock: MockClock
) -> None:
    """Other rules under the same name end the run before it begins."""
    config = league_config(games=3)
    await run_league(open_server(), store, config)

    with pytest.raises(LeagueChanged):
        await run_league(open_server(), store, replace(config, faults_max=9))


async def test_bots_play_no_more_games_than_they_can(
    store: Store, autojump_clock: MockClock
) -> None:
    """No bot is in more games than it has places, and no more tables run than may."""
    server = FakeServer()
    server.come(NAMES[1:], places=8)
    server.come(NAMES[:1], places=2)
    config = replace(league_config(games=60, entrants=6), tables_max=7)
    await run_league(server, store, config)

    assert 2 == server.games_max["careful"]
    assert 7 == server.tables_max


async def test_absent_bots_hold_up_nobody(
    store: Store, autojump_clock: MockClock
) -> None:
    """Games without the absent bot are played; its own wait until it comes."""
    server = open_server()
    server.go("fox")
    config = league_config(games=15, entrants=6)
    watch = Watch()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: run_league(server, store, config, on_progress=watch))
        progress = await watch.until(finished=5)
        league = store.league("demo")
        missing = store.missing_games("demo")

        assert [n for n in range(1, 16) if "fox" in league.seats(n)] == missing
        assert ("fox",) == progress.waiting_for
        assert ("careful", "waiting for fox") in server.told
        server.come(["fox"])

    assert [] == store.missing_games("demo")
    assert not watch.seen[-1].waiting_for


async def test_who_cannot_play_by_the_rules_is_told_and_holds_up_nobody(
    store: Store, autojump_clock: MockClock
) -> None:
    """A bot that dials in with too few capabilities hears what is missing."""
    server = open_server()
    server.introductions["fox"] = Introduction("fox", players=(3,))
    config = league_config(games=15, entrants=6)
    entrants = tuple(
        replace(one, kind=EntrantKind.BOT, house="") if one.name == "fox" else one
        for one in config.entrants
    )
    watch = Watch()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            lambda: run_league(
                server, store, replace(config, entrants=entrants), on_progress=watch
            )
        )
        progress = await watch.until(finished=5)
        told = [message for bot, message in server.told if bot == "fox"]

        assert "fox (it plays at 3 seats only, not at 4)" == progress.waiting_text()
        assert [
            "league demo plays arena, target = 10, but fox plays at 3 seats only, not "
            "at 4; a bot says what it plays when it connects: presets=, players= and "
            "two_packs= of hearts.run, or the capabilities of its Hello"
        ] == told
        server.introductions.clear()
        server.come(["fox"])

    assert [] == store.missing_games("demo")


async def test_a_program_that_cannot_play_by_the_rules_ends_the_run(
    store: Store, autojump_clock: MockClock
) -> None:
    """The arena's own programs must suit the league that starts them."""
    server = open_server()
    server.introductions["fox"] = Introduction("fox", presets=("party",))

    with pytest.raises(UnableEntrantError, match="fox plays party only, not arena"):
        await run_league(server, store, league_config(games=15))


async def test_a_lost_entrant_is_given_up_everywhere(
    store: Store, autojump_clock: MockClock
) -> None:
    """Its running games are told, and its later games begin without it."""
    server = open_server()
    server.go("fox")
    suspensions = Suspensions()
    config = league_config(games=10)
    watch = Watch()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            lambda: run_league(
                server, store, config, suspensions=suspensions, on_progress=watch
            )
        )
        await watch.until(finished=2)
        suspensions.lose("fox")
    fox = next(row for row in store.standings("demo").rows if row.entrant == "fox")

    assert [("fox", "start")] == server.given_up
    assert fox.games == fox.given_up > 0
    assert [0, fox.games] == [fox.places[0], fox.places[3]]


async def test_a_void_game_is_played_again(
    store: Store, autojump_clock: MockClock
) -> None:
    """A game that breaks down is played until it ends, and what was of it is kept."""
    server = open_server(
        breakdown=lambda spec, begun: "the plug" if begun < spec.block % 3 else ""
    )
    seen: list[Progress] = []
    outcome = await run_league(
        server, store, league_config(games=9, seed=None), on_progress=seen.append
    )
    kept = sorted((store.directory / "void").iterdir())

    assert "finished" == outcome.reason
    assert 9 == seen[-1].voids
    assert 9 == len(kept)
    assert "demo-1-run1-0.json" == kept[0].name
    assert "void" == read_record(kept[0].read_text()).ending
    assert len(server.seeds) == len(set(server.seeds)) == 18


async def test_the_same_deals_come_again_in_an_open_league(
    store: Store, autojump_clock: MockClock
) -> None:
    """A void game of an open league is played again with its deals."""
    server = open_server(breakdown=lambda spec, begun: "" if begun else "the plug")
    await run_league(server, store, league_config(games=4))

    assert (8, 4) == (len(server.seeds), len(set(server.seeds)))
    assert {0} == {read_record(text).attempt for text in records(store)}


async def test_a_game_that_never_ends_is_set_aside(
    store: Store, autojump_clock: MockClock
) -> None:
    """It does not stop the others, and the next run tries it again."""
    config = league_config(games=6)
    server = open_server(
        breakdown=lambda spec, begun: "cursed" if spec.block == 2 else ""
    )
    outcome = await run_league(server, store, config)

    assert ("stuck", "stopped") == (outcome.reason, outcome.league.state)
    assert [(2, "cursed")] == [(game.number, game.reason) for game in outcome.stuck]
    assert [2] == store.missing_games("demo")
    assert runner.VOIDS_MAX == len(server.seeds) - 5
    assert "finished" == (await run_league(open_server(), store, config)).reason


async def test_games_that_could_not_begin_do_not_count_as_broken(
    store: Store, autojump_clock: MockClock
) -> None:
    """A bot whose place was taken meanwhile costs a pause and nothing else."""
    server = open_server()
    server.open_games["fox"] = 8
    server.presence = lambda: FakeServer.presence(  # type: ignore[method-assign]
        replace(server, open_games=server.open_games.__class__())
    )
    config = league_config(games=5)
    watch = Watch()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: run_league(server, store, config, on_progress=watch))
        await watch.until(finished=1)
        await trio.sleep(300)
        server.open_games["fox"] = 0

    assert [] == store.missing_games("demo")
    assert not (store.directory / "void").exists()


async def test_a_drained_league_ends_its_running_games(
    store: Store, autojump_clock: MockClock
) -> None:
    """After the drain no game begins, and those that ran are stored."""
    drain = trio.Event()
    server = open_server(steps=50, on_steps_over=drain.set)
    outcome = await run_league(server, store, league_config(games=200), drain=drain)

    assert ("drained", "stopped") == (outcome.reason, outcome.league.state)
    assert 25 <= len(server.seeds) == outcome.league.games_finished <= 51


async def test_a_broken_entrant_ends_the_run_before_its_games(
    store: Store, autojump_clock: MockClock
) -> None:
    """No game of its own is played; the next run goes on with all that is left."""
    broken = trio.Event()
    server = open_server()
    server.go("fox")
    config = league_config(games=15, entrants=6)
    watch = Watch()
    outcomes = []

    async def run() -> None:
        outcomes.append(
            await run_league(server, store, config, broken=broken, on_progress=watch)
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await watch.until(finished=5)
        broken.set()
    (outcome,) = outcomes
    rows = store.standings("demo").rows
    again = await run_league(open_server(), store, config)

    assert ("broken", "stopped") == (outcome.reason, outcome.league.state)
    assert {0} == {row.games for row in rows if row.entrant == "fox"}
    assert ("finished", 0) == (again.reason, store.standings("demo").rows[0].given_up)


async def test_a_deadline_ends_a_league(
    store: Store, autojump_clock: MockClock
) -> None:
    """A league whose bots never come ends at its deadline."""
    config = replace(league_config(), deadline_minutes=90)
    started = trio.current_time()
    outcome = await run_league(FakeServer(), store, config)

    assert "deadline" == outcome.reason
    assert 90 * 60 == pytest.approx(trio.current_time() - started, abs=1)


async def test_a_full_disk_ends_the_run_with_one_error(
    store: Store, autojump_clock: MockClock
) -> None:
    """The caller gets the store's own error, not a group of them."""
    config = league_config(games=60)
    store.open_league(config)
    with store.database.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 5}")

    with pytest.raises(StoreError, match="the disk is full"):
        await run_league(open_server(), store, config)


async def interrupted(
    directory: Path, config: LeagueConfig, chance: random.Random
) -> list[bytes]:
    """Run a league, break it off at random moments, and run it again till its end.

    Returns:
        The sequence seeds of all games that were begun.
    """
    seeds: list[bytes] = []
    while True:
        server = open_server(chance=chance, unsteady=frozenset({"fox"}))
        server.steps = chance.randrange(1, 40)
        with Store.open(directory, command="a test") as store:
            with trio.CancelScope() as scope:
                server.on_steps_over = scope.cancel
                await run_league(server, store, config)
            seeds += server.seeds
            if not store.missing_games("demo"):
                await run_league(server, store, config)
                return seeds


@pytest.mark.slow
async def test_a_league_broken_off_at_any_moment_goes_on(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """All games of an open league are there once, as in an unbroken run."""
    config = replace(league_config(games=40, entrants=6), tables_max=6)
    with Store.open(tmp_path / "whole", command="a test") as store:
        await run_league(open_server(unsteady=frozenset({"fox"})), store, config)
        standings, texts = store.standings("demo"), records(store)
    for seed in range(3):
        seeds = await interrupted(tmp_path / str(seed), config, random.Random(seed))
        with Store.open_read_only(tmp_path / str(seed)) as store:
            assert standings == store.standings("demo")
            assert texts == records(store)
        assert 40 == len(set(seeds))
        assert len(seeds) > 40


@pytest.mark.slow
async def test_a_secret_league_never_deals_a_deal_twice(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Broken off and run again, a secret league begins every game with new deals."""
    config = replace(league_config(games=40, entrants=6, seed=None), tables_max=6)
    seeds = await interrupted(tmp_path, config, random.Random(7))
    with Store.open_read_only(tmp_path) as store:
        played = {read_record(text).sequence_seed for text in records(store)}

    assert len(seeds) == len(set(seeds)) > 40
    assert 40 == len(played)
    assert played <= {seed.hex() for seed in seeds}


async def test_everybody_can_check_a_finished_secret_league(
    store: Store, autojump_clock: MockClock
) -> None:
    """The commitment and all deals follow from what is published at the end."""
    config = league_config(games=12, seed=None)
    server = open_server(breakdown=lambda spec, begun: "" if begun else "the plug")
    await run_league(server, store, config)
    published = json.loads(FORMATS["json"](store.standings("demo")))
    games = [read_record(text) for text in records(store)]
    roster, secret = published["roster"], bytes.fromhex(published["secret"])
    document = {
        "league": published["league"],
        "roster": roster,
        "rules": asdict(games[0].rules),
        "schedule": [[roster.index(seat.bot) for seat in g.seats] for g in games],
    }
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    start = b"hearts/1/commitment" + secret

    assert sha256(start + text.encode()).hexdigest() == published["commitment"]
    assert records_digest(game.hash for game in games) == published["records_digest"]
    for game in games:
        numbers = game.block.to_bytes(4, "big") + game.attempt.to_bytes(4, "big")
        seed = sha256(b"hearts/1/sequence" + secret + numbers).hexdigest()

        assert seed == game.sequence_seed


def test_the_lobby_keeps_to_the_order_where_it_can() -> None:
    """The first game that can begin is taken, and later ones may overtake it."""
    lobby = Lobby({1: "abcd", 2: "abce", 3: "abef", 4: "cdef"})
    free = dict.fromkeys("abcdef", 1)

    assert 1 == lobby.take(free)
    assert 2 == lobby.take(free | {"d": 0})
    assert 4 == lobby.take(free | {"a": 0})
    assert lobby.take(free | {"a": 0}) is None
    lobby.put_back(1, "abcd")
    assert [1, 3, None] == [lobby.take(free) for _ in range(3)]


def test_the_lobby_parks_games_of_absent_bots() -> None:
    """Games of absent bots are no longer looked at, however many they are."""
    games = dict.fromkeys(range(1, 5000), "abcx")
    lobby = Lobby(games | {5000: "abcd"})
    present = dict.fromkeys("abcd", 1)

    assert 5000 == lobby.take(present)
    assert ["x"] == lobby.absent()
    lobby.put_back(5000, "abcd")
    lobby.take({})

    assert ["a", "b", "c", "d", "x"] == lobby.absent()
    assert 1 == lobby.take(present | {"x": 1})
    assert [] == lobby.absent()
