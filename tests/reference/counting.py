"""Counts of all that the rules allow from a position, by trying everything."""

from collections.abc import Iterator
from itertools import combinations, product

from tests.reference.cards import in_order
from tests.reference.deal import ReferenceDeal


class TooManyError(Exception):
    """There are more sequences than the caller wants to wait for."""


def play_counts(deal: ReferenceDeal, depth: int, *, most: int = 200_000) -> list[int]:
    """Return how many sequences of 1, 2 ... `depth` plays there are.

    Raises `TooManyError` as soon as there are more than `most` of one length.
    """
    counts = [0] * depth
    _count(deal, counts, 0, most)
    return counts


def _count(deal: ReferenceDeal, counts: list[int], level: int, most: int) -> None:
    legal = deal.legal()
    counts[level] += len(legal)
    if counts[level] > most:
        raise TooManyError
    if level + 1 == len(counts):
        return
    for card in legal:
        after = deal.copy()
        after.play(card)
        if not after.is_over:
            _count(after, counts, level + 1, most)


def passes_of(deal: ReferenceDeal, seat: int) -> list[tuple[str, ...]]:
    """List what a seat may pass; equal cards make no difference."""
    choices = combinations(in_order(deal.hands[seat]), deal.options.pass_count)
    return sorted(set(choices))


def after_passes(deal: ReferenceDeal) -> Iterator[ReferenceDeal]:
    """Yield the deal after every way in which all seats together can pass."""
    seats = range(deal.options.players)
    for passes in product(*[passes_of(deal, seat) for seat in seats]):
        after = deal.copy()
        for seat, cards in enumerate(passes):
            after.pass_cards(seat, cards)
        yield after


def pass_count(deal: ReferenceDeal) -> int:
    """Return in how many ways all seats together can pass."""
    count = 1
    for seat in range(deal.options.players):
        count *= len(passes_of(deal, seat))
    return count
