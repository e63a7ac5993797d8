"""`arena rate`: what it makes of files that anybody may have written."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record import write_record
from leagues.reports.spreadsheet import csv_text
from leagues.results_file import record_result
from tests.command_line import Arena
from tests.sample_records import sample_record

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a file with the result of a game in which the first seat is changed."""

    def write(**changes: str) -> Path:
        line = json.loads(record_result(sample_record(1, target=26)))
        line["seats"][0] |= changes
        file = tmp_path / "results.jsonl"
        file.write_text(json.dumps(line))
        return file

    return write


def _cells(arena: Arena, file: Path, column: str) -> list[str]:
    """What a program finds in a column of the standings."""
    done = arena("rate", file, "--format", "csv")
    assert (0, "") == (done.code, done.error)
    return [row[column] for row in csv.DictReader(io.StringIO(done.out))]


def _members(arena: Arena, file: Path, member: str) -> list[str]:
    done = arena("rate", file, "--format", "json")
    assert (0, "") == (done.code, done.error)
    return [row[member] for row in json.loads(done.out)["standings"]]


@pytest.mark.parametrize("member", ["owner", "entrant"])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\ud800", '"\\ud800"'),
        ("a b\nc", '"a b\\nc"'),
        ("\x1b[31mred", '"\\u001b[31mred"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("a  b", '"a  b"'),
    ],
)
def test_all_names_of_files_are_shown_alike(
    arena: Arena, written: Written, member: str, text: str, shown: str
) -> None:
    """A name that is not plain is in quotes with escapes, in every format."""
    file = written(**{member: text})

    assert shown in _cells(arena, file, member)
    assert shown in _members(arena, file, member)
    assert shown in arena("rate", file).out
    told = arena("rate", file, "--format", "md").out
    assert told.replace("\n", "").isprintable()


@pytest.mark.parametrize("member", ["owner", "entrant"])
@pytest.mark.parametrize("text", ["=cmd|'/C calc'!A0", "+1+cmd", "-2+3", "@SUM(1)"])
def test_no_name_is_a_formula(
    arena: Arena, written: Written, member: str, text: str
) -> None:
    """Spreadsheets get an apostrophe before it, and programs in JSON the name."""
    file = written(**{member: text})

    assert "'" + text in _cells(arena, file, member)
    assert text in _members(arena, file, member)


def test_figures_are_no_formulas() -> None:
    """Numbers stay as they are, and so do signs alone and empty cells."""
    assert "-1,-0.5,-,,'-a,'\t=1\n" == csv_text([[-1, -0.5, "-", None, "-a", "\t=1"]])


@pytest.mark.parametrize("command", ["rate", "verify"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "expected an object, got []"),
        ("{}", "the key 'game' is missing"),
        ('{\n  "league": "x"\n}', "is not JSON: Expecting property name"),
        ('name = "x"', "is not JSON: Expecting value"),
        ("[[entrants]]", "is not JSON: Expecting value"),
        ('{"game": ' + "9" * 6000 + "}", "is not JSON: it has a number of thousands"),
    ],
)
def test_what_is_no_game_is_told_what_is_expected(
    arena: Arena, tmp_path: Path, command: str, text: str, reason: str
) -> None:
    """A file of anything else than games is told what such a file holds."""
    file = tmp_path / "other"
    file.write_text(text)
    done = arena(command, file)

    assert f"{file}:1: {reason}" in done.error
    assert "a line of JSON for each game, or " in done.error
    assert ("standings in JSON go with --audit" in done.error) == (command == "rate")
    assert "set_int_max_str_digits" not in done.error


@pytest.mark.parametrize("command", ["rate", "verify", "convert"])
def test_a_packed_file_is_told(arena: Arena, tmp_path: Path, command: str) -> None:
    """Nobody has to guess from a byte that a file is to be unpacked."""
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(write_record(sample_record(1)).encode()))
    done = arena(command, file)

    assert f"error: {file}: is packed with gzip; unpack it first, with gunzip\n" == (
        done.error
    )


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("rate",), "1 of 1 games"),
        (("verify",), "1 game, "),
        (("games", "export", "--records"), '"game":"demo-'),
    ],
)
def test_a_file_that_is_named_twice_is_read_once(
    arena: Arena, tmp_path: Path, command: tuple[str, ...], told: str
) -> None:
    """All commands that take several files say so, in the same words."""
    file = tmp_path / "games.jsonl"
    file.write_text(write_record(sample_record(1, target=26)))
    again = [*command[2:], file]
    done = arena(*command, file, *again)

    assert told in done.out
    assert f"{file}: named twice, read once.\n" in done.error
