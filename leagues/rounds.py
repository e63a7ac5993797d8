"""The schedule of a larger league: rounds of tables that share nobody.

Those with the fewest games play, each table is filled with those who have met
least, and then places are exchanged for as long as that evens out meetings,
neighbours and seats. All of it is drawn from a fixed seed: the same number of
entrants always gives the same rounds, and a longer league begins with the
rounds of a shorter one.
"""

import struct
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count

from leagues.balance import Balance, Seating
from leagues.subsets import cycle_rounds

_EXCHANGES_PER_ENTRANT = 20
"""Exchanges tried in a round, for each entrant."""


def round_seatings(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield seatings for ever, round after round.

    After a thousand games or some more everybody has played equally often; then
    the same rounds come again with every table turned by one seat, so that a long
    league costs no more to plan than a short one.
    """
    balance = Balance(entrants, seats)
    below = _stream(entrants)
    cycle = []
    for _ in range(cycle_rounds(entrants, seats, tables=entrants // seats)):
        for seating in _round(balance, seats, below):
            balance.add(seating)
            cycle.append(seating)
            yield seating
    turn = 0
    while True:
        turn = (turn + 1) % seats
        for seating in cycle:
            yield seating[turn:] + seating[:turn]


def _stream(seed: int) -> Callable[[int], int]:
    """Whole numbers below a bound, the same on every platform."""
    words: Iterator[int] = (
        word
        for counter in count()
        for word in struct.unpack(">8I", sha256(f"{seed} {counter}".encode()).digest())
    )

    def below(bound: int) -> int:
        return next(words) * bound >> 32

    return below


def _round(balance: Balance, seats: int, below: Callable[[int], int]) -> list[Seating]:
    """One round: as many tables as the entrants fill, the rest sit out."""
    entrants = len(balance.games)
    games = balance.games
    order = sorted(range(entrants), key=lambda one: (games[one], below(1 << 32)))
    players = entrants - entrants % seats
    seated = _filled(balance, order[:players], seats)
    _exchange(balance, seated, order[players:], seats, below)
    return [tuple(seated[at : at + seats]) for at in range(0, players, seats)]


def _filled(balance: Balance, players: list[int], seats: int) -> list[int]:
    """The players table by table, each next one the least met at its table."""
    waiting = list(players)
    seated: list[int] = []
    while waiting:
        table = seated[len(seated) - len(seated) % seats :]
        pairs = balance.pairs
        chosen = min(waiting, key=lambda one: sum(pairs[one][other] for other in table))
        waiting.remove(chosen)
        seated.append(chosen)
    return seated


def _exchange(
    balance: Balance,
    seated: list[int],
    bench: list[int],
    seats: int,
    below: Callable[[int], int],
) -> None:
    """Exchange places, in place, wherever that makes the round no worse.

    Who sits out may come in for a player with as many games.
    """
    everybody = seated + bench
    players = len(seated)
    games = balance.games

    def cost(table: int) -> int:
        return balance.cost(everybody[table * seats : (table + 1) * seats])

    for _ in range(_EXCHANGES_PER_ENTRANT * len(everybody)):
        one, other = below(players), below(len(everybody))
        if other >= players and games[everybody[one]] != games[everybody[other]]:
            continue
        tables = {one // seats, other // seats} if other < players else {one // seats}
        before = sum(map(cost, tables))
        everybody[one], everybody[other] = everybody[other], everybody[one]
        if sum(map(cost, tables)) > before:
            everybody[one], everybody[other] = everybody[other], everybody[one]
    seated[:] = everybody[:players]
