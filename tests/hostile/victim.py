"""Whom an attack is for, and how hard it strikes."""

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Victim:
    """An arena under attack."""

    address: str
    chance: random.Random
    """Decides all that an attack leaves open."""
    token: str
    """The token of a bot that is nobody else's: limits go by bots."""
    force: int = 1
    """How often, how many, how long: multiplies what an attack does."""


FOES = 400
"""How many bots there are to attack as, and as many with one-use tokens."""


def victim_of(address: str, seed: int, *, force: int = 1) -> Victim:
    """Return the victim of one attack; the seed decides the rest."""
    chance = random.Random(seed)
    token = f"foe{seed % FOES}"
    return Victim(address, chance, token, force)


Attack = Callable[[Victim], None]
