"""A sequential match: as many blocks as it takes until its test ends.

Blocks are released a few at a time, since those that are begun when the test ends have
been played in vain: twelve ahead of the last one that counts, or half as many as count,
but no more than the test will take if it goes on as it has begun. So a test that is
clear at once is over soon, and a long one has few pauses in which programs are started
afresh. What is released decides when blocks are played, and never how they count.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable
from math import ceil
from typing import Final

from arena.record import Record
from leagues.match_score import MatchScore
from leagues.results import GameResult, result_of
from leagues.running.pacing import Moment, Pace

__all__ = ["AHEAD_MIN", "SequentialMatch"]

AHEAD_MIN: Final = 12
"""So many blocks are ahead of the last one that counts, at least."""
_AHEAD_SHARE: Final = 2
"""Later it is one for so many that count."""

Played = tuple[Iterable[GameResult], Collection[int]]
"""All finished games, and the numbers of those that are not played any more."""


class SequentialMatch:
    """The pacing of a match that ends with its test.

    Args:
        score: Of the match, without any game.
        size: How many games a block has.
        games: How many games it has at most.
        played: Reads the games from the store.
    """

    looks_every = float("inf")

    def __init__(
        self,
        score: MatchScore,
        *,
        size: int,
        games: int,
        played: Callable[[], Awaitable[Played]],
    ) -> None:
        self._score = score
        self._size = size
        self._games = games
        self._played = played
        # Nothing is known until the first look.
        self._finished = -1
        self.through = self._allowed()

    async def look(self, moment: Moment) -> Pace:
        """Release blocks, or end the match once its test has ended."""
        if moment.finished != self._finished:
            # The run has begun, or a host has made a game void.
            self._score.decide(*await self._played())
            self._finished = moment.finished
        if self._score.verdict is None:
            self.through = max(self.through, self._allowed())
            return Pace(self.through, expected=self._games)
        return Pace(self.through, expected=self._size * self._score.closed, over="test")

    def note(self, record: Record, *, seconds: float) -> None:
        """Look at a game, and at its block where that is closed now."""
        self._score.add(result_of(record))
        self._finished += 1

    def _allowed(self) -> int:
        """Return the last game that may begin."""
        closed = self._score.closed
        ahead = ceil(min(closed / _AHEAD_SHARE, self._score.to_go))
        return min(self._games, self._size * (closed + max(AHEAD_MIN, ahead)))
