"""The files for analysis: what is written is read again, and appears whole or not."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet as pq

from arena.cards import card_name
from leagues.analysis import parquet
from leagues.analysis.parquet import FILES, parquet_files, schema_of
from leagues.analysis.rows import rows_of
from leagues.analysis.tables import (
    COLUMNS,
    SCHEMA,
    TABLES,
    Column,
    DealRow,
    GameRow,
    Kind,
    Row,
    Rows,
    TurnRow,
)
from tests.any_records import TEXTS
from tests.sample_records import PRESET_SEATS, sample_record

Values = dict[str, Any]

_SEATS = 5
_CARD = st.integers(1, 52)
_CARDS = st.lists(_CARD, max_size=5)
_PLAIN = TEXTS.filter(lambda text: "\ud800" not in text)
_TIME = st.datetimes().map(lambda time: time.isoformat(timespec="milliseconds") + "Z")

_VALUES: dict[Kind, st.SearchStrategy[Any]] = {
    Kind.FLAG: st.booleans(),
    Kind.INT8: st.integers(-(2**7), 2**7 - 1),
    Kind.INT16: st.integers(-(2**15), 2**15 - 1),
    Kind.INT32: st.integers(-(2**31), 2**31 - 1),
    Kind.TEXT: _PLAIN,
    Kind.NAME: _PLAIN,
    Kind.TIME: _TIME,
    Kind.OPTIONS: st.dictionaries(_PLAIN, _PLAIN, max_size=3),
    Kind.CARD: _CARD,
    Kind.CARDS: _CARDS,
    Kind.HANDS: st.lists(st.none() | _CARDS, max_size=_SEATS),
    Kind.INT8S: st.lists(st.integers(-(2**7), 2**7 - 1), max_size=_SEATS),
    Kind.INT16S: st.lists(st.integers(-(2**15), 2**15 - 1), max_size=_SEATS),
    Kind.INT32S: st.lists(st.integers(-(2**31), 2**31 - 1), max_size=_SEATS),
    Kind.NAMES: st.lists(st.none() | _PLAIN, max_size=_SEATS),
}


def _rows(row: type[Row]) -> st.SearchStrategy[list[Any]]:
    """Draw rows of a table that hold whatever their columns may."""
    (table,) = (name for name, made in TABLES.items() if made is row)
    values = [_value(column) for column in COLUMNS[table]]
    return st.lists(st.tuples(*values).map(row._make), max_size=5)


def _value(column: Column) -> st.SearchStrategy[Any]:
    values = _VALUES[column.kind]
    return st.none() | values if column.is_nullable else values


def written(rows: Row, table: str) -> Values:
    """Return a row as its file has to hold it."""
    return {
        column.name: _written(value, column.kind)
        for column, value in zip(COLUMNS[table], rows, strict=True)
    }


def _written(value: Any, kind: Kind) -> Any:
    if value is None:
        return None
    if kind in (Kind.CARD, Kind.CARDS, Kind.HANDS):
        return _names(value)
    if kind == Kind.OPTIONS:
        return list(value.items())
    return list(value) if isinstance(value, tuple) else value


def _names(value: Any) -> Any:
    if isinstance(value, list):
        return [None if item is None else _names(item) for item in value]
    return card_name(value)


def read(path: Path) -> list[Values]:
    """Read a file, with its times as a record writes them."""
    found: list[Values] = pq.read_table(path).to_pylist()
    for row in found:
        for name in {"started", "ended"} & set(row):
            if row[name] is not None:
                text = row[name].replace(tzinfo=None).isoformat(timespec="milliseconds")
                row[name] = text + "Z"
    return found


def write(
    directory: Path, *games: Rows, stopped: type[BaseException] | None = None
) -> None:
    """Write the rows of some games; something may stop it before the end."""
    with parquet_files(directory) as files:
        for game in games:
            files.add(game)
        if stopped:
            raise stopped


@given(rows=st.builds(Rows, _rows(GameRow), _rows(DealRow), _rows(TurnRow)))
@settings(max_examples=30)
def test_any_rows_are_read_again(
    rows: Rows, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever columns may hold comes back, nulls and empty lists apart."""
    directory = tmp_path_factory.mktemp("tables")
    write(directory, rows)

    for table, file in FILES.items():
        expected = [written(row, table) for row in getattr(rows, table)]

        assert expected == read(directory / file)


@pytest.mark.parametrize(("preset", "players"), PRESET_SEATS)
def test_games_of_every_preset_are_read_again(
    preset: str, players: int, tmp_path: Path
) -> None:
    """What the files hold of a game is what its rows say."""
    record = sample_record(5, preset_name=preset, players=players, deals_max=1)
    rows = rows_of(record)
    write(tmp_path, rows)

    for table, file in FILES.items():
        expected = [written(row, table) for row in getattr(rows, table)]

        assert expected == read(tmp_path / file)


@pytest.mark.parametrize("table", TABLES)
def test_the_schema_is_that_of_the_columns(table: str, tmp_path: Path) -> None:
    """A file has the declared types, even without a row, and its columns' meanings."""
    write(tmp_path)
    found = pq.read_schema(tmp_path / FILES[table])
    names = tuple(column.name for column in COLUMNS[table])

    assert list(map(type_name, schema_of(table).types)) == (
        list(map(type_name, found.types))
    )
    assert TABLES[table]._fields == names == tuple(found.names)
    assert [column.is_nullable for column in COLUMNS[table]] == [
        field.nullable for field in found
    ]
    assert [column.meaning for column in COLUMNS[table]] == [
        field.metadata[b"meaning"].decode() for field in found
    ]
    assert SCHEMA == found.metadata[b"schema"].decode()


def type_name(kind: Any) -> str:
    """Return a type as it is written, without what versions of Arrow see otherwise."""
    return re.sub(r"indices=int\d+|item|element| \('\w+'\)", "", str(kind))


def test_every_kind_has_a_type() -> None:
    """Cards are names in a dictionary of small numbers, alone and in lists."""
    schema = schema_of("turns")

    assert set(Kind) == set(parquet._TYPES) == set(_VALUES)
    assert pa.dictionary(pa.int8(), pa.string()) == schema.field("card").type
    assert schema.field("card").type == schema.field("hand").type.value_type


@pytest.mark.parametrize(
    ("batch_rows", "expected"),
    [
        (1, {"games": 3, "deals": 5, "turns": 3}),
        (60, {"games": 1, "deals": 1, "turns": 3}),
        (2_048, {"games": 1, "deals": 1, "turns": 1}),
    ],
)
def test_rows_are_written_in_groups(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    batch_rows: int,
    expected: dict[str, int],
) -> None:
    """Groups are written as they fill; nothing is lost between them."""
    monkeypatch.setattr(parquet, "GROUP_ROWS", {"games": 2, "deals": 3, "turns": 150})
    monkeypatch.setattr(parquet, "BATCH_ROWS", batch_rows)
    games = [rows_of(sample_record(seed, deals_max=2)) for seed in range(5)]
    games[3] = renamed(games[3])
    write(tmp_path, *games)
    groups = {
        table: pq.ParquetFile(tmp_path / file).num_row_groups
        for table, file in FILES.items()
    }

    assert expected == groups
    for table, file in FILES.items():
        rows = [written(row, table) for game in games for row in getattr(game, table)]

        assert rows == read(tmp_path / file)


def renamed(rows: Rows) -> Rows:
    """Return rows with names that no other game has."""
    games, deals, turns = rows
    return Rows(
        [row._replace(game="new", owners=["x", "y", "z", ""]) for row in games],
        [row._replace(game="new", entrants=["n", "e", "w", "!"]) for row in deals],
        [row._replace(game="new", entrant="new") for row in turns],
    )


def test_the_same_games_give_the_same_files(tmp_path: Path) -> None:
    """Files can be compared byte by byte."""
    rows = rows_of(sample_record(3))
    write(tmp_path / "one", rows)
    write(tmp_path / "other", rows)

    for file in FILES.values():
        one, other = (tmp_path / name / file for name in ("one", "other"))

        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-01T12:00:00.000Z", "2026-01-01T12:00:00.000Z"),
        ("2026-01-01T12:00:00.250+02:00", "2026-01-01T10:00:00.250Z"),
        ("2026-01-01", "2026-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00+23:00", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_times_are_in_utc(tmp_path: Path, text: str, expected: str | None) -> None:
    """A time that is none, or none that can be, is null."""
    rows = rows_of(sample_record(3, deals_max=1))
    write(tmp_path, rows._replace(games=[rows.games[0]._replace(started=text)]))

    assert [expected] == [row["started"] for row in read(tmp_path / FILES["games"])]


def test_half_a_character_is_escaped(tmp_path: Path) -> None:
    """JSON can say what is no text; alone, in lists and in options it is escaped."""
    rows = rows_of(sample_record(3, deals_max=1))
    game = rows.games[0]._replace(
        stand_in="\ud800!", owners=["ann", "\ud800"], options={"x": "\ud800"}
    )
    write(tmp_path, rows._replace(games=[game]))
    (found,) = read(tmp_path / FILES["games"])

    assert "\\ud800!" == found["stand_in"]
    assert ["ann", "\\ud800"] == found["owners"]
    assert [("x", "\\ud800")] == found["options"]


class TestWholeOrNot:
    """Files appear when all is written."""

    def test_nothing_is_seen_before_the_end(self, tmp_path: Path) -> None:
        """While it is written, no file has its name."""
        with parquet_files(tmp_path / "new") as files:
            files.add(rows_of(sample_record(3, deals_max=1)))
            names = {path.name for path in (tmp_path / "new").iterdir()}

        assert {f"{file}.part" for file in FILES.values()} == names
        assert set(FILES.values()) == {p.name for p in (tmp_path / "new").iterdir()}

    @pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError])
    def test_an_interrupted_export_leaves_nothing(
        self, tmp_path: Path, error: type[BaseException]
    ) -> None:
        """Not even the directory is left that was made for it."""
        with pytest.raises(error):
            write(tmp_path / "new", rows_of(sample_record(3)), stopped=error)

        assert [] == list(tmp_path.iterdir())

    def test_an_interrupted_export_leaves_the_older_one(self, tmp_path: Path) -> None:
        """What was there stays as it was, and so does the directory."""
        write(tmp_path, rows_of(sample_record(3)))
        before = {path: path.read_bytes() for path in tmp_path.iterdir()}
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, rows_of(sample_record(4)), stopped=KeyboardInterrupt)

        assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}

    @pytest.mark.parametrize("stop", range(3))
    def test_old_and_new_are_never_joined(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
    ) -> None:
        """Cut off among the renames, there is no games.parquet for the others."""
        write(tmp_path, rows_of(sample_record(3)))
        monkeypatch.setattr("os.replace", _stopping(stop))
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, rows_of(sample_record(4)))
        names = {path.name for path in tmp_path.iterdir()}

        assert set(FILES.values()) - {"games.parquet"} == names

    def test_an_older_export_is_replaced(self, tmp_path: Path) -> None:
        """Written again, the files hold the new games alone."""
        write(tmp_path, rows_of(sample_record(3)), rows_of(sample_record(4)))
        write(tmp_path, rows_of(sample_record(5)))

        assert 1 == len(read(tmp_path / FILES["games"]))
        assert set(FILES.values()) == {path.name for path in tmp_path.iterdir()}


def _stopping(after: int) -> Callable[[Path, Path], None]:
    """Return a rename that is interrupted after so many."""
    done = 0

    def replaced(source: Path, target: Path) -> None:
        nonlocal done
        if done == after:
            raise KeyboardInterrupt
        done += 1
        source.rename(target)

    return replaced
