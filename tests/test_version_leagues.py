"""Leagues whose bots come back as other versions."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
import trio
from trio.testing import MockClock

from arena.introduction import Introduction
from leagues.admission import Played
from leagues.closing import close_league
from leagues.config import EntrantKind, LeagueConfig
from leagues.normal_form import changes, normalised
from leagues.reports.standings import FORMATS, full_form
from leagues.running.progress import Progress
from leagues.running.runner import Outcome, UnableEntrantError, run_league
from leagues.storage import schema
from leagues.storage.store import Store
from leagues.storage.versions_played import versions_played
from leagues.versions import Versions
from tests.command_line import Arena
from tests.hosted_runs import at_once
from tests.league_games import NAMES, league_config
from tests.league_server import FakeServer

FROZEN_OUT = (
    "league demo is frozen, and version 1 of fox has begun it, so version 2 is not "
    "seated"
)


def config(versions: Versions | None, *, games: int = 15) -> LeagueConfig:
    """A league of six in which `fox` dials in."""
    plain = league_config(games=games, entrants=6)
    entrants = tuple(
        replace(one, kind=EntrantKind.BOT, house="") if one.name == "fox" else one
        for one in plain.entrants
    )
    return replace(plain, entrants=entrants, versions=versions)


def server(version: str) -> FakeServer:
    """A server with all bots, `fox` in some version."""
    opened = FakeServer(introductions={"fox": Introduction("fox", version=version)})
    opened.come(NAMES)
    return opened


async def play_some(store: Store, league: LeagueConfig, version: str) -> None:
    """Play about half of a league."""
    drain = trio.Event()
    opened = server(version)
    opened.steps, opened.on_steps_over = 12, drain.set
    await run_league(opened, store, replace(league, tables_max=2), drain=drain)


async def test_a_frozen_league_waits_for_its_version(
    store: Store, autojump_clock: MockClock
) -> None:
    """Another version is not seated, everybody is told, and the first one goes on."""
    league = config(None)
    await play_some(store, league, "1")
    known = versions_played(store, "demo")
    opened, notes, seen = server("2"), list[str](), list[Progress]()
    outcomes: list[Outcome] = []

    async def run() -> None:
        outcomes.append(
            await run_league(
                opened,
                store,
                league,
                on_note=notes.append,
                on_progress=seen.append,
                in_thread=at_once,
            )
        )

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await trio.sleep(600)
        waiting = seen[-1]
        opened.others["fox"] = Introduction("fox", version="1")
        opened.come(["fox"])

    assert Played("1", "1") == known["fox"]
    assert ("fox@2", FROZEN_OUT) in opened.told
    assert [f"warning: {FROZEN_OUT}"] == notes
    assert 0 == waiting.running
    assert (
        "fox (it is connected as version 2, but version 1 has begun this frozen league)"
        == waiting.waiting_text()
    )
    assert "finished" == outcomes[0].reason
    assert {"1"} == {
        seat.version
        for result in store.results("demo")
        for seat in result.seats
        if seat.entrant == "fox"
    }


@pytest.mark.parametrize("versions", [Versions.LATEST, Versions.ALL])
async def test_versions_that_play_one_after_the_other_are_rated_apart(
    store: Store, autojump_clock: MockClock, versions: Versions
) -> None:
    """The new version goes on where the old one was, with figures of its own."""
    league = config(versions)
    await play_some(store, league, "1")
    outcome = await run_league(server("2"), store, league)
    standings = store.standings("demo")
    games = {row.entrant: row.games for row in standings.rows}

    assert "finished" == outcome.reason
    assert {"fox@1", "fox@2"} == {name for name in games if "fox" in name}
    assert 10 == games["fox@1"] + games["fox@2"]
    assert ("fox@1" in {row.entrant for row in standings.short}) == (
        versions == Versions.ALL
    )
    assert standings.digest == store.standings("demo").digest


async def test_the_results_page_tells_older_versions_below(
    store: Store, tmp_path: Path, autojump_clock: MockClock, arena: Arena
) -> None:
    """Both have a part of their own, and records alone give the same ratings."""
    league = config(Versions.LATEST)
    await play_some(store, league, "1")
    outcome = await run_league(server("2"), store, league)
    close_league(store, outcome.league, tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    above, _, below = page.partition("<h3>Older versions</h3>")
    rated = arena("rate", tmp_path / "out" / "records.jsonl", "--full")
    text = FORMATS["text"](full_form(store.standings("demo")))
    table = [line for line in text.splitlines() if line.lstrip()[:1].isdigit()]

    assert ">fox@2<" in above
    assert ">fox@1<" not in above
    assert ">fox@1<" in below.partition("</table>")[0]
    assert 7 == page.count('<article class="bot"')
    assert table
    assert set(table) <= set(rated.out.splitlines())


async def test_a_program_that_is_not_what_it_was_ends_the_run(
    store: Store, autojump_clock: MockClock
) -> None:
    """The host hears what to do: nobody would come and bring the old one back."""
    league = replace(config(None), entrants=league_config(entrants=6).entrants)
    await play_some(store, league, "1")

    with pytest.raises(UnableEntrantError, match='set versions = "all"'):
        await run_league(server("2"), store, league)


async def test_a_program_that_comes_back_as_another_is_out(
    store: Store, autojump_clock: MockClock
) -> None:
    """It can't hold up or end the league: its seats are given up in this run."""
    league = replace(config(None), entrants=league_config(entrants=6).entrants)
    opened = server("1")

    def change() -> None:
        opened.introductions["fox"] = Introduction("fox", version="2")
        opened.come(["fox"])

    opened.steps, opened.on_steps_over = 12, change
    outcome = await run_league(opened, store, replace(league, tables_max=2))

    assert "finished" == outcome.reason
    assert ("fox", "start") in opened.given_up
    assert {"1"} == {
        seat.version for result in store.results("demo") for seat in result.seats
    }


def form_before(store: Store) -> None:
    """Make the league one of a store that is older than the choice."""
    table = schema.leagues
    with store.database.write() as connection:
        form = json.loads(connection.execute(sa.select(table.c.form)).scalar_one())
        del form["versions"]
        text = json.dumps(form, sort_keys=True, separators=(",", ":"))
        connection.execute(sa.update(table).values(form=text))


async def test_an_older_league_goes_on_as_it_began(
    store: Store, autojump_clock: MockClock
) -> None:
    """Any version plays it and all count as one, until its file chooses."""
    league = config(None)
    await play_some(store, league, "1")
    form_before(store)
    outcome = await run_league(server("2"), store, league)
    games = {row.entrant: row.games for row in store.standings("demo").rows}
    chosen = store.open_league(replace(league, versions=Versions.ALL))

    assert ("finished", None) == (outcome.reason, outcome.league.versions)
    assert 10 == games["fox"]
    assert Versions.ALL == chosen.versions
    assert 7 == len(store.standings("demo").rows)


def test_the_choice_may_change() -> None:
    """It says who plays what is left; each version is rated by itself anyway."""
    old = normalised(config(None))
    found = changes(old, normalised(config(Versions.LATEST)))

    assert ['versions: "frozen" -> "latest"'] == [str(change) for change in found]
    assert Versions.FROZEN.value == json.loads(old)["versions"]
