"""The lobby: games that wait until all their bots are there and have time.

Games are taken in the order of their numbers as far as that is possible. Who is
absent holds up nobody but the games that need it, and who is busy does not
either: later games may overtake, though not by more than `LOOKAHEAD`.
"""

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Final

__all__ = ["LOOKAHEAD", "Lobby"]

LOOKAHEAD: Final = 1000
"""How many games with all their bots present are looked through for one whose
bots have a place free."""


class Lobby:
    """The games that are still to be started.

    Args:
        games: The bots of each game, by its number.
    """

    def __init__(self, games: Mapping[int, Sequence[str]]) -> None:
        self._bots = {number: tuple(bots) for number, bots in games.items()}
        self._seats_min = min(map(len, self._bots.values()), default=0)
        self._present: frozenset[str] = frozenset()
        # Numbers of games whose bots are all present, in order; the rest is parked.
        self._playable: list[int] = []
        self._absent: set[str] = set()
        self._admit(frozenset(), is_forced=True)

    def __len__(self) -> int:
        return len(self._bots)

    @property
    def numbers(self) -> frozenset[int]:
        """The games that are still to be started."""
        return frozenset(self._bots)

    @property
    def games(self) -> Mapping[int, tuple[str, ...]]:
        """The bots of each game that is still to be started."""
        return MappingProxyType(self._bots)

    @property
    def playable(self) -> int:
        """How many games have all their bots present."""
        return len(self._playable)

    def take(self, free: Mapping[str, int]) -> int | None:
        """Take the first game that can begin now out of the lobby.

        Args:
            free: How many more games each bot that is present can play.

        Returns:
            Its number; `None` when no game can begin.
        """
        self._admit(frozenset(free))
        if sum(places > 0 for places in free.values()) < self._seats_min:
            return None
        for index, number in enumerate(islice(self._playable, LOOKAHEAD)):
            if all(free[bot] > 0 for bot in self._bots[number]):
                del self._playable[index], self._bots[number]
                return number
        return None

    def has_without(self, bots: frozenset[str]) -> bool:
        """Tell whether a game waits that none of these bots is in."""
        if not bots:
            return bool(self._bots)
        return any(bots.isdisjoint(seated) for seated in self._bots.values())

    def put_back(self, number: int, bots: Sequence[str]) -> None:
        """Let a game wait again."""
        assert number not in self._bots, "the game waits already"
        self._bots[number] = tuple(bots)
        if missing := set(bots) - self._present:
            self._absent |= missing
        else:
            insort(self._playable, number)

    def withdraw(self, is_withdrawn: Callable[[int], bool]) -> list[int]:
        """Take games out of the lobby that are not to begin, and return them."""
        numbers = [number for number in self._bots if is_withdrawn(number)]
        for number in numbers:
            del self._bots[number]
        if numbers:
            self._admit(self._present, is_forced=True)
        return numbers

    def absent(self) -> list[str]:
        """Return the bots that waiting games need and that are not there."""
        return sorted(self._absent)

    def _admit(self, present: frozenset[str], *, is_forced: bool = False) -> None:
        """Sort the games anew when somebody has come or gone."""
        if present == self._present and not is_forced:
            return
        self._present = present
        self._playable = []
        self._absent = set()
        for number in sorted(self._bots):
            if missing := set(self._bots[number]) - present:
                self._absent |= missing
            else:
                self._playable.append(number)
