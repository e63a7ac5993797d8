"""`arena games export`: tables for analysis, results, and files of records."""

import json
import signal
import sys
from pathlib import Path

import pytest
from pyarrow import parquet as pq

from arena.notation import write_notation
from arena.record import Record, read_record, write_record
from leagues.results_file import read_result
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import league_config, play_run
from tests.sample_records import sample_record

GAMES = 5
TABLES = ("games", "deals", "turns")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a league."""
    directory = tmp_path_factory.mktemp("data")
    fill(directory)
    return directory


def fill(directory: Path) -> None:
    """Store a league whose games are all finished."""
    with Store.open(directory, command="a test") as store:
        config = league_config(games=GAMES)
        play_run(store, config, finished=GAMES, unsteady=frozenset({"fox"}))


def terminated(record: Record) -> None:
    """Be told to end while a record is worked on."""
    signal.raise_signal(signal.SIGTERM)


def lines(data: Path) -> list[str]:
    """Return the records of the league."""
    with Store.open_read_only(data) as store:
        return [line for _, line in store.records("demo")]


class TestTables:
    """`--format parquet`."""

    def test_a_league_as_tables(self, arena: Arena, data: Path, tmp_path: Path) -> None:
        """Three files hold all games, deals and turns, and the counts are told."""
        to = tmp_path / "tables"
        done = arena("games", "export", "--format", "parquet", "-o", to, "--data", data)
        found = {name: pq.read_table(to / f"{name}.parquet") for name in TABLES}
        records = [read_record(line) for line in lines(data)]
        deals = sum(len(record.deals) for record in records)

        assert (0, "") == (done.code, done.out)
        counts = [table.num_rows for table in found.values()]
        assert [GAMES, deals] == counts[:2]
        told = f"{to}: {GAMES} games, {deals} deals, {counts[2]} turns\n"
        assert told == done.error
        assert [record.game for record in records] == (
            found["games"].column("game").to_pylist()
        )

    def test_files_of_records_as_tables(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """From JSON lines and from notation, of a league or not: the same tables."""
        file, text = tmp_path / "games.jsonl", tmp_path / "game.txt"
        file.write_text("\n".join(lines(data)[:-1]) + "\n")
        text.write_text(write_notation(read_record(lines(data)[-1])))
        common = ("games", "export", "--format", "parquet", "-o")
        arena(*common, tmp_path / "one", "--data", data)
        done = arena(*common, tmp_path / "other", "--records", file, "--records", text)

        assert 0 == done.code
        for name in TABLES:
            one, other = (
                (tmp_path / folder / f"{name}.parquet").read_bytes()
                for folder in ("one", "other")
            )

            assert one == other

    def test_only_later_games(self, arena: Arena, data: Path, tmp_path: Path) -> None:
        """`--after` leaves the first ones out."""
        export = ("games", "export", "--format", "parquet", "--after", 4)
        arena(*export, "--output", tmp_path, "--data", data)

        games = pq.read_table(tmp_path / "games.parquet")
        assert ["demo-5"] == games.column("game").to_pylist()

    def test_a_record_that_is_wrong_leaves_nothing(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """The place and the reason stand in one line, and no file appears."""
        good = lines(data)
        wrong = good[1].replace('"points":[', '"points":[99,', 1)
        file = tmp_path / "games.jsonl"
        for text, reason in (
            (wrong, "games.jsonl:2: deals[0].points: expected 4 items, got 5"),
            (
                good[1].replace('"dealer":', '"dealer":3', 1),
                "games.jsonl:2: deals[0].d",
            ),
            (
                good[1].replace('"points":[', '"points":[9', 1),
                "games.jsonl:2: a record "
                "that can't be told: game demo-2, deal 1, seat 0: points ([Points])",
            ),
            (good[0], "games.jsonl:2: game demo-1 stands in "),
        ):
            file.write_text("\n".join([good[0], text, good[2]]))
            export = ("games", "export", "--records", file, "--format", "parquet")
            done = arena(*export, "-o", tmp_path / "tables")

            assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
            assert reason in done.error
            assert [file] == list(tmp_path.iterdir())

    @pytest.mark.parametrize("form", ["parquet", "text"])
    def test_a_terminated_export_leaves_nothing(
        self,
        arena: Arena,
        data: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        form: str,
    ) -> None:
        """SIGTERM in the middle ends it with the code of a shell, and it cleans up."""
        before = signal.getsignal(signal.SIGTERM)
        for name in ("rows_of", "replay"):
            monkeypatch.setattr(f"leagues.commands.export.{name}", terminated)
        export = ("games", "export", "--format", form, "--data", data)
        done = arena(*export, "-o", tmp_path / "out")

        assert (128 + signal.SIGTERM, "") == (done.code, done.error)
        assert [] == list(tmp_path.iterdir())
        assert before == signal.getsignal(signal.SIGTERM)

    def test_without_pyarrow_it_is_said_how_to_get_it(
        self,
        arena: Arena,
        data: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The extra is named, and nothing is written."""
        monkeypatch.delitem(sys.modules, "leagues.analysis.parquet", raising=False)
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        export = ("games", "export", "--format", "parquet", "--data", data)
        done = arena(*export, "-o", tmp_path / "tables")

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert "pip install -e '.[analysis]'" in done.error
        assert [] == list(tmp_path.iterdir())

    def test_a_directory_that_can_not_be(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """A missing parent, a file in the way and no directory at all are told."""
        export = ("games", "export", "--format", "parquet", "--data", data)
        file = tmp_path / "file"
        file.write_text("mine")
        deep = arena(*export, "-o", tmp_path / "none" / "tables")
        taken = arena(*export, "-o", file)
        missing = arena(*export)

        assert (2, 2, 2) == (deep.code, taken.code, missing.code)
        assert "none/tables: can't be written: No such file or" in deep.error
        assert f"{file}: can't be written: File exists" in taken.error
        assert "parquet needs a directory for its files: -o DIR" in missing.error
        assert "mine" == file.read_text()


class TestResults:
    """`--format results`."""

    def test_all_that_ratings_need(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """The file is read as the results of the store."""
        file = tmp_path / "results.jsonl"
        export = ("games", "export", "demo", "--format", "results")
        done = arena(*export, "-o", file, "--data", data)
        lines = enumerate(file.read_text().splitlines(), start=1)
        found = [read_result(text, file="demo", line=n) for n, text in lines]
        with Store.open_read_only(data) as store:
            expected = store.results("demo")
            rules_hash = store.league("demo").values["rules"]["hash"]

        assert f"{file}: {GAMES} games\n" == done.error
        assert expected == [line.result for line in found]
        assert {("game", rules_hash, "demo")} == {
            (line.unit, line.rules.hash, line.league) for line in found
        }

    def test_records_give_the_same_lines(
        self, arena: Arena, data: Path, tmp_path: Path
    ) -> None:
        """A file of records says what the store says."""
        file = tmp_path / "games.jsonl"
        file.write_text("\n".join(lines(data)))
        export = ("games", "export", "--format", "results")

        assert arena(*export, "--data", data).out == (
            arena(*export, "--records", file).out
        )

    def test_only_later_results(self, arena: Arena, data: Path) -> None:
        """`--after` leaves the first ones out."""
        export = ("games", "export", "--format", "results", "--data", data)
        whole = arena(*export).out.splitlines()

        assert whole[1:] == arena(*export, "--after", 1).out.splitlines()
        assert GAMES == len(whole)

    def test_only_what_counts(self, arena: Arena, tmp_path: Path) -> None:
        """Games of excluded bots are left out, and void ones are not to be had."""
        fill(tmp_path)
        export = ("games", "export", "--format", "results", "--data", tmp_path)
        why = ("--reason", "it cheats", "--data", tmp_path)
        assert 0 == arena("league", "exclude", "demo", "ducker", *why).code
        found = [json.loads(line) for line in arena(*export).out.splitlines()]
        with Store.open_read_only(tmp_path) as store:
            expected = [result.number for result in store.counting_results("demo")]
        void = arena(*export, "--void")

        assert expected == [result["number"] for result in found]
        assert 0 < len(found) < GAMES
        assert (2, "error: games that are void have no results\n") == (
            void.code,
            void.error,
        )

    def test_unfinished_games_have_none(self, arena: Arena, tmp_path: Path) -> None:
        """A record that is broken off is named with its place."""
        file = tmp_path / "game.jsonl"
        file.write_text(write_record(sample_record(3, answers_max=20)))
        done = arena("games", "export", "--format", "results", "--records", file)

        assert (2, "") == (done.code, done.out)
        assert f"{file}:1: game demo-17 is not finished, so it has no result" in (
            done.error
        )


class TestFilesOfRecords:
    """`--records`."""

    @pytest.mark.parametrize("form", ["jsonl", "notation", "text"])
    def test_every_format(
        self, arena: Arena, data: Path, tmp_path: Path, form: str
    ) -> None:
        """Files of records are exported like the league that they come from."""
        file = tmp_path / "games.jsonl"
        file.write_text("\n".join(lines(data)) + "\n")
        export = ("games", "export", "--format", form)

        assert arena(*export, "--data", data).out == (
            arena(*export, "--records", file).out
        )

    def test_unfinished_games_too(self, arena: Arena, tmp_path: Path) -> None:
        """A record of no league, broken off in mid-deal, has its rows."""
        file = tmp_path / "game.jsonl"
        file.write_text(write_record(sample_record(3, answers_max=20)))
        export = ("games", "export", "--format", "parquet", "-o", tmp_path / "tables")
        done = arena(*export, "--records", file)

        assert f"{tmp_path / 'tables'}: 1 game, 1 deal, 20 turns\n" == done.error

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["demo"], "--records takes no league, no --arena and no --after"),
            (["--after", "1"], "--records takes no league, no --arena and no --after"),
            (["--arena", "x:1"], "--records takes no league, no --arena and no --aft"),
            ([], "empty.jsonl: no record; expected JSON lines or notation"),
        ],
    )
    def test_what_can_not_be_is_explained(
        self, arena: Arena, tmp_path: Path, arguments: list[str], message: str
    ) -> None:
        """Games come from one place; a file without any is named."""
        file = tmp_path / "empty.jsonl"
        file.write_text("\n")
        done = arena("games", "export", *arguments, "--records", file)

        assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
        assert message in done.error

    def test_a_missing_file_is_named(self, arena: Arena, tmp_path: Path) -> None:
        """A file that is not there is an error of one line."""
        done = arena("games", "export", "--records", tmp_path / "none.jsonl")

        assert (2, 1) == (done.code, len(done.error.splitlines()))
        assert "none.jsonl: can't be read: No such file" in done.error
