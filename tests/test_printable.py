"""Texts of strangers: nothing in them reaches a terminal but what prints."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from arena.excerpt import is_plain, label, printable
from arena.record import SeatRecord, seal, write_record
from arena.terminal import print_columns, print_error, print_note
from leagues.storage import schema
from leagues.storage.bots import BotError, add_bot
from leagues.storage.league_file import read_league
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.sample_records import sample_record

EVIL = "E\x1b[31mvil\n<script>\u202e"
ESCAPED = "E\\u001b[31mvil\\n<script>\\u202e"
NAMES = st.text(alphabet=' "1a\\\u2800\n', max_size=4) | st.text(max_size=8)
BOM = "\ufeff"
LEAGUE = """
name = "friday"
entrant = [{ house = "careful" }, { house = "lowest" }, { house = "ducker" },
  { house = "random" }]
"""


@given(st.text())
def test_whatever_is_shown_prints(text: str) -> None:
    """Text that prints stays as it is, and all else becomes an escape."""
    assert printable(text).isprintable()
    assert printable(printable(text)) == printable(text)
    assert not text.isprintable() or text == printable(text)
    lines = printable(f"{text}\n", keeps="\n").split("\n")
    assert [printable(line) for line in f"{text}\n".split("\n")] == lines


def test_columns_and_notes_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    """A cell is one line, and a message has the lines that the arena gave it."""
    print_columns(("Owner", "Token"), [(EVIL, "in force")])
    print_note("one\ntwo\x1b[2J")
    print_error("\u202eback")
    printed = capsys.readouterr()

    assert f"{ESCAPED}  in force" == printed.out.splitlines()[1]
    assert ["one", "two\\u001b[2J", "error: \\u202eback"] == printed.err.splitlines()


@given(NAMES, NAMES)
def test_no_two_names_are_shown_alike(one: str, other: str) -> None:
    """Each is one line, and whoever reads two of them sees whether they differ."""
    shown, beside = label(one), label(other)

    assert (one == other) == (shown == beside)
    assert shown.isprintable()
    assert shown == shown.strip() != ""
    assert "  " not in shown or shown.startswith('"')
    assert not is_plain(one) or one[0] == '"' or one == shown


@pytest.mark.parametrize("name", ["", " ", "1 ", " 1", "1  2", "1\u2800", "\u3164"])
def test_a_name_that_could_be_taken_for_another_is_in_quotes(name: str) -> None:
    """What nobody sees is seen between quotes, or as an escape."""
    assert not is_plain(name)
    assert name == json.loads(label(name))
    assert name == label(name)[1:-1] or "\\u" in label(name)


@pytest.mark.parametrize(
    "owner", [EVIL, "x" * 81, " ", "ann ", " ann", "ann  lee", "\u2800", "a\u00a0b"]
)
def test_an_owner_is_a_name_that_prints(tmp_path: Path, owner: str) -> None:
    """Others are refused, and no token is made."""
    with Store.open(tmp_path, command="a test") as store:
        with pytest.raises(BotError, match="expected at most 80 characters that print"):
            add_bot(store, "fox", owner=owner)
        assert add_bot(store, "fox", owner="Ann Ö. 李").startswith("hb_")


def test_an_owner_of_old_is_shown_clean(arena: Arena, tmp_path: Path) -> None:
    """What a store has from before is told without doing anything to a terminal."""
    with Store.open(tmp_path, command="a test") as store:
        add_bot(store, "fox")
        with store.database.write() as connection:
            connection.execute(sa.update(schema.bots).values(owner=EVIL))
    done = arena("bot", "list", "--data", tmp_path)

    assert 2 == len(done.out.splitlines())
    assert ESCAPED in done.out


@pytest.mark.parametrize("form", ["full", "compact"])
def test_a_record_of_a_stranger_is_told_clean(
    arena: Arena, tmp_path: Path, form: str
) -> None:
    """Names, owners and versions of a record are escaped in its transcript."""
    record = sample_record(146, target=40)
    evil: list[SeatRecord] = [
        replace(seat, owner=EVIL, version=EVIL, bot=f"{EVIL}{number}")
        for number, seat in enumerate(record.seats)
    ]
    file = tmp_path / "evil.jsonl"
    file.write_text(write_record(seal(replace(record, seats=tuple(evil)))) + "\n")
    for options in ([], ["--transcript", form]):
        done = arena("replay", file, *options)
        assert 0 == done.code, done.error
        assert ESCAPED in done.out
        assert all(line.isprintable() for line in done.out.split("\n"))


def test_files_may_begin_with_a_byte_order_mark(arena: Arena, tmp_path: Path) -> None:
    """Some editors write one; leagues and records are read all the same."""
    league, records = tmp_path / "friday.toml", tmp_path / "games.jsonl"
    league.write_text(BOM + LEAGUE, encoding="utf-8")
    line = write_record(sample_record(146, target=40))
    records.write_text(f"{BOM}{line}\n", encoding="utf-8")

    assert "friday" == read_league(league, houses=None).name
    assert 0 == arena("replay", records).code


def test_standings_of_files_are_clean(arena: Arena, tmp_path: Path) -> None:
    """A name in a file of records makes no line of its own."""
    record = sample_record(146, target=40)
    seats = (replace(record.seats[0], bot=EVIL), *record.seats[1:])
    file = tmp_path / "evil.jsonl"
    file.write_text(write_record(seal(replace(record, seats=seats))) + "\n")
    done = arena("rate", file)

    assert 0 == done.code, done.error
    assert ESCAPED in done.out
    assert all(line.isprintable() for line in done.out.split("\n"))
