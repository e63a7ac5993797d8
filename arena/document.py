"""
A document: JSON text that is read strictly, with the path of whatever is wrong.

`parse_document` returns the root `Node`; each node checks its value when asked
for it, and what does not fit raises a `DocumentError` that names the path and
what was expected. Keys that stand twice, and keys that nobody asks for, are
errors too: what is not read could say anything.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from arena.excerpt import cut, shown


class DocumentError(ValueError):
    """
    A value that is not what it should be.

    Attributes:
        path: Its place, for example `deals[2].plays`; empty for the whole text.
        reason: What is wrong, and what was expected.
    """

    def __init__(self, *, path: str, reason: str) -> None:
        super().__init__(f"{cut(path)}: {reason}" if path else reason)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a document."""

    value: Any
    """As the JSON library read it; not checked yet."""
    path: str = ""

    def members(self, *names: str) -> dict[str, "Node"]:
        """Return the members of an object that has exactly these keys."""
        members = self.entries()
        for name in names:
            if name not in members:
                self.fail(f"the key {name!r} is missing")
        for name in members.keys() - set(names):
            self.fail(f"the key {shown(name)} is unknown")
        return members

    def entries(self) -> dict[str, "Node"]:
        """Return the members of an object that may have any keys."""
        if not isinstance(self.value, dict):
            self.fail(f"expected an object, got {_quoted(self.value)}")
        start = f"{self.path}." if self.path else ""
        return {
            name: Node(value, f"{start}{name}") for name, value in self.value.items()
        }

    def items(self, *counts: int) -> list["Node"]:
        """Return the items of a list, which has one of the given lengths if any."""
        if not isinstance(self.value, list):
            self.fail(f"expected a list, got {_quoted(self.value)}")
        if counts and len(self.value) not in counts:
            expected = " or ".join(map(str, counts))
            self.fail(f"expected {expected} items, got {len(self.value)}")
        return [
            Node(value, f"{self.path}[{index}]")
            for index, value in enumerate(self.value)
        ]

    def text(self, length_max: int, *, pattern: str = "", expected: str = "") -> str:
        """Return a text of at most so many characters that fits a pattern."""
        value = self.value
        if not isinstance(value, str):
            self.fail(f"expected {expected or 'a text'}, got {_quoted(value)}")
        if len(value) > length_max:
            self.fail(f"expected at most {length_max} characters, got {len(value)}")
        if pattern and not re.fullmatch(pattern, value):
            self.fail(f"expected {expected}, got {_quoted(value)}")
        return str(value)

    def hexadecimal(self, size_bytes: int) -> str:
        """Return so many bytes as lower-case hexadecimal digits."""
        digits = 2 * size_bytes
        pattern = f"[0-9a-f]{{{digits}}}"
        return self.text(digits, pattern=pattern, expected=f"{digits} hex digits")

    def word(self, *words: str) -> str:
        """Return a text that is one of the given words."""
        if self.value not in words or not isinstance(self.value, str):
            self.fail(f"expected {' or '.join(words)}, got {_quoted(self.value)}")
        return self.value

    def number(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        value = self.value
        if type(value) is not int or not low <= value <= high:
            self.fail(f"expected a number from {low} to {high}, got {_quoted(value)}")
        return int(value)

    def flag(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"expected true or false, got {_quoted(self.value)}")
        return self.value

    @property
    def is_null(self) -> bool:
        return self.value is None

    def fail(self, reason: str) -> NoReturn:
        """Refuse the value."""
        raise DocumentError(path=self.path, reason=reason)


def parse_document(text: str) -> Node:
    """Read JSON text; the path of an error in the text itself is empty."""
    try:
        return Node(json.loads(text, object_pairs_hook=_unique))
    except json.JSONDecodeError as error:
        reason = f"is not JSON: {error.msg} at line {error.lineno} column {error.colno}"
        raise DocumentError(path="", reason=reason) from None
    except DocumentError:
        raise
    except ValueError:
        reason = "is not JSON: it has a number of thousands of digits"
        raise DocumentError(path="", reason=reason) from None
    except RecursionError:
        raise DocumentError(path="", reason="is nested too deeply") from None


def canonical_json(value: object) -> str:
    """Write JSON in its one canonical way: sorted keys, no blanks, no escapes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _unique(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise DocumentError(path="", reason=f"the key {shown(twice)} stands twice")
    return members


def _quoted(value: Any) -> str:
    """Return a value as JSON, cut where it gets long."""
    try:
        return cut(json.dumps(value))
    except RecursionError:
        # What could just be read may be nested too deeply to be written.
        return f"a {type(value).__name__}"
