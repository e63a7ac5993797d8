"""Commands that read files say in one line what can't be read, all in the same way."""

import io
import sys
from pathlib import Path

import pytest

from tests.command_line import Arena

READERS = [("convert", "records"), ("perft", "positions")]
READERS += [("replay", "records"), ("verify", "records")]

pytestmark = pytest.mark.parametrize(("command", "expected"), READERS)


def test_what_can_not_be_read_is_one_line(
    arena: Arena, tmp_path: Path, command: str, expected: str
) -> None:
    """Directories, missing files and other bytes than text end a command."""
    missing = tmp_path / "missing.txt"
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"a\xff")
    messages = {
        tmp_path: "can't be read: Is a directory",
        missing: "can't be read: No such file or directory",
        binary: f"byte 1 is not UTF-8; expected {expected}",
    }
    for path, message in messages.items():
        done = arena(command, path)

        assert (2, "", f"error: {path}: {message}\n") == (
            done.code,
            done.out,
            done.error,
        )


def test_standard_input_may_be_closed(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, command: str, expected: str
) -> None:
    """Without standard input there is nothing to read from it."""
    monkeypatch.setattr(sys, "stdin", None)
    done = arena(command, "-")

    assert (2, "") == (done.code, done.out)
    assert done.error == ("error: standard input is closed; name a file instead of -\n")


def test_standard_input_is_utf8(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, command: str, expected: str
) -> None:
    """What comes from standard input is read like a file, in every language."""
    for encoding, errors in (("latin-1", "strict"), ("utf-8", "surrogateescape")):
        bytes_read = io.TextIOWrapper(
            io.BytesIO(b"\xff"), encoding=encoding, errors=errors
        )
        monkeypatch.setattr(sys, "stdin", bytes_read)
        done = arena(command, "-")

        assert 2 == done.code
        assert f"error: -: byte 0 is not UTF-8; expected {expected}\n" == done.error


def test_long_lines_are_not_repeated(
    arena: Arena, tmp_path: Path, command: str, expected: str
) -> None:
    """A line of a million characters makes a short error."""
    path = tmp_path / "long.txt"
    for text in ("x" * 10**6, "[" + "x" * 10**6 + "]", '{"' + "x" * 10**6 + '": 1}'):
        path.write_text(text, encoding="utf-8")
        done = arena(command, path)

        assert done.code in (1, 2)
        assert done.error.startswith(f"error: {path}:1: ")
        assert len(done.error) < len(str(path)) + 1000
