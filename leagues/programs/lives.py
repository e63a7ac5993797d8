"""Lives: which games may begin before the programs of a rotated league start afresh.

The games of a block share their deals, so a program that has seen one of them must
not be there for the next. Programs in a sandbox forget everything when they end; the
time between two starts of them is a *life*. In one life at most one game of each block
begins; then all programs are ended and started again.

A life takes up blocks whose turn has come and, for `LIFE_SECONDS`, new ones. So blocks
are closed a few minutes after they were opened, and few are open when a run is cut
off; a start that takes long makes lives longer, that it may not cost more than a
tenth of the time. Where all bots are house bots, which remember nothing, a single life
holds all games, and they are played in their order.
"""

from bisect import insort
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from leagues.blocks import Blocks

__all__ = ["LIFE_SECONDS", "RESTARTS_SHARE", "Lives"]

LIFE_SECONDS: Final = 60.0
"""For how long a life takes up new blocks, at least."""
RESTARTS_SHARE: Final = 10
"""It does so for this many times as long as the programs took to start."""


class Lives:
    """The games of one run of a league, by the life in which they may begin.

    Args:
        blocks: Of the league.
        missing: The games that are to be played.
        begun: The blocks of which a game is finished already.
        are_many: Whether programs could remember a deal; else there is one life.
    """

    def __init__(
        self,
        blocks: Blocks,
        missing: Iterable[int],
        *,
        begun: Collection[int],
        are_many: bool,
    ) -> None:
        self.are_many = are_many
        self._blocks = blocks
        self._begun = set(begun)
        self._waiting: dict[int, list[int]] = {}
        self._count = 0
        self._seconds = LIFE_SECONDS
        self._renewed_at: float | None = None
        self._until: float | None = None
        self.wait(missing)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        """Yield the games that wait for a later life."""
        for numbers in self._waiting.values():
            yield from numbers

    def wait(self, numbers: Iterable[int]) -> None:
        """Let games wait for a later life."""
        for number in numbers:
            insort(self._waiting.setdefault(self._blocks.block(number), []), number)
            self._count += 1

    def replace(self, numbers: Iterable[int]) -> None:
        """Let these games wait for a later life, and no others."""
        self._waiting.clear()
        self.wait(numbers)

    def next(self, *, renewed_at: float | None = None) -> list[int]:
        """Return the games that may begin in a new life, in order.

        Args:
            renewed_at: When the programs were asked to start afresh; `None` in the
                first life.
        """
        self._renewed_at, self._until = renewed_at, None
        if not self.are_many:
            numbers = sorted(self)
            self._waiting.clear()
            self._count = 0
            return numbers
        numbers = sorted(numbers.pop(0) for numbers in self._waiting.values())
        self._waiting = {block: left for block, left in self._waiting.items() if left}
        self._count -= len(numbers)
        return numbers

    def begin(self, number: int, *, now: float) -> None:
        """Take note that a game begins."""
        self._begun.add(self._blocks.block(number))
        if self._until is None:
            if self._renewed_at is not None:
                least = RESTARTS_SHARE * (now - self._renewed_at)
                self._seconds = max(self._seconds, least)
            self._until = now + self._seconds

    def takes_new(self, *, now: float) -> bool:
        """Tell whether this life still takes up blocks that were not begun."""
        return not self.are_many or self._until is None or now < self._until

    def is_new(self, number: int) -> bool:
        """Tell whether no game of a game's block was begun."""
        return self._blocks.block(number) not in self._begun
