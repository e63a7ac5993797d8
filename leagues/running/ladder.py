"""A ladder: a league without an end, whose games are planned for whoever is there.

Each game is planned shortly before it begins, in rounds among those who are present,
from the counts of the last games. A little is planned ahead, so that nobody has to
wait for a round to end and nobody meets only those who happen to be free at the same
time. What waits for somebody who has gone is given to others.
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Protocol

import trio

from arena.presence import Presence
from arena.record import Record
from leagues.running.pacing import Moment, Pace
from leagues.scheduling.balance import Seating
from leagues.scheduling.owners import Owners
from leagues.scheduling.window import Window, pool_games
from leagues.storage.league import League

__all__ = ["AHEAD", "Ladder", "Planner"]

AHEAD: Final = 2
"""How many games may wait for a bot beyond those that it has places for."""
_PATIENCE_SECONDS: Final = 10.0
"""How long a game takes, as long as none has ended."""
_ENOUGH_SHARE: Final = 0.75
"""Which part of those who are there takes part in a round, or two tables of them."""
_LACK_SECONDS: Final = 3.0
"""How long those who are there must be too few before that is told: programs come
within seconds."""
_NEWS_SHARE: Final = 8
"""A game that ends changes that by one part in so many."""


class Planner(Protocol):
    """Stores games that were planned."""

    async def __call__(
        self, games: Mapping[int, Seating], joining: Mapping[str, str]
    ) -> League:
        """Store them, and return the league as it is then.

        Args:
            games: Who sits where, by the numbers of games: new ones, and some that
                have not begun and get others.
            joining: The entrants that are new, in the order of the numbers that they
                get, with their owners.
        """
        ...


class Ladder:
    """The pacing of a ladder.

    Args:
        league: The ladder.
        plan: Stores what is planned.
        clock: Tells the time in seconds.
    """

    looks_every = 1.0

    def __init__(
        self,
        league: League,
        plan: Planner,
        *,
        clock: Callable[[], float] = trio.current_time,
    ) -> None:
        rules = league.ladder
        assert rules is not None, f"league {league.name} is no ladder"
        self.through = league.games_planned
        self._plan: Callable[..., Awaitable[League]] = plan
        self._clock = clock
        self._window = Window(rules.window, seats=league.seats_count)
        for number in range(max(1, self.through - rules.window + 1), self.through + 1):
            self._window.put(number, league.seatings[number - 1])
        self._game_seconds = _PATIENCE_SECONDS
        self._stalled_since: float | None = None
        self._full_since: dict[str, float] = {}
        self._few_since: float | None = None

    async def look(self, moment: Moment) -> Pace:
        """Plan games for those who are there, where too few wait."""
        league = moment.league
        lack = ""
        if moment.can_begin:
            free = moment.free()
            joining = _joining(league, free, moment.present)
            numbers = {name: n for n, name in enumerate((*league.entrants, *joining))}
            owners = _owners(league, joining)
            here, seats = [numbers[bot] for bot in free], self._window.seats
            lack = self._lasting(owners.lack(here, seats))
            games = self._games(moment, free, numbers, owners)
            if games:
                seated = max(map(max, games.values()))
                # Whoever has come joins with the first game that a newcomer plays.
                is_new = seated >= len(league.entrants)
                league = await self._plan(games, joining if is_new else {})
                for number, seating in games.items():
                    self._window.put(number, seating)
        self.through = through = league.games_planned
        return Pace(through, expected=through, is_open=True, league=league, lack=lack)

    def _lasting(self, lack: str) -> str:
        """Return what is lacking once that has been so for a while."""
        now = self._clock()
        if not lack:
            self._few_since = None
        elif self._few_since is None:
            self._few_since = now
        since = now if self._few_since is None else self._few_since
        return lack if now - since >= _LACK_SECONDS else ""

    def note(self, record: Record, *, seconds: float) -> None:
        """Take note of how long a game took."""
        self._game_seconds += (seconds - self._game_seconds) / _NEWS_SHARE

    def _games(
        self,
        moment: Moment,
        free: Mapping[str, int],
        numbers: Mapping[str, int],
        owners: Owners,
    ) -> dict[int, Seating]:
        """Return the games that are to be planned now."""
        seats = self._window.seats
        waiting = moment.games()
        here = free.keys()
        parked = sorted(n for n, bots in waiting.items() if not here >= set(bots))
        kept = [bots for n, bots in waiting.items() if n not in parked]
        busy = Counter(bot for bots in kept for bot in bots)
        most = moment.tables - moment.running - len(kept) + len(free) // seats
        places = {bot: count - busy[bot] + AHEAD for bot, count in free.items()}
        is_stalled = self._is_stalled(free, kept)
        if not self._has_enough(places):
            if not is_stalled:
                return {}
            places = {bot: min(1, count) for bot, count in free.items()}
        planned = pool_games(
            self._window,
            {numbers[bot]: count for bot, count in places.items()},
            most=max(0, most),
            owners=owners,
            seed=moment.league.games_planned,
        )
        first = moment.league.games_planned + 1
        named = [*parked, *range(first, first + len(planned))]
        return dict(zip(named, planned, strict=False))

    def _has_enough(self, places: Mapping[str, int]) -> bool:
        """Tell whether so many can be seated that they are not always the same.

        Args:
            places: How many more games may be planned for each who is there.
        """
        now, seats = self._clock(), self._window.seats
        full = [bot for bot, count in places.items() if count <= 0]
        self._full_since = {bot: self._full_since.get(bot, now) for bot in full}
        # Whoever is full for so long is slow, and holds up nobody.
        slow = sum(now - t > self._game_seconds for t in self._full_since.values())
        most = math.ceil(_ENOUGH_SHARE * (len(places) - slow))
        return len(places) - len(full) >= min(2 * seats, max(seats, most))

    def _is_stalled(
        self, free: Mapping[str, int], waiting: list[tuple[str, ...]]
    ) -> bool:
        """Tell whether a table could be filled for long, and nothing begins.

        Those who are free then are often those who have just left one table, and who
        shall meet others; so they wait for as long as a game takes.
        """
        can_begin = any(all(free[bot] > 0 for bot in bots) for bots in waiting)
        has_table = sum(count > 0 for count in free.values()) >= self._window.seats
        if can_begin or not has_table:
            self._stalled_since = None
            return False
        now = self._clock()
        if self._stalled_since is None:
            self._stalled_since = now
        return now - self._stalled_since >= self._game_seconds


def _joining(
    league: League, free: Mapping[str, int], present: Mapping[str, Presence]
) -> dict[str, str]:
    """Return the bots that are no entrants yet, with the owners of their tokens."""
    known = set(league.entrants)
    return {
        bot: next((one.owner for one in present[bot].introductions), "")
        for bot in free
        if bot not in known
    }


def _owners(league: League, joining: Mapping[str, str]) -> Owners:
    """Return who may not meet, in the order of the entrants' numbers."""
    if league.values.get("owners") == "mixed":
        return Owners()
    owners = league.owners
    return Owners([*(owners[name] for name in league.entrants), *joining.values()])
