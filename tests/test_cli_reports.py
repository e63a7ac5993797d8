"""Commands that report on leagues: `arena league report`, `arena rate`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.notation import write_notation
from arena.record import read_record, seal, write_record
from leagues.reports.formats import FORMATS
from leagues.reports.head_to_head import head_to_head
from leagues.reports.kinds import OF_RECORDS, OF_RESULTS
from leagues.reports.source import Source, source_of
from leagues.storage.store import Store
from leagues.versions import Versions
from tests.command_line import Arena
from tests.league_games import league_config, play_run

GAMES = 12
PLAYED = 10


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a league in the middle of its games."""
    directory = tmp_path_factory.mktemp("data")
    with Store.open(directory, command="a test") as store:
        config = league_config(games=GAMES)
        play_run(store, config, finished=PLAYED, unsteady=frozenset({"fox"}))
    return directory


def source(data: Path) -> Source:
    """What the reports of the league are made of."""
    with Store.open_read_only(data) as store:
        return source_of(store.league("demo").facts(), store.results("demo"))


class TestReport:
    """`arena league report`."""

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize("kind", OF_RESULTS)
    def test_a_report_is_printed(
        self, arena: Arena, data: Path, kind: str, form: str
    ) -> None:
        """Each kind is printed in each format."""
        done = arena("league", "report", "demo", kind, "--format", form, "--data", data)

        assert (0, "") == (done.code, done.error)
        assert FORMATS[form](OF_RESULTS[kind](source(data))) == done.out

    @pytest.mark.parametrize("kind", OF_RECORDS)
    def test_a_report_of_records_is_printed(
        self, arena: Arena, data: Path, kind: str
    ) -> None:
        """Reports of deals and tricks read the records of the store."""
        done = arena("league", "report", "demo", kind, "--data", data)
        whole = source(data)
        with Store.open_read_only(data) as store:
            records = [read_record(line) for _, line in store.records("demo")]
        games = list(zip(whole.results, records, strict=True))

        assert (0, "") == (done.code, done.error)
        assert FORMATS["text"](OF_RECORDS[kind](whole, games)) == done.out

    def test_two_bots_are_compared(self, arena: Arena, data: Path) -> None:
        """Head to head takes two names."""
        names = ("careful", "fox")
        done = arena("league", "report", "demo", "head-to-head", *names, "--data", data)

        assert FORMATS["text"](head_to_head(source(data), *names)) == done.out

    def test_a_bot_may_be_named_with_its_version(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """Where only one has played too, as its standings have no version then."""
        with Store.open(tmp_path, command="a test") as store:
            config = replace(league_config(games=4), versions=Versions.ALL)
            play_run(store, config, finished=4)
        words = ("league", "report", "demo", "head-to-head", "--data", tmp_path)
        plain = arena(*words, "careful", "fox")
        named = arena(*words, "careful@1", "fox@1")
        other = arena(*words, "careful@2", "fox")
        twice = arena(*words, "fox@1", "fox")

        assert (0, plain.out) == (named.code, named.out)
        assert "has no game of 'careful@2'; did you mean 'careful'" in other.error
        assert "the same one is given twice" in twice.error

    def test_before_the_first_game_nobody_is_compared(
        self, arena: Arena, tmp_path: Path
    ) -> None:
        """Where there is no game there is no list of bots to choose from either."""
        with Store.open(tmp_path, command="a test") as store:
            store.open_league(league_config())
        names = ("careful", "fox")
        done = arena(
            "league", "report", "demo", "head-to-head", *names, "--data", tmp_path
        )

        assert (2, "error: league demo has no game yet that counts\n") == (
            done.code,
            done.error,
        )

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("head-to-head", "fox"), "is about two bots, but 1 given; for example"),
            (("head-to-head", "fox", "fox"), "but the same one is given twice; for"),
            (("head-to-head", "fox", "zz"), "has no game of 'zz'; there are: "),
            ((), "say which report; start with arena league report demo crosstable"),
            (("los", "fox"), "'fox' is one word too many: los is about all bots"),
        ],
    )
    def test_wrong_bots_are_one_line(
        self, arena: Arena, data: Path, words: tuple[str, ...], message: str
    ) -> None:
        """Bots that are missing, unknown or too many are told in a line."""
        done = arena("league", "report", "demo", *words, "--data", data)

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert message in done.error

    def test_json_is_for_programs(self, arena: Arena, data: Path) -> None:
        """JSON holds the kind, the counts and the rows."""
        done = arena(
            *("league", "report", "demo", "faults", "--format", "json", "--data", data)
        )
        document = json.loads(done.out)
        faulty = {row["entrant"]: row["late"] for row in document["rows"]}

        assert ("faults", PLAYED) == (document["report"], document["games"])
        assert faulty["fox"]
        assert not faulty["careful"]

    def test_pgn_has_every_two_seats(self, arena: Arena, data: Path) -> None:
        """PGN is written as it is, with the phantom where it is asked for."""
        done = arena("league", "report", "demo", "pgn", "--data", data)
        more = arena("league", "report", "demo", "pgn", "--phantom", "--data", data)
        odd = arena("league", "report", "demo", "pgn", "--format", "md", "--data", data)

        assert 6 * PLAYED == done.out.count("[White ")
        assert more.out.startswith(done.out)
        assert 5 == more.out.count('[Black "(phantom)"]')
        assert "pgn is a format of its own" in odd.error


class TestRate:
    """`arena rate`."""

    @pytest.fixture
    def exported(self, arena: Arena, data: Path, tmp_path: Path) -> Path:
        """The records of the league."""
        file = tmp_path / "demo.jsonl"
        arena("games", "export", "demo", "-o", file, "--data", data)
        return file

    def test_records_give_the_same_standings(
        self, arena: Arena, data: Path, exported: Path
    ) -> None:
        """Whoever has the records finds the figures and the digest of the league."""
        done = arena("rate", exported, "--format", "json")
        league = arena(
            "league", "standings", "demo", "--format", "json", "--data", data
        )
        found, expected = json.loads(done.out), json.loads(league.out)

        assert 0 == done.code
        assert "Open deals, not for competition." in done.error
        assert expected["standings"] == found["standings"]
        assert expected["records_digest"] == found["records_digest"]
        assert None is found["commitment"]

    def test_files_are_merged(
        self, arena: Arena, exported: Path, tmp_path: Path
    ) -> None:
        """A league in two files is that league, in JSON or in notation."""
        lines = exported.read_text().splitlines(keepends=True)
        one, two = tmp_path / "one.jsonl", tmp_path / "two.txt"
        one.write_text("".join(lines[:4]))
        two.write_text(
            "".join(write_notation(read_record(line)) + "\n" for line in lines[4:])
        )
        whole = arena("rate", exported, "--anchor", "fox")
        parts = arena("rate", two, one, "--anchor", "fox")

        assert whole.out.replace("1 file", "2 files") == parts.out
        assert "fox = 1500" in parts.out

    def test_results_give_the_same_standings(
        self, arena: Arena, exported: Path, tmp_path: Path
    ) -> None:
        """Lines of results do as well as records, also beside them."""
        results = tmp_path / "results.jsonl"
        export = ("games", "export", "--format", "results", "--records", exported)
        arena(*export, "-o", results)
        lines = exported.read_text().splitlines(keepends=True)
        half = tmp_path / "half.jsonl"
        half.write_text("".join(results.read_text().splitlines(True)[:4] + lines[4:]))
        whole = arena("rate", exported)

        assert whole.out == arena("rate", results).out
        assert whole.out == arena("rate", half).out

    def test_a_wrong_result_is_one_line(
        self, arena: Arena, exported: Path, tmp_path: Path
    ) -> None:
        """The line and the field of a result are named, as is a game told twice."""
        results = tmp_path / "results.jsonl"
        export = ("games", "export", "--format", "results", "--records", exported)
        arena(*export, "-o", results)
        good = results.read_text()
        results.write_text(good.replace('"place":1', '"place":9', 1))
        place = arena("rate", results)
        results.write_text(good.replace('"players":4', '"players":5', 1))
        seats = arena("rate", results)
        results.write_text(good.replace('"target":"10"', '"target":"11"'))
        rules = arena("rate", results)
        results.write_text(good)
        twice = arena("rate", exported, results)

        assert {2} == {done.code for done in (place, seats, rules, twice)}
        assert f"{results}:1: seats[" in place.error
        assert f"{results}:1: seats: expected 5 items, got 4" in seats.error
        assert f"{results}:1: game demo-1: rules.hash" in rules.error
        assert f"{results}:1: game 'demo-1' stands twice, first in" in twice.error

    def test_doubled_games_are_one_line(self, arena: Arena, exported: Path) -> None:
        """A copy of a file is refused with the first game that stands twice."""
        copy = exported.with_name("copy.jsonl")
        copy.write_bytes(exported.read_bytes())
        done = arena("rate", exported, copy)

        assert (2, "") == (done.code, done.out)
        assert "game 'demo-1' stands twice, first in " in done.error

    def test_a_file_named_twice_is_read_once(
        self, arena: Arena, exported: Path
    ) -> None:
        """Its games count once, and a note says so."""
        done = arena("rate", exported, exported)

        assert 0 == done.code
        assert arena("rate", exported).out == done.out
        assert f"{exported}: named twice, read once." in done.error

    def test_unfinished_games_are_left_out(self, arena: Arena, exported: Path) -> None:
        """What has no end counts for nobody, and is said."""
        lines = exported.read_text().splitlines()
        broken = replace(
            read_record(lines[-1]), ending="void", places=None, totals=None
        )
        exported.write_text("\n".join([*lines[:-1], write_record(seal(broken))]))
        done = arena("rate", exported)

        assert 0 == done.code
        assert f"{PLAYED - 1} of {PLAYED - 1} games" in done.out
        assert "Left out: 1 game void or unfinished." in done.error

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", "there is no finished game in these files"),
            ("{}", ":1: "),
        ],
    )
    def test_files_without_games_are_one_line(
        self, arena: Arena, tmp_path: Path, content: str, message: str
    ) -> None:
        """Nothing, or something else, is told in a line."""
        file = tmp_path / "a.jsonl"
        file.write_text(content)
        done = arena("rate", file)

        assert (2, 1) == (done.code, len(done.error.splitlines()))
        assert message in done.error

    def test_an_anchor_has_to_play(self, arena: Arena, exported: Path) -> None:
        """An anchor that no game seats is told, with the nearest name."""
        done = arena("rate", exported, "--anchor", "lowst")

        assert (2, "") == (done.code, done.out)
        assert "no game seats 'lowst'; did you mean 'lowest'?" in done.error
