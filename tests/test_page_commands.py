"""The commands that a results page names: each works, for leagues of every kind."""

import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from leagues.audit import Action
from leagues.closing import close_league
from leagues.config import EntrantKind, LeagueConfig
from leagues.running.runner import run_league
from leagues.storage.audited import decide, now
from leagues.storage.store import Store
from leagues.versions import Versions
from tests.command_line import Arena
from tests.ladder_runs import ladder, opened
from tests.league_appeals import entry, void
from tests.league_games import league_config, league_spec, played
from tests.league_rosters import with_more, withdraw
from tests.test_commitment import begun
from tests.test_match_verify import house_match
from tests.test_time_box import timed
from tests.test_version_leagues import config as version_config
from tests.test_version_leagues import play_some, server

COMMAND = re.compile('<code class="command">(.*?)</code>')


def play(store: Store, config: LeagueConfig, *numbers: int, retry: int = 0) -> None:
    """Play games of a league now."""
    known = store.league(config.name)
    run = store.start_run(config.name)
    for number in numbers:
        record = played(league_spec(config, known, number, run=run, retry=retry))
        store.finish_game(config.name, begun(record, now()))
    store.stop_run(config.name)


def plain(store: Store, *, games: int = 5, luck: str = "none") -> None:
    """A league with a schedule, whose deals are secret."""
    config = league_config(games=games, seed=None, luck=luck)
    store.open_league(config)
    play(store, config, *range(1, 1 + games))


def open_deals(store: Store) -> None:
    """A league whose deals anybody can compute."""
    config = league_config(games=5)
    store.open_league(config)
    play(store, config, *range(1, 6))


def planned_anew(store: Store) -> None:
    """One in which bots came and left, with a void game and somebody excluded."""
    config = league_config(games=14, entrants=5, seed=None)
    store.open_league(config)
    play(store, config, 1, 2, 3)
    decide(store, "demo", void(2))
    config = with_more(config, "random")
    store.open_league(config)
    play(store, config, 2, 4, 5, retry=1)
    withdraw(store, "fox")
    store.open_league(config)
    play(store, config, *range(6, 15))
    decide(store, "demo", entry(Action.EXCLUDE, entrant="lowest"))


def timed_league(store: Store) -> None:
    """One that has a time instead of a number of games."""
    config = timed()
    store.open_league(config)
    play(store, config, *range(1, 7))
    decide(store, "demo", entry(Action.END))


def match(store: Store) -> None:
    """Two bots in all arrangements."""
    config = house_match(players=4, blocks=1)
    store.open_league(config)
    play(store, config, *range(1, 7))


KINDS: dict[str, Callable[[Store], None]] = {
    "plain": plain,
    "rotated": lambda store: plain(store, games=8, luck="rotate"),
    "open": open_deals,
    "planned anew": planned_anew,
    "timed": timed_league,
    "match": match,
}


class Closed:
    """A league that was closed, and its page."""

    def __init__(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, *, early: str = ""
    ) -> None:
        self.league = store.leagues()[0]
        output = store.directory / "published"
        close_league(store, self.league, output, early=early)
        self.page = (output / "index.html").read_text()
        monkeypatch.chdir(output)

    @property
    def commands(self) -> list[str]:
        """The commands that the page names, as they are to be typed."""
        return [unescape(text) for text in COMMAND.findall(self.page)]

    def check(self, arena: Arena) -> None:
        """Type all of them, each of which must find nothing wrong."""
        assert 5 == len(self.commands)
        for command in self.commands:
            program, *words = shlex.split(command)
            if program == "arena":
                done = arena(*words)
                assert (0, command) == (done.code, command), done.error
            else:
                subprocess.run([program, *words], check=True, capture_output=True)


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_of_the_page_works(
    kind: str, store: Store, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was settled is checked too, where the league has a secret to tell."""
    KINDS[kind](store)
    closed = Closed(store, monkeypatch)
    closed.check(arena)

    assert "finished" == closed.league.state
    assert ("--secret" in closed.page) == (kind != "open")
    assert (kind == "planned anew") == ("all 3 plans of games" in closed.page)
    assert (kind != "planned anew") == (
        "roster, rules and schedule, which were settled before" in closed.page
    )


def test_a_league_that_goes_on_has_nothing_to_reveal(
    store: Store, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page names what can be checked without the secret."""
    config = league_config(games=10, seed=None)
    store.open_league(config)
    play(store, config, 1, 2, 3)
    closed = Closed(store, monkeypatch, early="the term is over")
    closed.check(arena)

    assert "arena verify records.jsonl" in closed.commands


async def test_the_commands_of_a_ladder_work(
    store: Store,
    arena: Arena,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
) -> None:
    """Nobody knew who would come, and the page does not say that anybody did."""
    drain = trio.Event()
    bots = opened("ada")
    bots.steps, bots.on_steps_over = 30, drain.set
    await run_league(bots, store, ladder(), drain=drain)
    decide(store, "open", entry(Action.END))
    closed = Closed(store, monkeypatch)
    closed.check(arena)

    assert "who would come nobody knew" in closed.page
    assert "whom the schedule does" not in closed.page


@pytest.mark.parametrize("versions", [Versions.LATEST, Versions.ALL])
async def test_results_and_records_make_one_table(
    versions: Versions,
    store: Store,
    tmp_path: Path,
    arena: Arena,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
) -> None:
    """Also where a bot with an owner has played in several versions."""
    league = version_config(versions)
    owned = tuple(
        replace(one, owner="Grace H." if one.kind == EntrantKind.BOT else "")
        for one in league.entrants
    )
    league = replace(league, entrants=owned)
    await play_some(store, league, "1")
    await run_league(server("2"), store, league)
    closed = Closed(store, monkeypatch)
    closed.check(arena)
    exported = tmp_path / "exported.jsonl"
    where = ("--data", store.directory)
    arena("games", "export", "demo", "--format", "results", "-o", exported, *where)
    files = (Path("records.jsonl"), Path("results.jsonl"), exported)

    rated = [arena("rate", file, "--format", "csv").out for file in files]
    published = read("standings.csv")
    own = arena("league", "standings", "demo", *where).out
    again = arena("rate", "records.jsonl", "--audit", "standings.json").out

    assert read("results.jsonl") == read(str(exported))
    assert {table(published)} == set(map(table, rated))
    assert 2 == sum("Grace H." in line for line in published.splitlines())
    assert ranked(own) == ranked(again)
    assert (versions == Versions.ALL) == any("fox@1" in row for row in ranked(own))


def read(name: str) -> str:
    """What a file holds."""
    return Path(name).read_text()


def table(csv: str) -> str:
    """A table without its last two columns, which are of all records and the store."""
    return "\n".join(line.rsplit(",", 2)[0] for line in csv.splitlines())


def ranked(text: str) -> list[str]:
    """The rows of standings for people."""
    return [line for line in text.splitlines() if line.lstrip()[:1].isdigit()]
