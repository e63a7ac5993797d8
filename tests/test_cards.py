"""Cards: numbers, names and sets."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import cards
from hearts.arena.v1 import cards_pb2

ALL_CARDS = range(1, 53)


@st.composite
def multisets(draw: st.DrawFn) -> list[int]:
    """Draw cards of two packs, in notation order."""
    counts = draw(st.dictionaries(st.sampled_from(ALL_CARDS), st.integers(1, 2)))
    return sorted(Counter(counts).elements())


def test_numbers_are_those_of_the_wire() -> None:
    """A card has the number that the protocol gives its name."""
    names = {cards.card_name(card): card for card in ALL_CARDS}

    assert dict(cards_pb2.Card.items()) == {
        "CARD_UNSPECIFIED": 0,
        **{f"CARD_{name}": card for name, card in names.items()},
    }


def test_names_and_numbers_invert_each_other() -> None:
    """Reading the name of a card gives the card."""
    assert list(ALL_CARDS) == [
        cards.parse_card(cards.card_name(card)) for card in ALL_CARDS
    ]


@pytest.mark.parametrize("text", ["TD", "td", "10D", "10d", "Td"])
def test_a_ten_may_be_written_in_two_ways(text: str) -> None:
    """Either case will do, and 10 stands for T."""
    assert 22 == cards.parse_card(text)


@pytest.mark.parametrize("text", ["", "Q", "SQ", "1C", "QSS", "QS ", "102D", "♠Q"])
def test_what_is_no_card_is_refused(text: str) -> None:
    """An error quotes the text and shows how cards are written."""
    with pytest.raises(cards.CardError, match="cards are written like QS") as error:
        cards.parse_card(text)

    assert repr(text) in str(error.value)


def test_suit_and_rank_say_what_the_name_says() -> None:
    """A card's name is its rank and its suit."""
    for card in ALL_CARDS:
        name = cards.RANKS[cards.rank(card)] + cards.SUITS[cards.suit(card)]

        assert name == cards.card_name(card)


def test_lists_of_cards_are_read_and_written() -> None:
    """Cards keep the order in which they are named."""
    assert [50, 1, 22] == cards.parse_cards(" QS 2C  10D ")
    assert "QS 2C TD" == cards.card_names([50, 1, 22])
    assert [] == cards.parse_cards("")


def test_suits_part_the_pack() -> None:
    """The four suits are all cards, each once."""
    assert cards.FULL_PACK == cards.card_set(ALL_CARDS) == sum(cards.SUIT_SETS)
    assert cards.SUIT_SETS[2] == cards.HEARTS
    assert cards.parse_card("QS") == cards.QUEEN_OF_SPADES
    assert cards.PACK_SIZE == cards.FULL_PACK.bit_count()


@given(st.permutations(ALL_CARDS), st.integers(0, 52))
def test_a_set_lists_its_cards_in_order(order: list[int], count: int) -> None:
    """Listing a set inverts making it, in ascending order."""
    members = order[:count]

    assert sorted(members) == cards.cards_in(cards.card_set(members))


@given(multisets())
def test_a_set_holds_cards_twice(members: list[int]) -> None:
    """A set of two packs lists a card that it holds twice two times."""
    made = cards.card_set(reversed(members))

    assert members == cards.cards_in(made)
    assert len(members) == made.bit_count()
    assert sorted(set(members)) == cards.cards_in(made & cards.FULL_PACK)


@given(multisets(), st.integers(0, 1000))
def test_sets_are_joined_and_parted(members: list[int], seed: int) -> None:
    """Taking a part of a set away and putting it back changes nothing."""
    part = random.Random(seed).sample(members, len(members) // 2)
    rest = Counter(members) - Counter(part)
    whole, gone = cards.card_set(members), cards.card_set(part)
    kept = cards.without(whole, gone)

    assert sorted(rest.elements()) == cards.cards_in(kept)
    assert whole == cards.both(kept, gone) == cards.both(gone, kept)


def test_a_card_is_there_at_most_twice() -> None:
    """Joining sets that are not parts of one double pack is the caller's fault."""
    twice = cards.card_set([7, 7])

    assert twice == cards.both(1 << 7, 1 << 7)
    for other in (1 << 7, twice):
        with pytest.raises(AssertionError, match="more than twice"):
            cards.both(twice, other)


@given(multisets().filter(bool))
def test_the_lowest_card_of_a_set(members: list[int]) -> None:
    """It is the first one in notation order, of second copies too."""
    made = cards.card_set(members)
    seconds = made & ~cards.FULL_PACK

    assert members[0] == cards.lowest(made)
    assert not seconds or cards.lowest(seconds) == min(
        card for card in members if members.count(card) == 2
    )
