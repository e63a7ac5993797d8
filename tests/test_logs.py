"""The log: one line an event, whatever clients write, and no token in it."""

import json
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.logs import Event, JsonLines, TextLines, quoted
from hearts.arena.v1 import play_pb2
from leagues.commands.observing import LogFormat, LogLevel, Observing
from leagues.commands.running import logging_to
from tests.arena_thread import running_arena

FORGED = "x\n2026-01-01 00:00:00,000 ERROR arena.edge bot=eve disconnected"


def record(event: object, *, error: BaseException | None = None) -> logging.LogRecord:
    """Return what a logger makes of an event."""
    raised = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("arena.test", logging.INFO, "", 0, event, None, raised)


def raised(text: str) -> ValueError:
    """Return an error that was raised, with its traceback."""
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


@given(st.text(), st.text())
def test_an_event_is_one_line_of_text(value: str, other: str) -> None:
    """No text in a field ends a line or makes a field of its own."""
    line = TextLines().format(record(Event("seen", instance=value, other=other)))
    end = f"instance={quoted(value)} other={quoted(other)} seen"

    assert 1 == len(line.splitlines())
    assert line.isprintable()
    assert line.endswith(f" INFO arena.test {end}")


@given(st.text())
def test_a_field_is_quoted_or_plain(value: str) -> None:
    """What is not quoted has nothing that ends a field; quotes give the text back."""
    shown = quoted(value)

    if shown.startswith('"'):
        assert value == json.loads(shown)
    else:
        assert value == shown
        assert not set(shown) & set(' ="\\')


@given(st.text(), st.text())
def test_an_event_is_one_object_of_json(value: str, name: str) -> None:
    """Every field comes back as it was, from one line of ASCII."""
    line = JsonLines().format(record(Event(name, instance=value, count=3)))
    read = json.loads(line)

    assert (1, True) == (len(line.splitlines()), line.isascii())
    assert {"instance": value, "count": 3} == read["fields"]
    assert (name, "info", "arena.test") == (
        read["event"],
        read["level"],
        read["logger"],
    )


def test_a_trace_cannot_be_taken_for_events() -> None:
    """Its lines are marked, those in an error's text too."""
    event = Event("internal error", id="1f", trace="first\nsecond")
    first, *others = TextLines().format(record(event, error=raised(FORGED))).split("\n")

    assert first.endswith(" INFO arena.test id=1f internal error")
    assert ["  | first", "  | second"] == others[:2]
    assert all(line.startswith("  | ") for line in others)
    assert any("bot=eve" in line for line in others)


def test_json_keeps_a_trace_in_its_object() -> None:
    """A trace is a field; what is no event has its text."""
    line = JsonLines().format(record("plain\ntext", error=raised("no")))
    read = json.loads(line)

    assert "plain\ntext" == read["event"]
    assert read["trace"].endswith("ValueError: no")
    assert "fields" not in read


def test_a_plain_text_is_one_line_too() -> None:
    """Messages of libraries are escaped like everything else."""
    line = TextLines().format(record("one\u2028two\x1b[31m\nthree"))

    assert line.endswith("one\\u2028two\\u001b[31m\\nthree")


def connect_and_fail(path: Path, form: LogFormat) -> str:
    """Connect a bot that forges lines, and one with a wrong token; return the log."""
    with (
        logging_to(path, Observing(None, form, LogLevel.DEBUG)) as log,
        running_arena(names=("s3cret-ada",)) as arena,
    ):
        with arena.bot("s3cret-ada", instance="x y=1", sdk='"a\\ b') as (send, frames):
            next(frames)
            send(play_pb2.PlayRequest(leave=play_pb2.Leave(message=FORGED)))
            assert [] == list(frames)
        with arena.bot("s3cret-unknown") as (_, frames):
            assert "UNAUTHENTICATED" == frames.code().name  # type: ignore[attr-defined]
        arena.wait_for(lambda server: not server.presence())
    return log.read_text()


@pytest.mark.parametrize("form", LogFormat)
def test_a_bot_can_forge_no_line(tmp_path: Path, form: LogFormat) -> None:
    """A bot with pairs in its instance has one line for coming, one for going."""
    lines = [
        line
        for line in connect_and_fail(tmp_path, form).splitlines()
        if "arena.edge" in line
    ]

    assert 2 == len(lines)
    assert "connected" in lines[0]
    assert "disconnected" in lines[1]
    if form == LogFormat.JSON:
        assert ["x y=1", '"a\\ b'] == [
            json.loads(lines[0])["fields"][key] for key in ("instance", "sdk")
        ]
    else:
        assert r' instance="x y=1" sdk="\"a\\ b" connected' in lines[0]


def test_the_level_decides_what_is_logged(tmp_path: Path) -> None:
    """Below the level nothing is written, and the level before comes back."""
    level = logging.getLogger().level
    with logging_to(tmp_path, Observing(log_level=LogLevel.WARNING)) as path:
        logging.getLogger("arena.test").info(Event("quiet"))
        logging.getLogger("arena.test").warning(Event("loud"))

    assert ["loud"] == [line.split()[-1] for line in path.read_text().splitlines()]
    assert level == logging.getLogger().level
