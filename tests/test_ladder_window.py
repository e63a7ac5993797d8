"""Which games of a ladder count: the last ones, whoever is excluded meanwhile."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from leagues.reports.standings import FORMATS
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.ladder_runs import ladder, opened, play_for


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a ladder that has played more games than count; `ada` has gone."""
    folder = tmp_path_factory.mktemp("ladder") / "data"

    async def play() -> None:
        with Store.open(folder, command="a test") as store:
            server = opened("ada")
            await play_for(store, server, ladder("window = 100"), 50)
            server.go("ada")
            await play_for(store, server, ladder("window = 100"), 30)
            assert 120 < len(store.results("open"))

    trio.run(play, clock=MockClock(autojump_threshold=0))
    return folder


@pytest.fixture
def grown(played: Path, tmp_path: Path) -> Iterator[Store]:
    """A store of its own with that ladder."""
    shutil.copytree(played, tmp_path / "data")
    with Store.open(tmp_path / "data", command="a test") as store:
        yield store


def test_an_exclusion_leaves_the_window_full(grown: Store, arena: Arena) -> None:
    """Older games take the places of those that count for nobody, as is told."""
    before = grown.counting_results("open")
    lost = [one for one in before if "ada" in {seat.entrant for seat in one.seats}]
    words = ("--reason", "a pair", "--data", grown.directory)
    done = arena("league", "exclude", "open", "ada", *words)
    counting = grown.counting_results("open")
    others = [
        result.number
        for result in grown.results("open")
        if "ada" not in {seat.entrant for seat in result.seats}
    ]
    standings = grown.standings("open")
    report = arena("league", "report", "open", "balance", "--data", grown.directory)

    assert 10 < len(lost) < 100
    assert f"{len(lost)} finished games that counted until now count for" in done.out
    assert others[-100:] == [result.number for result in counting]
    assert min(100, len(others)) == standings.games_counted
    assert "the last 100 without excluded bots count" in FORMATS["text"](standings)
    assert f"{len(counting)} games" in report.out


def test_a_table_of_the_last_games_is_checked(
    grown: Store, arena: Arena, tmp_path: Path
) -> None:
    """Whoever has the records works out which count, whoever is excluded."""
    data, file = ("--data", grown.directory), tmp_path / "open.jsonl"
    arena("games", "export", "open", "-o", file, *data)
    young = tmp_path / "results.jsonl"
    audit = tmp_path / "standings.json"
    told = []
    for excluded in ("", "ada"):
        if excluded:
            arena("league", "exclude", "open", "ada", "--reason", "a pair", *data)
        own = arena("league", "standings", "open", "--format", "json", *data)
        audit.write_text(own.out)
        arena("games", "export", "open", "--format", "results", "-o", young, *data)
        told += [arena("rate", one, "--audit", audit) for one in (file, young)]
        csv = ("--format", "csv")
        assert (
            arena("league", "standings", "open", *csv, *data).out
            == arena("rate", file, "--audit", audit, *csv).out
        )
    known = json.loads(audit.read_text())
    known["standings"][0]["elo"] += 1
    audit.write_text(json.dumps(known))
    forged = arena("rate", file, "--audit", audit)

    assert [0] * 4 == [done.code for done in told]
    assert all("table checked against these games" in done.error for done in told)
    assert "games too old for a ladder" in told[0].error
    assert 1 == forged.code
    assert "the table is not that of these games" in forged.error


def test_a_game_that_is_too_old_to_count_is_not_played_again(
    grown: Store, arena: Arena
) -> None:
    """It would count for nothing; void it may be all the same, and that is told."""
    words = ("--reason", "odd", "--data", grown.directory)
    since = grown.counting_results("open")[0].number
    again = arena("league", "void", "open", "1", *words)
    once = arena("league", "void", "open", "1", "--no-replay", *words)
    young = arena("league", "void", "open", f"{since + 5}", *words)

    assert 2 == again.code
    assert f"open-1 does not count any more, as the games since open-{since}" in (
        again.error
    )
    assert "game open-1 did not count any more, and is not played again\n" == once.out
    assert f"game open-{since + 5} does not count any more, and is pl" in young.out
    assert 100 == grown.standings("open").games_counted
