"""Draws from a seed: whole numbers that are the same on every platform."""

import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import TypeVar

__all__ = ["Below", "draws", "shuffled"]

Below = Callable[[int], int]
"""Draws a whole number from 0 to the bound, which is left out."""

Item = TypeVar("Item")


def draws(*seed: object) -> Below:
    """Return a source of draws that depends on the texts of `seed` alone."""
    text = " ".join(map(str, seed))
    words: Iterator[int] = (
        word
        for counter in count()
        for word in struct.unpack(">8I", sha256(f"{text} {counter}".encode()).digest())
    )

    def below(bound: int) -> int:
        return next(words) * bound >> 32

    return below


def shuffled(items: Sequence[Item], below: Below) -> list[Item]:
    """Return the items in an order that is drawn."""
    keyed = [(below(1 << 32), index) for index in range(len(items))]
    return [items[index] for _, index in sorted(keyed)]
