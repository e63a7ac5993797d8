"""Who plays whom, in which seats and in which order.

A schedule is a list of seatings, game 1 first. It depends on the number of entrants,
games and seats and on who owns whom, and on nothing else; a longer schedule begins
with the shorter one, so that a league can be prolonged. Every beginning is as even as
can be: stopping early favours nobody.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, count, islice
from math import comb
from typing import Final

from leagues.scheduling.balance import Balance, Seating, balance_of
from leagues.scheduling.cyclic import cyclic_rounds
from leagues.scheduling.greedy import rounds_from
from leagues.scheduling.owners import NO_OWNERS, Owners
from leagues.scheduling.starters import starter_for
from leagues.scheduling.subsets import has_every_seating, subset_seatings

__all__ = [
    "Design",
    "Method",
    "design_of",
    "prolonged",
    "repeated",
    "rounds",
    "schedule",
]

SUBSETS_MAX: Final = 126
"""Up to so many sets of entrants all of them play: nine entrants at four seats."""
_REPEATED_GAMES_MIN: Final = 1000
_REPEATED_CYCLES_MIN: Final = 12
"""A schedule repeats itself after at least so many games and cycles.

What is uneven by then grows with every repetition, so it has to be little.
"""


class Method(StrEnum):
    """How the tables of a schedule are found."""

    SUBSETS = "subsets"
    """Every set of entrants that fills a table plays."""
    CYCLIC = "cyclic"
    """All rounds follow from one."""
    GREEDY = "greedy"
    """Each round follows from the counts so far."""


@dataclass(frozen=True, slots=True)
class Design:
    """What a schedule is made of."""

    method: Method
    entrants: int
    seats: int
    tables: int
    """How many tables a round has; they share nobody."""
    cycle: int
    """After so many rounds everybody has played equally often, and everybody has met
    everybody as evenly as this schedule allows."""


def design_of(entrants: int, *, seats: int = 4, owners: Owners = NO_OWNERS) -> Design:
    """Choose how so many entrants are scheduled.

    Raises:
        ValueError: There are fewer entrants than seats.
        OwnersError: Somebody owns too many of them.
    """
    if entrants < seats:
        raise ValueError(f"{entrants} entrants cannot fill {seats} seats")
    everybody = range(entrants)
    owners.check(everybody, seats)
    tables = entrants // seats
    even = entrants - (entrants % seats == 0)
    greedy = Design(Method.GREEDY, entrants, seats, tables, even)
    if owners.groups(everybody):
        return greedy
    if (sets := comb(entrants, seats)) <= SUBSETS_MAX:
        return Design(Method.SUBSETS, entrants, seats, 1, sets)
    if (starter := starter_for(entrants, seats)) is not None:
        return Design(Method.CYCLIC, entrants, seats, tables, starter.rounds)
    return greedy


def rounds(
    entrants: int, *, seats: int = 4, owners: Owners = NO_OWNERS
) -> Iterator[list[Seating]]:
    """Yield the rounds of a schedule for ever.

    After twelve cycles, and a thousand games at least, the same rounds come again with
    every table turned by one seat, so that the longest league is planned soon.

    Raises:
        ValueError: There are fewer entrants than seats.
        OwnersError: Somebody owns too many of them.
    """
    design = design_of(entrants, seats=seats, owners=owners)
    if design.method == Method.SUBSETS:
        found: Iterator[list[Seating]] = (
            [seating] for seating in subset_seatings(entrants, seats)
        )
        if has_every_seating(seats):
            return found
    elif design.method == Method.CYCLIC:
        starter = starter_for(entrants, seats)
        assert starter is not None, design
        found = cyclic_rounds(starter)
    else:
        found = rounds_from(Balance(entrants, seats), range(entrants), owners=owners)
    return repeated(found, cycle=design.cycle, tables=design.tables)


def repeated(
    found: Iterator[list[Seating]], *, cycle: int, tables: int
) -> Iterator[list[Seating]]:
    """Yield some cycles of rounds, and then the same again with turned tables.

    Args:
        found: Rounds without an end, by themselves as even as can be.
        cycle: How many rounds a cycle has.
        tables: How many tables a round has.
    """
    least = -(-_REPEATED_GAMES_MIN // (cycle * tables))
    length = cycle * max(_REPEATED_CYCLES_MIN, least)
    kept = []
    for seatings in islice(found, length):
        kept.append(seatings)
        yield seatings
    for turn in count(1):
        for seatings in kept:
            at = turn % len(seatings[0])
            yield [seating[at:] + seating[:at] for seating in seatings]


def schedule(
    entrants: int, *, games: int, seats: int = 4, owners: Owners = NO_OWNERS
) -> list[Seating]:
    """Plan `games` games of `seats` seats between the entrants 0 to entrants - 1.

    Up to nine entrants at four seats, or ten at seven, every set of them plays; up
    to five seats in every cyclic order and every rotation before anything comes
    again. More entrants play in balanced rounds.

    Raises:
        ValueError: There are fewer entrants than seats, or `games` is negative.
        OwnersError: Somebody owns too many of them.
    """
    if games < 0:
        raise ValueError(f"a schedule of {games} games")
    planned = rounds(entrants, seats=seats, owners=owners)
    return list(islice(chain.from_iterable(planned), games))


def prolonged(
    begun: Sequence[Seating],
    entrants: int,
    *,
    games: int,
    seats: int = 4,
    owners: Owners = NO_OWNERS,
) -> list[Seating]:
    """Plan more games after those that are planned already.

    They go on as `schedule` does where it began so; else each round is made from the
    counts so far.

    Raises:
        OwnersError: Somebody owns too many of them.
    """
    planned = schedule(
        entrants, games=max(games, len(begun)), seats=seats, owners=owners
    )
    if list(begun) == planned[: len(begun)]:
        return planned
    counts = balance_of(begun, entrants=entrants)
    more = rounds_from(counts, range(entrants), owners=owners, catches_up=True)
    return [*begun, *islice(chain.from_iterable(more), max(0, games - len(begun)))]
