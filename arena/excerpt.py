"""Text that somebody else wrote, as errors show it: in one line and never long."""

import json
from typing import Final

LENGTH_MAX: Final = 60
"""How many characters of such a text errors show."""

_MARK: Final = "..."
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""What prints as nothing, though it counts as letters and signs."""


def printable(text: str, *, keeps: str = "") -> str:
    """Return a text with whatever does not print written as an escape.

    So nothing in it can end a line, move the cursor or turn the direction of writing.

    Args:
        text: The text.
        keeps: What stays as it is all the same: the ends of lines.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in keeps else json.dumps(letter)[1:-1]
        for letter in text
    )


def is_plain(text: str) -> bool:
    """Tell whether people can read a name and tell it from any other of its letters.

    So none is empty, and none has spaces at its ends, or two in a row.
    """
    return text.isprintable() and " ".join(_words(text)) == text != ""


def label(text: str) -> str:
    """Return a name as it is shown: in quotes where it is not plain.

    Two names are never shown alike.
    """
    if is_plain(text) and text[0] != '"':
        return text
    quoted = printable(json.dumps(text, ensure_ascii=False))
    return "".join(json.dumps(one)[1:-1] if one in _BLANK else one for one in quoted)


def cut(text: str, *, length_max: int = LENGTH_MAX) -> str:
    """Return a text, without its end where it is long."""
    if len(text) <= length_max:
        return text
    return text[: length_max - len(_MARK)] + _MARK


def shown(value: object) -> str:
    """Return a value in quotes, or as Python writes it, cut where it is long."""
    if isinstance(value, str):
        # Cut before it is quoted, so that the quotes stay.
        return cut(repr(value if len(value) <= LENGTH_MAX - 2 else _start(value)))
    try:
        return cut(repr(value))
    except (ValueError, RecursionError):
        # A number of thousands of digits, or lists within lists.
        return f"<{type(value).__name__}>"


def _words(text: str) -> list[str]:
    """Split a text at whatever looks like a space."""
    return "".join("  " if one in _BLANK else one for one in text).split()


def _start(text: str) -> str:
    return text[: LENGTH_MAX - 2 - len(_MARK)] + _MARK
