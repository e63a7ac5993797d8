"""
The words of the written notation: how its text falls into words, texts and tags.

`spelled` returns the words of a text line by line, without blanks and comments;
`quoted` writes a text so that `spelled` reads it again. What the words mean is the
business of `arena.notation_reader`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.excerpt import cut, printable


class NotationError(ValueError):
    """
    Text that is no written game.

    Attributes:
        line: The number of the line, from 1.
        reason: What is wrong there, and what was expected.
    """

    def __init__(self, *, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of the text."""

    line: int
    """From 1."""
    kind: str
    """`[` and `]` around a tag, `text` in quotes, else `word`; `broken` when it can't
    be read, with the reason as its text."""
    text: str
    """Texts without their quotes."""
    is_first: bool
    """Whether it is the first on its line."""


_PIECE = re.compile(
    r"""
      (?P<blank> \s+ | ;.* )
    | (?P<comment> \{ )
    | (?P<bracket> [\[\]] )
    | (?P<text> "(?: [^"\\] | \\. )*" )
    | (?P<word> [^\s\[\]{};"]+ )
    """,
    re.VERBOSE,
)


def spelled(lines: Iterable[str]) -> Iterator[Word]:
    """
    Yield the words of a text.

    Nothing is raised here: a piece that can't be read is a word of its own, so that
    the games after it can still be found.
    """
    opened = 0
    """Where the comment began that is still open, else 0."""
    number = 0
    for number, line in enumerate(lines, start=1):
        position, is_first = 0, True
        if number == 1:
            line = line.removeprefix("\ufeff")
        if not opened and line.startswith("%"):
            continue
        while position < len(line):
            if opened:
                end = line.find("}", position)
                if end < 0:
                    break
                opened, position = 0, end + 1
                continue
            piece = _PIECE.match(line, position)
            if piece is None:
                yield _unreadable(line[position], number, is_first=is_first)
                break
            position = piece.end()
            if piece["comment"]:
                opened = number
            elif not piece["blank"]:
                yield _word(piece, number, is_first=is_first)
                is_first = False
    if opened:
        reason = "a comment that begins here has no }"
        yield Word(opened, "broken", reason, is_first=False)


def _word(piece: re.Match[str], line: int, *, is_first: bool) -> Word:
    found = piece[0]
    if piece["bracket"]:
        return Word(line, found, found, is_first)
    if piece["word"]:
        return Word(line, "word", found, is_first)
    try:
        # Not strict: a tab in a text is as good as its escape.
        return Word(line, "text", json.loads(found, strict=False), is_first)
    except ValueError:
        reason = f'the text {cut(found)} is not written as in JSON; expected \\" for "'
        return Word(line, "broken", reason + " and \\\\ for \\", is_first)


def _unreadable(found: str, line: int, *, is_first: bool) -> Word:
    reasons = {
        '"': 'a text that begins here has no " at its end, on the same line',
        "}": "no comment ends here; expected a card or a tag",
    }
    return Word(line, "broken", reasons[found], is_first)


def quoted(text: str) -> str:
    """
    Return a text in quotes, written as in JSON and on one line.

    Whatever does not print is escaped, so that nothing in it can break the line or
    the encoding of a file.
    """
    return printable(json.dumps(text, ensure_ascii=False))
