"""Files that commands read: opened as text, with one line about what can't be read."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from arena.terminal import CommandError

_GZIP: Final = b"\x1f\x8b"
"""What a file that is packed begins with."""


@contextmanager
def opened(path: Path, *, expected: str) -> Iterator[TextIO]:
    """
    Open a file for reading while the block lasts; `-` is standard input.

    Args:
        path: The file.
        expected: What it should hold, for errors.

    Raises:
        CommandError: The file can't be read, or holds no UTF-8.
    """
    try:
        if str(path) == "-":
            yield _standard_input()
            return
        with path.open(encoding="utf-8-sig") as file:
            yield file
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(f"{path}: can't be read: {reason}") from None
    except UnicodeDecodeError as error:
        if error.object[:2] == _GZIP:
            message = f"{path}: is packed with gzip; unpack it first, with gunzip"
            raise CommandError(message) from None
        message = f"{path}: byte {error.start} is not UTF-8; expected {expected}"
        raise CommandError(message) from None


def _standard_input() -> TextIO:
    if sys.stdin is None:
        raise CommandError("standard input is closed; name a file instead of -")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # Read like a file, whatever the language of the terminal is.
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="strict")
    return sys.stdin
