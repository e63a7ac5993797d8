"""
How far a bot is trusted to be quick, judged by its turns so far.

A finished answer may wait while the next turn is computed, which saves a message;
but when that turn turns out slow, the answer that waited is late with it, and the
fault is another game's. So answers wait only for a bot that has proved quick.
"""

from typing import Final

QUICK_SECONDS: Final = 0.005
"""A turn that takes less counts towards trust."""

SLOW_SECONDS: Final = 0.02
"""A turn that takes more ends the trust."""

QUICK_TURNS: Final = 200
"""How many quick turns in a row earn trust."""

CAUTIOUS_TURNS: Final = 1000
"""For how many turns, at least, a slow one is remembered."""


class Pace:
    """
    Counts the turns of a bot until it is trusted.
    """

    __slots__ = ("_turns_left",)

    def __init__(self) -> None:
        self._turns_left = QUICK_TURNS

    @property
    def is_cautious(self) -> bool:
        """Whether the next turn may well be slow."""
        return self._turns_left > 0

    def note(self, seconds: float) -> None:
        """
        Take note of how long a turn took.
        """
        if seconds > SLOW_SECONDS:
            self._turns_left = CAUTIOUS_TURNS
        elif self._turns_left:
            if seconds < QUICK_SECONDS:
                self._turns_left -= 1
            else:
                self._turns_left = max(self._turns_left, QUICK_TURNS)
