"""The arena's log: events with fields, as lines of text or of JSON.

A line of the log is one event, whatever a client calls itself: texts that could
be mistaken for other fields are quoted, and nothing in them ends a line.
"""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Final

from arena.excerpt import printable

_PLAIN: Final = re.compile(r"[A-Za-z0-9_.,:;@/+()-]*")
_TRACE: Final = "  | "
"""What the lines of a trace begin with, which no line of an event does."""


class Event:
    """What has happened, with the values that belong to it.

    It is given to a logger in place of a text: `log.info(Event("connected",
    bot=name))`.
    """

    __slots__ = ("fields", "name", "trace")

    def __init__(self, name: str, *, trace: str = "", **fields: object) -> None:
        self.name = name
        self.trace = trace
        self.fields = fields

    def __str__(self) -> str:
        pairs = [f"{key}={quoted(str(value))}" for key, value in self.fields.items()]
        return " ".join([*pairs, self.name])


def quoted(text: str) -> str:
    """Return a text as it stands, or in quotes if it could be taken for more."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    own = record.msg.trace if isinstance(record.msg, Event) else ""
    raised = formatter.formatException(record.exc_info) if record.exc_info else ""
    return "\n".join(text for text in (own, raised) if text)


class TextLines(logging.Formatter):
    """Time, level, logger and event on a line; lines of a trace follow, marked."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of an event."""
        lines = [
            f"{self.formatTime(record)} {record.levelname} {record.name} "
            + printable(record.getMessage())
        ]
        # Not `splitlines`, which also ends lines where other programs do not.
        for line in _trace(self, record).split("\n"):
            if line:
                lines.append(_TRACE + printable(line))
        return "\n".join(lines)


class JsonLines(logging.Formatter):
    """One object a line: `time`, `level`, `logger`, `event`, and the fields.

    What is no `Event` has its text in `event`.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return an event as JSON."""
        time = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "time": time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if isinstance(record.msg, Event):
            line["event"] = record.msg.name
            line["fields"] = {
                key: value if isinstance(value, bool | int | float) else str(value)
                for key, value in record.msg.fields.items()
            }
        else:
            line["event"] = record.getMessage()
        if trace := _trace(self, record):
            line["trace"] = trace
        return json.dumps(line)
