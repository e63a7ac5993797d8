"""Seeds: every hand can be dealt again from its seed."""

import hashlib
from collections import Counter
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from arena import seeds
from arena.cards import FULL_PACK, card_names, cards_in
from arena.rules import preset

RULES = preset("arena")

SEED_HEX = "b4c874bbd2a70e7eb27832237c5020d6ffb7c44074e6e72f9f12eedaa453dd2d"
HANDS = [
    "2C AC 5D 7D 8D KD TH JH QH KH 2S 4S 7S",
    "5C 8C 9C JC KC 4D JD QD AD 6H AH 3S JS",
    "7C 2D 9D TD 2H 4H 5H 7H 9H 6S 8S TS AS",
    "3C 4C 6C TC QC 3D 6D 3H 8H 5S 9S QS KS",
]
KEY_HEX = "7992b7100d1907b0"


def deal_again(seed: bytes, deal: int, dealer: int) -> tuple[list[str], int]:
    """Deal with other means: the hands by seat, and the seat drawn after them."""
    names = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    blocks = [
        b"hearts/1/deal" + seed + deal.to_bytes(4, "big") + block.to_bytes(4, "big")
        for block in range(20)
    ]
    numbers = iter(b"".join(hashlib.sha256(block).digest() for block in blocks))

    def draw(limit: int) -> int:
        return next(byte for byte in numbers if byte < 256 // limit * limit) % limit

    pack = list(names)
    for top in range(51, 0, -1):
        lower = draw(top + 1)
        pack[top], pack[lower] = pack[lower], pack[top]
    hands: list[list[str]] = [[], [], [], []]
    for place, name in enumerate(pack):
        hands[(dealer + 1 + place) % 4].append(name)
    return [" ".join(sorted(hand, key=names.index)) for hand in hands], draw(4)


def dealt(seed: bytes, deal: int, dealer: int) -> list[str]:
    """Return the hands that the arena deals, as text."""
    hands = seeds.deal_hands(seed, deal, RULES, dealer)
    return [card_names(cards_in(hand)) for hand in hands]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 1000), st.integers(0, 3))
def test_two_implementations_agree(seed: bytes, deal: int, dealer: int) -> None:
    """Another program that follows the description deals the same hands."""
    assert deal_again(seed, deal, dealer)[0] == dealt(seed, deal, dealer)


@given(st.binary(min_size=32, max_size=32))
def test_two_implementations_draw_one_dealer(seed: bytes) -> None:
    """The first dealer is drawn from what the first deal left of its bytes."""
    assert deal_again(seed, 0, 0)[1] == seeds.first_dealer(seed, RULES)


def test_the_generator_never_changes() -> None:
    """Seeds in old records go on meaning the same hands."""
    seed = seeds.sequence_seed(bytes(range(32)), block=17, attempt=2)

    assert SEED_HEX == seed.hex()
    assert HANDS == dealt(seed, 3, 1)
    assert 1 == seeds.first_dealer(seed, RULES)
    assert KEY_HEX == seeds.table_key("demo", 17).hex()


@given(st.binary(min_size=32, max_size=32), st.integers(0, 40), st.integers(0, 3))
def test_hands_are_the_pack(seed: bytes, deal: int, dealer: int) -> None:
    """Every card is dealt once, the same number to each seat."""
    hands = seeds.deal_hands(seed, deal, RULES, dealer)

    assert sum(hands) == FULL_PACK
    assert [13] * 4 == [hand.bit_count() for hand in hands]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 3))
def test_cards_are_dealt_from_the_dealers_left(seed: bytes, dealer: int) -> None:
    """With another dealer the same hands go to other seats."""
    hands = seeds.deal_hands(seed, 0, RULES, 0)
    turned = seeds.deal_hands(seed, 0, RULES, dealer)

    assert hands == tuple(turned[(seat + dealer) % 4] for seat in range(4))


def test_every_input_counts() -> None:
    """Another secret, block, attempt or deal gives other cards."""
    first = seeds.sequence_seed(b"secret", block=1, attempt=0)
    others = [
        seeds.sequence_seed(b"other secret", block=1, attempt=0),
        seeds.sequence_seed(b"secret", block=2, attempt=0),
        seeds.sequence_seed(b"secret", block=1, attempt=1),
    ]
    hands = [seeds.deal_hands(seed, 0, RULES, 0) for seed in (first, *others)]
    hands.append(seeds.deal_hands(first, 1, RULES, 0))

    assert 5 == len(set(hands))


def test_streams_go_on_beyond_one_block() -> None:
    """The bytes of a deal do not repeat after the first hash."""
    stream = list(islice(seeds.deal_bytes(bytes(32), 0), 320))

    assert 10 == len({bytes(stream[at : at + 32]) for at in range(0, 320, 32)})


def test_every_seat_gets_every_card_alike() -> None:
    """Over many deals the queen of spades and the first deal are spread evenly."""
    queens: Counter[int] = Counter()
    dealers: Counter[int] = Counter()
    for number in range(2000):
        seed = seeds.sequence_seed(b"even", block=number, attempt=0)
        hands = seeds.deal_hands(seed, 0, RULES, 0)
        queens[next(seat for seat in range(4) if hands[seat] >> 50 & 1)] += 1
        dealers[seeds.first_dealer(seed, RULES)] += 1

    # Five standard deviations of 2000 draws with one chance in four are 97.
    assert all(403 <= count <= 597 for count in (*queens.values(), *dealers.values()))
