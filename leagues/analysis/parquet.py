"""Parquet files of the tables for analysis.

    with parquet_files(directory) as files:
        files.add(rows_of(record))

Rows are written in groups as they come, so that memory does not grow with the games.
Where `games.parquet` is, the other two belong to it: it goes first when files are
replaced, and comes last.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyarrow import compute
from pyarrow import parquet as pq

from arena.cards import PACK_SIZE, card_name
from leagues.analysis.tables import COLUMNS, SCHEMA, TABLES, Column, Kind, Row, Rows

__all__ = ["FILES", "ParquetFiles", "parquet_files", "schema_of"]

FILES: Final[Mapping[str, str]] = {name: f"{name}.parquet" for name in TABLES}
"""The files by their tables, that of games first."""

GROUP_ROWS: Final[Mapping[str, int]] = {
    "games": 8_192,
    "deals": 16_384,
    "turns": 131_072,
}
"""After how many rows a group of them is written, at the end of a game."""
BATCH_ROWS: Final = 2_048
"""After how many rows they become arrays, likewise."""

# Arrays and types of Arrow are `Any`: its Python library has no type information.
_NAME: Final = pa.dictionary(pa.int32(), pa.string())
_CARD: Final = pa.dictionary(pa.int8(), pa.string())
_CARD_NAMES: Final = pa.array([card_name(card) for card in range(1, PACK_SIZE + 1)])

_TYPES: Final[Mapping[Kind, Any]] = {
    Kind.FLAG: pa.bool_(),
    Kind.INT8: pa.int8(),
    Kind.INT16: pa.int16(),
    Kind.INT32: pa.int32(),
    Kind.TEXT: pa.string(),
    Kind.NAME: _NAME,
    Kind.TIME: pa.timestamp("ms", tz="UTC"),
    Kind.OPTIONS: pa.map_(pa.string(), pa.string()),
    Kind.CARD: _CARD,
    Kind.CARDS: pa.list_(_CARD),
    Kind.HANDS: pa.list_(pa.list_(_CARD)),
    Kind.INT8S: pa.list_(pa.int8()),
    Kind.INT16S: pa.list_(pa.int16()),
    Kind.INT32S: pa.list_(pa.int32()),
    Kind.NAMES: pa.list_(_NAME),
}


def schema_of(table: str) -> Any:
    """Return the Arrow schema of a table, with the meaning of each column in it."""
    return pa.schema(
        [
            pa.field(
                column.name,
                _TYPES[column.kind],
                nullable=column.is_nullable,
                metadata={"meaning": column.meaning},
            )
            for column in COLUMNS[table]
        ],
        metadata={"schema": SCHEMA},
    )


@contextmanager
def parquet_files(directory: Path) -> Iterator["ParquetFiles"]:
    """
    Write the three files; they appear in their directory when the block ends well.

    The directory is made where it is missing, and is gone again when the block fails.

    Raises:
        OSError: It can't be made, or a file can't be written.
    """
    is_new = not directory.is_dir()
    if is_new:
        directory.mkdir()
    parts = {name: directory / f"{file}.part" for name, file in FILES.items()}
    try:
        files = ParquetFiles(parts)
        try:
            yield files
            files.finish()
        finally:
            files.close()
        _appear(directory, parts)
    except BaseException:
        for part in parts.values():
            part.unlink(missing_ok=True)
        if is_new:
            with suppress(OSError):
                directory.rmdir()
        raise


def _appear(directory: Path, parts: Mapping[str, Path]) -> None:
    """Put the files in their places, in an order that never joins old and new ones."""
    first, *_ = FILES
    (directory / FILES[first]).unlink(missing_ok=True)
    for name in reversed(list(FILES)):
        os.replace(parts[name], directory / FILES[name])


class ParquetFiles:
    """Three files that are being written."""

    def __init__(self, parts: Mapping[str, Path]) -> None:
        self._tables: dict[str, _TableFile] = {}
        try:
            for name, part in parts.items():
                self._tables[name] = _TableFile(part, name)
        except BaseException:
            self.close()
            raise

    def add(self, rows: Rows) -> None:
        """Write the rows of one more game."""
        for name, table in self._tables.items():
            table.add(getattr(rows, name))

    def finish(self) -> None:
        """Write what is left."""
        for table in self._tables.values():
            table.finish()

    def close(self) -> None:
        """Close the files, whole or not."""
        for table in self._tables.values():
            table.close()


class _TableFile:
    """One file that is being written, group by group."""

    def __init__(self, path: Path, table: str) -> None:
        self._columns = COLUMNS[table]
        self._schema = schema_of(table)
        self._group_rows = GROUP_ROWS[table]
        self._rows: list[Row] = []
        # Rows as arrays: as objects they would take ten times as much memory, and
        # Python would look through all of them again and again for garbage.
        self._batches: list[Any] = []
        self._batched = 0
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")

    def add(self, rows: Sequence[Row]) -> None:
        self._rows += rows
        if len(self._rows) >= BATCH_ROWS:
            self._batch()
        if self._batched >= self._group_rows:
            self._write()

    def finish(self) -> None:
        self._batch()
        self._write()

    def close(self) -> None:
        self._writer.close()

    def _batch(self) -> None:
        if not self._rows:
            return
        values = zip(*self._rows, strict=True)
        arrays = [
            _array(column, of_column)
            for column, of_column in zip(self._columns, values, strict=True)
        ]
        self._batches.append(pa.Table.from_arrays(arrays, schema=self._schema))
        self._batched += len(self._rows)
        self._rows = []

    def _write(self) -> None:
        if not self._batched:
            return
        # A group has one dictionary for each column.
        table = pa.concat_tables(self._batches).unify_dictionaries().combine_chunks()
        self._writer.write_table(table, row_group_size=self._batched)
        self._batches = []
        self._batched = 0


def _array(column: Column, values: Sequence[Any]) -> Any:
    make = _MAKERS.get(column.kind)
    return make(values) if make else pa.array(values, _TYPES[column.kind])


def _texts(values: Sequence[str | None]) -> Any:
    return _of_text(values, pa.string())


def _of_text(values: Sequence[Any], kind: Any) -> Any:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        # JSON can say halves of characters, which no other text can hold.
        return pa.array(list(map(_escaped, values)), kind)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    return None if value is None else type(value)(map(_escaped, value))


def _names(values: Sequence[str | None]) -> Any:
    return _texts(values).dictionary_encode()


def _times(values: Sequence[str | None]) -> Any:
    return pa.array(list(map(_time, values)), _TYPES[Kind.TIME])


def _time(text: str | None) -> datetime | None:
    """Read a time; a record may have any text there."""
    try:
        time = datetime.fromisoformat(text or "")
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (OverflowError, ValueError):
        return None


def _options(values: Sequence[Mapping[str, str]]) -> Any:
    pairs = [list(options.items()) for options in values]
    return _of_text(pairs, _TYPES[Kind.OPTIONS])


def _cards(values: Sequence[Any]) -> Any:
    return _named(pa.array(values, pa.int8()))


def _named(numbers: Any) -> Any:
    """Give an array of cards, or of lists of them, the names in place of numbers."""
    if pa.types.is_list(numbers.type):
        return _relisted(numbers, _named(numbers.values))
    indices = compute.subtract(numbers, pa.scalar(1, pa.int8()))
    return pa.DictionaryArray.from_arrays(indices, _CARD_NAMES)


def _relisted(lists: Any, values: Any) -> Any:
    """Return lists as they are with other values in them."""
    kind = pa.list_(values.type)
    return pa.ListArray.from_arrays(
        lists.offsets, values, type=kind, mask=lists.is_null()
    )


def _card_lists(values: Sequence[Any]) -> Any:
    return _named(pa.array(values, pa.list_(pa.int8())))


def _hands(values: Sequence[Any]) -> Any:
    return _named(pa.array(values, pa.list_(pa.list_(pa.int8()))))


def _name_lists(values: Sequence[Any]) -> Any:
    texts = _of_text(values, pa.list_(pa.string()))
    return _relisted(texts, texts.values.dictionary_encode())


_MAKERS: Final[Mapping[Kind, Callable[[Sequence[Any]], Any]]] = {
    Kind.TEXT: _texts,
    Kind.NAME: _names,
    Kind.TIME: _times,
    Kind.OPTIONS: _options,
    Kind.CARD: _cards,
    Kind.CARDS: _card_lists,
    Kind.HANDS: _hands,
    Kind.NAMES: _name_lists,
}
"""How a column becomes an array, where Arrow does not do it by itself."""
