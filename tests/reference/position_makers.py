"""Makers of positions that are worth counting, from a seeded source of chance."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.reference.cards import (
    QUEEN,
    SINGLE_PACK,
    in_order,
    is_heart,
    of_suit,
    rank,
    suit,
)
from tests.reference.counting import (
    TooManyError,
    after_passes,
    pass_count,
    play_counts,
)
from tests.reference.options import Options
from tests.reference.play_rules import wanted_opening_card
from tests.reference.positions import Position
from tests.reference.values import is_penalty

MOST = 12_000
"""No count of an ending is greater, so that a slow program can check it."""

WIDE = 4_000
"""A deal from its start is counted one play deeper while it has fewer sequences."""

Hands = list[list[str]]
Maker = Callable[[Options, random.Random, int], Position]


def hand_sizes(options: Options) -> list[int]:
    """List the sizes of hands to try for endings, the largest first."""
    if options.players <= 3:
        return [5, 4]
    if options.players <= 5:
        return [4, 3]
    return [3, 2]


def deal_around(
    options: Options, chance: random.Random, size: int, given: Sequence[Sequence[str]]
) -> Hands:
    """Fill hands up to `size` cards from what is left of the pack.

    `given` is what the seats hold already.
    """
    left = options.pack
    for hand in given:
        for card in hand:
            left.remove(card)
    chance.shuffle(left)
    hands: Hands = []
    for hand in given:
        count = size - len(hand)
        hands.append(in_order([*hand, *left[:count]]))
        left = left[count:]
    return hands


def _position(name: str, hands: Hands, **more: object) -> Position:
    frozen = tuple(tuple(hand) for hand in hands)
    return replace(Position(name, "hold", frozen), **more)  # type: ignore[arg-type]


def _late(options: Options, size: int) -> int:
    return options.hand_size - size + 1


def full_deal(options: Options, chance: random.Random, size: int) -> Position:
    """Make a whole deal."""
    hands: Hands = [[] for _ in range(options.players)]
    return _position("a whole deal", deal_around(options, chance, size, hands))


def ending(options: Options, chance: random.Random, size: int) -> Position:
    """Make an ending, hearts broken."""
    hands: Hands = [[] for _ in range(options.players)]
    return _position(
        "an ending, hearts broken",
        deal_around(options, chance, size, hands),
        broken=True,
        trick_number=_late(options, size),
        leader=chance.randrange(options.players),
    )


def unbroken(options: Options, chance: random.Random, size: int) -> Position:
    """Make an ending whose leader holds hearts, the queen of spades and one more."""
    leader = chance.randrange(options.players)
    hands: Hands = [[] for _ in range(options.players)]
    hearts = [c for c in options.pack if is_heart(c)]
    hands[leader] = [
        *chance.sample(hearts, size - 2),
        QUEEN,
        *harmless(options, chance, 1),
    ]
    return _position(
        "the leader holds hearts, the queen of spades and one more, not broken",
        deal_around(options, chance, size, hands),
        trick_number=_late(options, size),
        leader=leader,
    )


def hearts_only(options: Options, chance: random.Random, size: int) -> Position:
    """Make an ending whose leader holds nothing but low, unbroken hearts.

    The next seat takes the first trick, and holds a heart and others to go on with:
    whether a led heart has broken hearts decides what it may lead.
    """
    leader = chance.randrange(options.players)
    hands: Hands = [[] for _ in range(options.players)]
    hearts = [card for card in SINGLE_PACK if is_heart(card)]
    hands[leader] = chance.sample(hearts[:-2], size)
    after = (leader + 1) % options.players
    hands[after] = ["AH", "KH", *harmless(options, chance, size - 2)][:size]
    return _position(
        "the leader holds hearts only, not broken",
        deal_around(options, chance, size, hands),
        trick_number=_late(options, size),
        leader=leader,
    )


def harmless(
    options: Options, chance: random.Random, count: int, *, without: str = ""
) -> list[str]:
    """Draw cards that cost nothing, of other suits than `without`."""
    cards = [
        card
        for card in options.pack
        if not is_penalty(options, card) and card != QUEEN and suit(card) not in without
    ]
    return chance.sample(cards, count)


def hearts_and_queen(options: Options, chance: random.Random, size: int) -> Position:
    """Make an ending whose leader holds unbroken hearts and the queen of spades."""
    leader = chance.randrange(options.players)
    hands: Hands = [[] for _ in range(options.players)]
    hearts = chance.sample([c for c in options.pack if is_heart(c)], size - 1)
    hands[leader] = [*hearts, QUEEN]
    return _position(
        "the leader holds hearts and the queen of spades, not broken",
        deal_around(options, chance, size, hands),
        trick_number=_late(options, size),
        leader=leader,
    )


def first_trick(options: Options, chance: random.Random, size: int) -> Position:
    """Make a small first trick with hands that its ban bites.

    The first seat holds penalty cards only, the second none of the
    suit led but a heart and others, and the third
    has the card that opens.
    """
    hands: Hands = [[] for _ in range(options.players)]
    penalties = [c for c in set(options.pack) if is_penalty(options, c) and c != QUEEN]
    hands[0] = [QUEEN, *chance.sample(in_order(penalties), size - 1)]
    opening = wanted_opening_card(options)
    hearts = [c for c in options.pack if is_heart(c) and c not in hands[0]]
    others = harmless(options, chance, size - 1, without="C" + suit(opening))
    hands[1] = [chance.choice(hearts), *others]
    hands[2] = [opening]
    return _position(
        "the first trick: seat 0 holds penalty cards only, seat 1 is void",
        deal_around(options, chance, size, hands),
    )


def pairs(options: Options, chance: random.Random, size: int) -> Position:
    """Make an ending of two packs with many equal cards in different hands."""
    faces = [card for card in set(options.pack) if options.pack.count(card) == 2]
    faces = sorted(in_order(faces), key=rank, reverse=True)
    wanted = chance.sample(faces[: options.players * size], options.players * size // 2)
    cards = [*wanted, *wanted]
    spare = [card for card in faces if card not in wanted]
    cards += spare[: options.players * size - len(cards)]
    chance.shuffle(cards)
    hands = [
        in_order(cards[seat * size : (seat + 1) * size])
        for seat in range(options.players)
    ]
    return _position(
        "pairs of equal cards in different hands",
        hands,
        broken=True,
        trick_number=_late(options, size),
        leader=chance.randrange(options.players),
    )


def cancelled(options: Options, chance: random.Random, size: int) -> Position:
    """Make an ending of two packs in which whole tricks are cancelled.

    The leader and one more seat hold the same cards of a suit that nobody else has.
    """
    players = options.players
    leader = chance.randrange(players)
    partner = (leader + chance.randrange(1, players)) % players
    twice = [c for c in set(options.pack) if options.pack.count(c) == 2]
    shared = chance.choice([c for c in "CDS" if len(of_suit(twice, c)) >= size])
    hands: Hands = [[] for _ in range(players)]
    cards = chance.sample(in_order(of_suit(twice, shared)), size - 1)
    hands[leader] = list(cards)
    hands[partner] = list(cards)
    others = [card for card in options.pack if suit(card) != shared]
    chance.shuffle(others)
    for hand in hands:
        while len(hand) < size:
            hand.append(others.pop())
    return _position(
        f"seats {leader} and {partner} hold equal cards, nobody else their suit",
        [in_order(hand) for hand in hands],
        broken=True,
        trick_number=_late(options, size),
        leader=leader,
    )


def small_pass(options: Options, chance: random.Random, dealer: int) -> Position | None:
    """Make a pass of tiny hands, counted; None when cards are never passed."""
    directions = [way for way in options.pass_cycle if way != "hold"]
    size = options.pass_count + 1
    if not directions or options.pass_count == 0 or options.players > 8:
        return None
    hands: Hands = [[] for _ in range(options.players)]
    hands[chance.randrange(options.players)] = [wanted_opening_card(options)]
    position = replace(
        _position("a pass", deal_around(options, chance, size, hands)),
        direction=chance.choice(directions),
    )
    deal = position.deal(options, dealer)
    counts = {"pass": pass_count(deal)}
    if counts["pass"] <= WIDE:
        afters = [play_counts(after, 2) for after in after_passes(deal)]
        counts["1"] = sum(count[0] for count in afters)
        counts["2"] = sum(count[1] for count in afters)
    return replace(position, counts=counts)


def counted_start(options: Options, chance: random.Random, dealer: int) -> Position:
    """Make a whole deal and count its first plays."""
    position = full_deal(options, chance, options.hand_size)
    deal = position.deal(options, dealer)
    counts = [len(deal.legal())]
    while counts[-1] < WIDE and len(counts) < 12:
        counts = play_counts(deal, len(counts) + 1)
    return _with_counts(position, counts)


def counted_ending(
    maker: Maker, options: Options, chance: random.Random, dealer: int
) -> Position:
    """Make a small position and count it to its end, as large as can be counted."""
    for size in [*hand_sizes(options), 2, 2, 2, 2]:
        position = maker(options, chance, size)
        deal = position.deal(options, dealer)
        try:
            counts = play_counts(deal, size * options.players, most=MOST)
        except TooManyError:
            continue
        return _with_counts(position, counts)
    # Too wide to be played to the end: count as far as it goes.
    counts = [len(deal.legal())]
    while counts[-1] < WIDE:
        counts = play_counts(deal, len(counts) + 1)
    return _with_counts(position, counts)


def _with_counts(position: Position, counts: list[int]) -> Position:
    named = {str(depth): count for depth, count in enumerate(counts, start=1)}
    return replace(position, counts=named)
