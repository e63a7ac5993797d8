"""Versions as bots name them: whatever the arena takes can be rated and told apart."""

import json
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.excerpt import label
from arena.record import Record, read_record, seal, write_record
from arena.wire import WireError, decode_hello
from hearts.arena.v1 import play_pb2
from leagues.reports.merged import FileGames, merged
from leagues.results_file import read_result, record_result
from leagues.standings import standings_of
from leagues.storage.store import Store
from leagues.versions import Versions
from tests.command_line import Arena
from tests.league_games import league_config, league_spec, played
from tests.sample_records import sample_record

OLD = ("1", " ", "1 ", "1  2", '"1 "', "é", "1\u2800")
"""What arenas have taken before they were strict, and stores may hold."""

TYPED = st.text(alphabet=' 1v.@"-\u00e9\n', max_size=6) | st.text(max_size=41)


def introduced(version: str) -> str:
    """Return the version as which a bot is seated that says this one."""
    hello = play_pb2.Hello(bot_version=version)
    return decode_hello(hello, bot="ada", owner="").version


@cache
def games() -> tuple[Record, ...]:
    """Two games of the same bots."""
    one = replace(sample_record(146, target=10), league="demo", game="demo-1")
    other = replace(sample_record(147, target=10), league="demo", game="demo-2")
    return one, other


def of_versions(*versions: str) -> list[Record]:
    """Two games that seat a bot in these versions, one after the other."""
    found = []
    for record, version in zip(games(), versions, strict=True):
        seats = (replace(record.seats[0], version=version), *record.seats[1:])
        found.append(seal(replace(record, seats=seats)))
    return found


def rated(records: list[Record], *, as_results: bool) -> set[str]:
    """Return who is rated in files of these games."""
    reader = FileGames()
    items = []
    for number, record in enumerate(records, start=1):
        if as_results:
            line = read_result(record_result(record), file="a.jsonl", line=number)
            items.append(reader.of_result(line))
        else:
            again = read_record(write_record(record))
            items.append(reader.of_record(again, place=f"a.jsonl:{number}"))
    facts, results = merged(items, state="")
    return {row.entrant for row in standings_of(facts, results).rows}


@pytest.mark.parametrize("as_results", [False, True])
@given(typed=TYPED)
def test_whatever_the_arena_takes_is_rated(typed: str, as_results: bool) -> None:
    """A version is refused, or goes through records and results, and has a row."""
    with suppress(WireError):
        version = introduced(typed)
        check_rated(version, as_results=as_results)
        assert version == (typed or "1")


def check_rated(version: str, *, as_results: bool) -> None:
    """Hold that a bot of this version and another has a row for each."""
    bot = games()[0].seats[0].bot
    rows = rated(of_versions("other", version), as_results=as_results)

    assert 5 == len(rows) or version == "other"
    assert {bot, f"{bot}@other"} & rows


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        (" ", "begins with ' '"),
        ("1 ", "ends with ' '"),
        ("1  2", "has two ' ' in a row"),
        ("1\u00e9", "has '\u00e9'"),
        ("1\t", "has '\\t'"),
    ],
)
def test_a_refusal_names_the_character(version: str, problem: str) -> None:
    """Whoever chose it reads what is wrong with it, and what is expected."""
    with pytest.raises(WireError, match="expected") as refused:
        introduced(version)

    assert problem in str(refused.value)


@pytest.mark.parametrize("version", ["", "1", "v2 beta", "2026-03-01+a1b2", "a@b"])
def test_versions_that_people_can_read_are_taken(version: str) -> None:
    """One that says nothing is version 1."""
    assert (version or "1") == introduced(version)


def test_a_store_of_old_is_rated_as_its_files_are(
    arena: Arena, store: Store, tmp_path: Path
) -> None:
    """Versions that nobody can tell apart are quoted, and no row stands for two."""
    config = replace(league_config(games=len(OLD), entrants=4), versions=Versions.ALL)
    league = store.open_league(config)
    run = store.start_run("demo")
    for number, version in enumerate(OLD, start=1):
        spec = league_spec(config, league, number, run=run)
        seats = tuple(
            replace(seat, version=version) if seat.bot == "fox" else seat
            for seat in spec.seats
        )
        store.finish_game("demo", played(replace(spec, seats=seats)))
    store.stop_run("demo")
    data = ("--data", store.directory)
    paths = {}
    for form in ("records", "results"):
        path = paths[form] = tmp_path / f"{form}.jsonl"
        words = () if form == "records" else ("--format", form)
        assert 0 == arena("games", "export", "demo", *words, "-o", path, *data).code
    audit = tmp_path / "standings.json"
    own = arena("league", "standings", "demo", "--format", "json", *data)
    audit.write_text(own.out)
    rows = {row["entrant"] for row in json.loads(own.out)["standings"]}

    assert 3 + len(OLD) == len(rows)
    assert {'fox@" "', 'fox@"1 "', "fox@1", 'fox@"1\\u2800"'} <= rows
    for path in paths.values():
        done = arena("rate", path, "--format", "json", "--audit", audit)
        found = {row["entrant"] for row in json.loads(done.out)["standings"]}
        assert (0, rows) == (done.code, found), done.error
    for report in ("crosstable", "balance", "faults"):
        assert 0 == arena("league", "report", "demo", report, *data).code


@pytest.mark.parametrize("versions", [("1", "1"), ("1", "2"), ("1", "1 ")])
def test_whoever_has_played_may_be_named_with_a_version(
    arena: Arena, tmp_path: Path, versions: tuple[str, str]
) -> None:
    """A bot that has one version is meant with it and without it."""
    file = tmp_path / "games.jsonl"
    file.write_text("".join(f"{write_record(one)}\n" for one in of_versions(*versions)))
    bot = games()[0].seats[0].bot
    for version in versions:
        done = arena("rate", file, "--anchor", f"{bot}@{version}", "--format", "json")
        name = json.loads(done.out)["anchor"]
        one = versions[0] == versions[1]
        assert (bot if one else f"{bot}@{label(version)}") == name
    other = arena("rate", file, "--anchor", f"{bot}@3")

    assert 2 == other.code
    assert f"no game seats '{bot}@3'; did you mean '{bot}'" in other.error
