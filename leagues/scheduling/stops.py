"""Where a schedule may end before its end: after whole rounds, with even counts."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from leagues.scheduling.balance import Seating

__all__ = ["Stops"]

_EVEN_SHARE: Final = 0.9
"""Equal counts are worth a tenth of the games, and no more."""


class Stops:
    """The stops of a schedule: how many of its games may be all.

    A round ends where the next table has somebody who has sat at one of its tables. It
    is a stop if nobody has played more than one table less than another by then.

    Args:
        seatings: The schedule.
        block: How many games that follow each other have the same players.
        players: Between whom counts are to be even; by default all of the schedule.
    """

    def __init__(
        self,
        seatings: Sequence[Seating],
        *,
        block: int = 1,
        players: Collection[int] | None = None,
    ) -> None:
        tables = seatings[::block]
        self._all: list[int] = []
        self._even: list[int] = []
        counts = dict.fromkeys(
            {one for table in tables for one in table} if players is None else players,
            0,
        )
        have = Counter({0: len(counts)})
        least = most = 0
        seated: set[int] = set()
        for number, table in enumerate(tables, start=1):
            seated.update(table)
            for one in table:
                if one in counts:
                    have[counts[one]] -= 1
                    counts[one] += 1
                    have[counts[one]] += 1
                    most = max(most, counts[one])
            while counts and not have[least]:
                least += 1
            if number < len(tables) and seated.isdisjoint(tables[number]):
                continue
            seated.clear()
            if most - least <= 1:
                self._all.append(number * block)
            if most == least:
                self._even.append(number * block)

    def first(self, games: int) -> int | None:
        """Return the first stop after at least so many games, if there is one."""
        at = bisect_right(self._all, games - 1)
        return self._all[at] if at < len(self._all) else None

    def best(self, games: int) -> int:
        """Return the best stop within so many games; 0 where there is none.

        It is the last one, unless counts are equal at another that has hardly fewer
        games.
        """
        last = _last(self._all, games)
        even = _last(self._even, games)
        return even if even >= _EVEN_SHARE * last else last


def _last(stops: Sequence[int], games: int) -> int:
    at = bisect_right(stops, games)
    return stops[at - 1] if at else 0
