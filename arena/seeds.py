"""
The deal generator: from a secret to every hand of every deal.

Each block of games has a sequence seed, made from the league's secret; each deal
of it has an endless stream of bytes, made from the sequence seed. So a sequence
seed in a record is enough to deal the record's hands again, and tells nothing of
other blocks. Numbers in the hashed text are 32 bits, the highest byte first.
"""

import hashlib
from collections.abc import Iterator, Sequence

from arena.cards import Card, CardSet, card_set, cards_in, rank
from arena.rules import RuleSet


def sequence_seed(secret: bytes, *, block: int, attempt: int) -> bytes:
    """
    Return the 32 bytes from which all deals of a block come.

    Args:
        secret: The league's secret.
        block: The number of the block.
        attempt: Under which number the deals are drawn, so that a game that is
            played again has others; a league makes it from run and retry.
    """
    text = b"hearts/1/sequence" + secret + _u32(block) + _u32(attempt)
    return hashlib.sha256(text).digest()


def deal_bytes(sequence_seed: bytes, deal_index: int) -> Iterator[int]:
    """Yield the bytes of a deal without end; the first deal has index 0."""
    start = hashlib.sha256(b"hearts/1/deal" + sequence_seed + _u32(deal_index))
    counter = 0
    while True:
        block = start.copy()
        block.update(_u32(counter))
        yield from block.digest()
        counter += 1


def shuffled(
    sequence_seed: bytes, deal_index: int, cards: Sequence[Card]
) -> list[Card]:
    """Return the cards, given in notation order, in the order they are dealt."""
    return _shuffle(deal_bytes(sequence_seed, deal_index), cards)


def deal_hands(
    sequence_seed: bytes, deal_index: int, rules: RuleSet, dealer: int
) -> tuple[CardSet, ...]:
    """
    Deal a pack one card at a time, beginning at the dealer's left.

    Args:
        sequence_seed: The seed of the block.
        deal_index: The deal's place in the game, from 0.
        rules: The rules in force, which tell the pack and the seats.
        dealer: The seat that deals.

    Returns:
        The hands by seat. What can't be dealt evenly is the kitty, the last cards.
    """
    pack = shuffled(sequence_seed, deal_index, cards_in(rules.pack))
    players = rules.players
    dealt = pack[: rules.hand_size * players]
    # The first card goes to the seat after the dealer.
    first = (-dealer - 1) % players
    return tuple(
        card_set(dealt[(seat + first) % players :: players]) for seat in range(players)
    )


def first_dealer(sequence_seed: bytes, rules: RuleSet) -> int:
    """
    Return the seat that deals first, as the rules have it drawn.

    It comes from the bytes that the first deal left. To `draw_low`, the pack is
    shuffled again and each seat draws a card from seat 0 on: the lowest rank deals,
    equal ranks in the order of suits, equal cards in the order of seats.
    """
    if rules.first_dealer == "seat0":
        return 0
    stream = deal_bytes(sequence_seed, 0)
    pack = _shuffle(stream, cards_in(rules.pack))
    if rules.first_dealer == "random":
        return _below(rules.players, stream)
    drawn = _shuffle(stream, sorted(pack))[: rules.players]
    return min(range(rules.players), key=lambda seat: (rank(drawn[seat]), drawn[seat]))


def table_key(league: str, game_number: int) -> bytes:
    """
    Return the 8 bytes that bots may seed their randomness with.

    They come from names alone, so that they tell nothing of the cards.
    """
    text = b"hearts/1/table" + league.encode() + _u32(game_number)
    return hashlib.sha256(text).digest()[:8]


def _shuffle(stream: Iterator[int], cards: Sequence[Card]) -> list[Card]:
    """Shuffle from the top: each card changes places with one not above it."""
    pack = list(cards)
    for index in range(len(pack) - 1, 0, -1):
        other = _below(index + 1, stream)
        pack[index], pack[other] = pack[other], pack[index]
    return pack


def _below(limit: int, stream: Iterator[int]) -> int:
    """
    Draw a number from 0 to below `limit`, at most 256.

    Bytes of the incomplete last stretch are rejected, so that every number is
    equally likely.
    """
    fair = 256 - 256 % limit
    byte = next(stream)
    while byte >= fair:
        byte = next(stream)
    return byte % limit


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
