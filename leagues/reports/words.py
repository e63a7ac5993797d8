"""Numbers and names in sentences."""

from collections.abc import Sequence

__all__ = ["counted", "listed"]

_NAMES_MAX = 6


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, `1 game` or `2 games`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them, `a, b and c`; of many the first ones."""
    if len(names) > _NAMES_MAX:
        names = [*names[: _NAMES_MAX - 1], f"{len(names) - _NAMES_MAX + 1} others"]
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
