"""Text that somebody else wrote, as errors show it: in one line and never long."""

import json
from typing import Final

LENGTH_MAX: Final = 60
"""How many characters of such a text errors show."""

_MARK: Final = "..."


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


def _start(text: str) -> str:
    return text[: LENGTH_MAX - 2 - len(_MARK)] + _MARK
