"""The schedule of a small league: every table that its entrants can form.

A *pass* is every set of entrants that fills a table, once, in an order that
keeps the games of any two entrants within one of each other (within two at one
place for nine entrants). A cycle is as many passes as a table has seatings, so
that each set meets once in each cyclic order and each rotation of it. Which
seating a pass takes is chosen by who has sat beside whom and where.

Tables of six and more have too many seatings for that. There each pass seats
every set as evenly as exchanges can make it.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, permutations

from leagues.scheduling.balance import Balance, Seating
from leagues.scheduling.orders import LISTED_SEATS_MAX, seated

_PASS_SEEDS = {6: 1, 7: 78, 9: 814}
"""The tie-break that gave the evenest pass for four seats, by entrants.

Found by trying 50, 300 and 1,500 of them.
"""


def subset_seatings(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield seatings for ever, all sets of entrants in turn."""
    return (_listed if has_every_seating(seats) else _settled)(entrants, seats)


def has_every_seating(seats: int) -> bool:
    """Tell whether every seating of every set comes before one comes again."""
    return seats <= LISTED_SEATS_MAX


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


def _settled(entrants: int, seats: int) -> Iterator[Seating]:
    """Yield passes in which everybody sits beside everybody and everywhere."""
    balance = Balance(entrants, seats)
    one_pass = _pass(entrants, seats)
    while True:
        for chosen in one_pass:
            seating = seated(balance, chosen)
            balance.add(seating)
            yield seating


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
