"""The schedule of a small league: every table that its entrants can form.

A *pass* is every set of entrants that fills a table, once, in an order that
keeps the games of any two entrants within one of each other (within two at one
place for nine entrants). A cycle is as many passes as a table has seatings, so
that each set meets once in each cyclic order and each rotation of it. Which
seating a pass takes is chosen by who has sat beside whom and where.

Tables of six and more have too many seatings for that. There each pass seats
every set as evenly as exchanges can make it, and in later cycles the tables come
turned by one seat.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, count, permutations

from leagues.balance import Balance, Seating

_PASS_SEEDS = {6: 1, 7: 78, 9: 814}
"""The tie-break that gave the evenest pass for four seats, by entrants.

Found by trying 50, 300 and 1,500 of them.
"""
_LISTED_SEATS_MAX = 5
"""The most seats of which all seatings are gone through: 120 for each set."""

_CYCLE_GAMES_MIN = 1000
"""A schedule repeats itself after at least so many games."""


def subset_seatings(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield seatings for ever, all sets of entrants in turn."""
    listed = seats <= _LISTED_SEATS_MAX
    return (_listed if listed else _exchanged)(entrants, seats)


def cycle_rounds(entrants: int, seats: int, *, tables: int) -> int:
    """Return after how many rounds of so many tables a long schedule repeats.

    Everybody has then played equally often, and there were enough games to even
    out who has met whom.
    """
    rounds = seats * entrants
    return rounds * -(-_CYCLE_GAMES_MIN // (rounds * tables))


def _listed(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield cycles of every seating of every set."""
    balance = Balance(entrants, seats)
    one_pass = _pass(entrants, seats)
    while True:
        unused = {chosen: _seatings(chosen) for chosen in one_pass}
        while unused[one_pass[0]]:
            for chosen in one_pass:
                seating = min(unused[chosen], key=balance.order_cost)
                unused[chosen].remove(seating)
                balance.add(seating)
                yield seating


def _exchanged(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield cycles in which everybody sits beside everybody and everywhere."""
    balance = Balance(entrants, seats)
    one_pass = _pass(entrants, seats)
    cycle = []
    for _ in range(cycle_rounds(entrants, seats, tables=len(one_pass))):
        for chosen in one_pass:
            seating = _settled(balance, chosen)
            balance.add(seating)
            cycle.append(seating)
            yield seating
    for turn in count(1):
        at = turn % seats
        for seating in cycle:
            yield seating[at:] + seating[:at]


def _settled(balance: Balance, chosen: Seating) -> Seating:
    """Exchange two seats of a set for as long as that repeats less of what was."""
    seating = list(chosen)
    cost, before = balance.order_cost(seating), None
    while before != cost:
        before = cost
        for one, other in combinations(range(len(seating)), 2):
            seating[one], seating[other] = seating[other], seating[one]
            exchanged = balance.order_cost(seating)
            if exchanged < cost:
                cost = exchanged
            else:
                seating[one], seating[other] = seating[other], seating[one]
    return tuple(seating)


def _seatings(chosen: Seating) -> list[Seating]:
    """All ways to seat a set: each cyclic order in each rotation."""
    first, *others = chosen
    orders = [(first, *rest) for rest in permutations(others)]
    return [
        order[turn:] + order[:turn] for order in orders for turn in range(len(order))
    ]


def _pass(entrants: int, seats: int) -> list[Seating]:
    """All sets of entrants in an order of which every beginning is even."""
    seed = _PASS_SEEDS.get(entrants, 0)
    unused = sorted(
        combinations(range(entrants), seats),
        key=lambda chosen: sha256(f"{seed} {chosen}".encode()).digest(),
    )
    balance = Balance(entrants, seats)
    ordered = []
    while unused:
        chosen = min(unused, key=lambda candidate: _pass_cost(balance, candidate))
        unused.remove(chosen)
        balance.add(chosen)
        ordered.append(chosen)
    return ordered


def _pass_cost(balance: Balance, chosen: Seating) -> tuple[int, int]:
    """First how far the games come apart, if at all, then who has met."""
    games = balance.games.copy()
    for entrant in chosen:
        games[entrant] += 1
    spread = max(games) - min(games)
    return (spread if spread > 1 else 0, balance.pair_cost(chosen))
