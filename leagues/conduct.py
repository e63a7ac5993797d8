"""Conduct: how often each bot version is given up, and when that suspends it."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from leagues.config import SuspensionRules

__all__ = ["BY_ARENA", "SUSPEND_GAMES_MIN", "Conduct", "Suspension"]

BY_ARENA: Final = "start"
"""The cause of a seat that the arena has given up of its own accord."""
SUSPEND_GAMES_MIN: Final = 10
"""How many games it takes before the share of given-up ones says anything."""


@dataclass(frozen=True, slots=True)
class Suspension:
    """Why an entrant's games are no longer waited for."""

    entrant: str
    reason: str
    version: str | None = None
    """The version that is suspended; another one may play. `None` for a program that
    would not stay alive, of whatever version, and for who is excluded."""
    is_excluded: bool = False
    """Whether the host has decided it: then all its games count for nobody."""

    @property
    def text(self) -> str:
        """What the host is told."""
        which = f" (version {self.version})" if self.version else ""
        return f"{self.entrant}{which}: {self.reason}"


class Conduct:
    """How often each bot version was given up, game by game.

    Games from which the arena itself has taken it out, since it was suspended or its
    program gone, are none of its own.
    """

    def __init__(self, rules: SuspensionRules) -> None:
        self._rules = rules
        self._games: Counter[tuple[str, str]] = Counter()
        self._given_up: Counter[tuple[str, str]] = Counter()
        self._in_a_row: Counter[tuple[str, str]] = Counter()

    def note(
        self, entrant: str, version: str, *, cause: str | None
    ) -> Suspension | None:
        """Take note of a finished game; return the suspension that it leads to.

        Args:
            entrant: Whose seat it was.
            version: The version that played.
            cause: Why the seat was given up before the end; `None` when it was not.
        """
        if cause == BY_ARENA:
            return None
        key = (entrant, version)
        self._games[key] += 1
        if cause is None:
            self._in_a_row[key] = 0
            return None
        self._given_up[key] += 1
        self._in_a_row[key] += 1
        if reason := self._reason(key):
            return Suspension(entrant, reason, version)
        return None

    def _reason(self, key: tuple[str, str]) -> str:
        after, share = self._rules.after, self._rules.share
        if after and self._in_a_row[key] >= after:
            return f"given up in {self._in_a_row[key]} games in a row"
        games, given_up = self._games[key], self._given_up[key]
        if share and games >= SUSPEND_GAMES_MIN and given_up >= share * games:
            return f"given up in {given_up} of {games} games"
        return ""
