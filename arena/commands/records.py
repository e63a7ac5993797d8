"""Records in files, as JSON lines or in the notation, each with its place."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Final

from arena.commands.opened import opened
from arena.notation import NotationError, WrittenGame, written_games
from arena.record import Record, RecordError, read_record
from arena.terminal import print_note

NO_RECORD = "no record; expected JSON lines or notation"
"""What is wrong with a file without records."""
RECORDS: Final = (
    "records, as `arena games export` writes them: a line of JSON for each game, or "
    "notation"
)
"""What a file of records holds, for errors."""

_NOTATION: Final = re.compile(r"[;%]|\[(?!\s*[\]\[{\"\d-])")
"""What text in the notation begins with; everything else ought to be JSON."""


class EntryError(ValueError):
    """
    A record that can't be read.

    Attributes:
        line: The number of the line where it went wrong, from 1.
    """

    def __init__(self, reason: str, *, line: int) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a file, not read yet."""

    file: str
    line: int
    """The number of its first line, from 1."""
    content: str | WrittenGame
    size: int
    """How much of the file it takes up, in characters, with what lies before it."""

    @property
    def place(self) -> str:
        """The file and the line, for errors."""
        return f"{self.file}:{self.line}"

    @property
    def is_notation(self) -> bool:
        """Whether it is written in the notation, and not as JSON."""
        return isinstance(self.content, WrittenGame)

    def read(self, *, expected: str = RECORDS) -> Record:
        """
        Return the record.

        Args:
            expected: What the file should hold, for errors.

        Raises:
            EntryError: It is none.
        """
        try:
            if isinstance(self.content, WrittenGame):
                return self.content.read()
            return read_record(self.content)
        except NotationError as error:
            raise EntryError(error.reason, line=error.line) from None
        except RecordError as error:
            # Without a path it is the whole line that is something else.
            hint = "" if error.path else f"; expected {expected}"
            raise EntryError(f"{error}{hint}", line=self.line) from None


def each_once(files: Iterable[Path]) -> list[Path]:
    """Return files without those that are named again, which a note tells."""
    found: dict[Path, Path] = {}
    for file in files:
        if found.setdefault(file.resolve(), file) is not file:
            print_note(f"{file}: named twice, read once.")
    return list(found.values())


def record_entries(path: Path) -> Iterator[Entry]:
    """
    Yield the records of a file; `-` is standard input.

    Raises:
        CommandError: the file can't be read.
    """
    with opened(path, expected="records") as file:
        yield from _entries(str(path), file)


def _entries(file: str, lines: Iterable[str]) -> Iterator[Entry]:
    rest = iter(lines)
    for blank_count, line in enumerate(rest):
        if line.strip():
            read = chain(repeat("\n", blank_count), (line,), rest)
            is_notation = bool(_NOTATION.match(line.lstrip("\ufeff \t")))
            yield from (_written if is_notation else _json_lines)(file, read)


def _json_lines(file: str, lines: Iterable[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield Entry(file, number, line, len(line))


def _written(file: str, lines: Iterable[str]) -> Iterator[Entry]:
    # Games are found when the next one begins, so the lines are counted here.
    size = 0

    def counted() -> Iterator[str]:
        nonlocal size
        for line in lines:
            size += len(line)
            yield line

    for game in written_games(counted()):
        yield Entry(file, game.line, game, size)
        size = 0
