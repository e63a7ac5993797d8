"""Rounds from what was played so far, whoever takes part in them.

Those with the fewest games play; they are seated so that those meet who have met
least, in the cyclic order whose neighbours are least familiar, and the table is
turned so that everybody sits where it has sat least. A round depends on the counts,
on who plays and on the seed, and on nothing else: so whoever joins late is caught up
with, whoever withdraws is left out, and the rounds may end at any time.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from operator import add
from typing import Final

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.draws import Below, draws, shuffled
from leagues.scheduling.orders import seated
from leagues.scheduling.owners import NO_OWNERS, Owners

__all__ = ["next_round", "rounds_from"]

_EXCHANGES_PER_PLAYER: Final = 50
"""Exchanges tried in a round, for each player."""
_FEW_GAMES: Final = 6
"""So many games can be caught up with by those alone who are behind."""
_NEVER: Final = 1 << 40
"""What it costs that two meet who may not."""


def rounds_from(
    balance: Balance,
    players: Sequence[int],
    *,
    owners: Owners = NO_OWNERS,
    seed: int = 0,
    catches_up: bool = False,
) -> Iterator[list[Seating]]:
    """Yield rounds for ever, and count them in `balance`.

    Args:
        balance: What was played so far, also with others than these players.
        players: Who takes part, in the order of the roster.
        owners: Who owns each entrant; two of one owner never meet.
        seed: Decides between rounds that are equally good.
        catches_up: Whether there are fewer tables while some are behind, so that those
            ahead wait for them.

    Raises:
        OwnersError: Not even one table can be filled.
    """
    while True:
        seatings = next_round(
            balance, players, owners=owners, seed=seed, catches_up=catches_up
        )
        for seating in seatings:
            balance.add(seating)
        yield seatings


def next_round(
    balance: Balance,
    players: Sequence[int],
    *,
    owners: Owners = NO_OWNERS,
    seed: int = 0,
    catches_up: bool = False,
) -> list[Seating]:
    """Return the next round: as many tables as can be filled, the rest sit out.

    Args:
        balance: What was played so far, which is left as it is.
        players: Who takes part, in the order of the roster.
        owners: Who owns each entrant; two of one owner never meet.
        seed: Decides between rounds that are equally good.
        catches_up: Whether there are fewer tables while some are behind, so that those
            ahead wait for them.

    Raises:
        OwnersError: Not even one table can be filled.
    """
    below = draws("round", seed, sum(balance.games))
    seats = len(balance.seats[0])
    count = owners.tables(players, seats)
    if not count:
        raise owners.cannot_play(players, seats)
    order = sorted(shuffled(players, below), key=balance.games.__getitem__)
    playing, bench = _chosen(order, owners, count, seats)
    if catches_up:
        # Where some sit out by turns, they are a game behind now and then.
        most = balance.games[order[0]] + bool(bench)
        behind = sum(balance.games[player] <= most for player in order)
        apart = balance.games[playing[-1]] - balance.games[order[0]]
        # Whoever is behind sits out nothing.
        least = -(-behind // seats)
        if apart > _FEW_GAMES:
            least = max(least, _mixing_tables(behind, len(order), seats))
        while count > least and balance.games[playing[-1]] > most:
            count -= 1
            playing, bench = _chosen(order, owners, count, seats)
    familiar = _familiar(balance, players, owners)
    most = max(balance.games[player] for player in playing)
    tables = _Tables(
        familiar,
        _filled(familiar, playing, seats, owners),
        [player for player in bench if balance.games[player] == most],
        balance.games,
    )
    for _ in range(_EXCHANGES_PER_PLAYER * len(players)):
        tables.exchange(below)
    return [seated(balance, table) for table in tables.tables]


def _mixing_tables(behind: int, players: int, seats: int) -> int:
    """Return at how many tables those who are behind meet the others enough.

    At as few as would seat them they would play among themselves until they have
    caught up, and meet each other far too often. So each has a table of its own, as
    far as the others still play half as often as they do.
    """
    ahead = players - behind
    half = (ahead // 2 + behind) // seats
    return max(1, min(behind, half))


def _familiar(
    balance: Balance, players: Sequence[int], owners: Owners
) -> list[list[int]]:
    """How much it costs that two meet: one meeting more raises the sum of squares."""
    familiar = [row.copy() for row in balance.pairs]
    for own in owners.groups(players):
        for one, other in permutations(own, 2):
            familiar[one][other] = _NEVER
    return familiar


def _chosen(
    order: Sequence[int], owners: Owners, tables: int, seats: int
) -> tuple[list[int], list[int]]:
    """Who plays at so many tables, the first ones in order, and who sits out."""
    places = Counter[str]()
    playing: list[int] = []
    bench: list[int] = []
    for player in order:
        owner = owners.of(player)
        if len(playing) == tables * seats or (owner and places[owner] == tables):
            bench.append(player)
        else:
            places[owner] += 1
            playing.append(player)
    return playing, bench


def _filled(
    familiar: Sequence[Sequence[int]], playing: list[int], seats: int, owners: Owners
) -> list[list[int]]:
    """Fill tables one after the other with those who are least familiar there."""
    tables = len(playing) // seats
    if owners.groups(playing):
        # One after the other might leave those of one owner for the last table.
        ordered = sorted(playing, key=owners.of)
        return [ordered[table::tables] for table in range(tables)]
    waiting = list(playing)
    filled = []
    for _ in range(tables):
        table = [waiting.pop(0)]
        costs = familiar[table[0]]
        while len(table) < seats:
            chosen = min(waiting, key=costs.__getitem__)
            waiting.remove(chosen)
            table.append(chosen)
            costs = list(map(add, costs, familiar[chosen]))
        filled.append(table)
    return filled


class _Tables:
    """A round that is made better by exchanging two players at a time.

    Args:
        familiar: What it costs that two meet.
        tables: Who plays where.
        bench: Who sits out, and could play with no more games than the others.
        games: How many games each has played.
    """

    def __init__(
        self,
        familiar: Sequence[Sequence[int]],
        tables: list[list[int]],
        bench: list[int],
        games: Sequence[int],
    ) -> None:
        self.tables = tables
        self._bench = bench
        self._familiar = familiar
        self._games = games
        self._seats = len(tables[0])
        self._places = self._seats * len(tables)
        # What it costs that one sits at a table, so that an exchange is judged by a
        # few look-ups.
        self._costs = [
            [sum([row[other] for other in table]) for table in tables]
            for row in familiar
        ]

    def exchange(self, below: Below) -> None:
        """Try an exchange that is drawn: kept if the round is no worse for it."""
        table, at = divmod(below(self._places), self._seats)
        drawn = below(self._places + len(self._bench))
        one = self.tables[table][at]
        if drawn >= self._places:
            self._exchange_bench(one, table, at, drawn - self._places)
            return
        other_table, other_at = divmod(drawn, self._seats)
        other = self.tables[other_table][other_at]
        mine, its = self._costs[one], self._costs[other]
        gain = mine[table] + its[other_table] - mine[other_table] - its[table]
        if table != other_table and gain + 2 * self._familiar[one][other] >= 0:
            self._sit(table, at, other)
            self._sit(other_table, other_at, one)

    def _exchange_bench(self, one: int, table: int, at: int, place: int) -> None:
        other = self._bench[place]
        gain = self._costs[one][table] - self._costs[other][table]
        is_fair = self._games[one] == self._games[other]
        if is_fair and gain + self._familiar[one][other] >= 0:
            self._bench[place] = one
            self._sit(table, at, other)

    def _sit(self, table: int, at: int, comes: int) -> None:
        goes = self.tables[table][at]
        self.tables[table][at] = comes
        for row, costs in zip(self._familiar, self._costs, strict=True):
            costs[table] += row[comes] - row[goes]
