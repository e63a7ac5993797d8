"""How often a bot was lost along with others: an excuse that wears out."""

from collections.abc import Iterable
from typing import Final

from arena.table import Loss

__all__ = ["EXCUSES_MAX", "Excuses"]

EXCUSES_MAX: Final = 3
"""In how many incidents of a run the loss of a bot makes its games void."""
INCIDENT_SECONDS: Final = 60.0
"""Losses of a bot within this time are one incident, in however many games."""


class Excuses:
    """The incidents of a run in which each bot was lost."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._last: dict[str, float] = {}

    def note(self, losses: Iterable[Loss]) -> list[str]:
        """Note why a game is void; return the bots whose last excuse this was."""
        used_up = []
        for loss in losses:
            if loss.at - self._last.get(loss.bot, float("-inf")) <= INCIDENT_SECONDS:
                continue
            self._last[loss.bot] = loss.at
            count = self._counts[loss.bot] = self._counts.get(loss.bot, 0) + 1
            if count == EXCUSES_MAX:
                used_up.append(loss.bot)
        return used_up

    @property
    def used_up(self) -> tuple[str, ...]:
        """The bots without any excuse left, each of which is judged alone."""
        full = [bot for bot, count in self._counts.items() if count >= EXCUSES_MAX]
        return tuple(sorted(full))
