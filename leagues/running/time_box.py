"""A time box: as many whole rounds as the time of a league allows.

Rounds are released one after the other, just enough of them that no table stands
idle, and only those that will be over in time by the speed so far. So the league ends
a little before its time, and everybody has played equally often, or one table less.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from arena.record import Record
from leagues.running.pacing import Moment, Pace
from leagues.scheduling.stops import Stops
from leagues.storage.league import League
from leagues.storage.moments import seconds_of

__all__ = ["TimeBox"]

_GAMES_MIN: Final = 4
"""Fewer games say little about the speed."""
_WAVES: Final = 4
"""The speed is that of the last games, so many for each table."""
_LENGTHS: Final = 100
"""How many games tell how long one may take."""
_TICK: Final = 1e-3
_NEWS_SHARE: Final = 0.05
"""What the speed of the moment changes of how many games are told to be expected."""
_IDLE_SECONDS: Final = 5.0
"""Games that do not begin for so long, though nothing runs, wait for somebody."""
_GRACE_SHARE: Final = 0.1
"""How much longer than it had the league may take to end its last rounds."""


class TimeBox:
    """The pacing of a league whose time is limited.

    Args:
        league: The league, with the end of its time.
        begun: The last game that is finished; 0 when none is.
        settle: Stores that the league ends after so many games.
        wall: Tells the time of day, in seconds since 1970.
    """

    looks_every = 1.0

    def __init__(
        self,
        league: League,
        *,
        begun: int,
        settle: Callable[[int], Awaitable[League]],
        wall: Callable[[], float],
    ) -> None:
        self._settle = settle
        self._wall = wall
        self._until = seconds_of(league.until)
        self._grace = _GRACE_SHARE * (self._until - seconds_of(league.created))
        # When this run began, then when its last games ended.
        self._ends = deque([wall()])
        self._lengths: deque[float] = deque(maxlen=_LENGTHS)
        self._idle_since: float | None = None
        self._expected = 0
        self._seatings = league.seatings
        self._stops = _stops(league, begun)
        # At least one round, whatever the clock says: no league ends without any.
        first = self._stops.first(max(begun, 1))
        self.through = league.ends_after or first or league.games_planned

    async def look(self, moment: Moment) -> Pace:
        """Release what can be over in time; settle the end when nothing more can."""
        league, now = moment.league, self._wall()
        if league.seatings is not self._seatings:
            self._seatings = league.seatings
            self._stops = _stops(league, self.through)
        changed: League | None = None
        if league.ends_after is None:
            reachable = self._reachable(moment, now)
            is_last = not self._release(moment, within=reachable)
            if now >= self._until or (is_last and not moment.waiting):
                changed = league = await self._settle(self.through)
        if league.ends_after is None:
            self._expect(self._stops.best(reachable))
            return Pace(self.through, expected=self._expected)
        over = "time" if self._is_over(moment, now) else ""
        return Pace(self.through, expected=league.ends_after, over=over, league=changed)

    def note(self, record: Record, *, seconds: float) -> None:
        """Take note of how long a game took, and when it ended."""
        self._ends.append(self._wall())
        self._lengths.append(seconds)

    def _expect(self, games: int) -> None:
        """Smooth how many games there may be, which jumps about with the speed."""
        step = round(_NEWS_SHARE * (games - self._expected))
        is_first = self._expected in (0, len(self._seatings))
        self._expected = max(self.through, games if is_first else self._expected + step)

    def _release(self, moment: Moment, *, within: int) -> bool:
        """Release rounds until enough games wait; tell whether there may be more.

        Args:
            moment: What the run knows.
            within: How many games the league may have.
        """
        last = self._stops.best(within)
        waiting = moment.waiting
        while waiting < moment.tables:
            stop = self._stops.first(self.through + 1)
            if stop is None or stop > last:
                # All of the schedule needs no end of its own.
                return self.through >= len(self._seatings)
            waiting += stop - self.through
            self.through = stop
        return True

    def _reachable(self, moment: Moment, now: float) -> int:
        """Return how many games can be finished before the time is over."""
        while len(self._ends) > max(_GAMES_MIN, _WAVES * moment.tables):
            self._ends.popleft()
        games = len(self._ends) - 1
        left = self._until - now
        # Games of absent bots may never be played.
        done = moment.finished + moment.parked
        if left <= 0:
            return done
        if games < _GAMES_MIN:
            return len(self._seatings)
        speed = games / max(now - self._ends[0], _TICK)
        # The last games are still played to their ends when other tables are idle.
        return done + int(speed * max(0.0, left - max(self._lengths)))

    def _is_over(self, moment: Moment, now: float) -> bool:
        """Tell whether games that still wait are not to be waited for any more."""
        is_busy = moment.running or moment.pausing or not moment.can_begin
        if is_busy or now < self._until:
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = now
        is_idle = self._idle_since is not None and moment.waiting + moment.parked > 0
        waited = now - self._idle_since if self._idle_since is not None else 0.0
        return now >= self._until + self._grace or (is_idle and waited >= _IDLE_SECONDS)


def _stops(league: League, through: int) -> Stops:
    """Find where a league may end, after so many games that are let through."""
    # Whoever has withdrawn is no part of what is left.
    players = {one for table in league.seatings[through:] for one in table}
    return Stops(league.seatings, block=league.blocks.size, players=players or None)
