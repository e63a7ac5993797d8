"""
Places: in how many more games each bot may be seated now.

A bot says how many games it can play at once. That is not always good for the
others, so it may get fewer places:

* A *slow* bot, which needs far more time a turn than the others, gains nothing from
  many games, and each of them keeps its opponents waiting. So it has few, and the
  others' games always find tables and seats.
* *Heavy* bots, programs of this machine that think, take turns on its processors. With
  more of them at once than there are cores, they lose on time for each other's sake.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import median
from typing import Final

from arena.presence import Presence
from leagues.config import EntrantKind, LeagueConfig

__all__ = [
    "HEAVY_SECONDS",
    "SLOW_FACTOR",
    "SLOW_SECONDS",
    "SLOW_SHARE",
    "Places",
    "league_places",
    "slow_bots",
]

HEAVY_SECONDS: Final = 0.005
"""The mean time a turn from which a program of this machine counts as heavy; it is
light again below half of that."""
SLOW_SECONDS: Final = 0.050
SLOW_FACTOR: Final = 10
"""A bot is slow whose mean time a turn is above `SLOW_SECONDS`, and so many times the
median of the others'."""
SLOW_SHARE: Final = 4
"""A slow bot may be at one in so many of the tables that could run, but always at two
for each of its workers."""


class Places:
    """What a league's bots may play at once.

    Args:
        seats: How many seats a table has.
        tables_max: How many games may run at once.
        programs: The bots that the arena starts on this machine and knows nothing of,
            so not its house bots: each may be heavy until somebody has measured it.
        cores: How many processors this machine has.
        say: Is told what changes, in a line for the host.
    """

    def __init__(
        self,
        *,
        seats: int,
        tables_max: int,
        programs: Collection[str],
        cores: int,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._seats = seats
        self._tables_max = tables_max
        self._programs = frozenset(programs)
        self._unknown = set(programs)
        self._cores = max(1, cores - 1)
        self._say = say
        self._heavy: set[str] = set()
        self._told: set[str] = set()

    def free(
        self, present: Mapping[str, Presence], running: Collection[Sequence[str]]
    ) -> dict[str, int]:
        """Return for each bot how many more games it may be seated in.

        Args:
            present: The bots that are connected and can play.
            running: The bots of each game that runs.
        """
        self._weigh(present)
        mine = Counter(bot for bots in running for bot in bots)
        # What has been asked for may not have reached the arena's own count yet.
        free = {
            bot: one.max_games - max(one.open_games, mine[bot] - one.finishing_games)
            for bot, one in present.items()
        }
        self._contain_slow(free, present, mine)
        self._contain_heavy(free, present, running)
        return free

    def _contain_slow(
        self,
        free: dict[str, int],
        present: Mapping[str, Presence],
        mine: Mapping[str, int],
    ) -> None:
        slow = slow_bots(present)
        if not slow:
            return
        places = sum(one.max_games for one in present.values())
        tables = min(self._tables_max, places // self._seats)
        for bot in slow:
            workers = sum(one.workers for one in present[bot].introductions) or 1
            most = max(2 * workers, tables // SLOW_SHARE)
            free[bot] = min(free[bot], most - mine[bot])
            self._tell(
                bot,
                f"{bot} takes {1000 * present[bot].mean_charged:.0f} ms a turn, far "
                f"more than the others: it is in at most {most} games at once, so "
                "that they do not wait for it",
            )

    def _contain_heavy(
        self,
        free: dict[str, int],
        present: Mapping[str, Presence],
        running: Collection[Sequence[str]],
    ) -> None:
        held = (self._heavy | self._unknown) & present.keys()
        if not held:
            return
        tables = sum(not held.isdisjoint(bots) for bots in running)
        if tables >= self._cores:
            for bot in held:
                free[bot] = min(free[bot], 0)

    def _weigh(self, present: Mapping[str, Presence]) -> None:
        """Find out which programs of this machine are heavy."""
        for bot in self._programs & present.keys():
            mean = present[bot].mean_charged
            if not mean:
                continue
            self._unknown.discard(bot)
            if mean >= HEAVY_SECONDS:
                self._heavy.add(bot)
                self._tell(
                    bot,
                    f"{bot} thinks for {1000 * mean:.0f} ms a turn on this machine: at "
                    f"most {self._cores} of the games with such programs run at once, "
                    "so that they do not lose on time for each other's sake",
                )
            elif mean < HEAVY_SECONDS / 2:
                self._heavy.discard(bot)

    def _tell(self, bot: str, text: str) -> None:
        if bot not in self._told:
            self._told.add(bot)
            self._say(text)


def league_places(
    config: LeagueConfig, *, cores: int, say: Callable[[str], None]
) -> Places:
    """Return the places of a league's entrants."""
    return Places(
        seats=config.rules.players,
        tables_max=config.tables_limit,
        # House bots are known to be light: what they seem to think for is waiting.
        programs=[
            entrant.name
            for entrant in config.entrants
            if entrant.kind == EntrantKind.COMMAND
        ],
        cores=cores,
        say=say,
    )


def slow_bots(present: Mapping[str, Presence]) -> list[str]:
    """Return the bots that take far more time a turn than the others.

    Bots that nobody has measured yet have no part in it.
    """
    means = {bot: one.mean_charged for bot, one in present.items() if one.mean_charged}
    slow = []
    for bot, mean in means.items():
        if mean > SLOW_SECONDS and len(means) > 1:
            others = median(value for name, value in means.items() if name != bot)
            if mean > SLOW_FACTOR * others:
                slow.append(bot)
    return slow
