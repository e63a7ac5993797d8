"""The laws of leagues whose time is limited: when they end, and where.

They are worked out from the schedule alone, with none of what the arena uses for it.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from leagues.storage.league import League
from leagues.storage.moments import seconds_of
from tests.simulation.kinds import UNTIL

if TYPE_CHECKING:
    from tests.simulation.world import World

__all__ = ["TimeWatch"]

GRACE_SHARE = 0.1
"""How much longer than it had a league may take to end its last rounds."""
SPARE_SECONDS = 0.05


class TimeWatch:
    """When a timed league settles its end, and what begins after that."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._seconds = world.plan.kind.seconds
        self.end: int | None = None
        """After how many games it ends, once that is settled."""
        self._will_crash = False

    def crashes(self) -> bool:
        """Tell whether the arena crashes now, since its end was settled; once."""
        will_crash, self._will_crash = self._will_crash, False
        return will_crash

    @property
    def is_timed(self) -> bool:
        """Whether there is any time."""
        return self._seconds < float("inf")

    def wall(self) -> float:
        """Return the time of day, in seconds since 1970."""
        return self.created + self._world.virtual_seconds

    @property
    def created(self) -> float:
        """When the league was created."""
        return seconds_of(UNTIL) - (self._seconds if self.is_timed else 0.0)

    def look(self, league: League) -> None:
        """See that an end stays where it was settled, whatever crashes."""
        if self.end is not None:
            assert self.end == league.ends_after, (
                f"the end was settled after game {self.end}, now {league.ends_after}"
            )
        elif league.ends_after is not None:
            self._world.clockwork.note(f"the league ends after {league.ends_after}")
            self._will_crash = self._world.plan.kind.crashes_at_end
        self.end = league.ends_after

    def begin(self, number: int) -> None:
        """See that a game may still begin."""
        if not self.is_timed:
            return
        over = self._world.virtual_seconds - self._seconds - SPARE_SECONDS
        if over > 0:
            assert self.end is not None, f"game {number} begins, and no end is settled"
            most = GRACE_SHARE * self._seconds + 4 * self._world.plan.disk_seconds
            assert over <= most, f"game {number} begins {over:.3f} s after the end"
        if self.end is not None:
            assert number <= self.end, f"game {number} begins, {self.end} was the last"

    def check(self, league: League, records: Mapping[int, str]) -> None:
        """See that the league has ended at a round, with equal counts."""
        if not self.is_timed:
            return
        self.look(league)
        if self.end is None:
            return
        assert max(records, default=0) <= self.end, f"{max(records)} of {self.end}"
        size = league.blocks.size
        tables = league.seatings[::size]
        assert self.end % size == 0, f"{self.end} games are no whole blocks"
        assert self.end // size in round_ends(tables), f"{self.end} ends in a round"
        spread = _spread(league, self.end // size)
        assert spread <= 1, f"{spread} games apart after {self.end}"


def _spread(league: League, tables: int) -> int:
    """Return how far apart entrants are after so many different tables."""
    counts = Counter(dict.fromkeys(range(len(league.entrants)), 0))
    for table in league.seatings[:: league.blocks.size][:tables]:
        counts.update(table)
    return max(counts.values()) - min(counts.values())


def round_ends(tables: Collection[tuple[int, ...]]) -> set[int]:
    """Return after how many tables a round may end: the next would share somebody."""
    ends, seated = {len(tables)}, set[int]()
    for number, table in enumerate(tables):
        if not seated.isdisjoint(table):
            ends.add(number)
            seated = set()
        seated |= {*table}
    return ends
