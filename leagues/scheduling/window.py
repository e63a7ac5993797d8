"""A window over the last games of a pool that has no end, and how even they are.

Whoever takes part comes and goes, so counts are kept by whom they are of, and only
those of the games in the window. Rounds are made from the counts of whoever is there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, TypeVar

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.greedy import next_round
from leagues.scheduling.owners import NO_OWNERS, Owners

__all__ = ["Window", "pool_games"]

_Key = TypeVar("_Key")
_Pair = tuple[int, int]


class Window:
    """Counts over the last games, by their numbers.

    Args:
        size: How many numbers it spans.
        seats: How many seats a table has.
    """

    def __init__(self, size: int, *, seats: int) -> None:
        self.seats: Final = seats
        self._size = size
        self._games: dict[int, Seating] = {}
        self._last = 0
        self._next_out = 1
        self._played: Counter[int] = Counter()
        self._pairs: Counter[_Pair] = Counter()
        self._lefts: Counter[_Pair] = Counter()
        self._across: Counter[_Pair] = Counter()
        self._sat: Counter[_Pair] = Counter()

    def __len__(self) -> int:
        return len(self._games)

    def put(self, number: int, seating: Seating) -> None:
        """Count a game, in place of the one that had its number before."""
        if number <= self._last - self._size:
            return
        self._drop(number)
        self._games[number] = seating
        self._count(seating, 1)
        self._last = max(self._last, number)
        while self._next_out <= self._last - self._size:
            self._drop(self._next_out)
            self._next_out += 1

    def balance(self, players: Sequence[int]) -> Balance:
        """Return the counts of some, who get the numbers 0, 1 and so on in it."""
        found = Balance(len(players), self.seats)
        found.games = [self._played[player] for player in players]
        found.seats = [
            [self._sat[player, seat] for seat in range(self.seats)]
            for player in players
        ]
        for counts, table in (
            (self._pairs, found.pairs),
            (self._lefts, found.lefts),
            (self._across, found.across),
        ):
            for row, one in enumerate(players):
                table[row] = [counts[one, other] for other in players]
        return found

    def _drop(self, number: int) -> None:
        if (seating := self._games.pop(number, None)) is not None:
            self._count(seating, -1)

    def _count(self, seating: Seating, by: int) -> None:
        previous = seating[-1]
        for seat, one in enumerate(seating):
            _add(self._played, one, by)
            _add(self._sat, (one, seat), by)
            _add(self._lefts, (previous, one), by)
            previous = one
        for one, other in combinations(seating, 2):
            _add(self._pairs, (one, other), by)
            _add(self._pairs, (other, one), by)
        half, odd = divmod(len(seating), 2)
        if not odd:
            for one, other in zip(seating[:half], seating[half:], strict=True):
                _add(self._across, (one, other), by)
                _add(self._across, (other, one), by)


def _add(counts: Counter[_Key], key: _Key, by: int) -> None:
    """Count, and forget what has come to nothing: whoever leaves may not come back."""
    counts[key] += by
    if not counts[key]:
        del counts[key]


def pool_games(
    window: Window,
    places: Mapping[int, int],
    *,
    most: int,
    owners: Owners = NO_OWNERS,
    seed: int = 0,
) -> list[Seating]:
    """Plan the next games of a pool, in rounds of whoever still has places.

    Args:
        window: What was played so far, which is left as it is.
        places: In how many more games each may be; those with none are left out.
        most: How many games at most.
        owners: Who owns each entrant; two of one owner never meet.
        seed: Decides between rounds that are equally good.
    """
    players = sorted(player for player, count in places.items() if count > 0)
    left = [places[player] for player in players]
    apart = Owners(owners.of(player) for player in players)
    balance = window.balance(players)
    games: list[Seating] = []
    while len(games) < most:
        free = [at for at, count in enumerate(left) if count > 0]
        if not apart.tables(free, window.seats):
            break
        found = next_round(balance, free, owners=apart, seed=seed + len(games))
        for seating in found[: most - len(games)]:
            balance.add(seating)
            for at in seating:
                left[at] -= 1
            games.append(tuple(players[at] for at in seating))
    return games
