"""
The deal generator: from a secret to every hand of every deal.

Each block of games has a sequence seed, made from the league's secret; each deal
of it has an endless stream of bytes, made from the sequence seed. So a sequence
seed in a record is enough to deal the record's hands again, and tells nothing of
other blocks. Numbers in the hashed text are 32 bits, the highest byte first.
"""

import hashlib
from collections.abc import Iterator, Sequence

from arena.cards import FULL_PACK, Card, CardSet, cards_in
from arena.rules import RuleSet


def sequence_seed(secret: bytes, *, block: int, attempt: int) -> bytes:
    """
    Return the 32 bytes from which all deals of a block come.

    Args:
        secret: The league's secret.
        block: The number of the block.
        attempt: How often the block was begun before; a void game is played
            again with other deals.
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
        The hands by seat.
    """
    hands = [0] * rules.players
    seat = dealer
    for card in shuffled(sequence_seed, deal_index, cards_in(rules.pack)):
        seat = (seat + 1) % rules.players
        hands[seat] |= 1 << card
    return tuple(hands)


def first_dealer(
    sequence_seed: bytes, players: int, *, pack: CardSet = FULL_PACK
) -> int:
    """Draw the seat that deals first, from the bytes that the first deal left."""
    stream = deal_bytes(sequence_seed, 0)
    _shuffle(stream, cards_in(pack))
    return _below(players, stream)


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
    return next(byte for byte in stream if byte < fair) % limit


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
