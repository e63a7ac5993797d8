"""Records in files: JSON lines, each with the place where it stands."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from arena.terminal import CommandError


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file of records, not read yet."""

    file: str
    number: int
    """From 1."""
    text: str

    @property
    def place(self) -> str:
        """The file and the line, for errors."""
        return f"{self.file}:{self.number}"


def record_lines(path: Path) -> Iterator[Line]:
    """
    Yield the lines of a file that are not blank; `-` is standard input.

    Raises:
        CommandError: the file can't be read.
    """
    try:
        with _opened(path) as file:
            for number, text in enumerate(file, start=1):
                if text.strip():
                    yield Line(str(path), number, text)
    except OSError as error:
        raise CommandError(f"{path}: can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        message = f"{path}: byte {error.start} is not UTF-8; expected JSON lines"
        raise CommandError(message) from None


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    if str(path) == "-":
        yield sys.stdin
        return
    with path.open(encoding="utf-8") as file:
        yield file
