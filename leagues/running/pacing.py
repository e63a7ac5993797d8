"""Pacing: which games of a league may begin by now, and when the league is over.

A league with a budget plays all its games. Others learn on the way how many there are:
one with a time box as many whole rounds as its time allows, a test of two bots as many
blocks as it takes, a ladder those of whoever is there. Whichever it is, the runner asks
its pacing whenever it looks for games to start.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.presence import Presence
from arena.record import Record
from leagues.storage.league import League

__all__ = ["Budget", "Gate", "Moment", "Pace", "Pacing"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a run knows when it asks."""

    league: League
    finished: int
    """How many games are finished, those of earlier runs included."""
    running: int
    """How many games are being played."""
    waiting: int
    """How many games wait that may begin, and all their bots are there."""
    parked: int
    """How many wait for a bot that is not there."""
    pausing: int
    """How many wait for a moment, since they broke down."""
    tables: int
    """How many games may run at once."""
    present: Mapping[str, Presence]
    """The bots that can be seated."""
    can_begin: bool
    """Whether anything may begin now; not while league or arena pause."""
    free: Callable[[], Mapping[str, int]]
    """Returns how many more games each bot that can be seated may be in."""
    games: Callable[[], Mapping[int, tuple[str, ...]]]
    """Returns the games that wait in this life, and their bots."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What a run may do."""

    through: int
    """Games with a number up to this one may begin; it never goes down."""
    expected: int
    """How many games the league will have had, as far as can be told."""
    is_open: bool = False
    """Whether more games may come though none waits and none is played."""
    over: str = ""
    """Not empty: no more games begin, and the league is finished when those that run
    have ended, for this reason: one of `leagues.standings.STOPPED_BY`."""
    league: League | None = None
    """The league as it is now, where it has changed."""
    lack: str = ""
    """What is waited for where those who are there can fill no table."""


class Pacing(Protocol):
    """Which games of a league may begin by now, and when it is over."""

    through: int
    """As in `Pace`, before anything was asked."""
    looks_every: float
    """After how many seconds it wants to be asked even though nothing has happened;
    infinite where it does not."""

    async def look(self, moment: Moment) -> Pace:
        """Say what may begin now."""
        ...

    def note(self, record: Record, *, seconds: float) -> None:
        """Take note of a game that is finished and stored, and how long it took."""
        ...


class Gate:
    """Lets the games of a run through as its pacing says.

    Args:
        pacing: Says how many may begin.
        missing: The numbers of the games that are to be played, in order.
        games: How many games the league has as the run begins.
    """

    def __init__(self, pacing: Pacing, missing: Sequence[int], games: int) -> None:
        self.expected = games
        """How many games the league will have had, as far as can be told."""
        self.is_open = False
        """Whether more games may come though none waits and none is played."""
        self.over = ""
        """Why the league ends with this run whatever is left; empty when it may not."""
        self.lack = ""
        """What is waited for where those who are there can fill no table."""
        self.note = pacing.note
        self.looks_every = pacing.looks_every
        self._pacing = pacing
        self._missing = missing
        self._games = games
        self.through = pacing.through
        """Games up to this one may begin."""

    def first(self) -> Sequence[int]:
        """Return the games that may begin at once."""
        return self._released(0, self.through)

    async def look(self, moment: Moment) -> tuple[Sequence[int], League]:
        """Return the games that may begin by now too, and the league as it is now."""
        pace = await self._pacing.look(moment)
        self.is_open, self.expected, self.over = pace.is_open, pace.expected, pace.over
        self.lack = pace.lack
        before, self.through = self.through, max(self.through, pace.through)
        return self._released(before, self.through), pace.league or moment.league

    def _released(self, after: int, through: int) -> Sequence[int]:
        missing = self._missing
        some = missing[bisect_right(missing, after) : bisect_right(missing, through)]
        # Those that the league was given since the run began.
        return (*some, *range(max(after, self._games) + 1, through + 1))


class Budget:
    """All games of the schedule, in any order.

    Args:
        league: The league.
    """

    looks_every = float("inf")

    def __init__(self, league: League) -> None:
        self.through = league.games_planned

    async def look(self, moment: Moment) -> Pace:
        """Let every game begin."""
        self.through = moment.league.games_planned
        return Pace(self.through, expected=self.through)

    def note(self, record: Record, *, seconds: float) -> None:
        """Do nothing: what has happened does not matter."""
