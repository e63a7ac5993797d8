"""Mixing tables that are planned: those sit together more who have met too little.

Round after round those play who have played least. Where it is very uneven who has
played what, those who are behind so sit with each other first, and the others with each
other afterwards. Exchanging players between any two tables leaves everybody as many
games, and meetings become even, as far as they can.
"""

from collections.abc import Collection, Sequence
from typing import Final

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.draws import draws
from leagues.scheduling.orders import seated
from leagues.scheduling.owners import NO_OWNERS, Owners

__all__ = ["mixed"]

_EXCHANGES_PER_TABLE: Final = 300
_EXCHANGES_MAX: Final = 200_000
"""How many exchanges are tried."""


def mixed(
    counts: Balance,
    tables: Sequence[Seating],
    *,
    owners: Owners = NO_OWNERS,
    first: Collection[int] = (),
    until: int = 0,
) -> list[Seating]:
    """Exchange players between tables for as long as meetings become more even.

    Args:
        counts: What was played before.
        tables: Who plays at tables to come.
        owners: Who owns each entrant; two of one owner never meet.
        first: Players that stay where they are at the first tables.
        until: So many of these there are.
    """
    mixing = _Mixing(counts, tables, owners, frozenset(first), until)
    below = draws("mixed", len(tables), sum(counts.games))
    places = len(tables) * len(tables[0]) if tables else 0
    for _ in range(min(_EXCHANGES_MAX, _EXCHANGES_PER_TABLE * len(tables))):
        mixing.exchange(below(places), below(places))
    found = []
    for table in mixing.tables:
        seating = seated(counts, table)
        counts.add(seating)
        found.append(seating)
    return found


class _Mixing:
    """Tables with what everybody's meetings come to at their end."""

    def __init__(
        self,
        counts: Balance,
        tables: Sequence[Seating],
        owners: Owners,
        first: frozenset[int],
        until: int,
    ) -> None:
        self.tables = [list(table) for table in tables]
        self._met = [row.copy() for row in counts.pairs]
        self._owners = [owners.of(one) for one in range(len(counts.games))]
        self._first = first
        self._until = until
        for table in tables:
            for one in table:
                for other in table:
                    if one != other:
                        self._met[one][other] += 1

    def exchange(self, one_place: int, other_place: int) -> None:
        """Try to exchange who sits at two places of all."""
        seats = len(self.tables[0])
        (here, at), (there, to) = divmod(one_place, seats), divmod(other_place, seats)
        one, other = self.tables[here][at], self.tables[there][to]
        if here == there or other in self.tables[here] or one in self.tables[there]:
            return
        if min(here, there) < self._until and not self._first.isdisjoint((one, other)):
            return
        mine = [player for player in self.tables[here] if player != one]
        its = [player for player in self.tables[there] if player != other]
        if self._may_not_meet(other, mine) or self._may_not_meet(one, its):
            return
        met, with_one, with_other = self._met, self._met[one], self._met[other]
        # One meeting more raises the sum of squares by twice as much and one.
        change = sum(with_other[x] - with_one[x] + 1 for x in mine)
        change += sum(with_one[x] - with_other[x] + 1 for x in its)
        if change >= 0:
            return
        for gains, loses, players in ((other, one, mine), (one, other, its)):
            for x in players:
                met[gains][x] += 1
                met[x][gains] += 1
                met[loses][x] -= 1
                met[x][loses] -= 1
        self.tables[here][at], self.tables[there][to] = other, one

    def _may_not_meet(self, comes: int, players: Sequence[int]) -> bool:
        owner = self._owners[comes]
        return bool(owner) and any(self._owners[x] == owner for x in players)
