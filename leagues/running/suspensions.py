"""
Suspensions: the entrants whose games the others no longer wait for.
"""

from collections.abc import Iterable
from typing import Final

import trio

from leagues.conduct import Suspension

__all__ = ["Suspensions"]

NOT_ALIVE: Final = "its program would not stay alive"


class Suspensions:
    """The entrants that are suspended now, and a way to wait for changes."""

    def __init__(self) -> None:
        self._entries: dict[str, Suspension] = {}
        # Apart from the others, which are in force again once these are lifted.
        self._excluded: dict[str, Suspension] = {}
        self._withdrawn: frozenset[str] | None = None
        self._changed = trio.Event()

    @property
    def names(self) -> frozenset[str]:
        """The entrants whose games are not waited for."""
        return frozenset(self._entries.keys() | self._excluded)

    @property
    def excluded(self) -> frozenset[str]:
        """Those among them that the host has excluded."""
        return frozenset(self._excluded)

    @property
    def withdrawn(self) -> frozenset[str] | None:
        """The entrants that have withdrawn; `None` until somebody has said so."""
        return self._withdrawn

    @property
    def idle(self) -> frozenset[str]:
        """The entrants that have nothing to play, by the host's decision."""
        return self.excluded | (self._withdrawn or frozenset())

    @property
    def entries(self) -> tuple[Suspension, ...]:
        """All suspensions, by entrant."""
        entries = self._entries | self._excluded
        return tuple(entries[name] for name in sorted(entries))

    def add(self, suspension: Suspension) -> None:
        """Suspend an entrant."""
        self._entries[suspension.entrant] = suspension
        self._notify()

    def lose(self, entrant: str, why: str = NOT_ALIVE) -> None:
        """Suspend an entrant for this run, since its program can't play any more."""
        self.add(Suspension(entrant, why))

    def exclude(self, excluded: Iterable[Suspension]) -> None:
        """Exclude these entrants and no others."""
        self._excluded = {one.entrant: one for one in excluded}
        self._notify()

    def withdraw(self, withdrawn: Iterable[str]) -> None:
        """Take note that these entrants have withdrawn, and no others."""
        self._withdrawn = frozenset(withdrawn)
        self._notify()

    def lift(self, entrant: str) -> None:
        """Let an entrant play again."""
        if self._entries.pop(entrant, None) is not None:
            self._notify()

    async def changed(self) -> None:
        """Wait until an entrant is suspended, or no longer."""
        await self._changed.wait()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
