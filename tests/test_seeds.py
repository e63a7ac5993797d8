"""Seeds: every hand can be dealt again from its seed."""

import hashlib
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import seeds
from arena.cards import FULL_PACK, card_names, cards_in
from arena.rules import RuleSet, preset
from tests.reachable import ALL_RULES

RULES = preset("arena")

SEED_HEX = "b4c874bbd2a70e7eb27832237c5020d6ffb7c44074e6e72f9f12eedaa453dd2d"
HANDS = [
    "2C AC 5D 7D 8D KD TH JH QH KH 2S 4S 7S",
    "5C 8C 9C JC KC 4D JD QD AD 6H AH 3S JS",
    "7C 2D 9D TD 2H 4H 5H 7H 9H 6S 8S TS AS",
    "3C 4C 6C TC QC 3D 6D 3H 8H 5S 9S QS KS",
]
KEY_HEX = "7992b7100d1907b0"


class DealtAgain:
    """A deal made with other means, and the first dealer drawn after it."""

    def __init__(self, seed: bytes, deal: int, dealer: int, rules: RuleSet) -> None:
        blocks = [
            b"hearts/1/deal" + seed + deal.to_bytes(4, "big") + block.to_bytes(4, "big")
            for block in range(40)
        ]
        stream = b"".join(hashlib.sha256(block).digest() for block in blocks)
        self._numbers = iter(stream)
        self._pack = card_names(cards_in(rules.pack)).split()
        self._players = players = rules.players
        pack = self._shuffled()
        hands: list[list[str]] = [[] for _ in range(players)]
        for place, name in enumerate(pack[: len(pack) // players * players]):
            hands[(dealer + 1 + place) % players].append(name)
        self.hands = [" ".join(sorted(hand, key=self._pack.index)) for hand in hands]

    def _draw(self, limit: int) -> int:
        fair = 256 // limit * limit
        return next(byte for byte in self._numbers if byte < fair) % limit

    def _shuffled(self) -> list[str]:
        pack = [*self._pack]
        for top in range(len(pack) - 1, 0, -1):
            lower = self._draw(top + 1)
            pack[top], pack[lower] = pack[lower], pack[top]
        return pack

    def random_dealer(self) -> int:
        """Draw a seat."""
        return self._draw(self._players)

    def lowest_dealer(self) -> int:
        """Let each seat draw a card from the pack, shuffled again."""
        drawn = self._shuffled()[: self._players]
        heights = [
            ("23456789TJQKA".index(name[0]), "CDHS".index(name[1])) for name in drawn
        ]
        return heights.index(min(heights))


def dealt(seed: bytes, deal: int, dealer: int, rules: RuleSet = RULES) -> list[str]:
    """Return the hands that the arena deals, as text."""
    hands = seeds.deal_hands(seed, deal, rules, dealer)
    return [card_names(cards_in(hand)) for hand in hands]


sequence_seeds = st.binary(min_size=32, max_size=32)


@pytest.mark.parametrize("rules", ALL_RULES.values(), ids=ALL_RULES)
@settings(max_examples=2)
@given(seed=sequence_seeds, deal=st.integers(0, 1000), dealer=st.integers(0, 2))
def test_two_implementations_agree(
    rules: RuleSet, seed: bytes, deal: int, dealer: int
) -> None:
    """Another program that follows the description deals the same hands."""
    again = DealtAgain(seed, deal, dealer, rules)

    assert again.hands == dealt(seed, deal, dealer, rules)


@pytest.mark.parametrize("players", [3, 4, 7, 11])
@given(seed=sequence_seeds)
def test_two_implementations_draw_one_dealer(players: int, seed: bytes) -> None:
    """The first dealer is drawn from what the first deal left of its bytes."""
    options = {"leftover": "kitty_first_trick", "packs": 1 + (players > 7)}
    by_lot, by_card, fixed = (
        preset("arena", players=players, first_dealer=way, **options)
        for way in ("random", "draw_low", "seat0")
    )

    assert DealtAgain(seed, 0, 0, by_lot).random_dealer() == seeds.first_dealer(
        seed, by_lot
    )
    assert DealtAgain(seed, 0, 0, by_card).lowest_dealer() == seeds.first_dealer(
        seed, by_card
    )
    assert 0 == seeds.first_dealer(seed, fixed)


def test_the_generator_never_changes() -> None:
    """Seeds in old records go on meaning the same hands."""
    seed = seeds.sequence_seed(bytes(range(32)), block=17, attempt=2)

    assert SEED_HEX == seed.hex()
    assert HANDS == dealt(seed, 3, 1)
    assert 1 == seeds.first_dealer(seed, RULES)
    assert KEY_HEX == seeds.table_key("demo", 17).hex()


@given(sequence_seeds, st.integers(0, 40), st.integers(0, 3))
def test_hands_are_the_pack(seed: bytes, deal: int, dealer: int) -> None:
    """Every card is dealt once, the same number to each seat."""
    hands = seeds.deal_hands(seed, deal, RULES, dealer)

    assert sum(hands) == FULL_PACK
    assert [13] * 4 == [hand.bit_count() for hand in hands]


@given(sequence_seeds, st.integers(0, 3))
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
