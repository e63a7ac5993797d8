"""Ladders: whoever comes plays, as long as it likes, and the last games count."""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.introduction import Introduction
from arena.record import read_record
from leagues.audit import Action, AuditEntry
from leagues.closing import close_league
from leagues.config import parse_league
from leagues.reports.standings import FORMATS
from leagues.standings import records_digest
from leagues.storage.audited import decide, now
from leagues.storage.league import LeagueChanged
from leagues.storage.store import Store
from leagues.toml_source import ConfigError
from leagues.versions import Versions
from tests.command_line import Arena
from tests.ladder_runs import (
    HOUSES,
    SHORT,
    Run,
    dial_in,
    ladder,
    opened,
    play_for,
)
from tests.league_server import FakeServer

# Who plays


async def test_whoever_dials_in_takes_part(
    store: Store, autojump_clock: MockClock
) -> None:
    """A stranger is seated soon, joins with its owner, and is rated like the rest."""
    server = opened()
    run = Run(store, server, ladder())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(10)
        before = len(run.games())
        dial_in(server, "ada", owner="Ann")
        await trio.sleep(30)
        run.drain.set()
    league = store.league("open")
    standings = store.standings("open")

    assert before > 10
    assert "ada" not in {bot for seats in run.games()[:before] for bot in seats}
    assert "ada" in {bot for seats in run.games(after=before) for bot in seats}
    assert (*HOUSES, "ada") == league.entrants
    assert "Ann" == league.owners["ada"]
    assert {*HOUSES, "ada"} == {row.entrant for row in standings.rows}
    assert "Ann" == next(row.owner for row in standings.rows if row.entrant == "ada")
    assert run.outcome is not None
    assert ("drained", "stopped") == (run.outcome.reason, league.state)
    owners = {
        seat.owner
        for _, text in store.records("open")
        for seat in read_record(text).seats
        if seat.bot == "ada"
    }
    assert {"Ann"} == owners


async def test_everybody_meets_everybody(
    store: Store, autojump_clock: MockClock
) -> None:
    """With one place each, those at a table do not stay together for ever."""
    server = FakeServer()
    server.come(HOUSES, places=1)
    dial_in(server, "ada", "bob", "cat", "dot", places=1)
    # Threads make each run another one: counts are 3 to 12 apart after 250 games, 11
    # to 17 after 625; so it lasts until a twentieth is far above that.
    run = await play_for(store, server, ladder(), 400)
    games = run.games()
    meetings = Counter(
        frozenset(pair) for seats in games for pair in combinations(seats, 2)
    )
    played = Counter(bot for seats in games for bot in seats)
    mean = 6 * len(games) / 28

    assert len(games) > 200
    assert 28 == len(meetings)
    assert max(played.values()) - min(played.values()) <= 0.05 * len(games)
    assert max(meetings.values()) - min(meetings.values()) <= 0.25 * mean


async def test_a_slow_bot_holds_up_few(store: Store, autojump_clock: MockClock) -> None:
    """The others play on while games with it take ten times as long."""
    bots = (*HOUSES, "ada", "bob", "cat")
    quick = await play_for(store, opened("ada", "bob", "cat"), ladder(), 60)
    total = len(quick.games())
    server = opened("ada", "bob", "cat", "sloth", serial={"sloth": 10.0})
    server.charged = {**dict.fromkeys(bots, 0.001), "sloth": 0.2}
    run = await play_for(store, server, ladder(), 60)
    games = run.games(after=total)
    slow = [seats for seats in games if "sloth" in seats]

    # Those that run when the time is over are played to their ends.
    assert 3 <= len(slow) <= 20
    assert len(games) > 0.7 * total


async def test_games_of_those_who_have_gone_are_given_to_others(
    store: Store, autojump_clock: MockClock
) -> None:
    """No number stays open, whether the run goes on or another one begins."""
    server = opened("ada", "bob", "cat")
    run = Run(store, server, ladder())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(20)
        server.go("ada")
        await trio.sleep(20)
        nursery.cancel_scope.cancel()
    cut = store.league("open")
    missing = store.missing_games("open")
    known = {result.number for result in store.results("open")}
    with_bob = [n for n in missing if "bob" in cut.seats(n)]
    again = opened("cat", "dot")
    later = await play_for(store, again, ladder(), 20)
    new = [one for one in store.results("open") if one.number not in known]
    league = store.league("open")

    assert missing
    assert with_bob
    assert not {"ada", "bob"} & {seat.entrant for one in new for seat in one.seats}
    assert not set(missing) & set(store.missing_games("open"))
    assert {"ada", "bob", "cat", "dot", *HOUSES} == set(league.entrants)
    assert () == later.progress[-1].waiting_for
    assert len(league.seatings) - len(store.results("open")) <= 4


async def test_too_few_wait_and_are_told(
    store: Store, autojump_clock: MockClock
) -> None:
    """Without house bots a table is filled as soon as four are there."""
    server = FakeServer()
    run = Run(store, server, ladder(houses=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        dial_in(server, "ada", "bob")
        await trio.sleep(5)
        none = run.games() if store.leagues() else []
        dial_in(server, "cat", "dot")
        await trio.sleep(20)
        run.drain.set()

    assert [] == none
    lack = "2 more bots to fill a table: 2 here, 4 needed"
    assert ("ada", f"waiting for {lack}") in server.told
    assert lack in {one.waiting_text() for one in run.progress}
    assert "" == run.progress[-1].waiting_text()
    assert {"ada", "bob", "cat", "dot"} == {b for seats in run.games() for b in seats}


async def test_too_few_of_other_owners_are_told(
    store: Store, autojump_clock: MockClock
) -> None:
    """Enough are there, but some may not meet; while paused that is no matter."""
    server = FakeServer()
    dial_in(server, "ann1", "ann2", "ann3", owner="Ann")
    dial_in(server, "bob", "cat")
    run = Run(store, server, ladder(houses=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(10)
        told = run.progress[-1].waiting_text()
        decide(store, "open", AuditEntry(Action.PAUSE, "lunch", "me", now()))
        await trio.sleep(10)
        paused = run.progress[-1]
        run.drain.set()

    assert (
        "1 more bot of other owners than 'Ann', whose bots never meet: 5 here, "
        "4 needed, and 3 of them may sit together"
    ) == told
    assert ("cat", f"waiting for {told}") in server.told
    assert ("lunch", "") == (paused.paused, paused.waiting_text())


async def test_bots_of_one_owner_do_not_meet(
    store: Store, autojump_clock: MockClock
) -> None:
    """Owners are those of the tokens, as bots come."""
    server = opened()
    dial_in(server, "ann1", "ann2", owner="Ann")
    apart = (await play_for(store, server, ladder(), 60)).games()
    mixed = await play_for(store, server, ladder("owners = 'mixed'"), 60)

    assert not any({"ann1", "ann2"} <= set(seats) for seats in apart)
    assert any({"ann1", "ann2"} <= set(s) for s in mixed.games(after=len(apart)))


async def test_a_ladder_for_its_entrants_takes_nobody_else(
    store: Store, autojump_clock: MockClock
) -> None:
    """With `open_to = "entrants"` a stranger is no part of it."""
    text = "open_to = 'entrants'\n[[entrant]]\nbot = 'ada'"
    server = opened("ada", "eve")
    run = await play_for(store, server, ladder(text), 30)

    assert {"ada", *HOUSES} == {bot for seats in run.games() for bot in seats}


async def test_programs_of_others_are_no_strangers(
    store: Store, autojump_clock: MockClock
) -> None:
    """House bots of practice tables and of other leagues stay where they belong."""
    server = opened()
    server.introductions["careful (house)"] = Introduction(
        "careful (house)", is_started=True
    )
    server.come(["careful (house)"])
    run = await play_for(store, server, ladder(), 30)

    assert set(HOUSES) == {bot for seats in run.games() for bot in seats}


async def test_nobody_plays_who_is_excluded_or_withdrawn(
    store: Store, autojump_clock: MockClock
) -> None:
    """They are out within seconds, and back when the host says so."""
    server = opened("ada", "bob", "cat")
    run = Run(store, server, ladder())

    def say(action: Action, bot: str) -> None:
        decide(store, "open", AuditEntry(action, "why not", "me", now(), entrant=bot))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(20)
        say(Action.EXCLUDE, "ada")
        say(Action.WITHDRAW, "bob")
        await trio.sleep(10)
        before = len(run.games())
        await trio.sleep(20)
        between = len(run.games())
        say(Action.REINSTATE, "ada")
        await trio.sleep(20)
        run.drain.set()
    middle = run.games(after=before)[: between - before]
    out = {bot for seats in middle for bot in seats}

    assert {"cat", *HOUSES} == out
    assert "ada" in {bot for seats in run.games(after=between) for bot in seats}


# Its end


async def test_its_host_ends_it(store: Store, autojump_clock: MockClock) -> None:
    """Running games count, the secret is told, and nothing is played any more."""
    server = opened("ada")
    run = Run(store, server, ladder())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(20)
        hidden = store.standings("open").league.secret
        decide(store, "open", AuditEntry(Action.END, "enough", "me", now()))
    finished = len(run.games())
    again = await play_for(store, opened("ada"), ladder(), 20)
    league = store.league("open")

    assert "" == hidden
    assert run.outcome is not None
    assert "finished" == run.outcome.reason == league.state
    assert again.outcome is not None
    assert ("finished", finished) == (again.outcome.reason, len(again.games()))
    assert store.standings("open").league.secret


async def test_its_records_are_those_of_its_standings(
    store: Store, tmp_path: Path, autojump_clock: MockClock, arena: Arena
) -> None:
    """The digest is compared, and the table is."""
    await play_for(store, opened("ada"), ladder(), 20)
    decide(store, "open", AuditEntry(Action.END, "enough", "me", now()))
    out = tmp_path / "out"
    close_league(store, store.league("open"), out)
    log = ("--audit", out / "standings.json")
    done = arena("rate", out / "records.jsonl", *log)
    secret = ("--secret", store.standings("open").league.secret)
    plan = (*secret, "--schedule", out / "schedule.json")
    seated = arena("verify", *plan, *log, out / "records.jsonl")

    assert [0, 0] == [done.code, seated.code]
    assert "digest and table checked against these games" in done.error


async def test_its_deals_were_settled_before_anybody_came(
    store: Store, tmp_path: Path, autojump_clock: MockClock, arena: Arena
) -> None:
    """Its commitment is worked out from the secret, and every deal with it."""
    first = store.open_league(ladder()).commitment.hex()
    await play_for(store, opened("ada"), ladder(), 20)
    decide(store, "open", AuditEntry(Action.END, "enough", "me", now()))
    close_league(store, store.league("open"), tmp_path / "out")
    records, plan = (tmp_path / "out" / n for n in ("records.jsonl", "schedule.json"))
    secret = store.standings("open").league.secret
    done = arena("verify", "--secret", secret, "--schedule", plan, records)
    other = arena("verify", "--secret", "ab" * 32, "--schedule", plan, records)

    assert 0 == done.code
    assert first in done.out + done.error
    assert 0 != other.code


async def test_it_does_not_end_by_itself(
    store: Store, autojump_clock: MockClock
) -> None:
    """Neither with nobody there nor between two runs."""
    server = FakeServer()
    run = Run(store, server, ladder(houses=0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play)
        await trio.sleep(3600)
        running = store.league("open").state
        run.drain.set()

    assert ("running", "stopped") == (running, store.league("open").state)


# What counts


async def test_the_last_games_count(store: Store, autojump_clock: MockClock) -> None:
    """Ratings are those of the window, and the digest is that of all records."""
    server = opened("ada")
    await play_for(store, server, ladder("window = 100"), 30)
    server.go("ada")
    run = await play_for(store, server, ladder("window = 100"), 60)
    standings = store.standings("open")
    hashes = [read_record(text).hash for _, text in store.records("open")]
    counting = store.counting_results("open")
    total = len(run.games())
    told = json.loads(FORMATS["json"](standings))

    assert total > 150
    assert (total, 100) == (standings.games_finished, standings.games_counted)
    assert [n for n, _ in store.records("open")][-100:] == [g.number for g in counting]
    assert records_digest(hashes) == standings.digest
    assert set(HOUSES) == {row.entrant for row in standings.rows}
    assert f"{total} games, of which the last 100 count" in FORMATS["text"](standings)
    assert (100, total) == (told["window"], told["games_finished"])


async def test_the_latest_version_plays_and_each_is_rated(
    store: Store, autojump_clock: MockClock
) -> None:
    """A ladder seats the version that came last, unless its file says otherwise."""
    server = opened("ada")
    server.others["ada"] = Introduction("ada", version="2")
    await play_for(store, server, ladder(), 20)
    standings = store.standings("open")

    assert Versions.LATEST == store.league("open").versions
    assert {("ada", "2")} == {
        (row.bot, row.version) for row in standings.rows if row.bot == "ada"
    }


def test_an_empty_ladder_has_standings(store: Store) -> None:
    """All formats can be written before anybody has come."""
    store.open_league(ladder(houses=0))
    standings = store.standings("open")

    assert () == standings.rows
    for form in FORMATS.values():
        assert form(standings).endswith("\n")


# Its file


def test_the_commands_know_that_there_is_no_end(
    store: Store, tmp_path: Path, arena: Arena
) -> None:
    """None speaks of games that are left, or plans what nobody knows."""
    store.open_league(ladder())
    store.plan_games("open", {1: (0, 1, 2, 3)}, joining={})
    file = tmp_path / "open.toml"
    file.write_text("name = 'open'\nkind = 'ladder'\n" + SHORT)
    listed = arena("league", "list", "--data", store.directory)
    planned = arena("league", "plan", file, "--data", store.directory)
    closed = arena(
        "league", "close", "open", "--output", tmp_path / "x", "--data", store.directory
    )

    assert re.search(r"open +stopped +0 +arena", listed.out)
    assert "a ladder has no plan" in planned.error
    assert "`arena league report open balance` tells how even" in planned.error
    assert "open is a ladder, and goes on" in closed.error


def refusal(text: str) -> str:
    """The error that a file leads to."""
    with pytest.raises(ConfigError) as caught:
        parse_league(text, file="open.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("games = 7", "games: leave it out: a ladder has no end but the one"),
        ("until = '07:00'", "until: leave it out: a ladder has no end but the one"),
        ("suspended = 'stand_in'", "suspended: leave it out: a ladder seats nobody"),
        ("luck = 'rotate'", "luck: leave it out: a ladder's games have deals of"),
        ("window = 7", "window: 7 is not within 100 to"),
        ("open_to = 'friends'", "'friends' is not one of all, entrants"),
        ("open_to = 'entrants'", "expected at least 4 tables [[entrant]]"),
    ],
)
def test_what_a_ladder_has_no_use_for_is_refused(text: str, expected: str) -> None:
    """Every error says where and why."""
    assert expected in refusal(f"name = 'open'\nkind = 'ladder'\n{text}\n")


def test_keys_of_ladders_are_for_ladders() -> None:
    """A league with a window would be one that forgets."""
    assert 'window: is for kind = "ladder" only' in refusal("name = 'x'\nwindow = 500")
    assert "'cup' is not one of league, ladder" in refusal("name = 'x'\nkind = 'cup'")


def test_a_ladder_may_change_its_window_and_is_no_league(store: Store) -> None:
    """Who has joined stays; what decides results may not change."""
    store.open_league(ladder())
    store.plan_games("open", {1: (0, 1, 2, 4)}, joining={"ada": "Ann"})
    first = store.league("open")
    wider = store.open_league(ladder("window = 500\nopen_to = 'entrants'"))

    assert wider.ladder is not None
    assert (500, False) == (wider.ladder.window, wider.ladder.is_for_all)
    assert first.entrants == wider.entrants == (*HOUSES, "ada")
    assert first.seatings == wider.seatings == ((0, 1, 2, 4),)
    assert first.commitment == wider.commitment
    with pytest.raises(LeagueChanged, match="faults_max"):
        store.open_league(replace(ladder(), faults_max=7))
    with pytest.raises(LeagueChanged, match=r"ladder\.window: 500 -> nothing"):
        store.open_league(replace(ladder(), ladder=None, games=12))


def test_more_entrants_of_the_file_come_after_those_who_joined(store: Store) -> None:
    """Numbers are never given twice."""
    store.open_league(ladder(houses=3))
    store.plan_games("open", {1: (0, 1, 2, 3)}, joining={"ada": ""})
    more = store.open_league(ladder(houses=4))

    assert (*HOUSES[:3], "ada", "lowest") == more.entrants
    assert (*HOUSES[:3], "ada") == more.seats(1)
