"""Cards: numbers, names and sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import cards
from hearts.arena.v1 import cards_pb2

ALL_CARDS = range(1, 53)


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
    """A card's name is its rank and its suit, for second copies too."""
    for card in range(1, 105):
        name = cards.RANKS[cards.rank(card)] + cards.SUITS[cards.suit(card)]

        assert name == cards.card_name(card)
        assert name == cards.card_name(cards.card_face(card))
        assert cards.card_face(card) in ALL_CARDS


def test_lists_of_cards_are_read_and_written() -> None:
    """Cards keep the order in which they are named."""
    assert [50, 1, 22] == cards.parse_cards(" QS 2C  10D ")
    assert "QS 2C TD" == cards.card_names([50, 1, 22])
    assert [] == cards.parse_cards("")


def test_suits_part_the_pack() -> None:
    """The four suits are all cards, each once, in both copies."""
    assert cards.card_set(range(1, 105)) == sum(cards.SUIT_SETS)
    assert cards.card_set(ALL_CARDS) == cards.FULL_PACK
    assert cards.SUIT_SETS[2] == cards.HEARTS
    assert cards.parse_card("QS") == cards.QUEEN_OF_SPADES


@given(st.sets(st.integers(1, 104)))
def test_a_set_lists_its_cards_in_order(members: set[int]) -> None:
    """Listing a set inverts making it, in ascending order."""
    assert sorted(members) == cards.cards_in(cards.card_set(members))
