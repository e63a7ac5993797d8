"""The hint of an error: which known word may have been meant."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LENGTH_MAX: Final = 100
"""How much of a word is compared; no known one is longer."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Ask whether a similar word was meant; empty when none is similar."""
    close = get_close_matches(word[:_LENGTH_MAX], list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else ""
