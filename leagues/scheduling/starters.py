"""Starters: a round of tables from which all rounds of a cycle follow.

The entrants are the elements of a group. A starter is a round of tables, its
*blocks*; adding the same element to everybody in it gives another round, and all
elements in turn a *cycle*. How often two meet in a cycle depends on their difference
alone, so that a few lines of figures say how even hundreds of tables are.

* Where the entrants are a prime number p = 1 mod k, powers of a primitive root give
  blocks for k seats in which every difference is there equally often, among all who
  meet, among neighbours and among those across.
* For four seats a search has found starters for all other numbers up to 40; they are
  kept in `starters.json`, and looked at before they are used.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import permutations
from typing import Any, Final

__all__ = ["Block", "Starter", "StarterError", "formula", "starter_for", "verified"]

Block = tuple[int, ...]
"""The entrants of a table in their cyclic order."""

_GROUPS: Final = ("Z", "Zinf", "Z3x3")
_SPREADS_MAX: Final = {"pairs": 1, "lefts": 2, "across": 2}
"""How uneven meetings, neighbours and those across may be after a cycle."""
_SEATS_FOUND: Final = 4


class StarterError(ValueError):
    """A starter that would make no even schedule."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A round from which all others of a cycle follow."""

    entrants: int
    group: str
    """`Z` counts modulo the number of entrants, `Z3x3` nine of them in two digits
    modulo 3; in `Zinf` the last entrant is no element of the group, and stays itself
    whatever is added."""
    blocks: tuple[Block, ...]

    @property
    def rounds(self) -> int:
        """How many rounds a cycle has: one for each element of the group."""
        return self.entrants - (self.group == "Zinf")

    def plus(self, entrant: int, step: int) -> int:
        """Add an element to an entrant."""
        if entrant >= self.rounds:
            return entrant
        if self.group == "Z3x3":
            return (entrant // 3 + step // 3) % 3 * 3 + (entrant + step) % 3
        return (entrant + step) % self.rounds

    def difference(self, one: int, other: int) -> int | str:
        """Return what leads from one entrant to the other, the same in each round."""
        if other >= self.rounds:
            return "to the last"
        if one >= self.rounds:
            return "from the last"
        if self.group == "Z3x3":
            return (other // 3 - one // 3) % 3 * 3 + (other - one) % 3
        return (other - one) % self.rounds

    def cycle(self) -> list[list[Block]]:
        """Return the tables of each round."""
        return [
            [tuple(self.plus(one, step) for one in block) for block in self.blocks]
            for step in range(self.rounds)
        ]

    def spreads(self) -> dict[str, int]:
        """Return how unevenly often differences are there in each relation."""
        last = ["to the last", "from the last"] if self.group == "Zinf" else []
        every = [*range(1, self.rounds), *last]
        counts = {relation: dict.fromkeys(every, 0) for relation in _SPREADS_MAX}
        for block in self.blocks:
            for (at, one), (to, other) in permutations(enumerate(block), 2):
                step = self.difference(one, other)
                counts["pairs"][step] += 1
                counts["lefts"][step] += (to - at) % len(block) == 1
                counts["across"][step] += 2 * abs(to - at) == len(block)
        return {
            relation: max(found.values()) - min(found.values())
            for relation, found in counts.items()
        }

    @property
    def is_exact(self) -> bool:
        """Whether a cycle leaves nothing uneven."""
        return not any(self.spreads().values())


def starter_for(entrants: int, seats: int) -> Starter | None:
    """Return the starter for so many entrants; `None` where none is known."""
    by_formula = formula(entrants, seats)
    if by_formula is None and seats == _SEATS_FOUND:
        return _found().get(entrants)
    return by_formula


@lru_cache(maxsize=64)
def formula(entrants: int, seats: int) -> Starter | None:
    """Return the starter from powers of a primitive root; `None` for other numbers.

    With p entrants, a primitive root g and h = g^m for m = (p - 1) / k, the blocks are
    g^j (1, h, h^2, ..., h^(k-1)) for each j below m.
    """
    if entrants % seats != 1 or not _is_prime(entrants):
        return None
    root = next(one for one in range(2, entrants) if _is_root(one, entrants))
    count = (entrants - 1) // seats
    blocks = tuple(
        tuple(pow(root, first + count * at, entrants) for at in range(seats))
        for first in range(count)
    )
    return verified(Starter(entrants, "Z", blocks), seats)


def verified(starter: Starter, seats: int) -> Starter:
    """Return the starter after a look at its tables and differences.

    Raises:
        StarterError: It would make no even schedule.
    """
    blocks, entrants = starter.blocks, starter.entrants
    is_group = starter.group in _GROUPS[:2] or (starter.group, entrants) == ("Z3x3", 9)
    seated = [entrant for block in blocks for entrant in block]
    problem = ""
    if not is_group:
        problem = f"{starter.group!r} is no group of {entrants}"
    elif [len(block) for block in blocks] != [seats] * (entrants // seats):
        problem = f"expected {entrants // seats} blocks of {seats}"
    elif len(set(seated)) < len(seated) or not set(seated) <= set(range(entrants)):
        problem = f"expected different entrants from 0 to {entrants - 1}"
    else:
        problem = next(
            (
                f"{relation} differ by {spread}, expected at most {most}"
                for relation, spread in starter.spreads().items()
                if spread > (most := _SPREADS_MAX[relation])
            ),
            "",
        )
    if problem:
        raise StarterError(f"starter of {entrants} entrants: {problem}")
    return starter


@lru_cache(maxsize=1)
def _found() -> dict[int, Starter]:
    """Read the starters that a search has found."""
    text = (files(__package__) / "starters.json").read_text(encoding="ascii")
    rows: Sequence[dict[str, Any]] = json.loads(text)
    starters = [
        Starter(row["entrants"], row["group"], tuple(map(tuple, row["blocks"])))
        for row in rows
    ]
    return {one.entrants: verified(one, _SEATS_FOUND) for one in starters}


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % one for one in range(2, int(number**0.5) + 1))


def _is_root(one: int, prime: int) -> bool:
    """Tell whether the powers of a number are all numbers but 0 modulo a prime."""
    return all(
        pow(one, (prime - 1) // factor, prime) != 1
        for factor in range(2, prime)
        if (prime - 1) % factor == 0
    )
