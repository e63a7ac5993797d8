"""Seats by colouring, for comparison: even for any tables, blind to neighbours.

Every entrant is split into copies with at most as many games as a table has seats.
Copies and tables are the two sides of a graph whose edges, one for each place at a
table, are coloured with the seats so that no two at a node are equal (König): so each
seat is taken once at each table, and an entrant's seats differ by one at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Node = tuple[str, int, int]


def coloured(tables: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Seat the tables, each in whatever order."""
    seats = len(tables[0])
    games: Counter[int] = Counter()
    at: dict[tuple[Node, int], Node] = {}
    for number, table in enumerate(tables):
        for entrant in table:
            copy = ("entrant", entrant, games[entrant] // seats)
            games[entrant] += 1
            _colour(at, ("table", number, 0), copy, seats)
    return [
        tuple(at[("table", number, 0), seat][1] for seat in range(seats))
        for number in range(len(tables))
    ]


def _colour(
    at: dict[tuple[Node, int], Node], one: Node, other: Node, seats: int
) -> None:
    """Colour an edge; where both ends lack no same colour, swap along a path."""
    mine = next(seat for seat in range(seats) if (one, seat) not in at)
    its = next(seat for seat in range(seats) if (other, seat) not in at)
    path = []
    node, seat = other, mine
    while (node, seat) in at:
        following = at[node, seat]
        path.append((node, following, seat))
        node, seat = following, its if seat == mine else mine
    for start, end, seat in path:
        del at[start, seat], at[end, seat]
    for start, end, seat in path:
        swapped = its if seat == mine else mine
        at[start, swapped], at[end, swapped] = end, start
    at[one, mine], at[other, mine] = other, one
