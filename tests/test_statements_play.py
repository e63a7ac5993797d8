"""
Statements of the sources about table, deal, pass, tricks and breaking hearts.

`docs/rules.md` lists them by number, with the tests here that cover them.
"""

from collections.abc import Sequence

import pytest

from arena.cards import (
    FULL_PACK,
    card_names,
    cards_in,
    parse_card,
)
from arena.deal import Deal
from arena.double_deal import start_deal
from arena.game import Game, MoonChoice, Phase
from arena.presets import PRESETS
from arena.rules import PassDirection, RulesError, preset
from tests.statements import (
    DOCUMENTS,
    hand,
    legal,
    on_lead,
    play,
    small_deal,
)

# Table, pack and deal


def test_tables_have_their_seats() -> None:
    """Each document names its numbers of players, and all play with four."""
    found = {name: [*PRESETS[name].seats] for name in DOCUMENTS}

    assert found == {
        "standard": [3, 4, 5, 6],
        "parlor": [3, 4, 5],
        "black_lady": [3, 4],
        "classic": [4],
        "party": [3, 4, 5, 6, 7],
    }
    for name in DOCUMENTS:
        assert 4 == preset(name).players


@pytest.mark.parametrize("name", DOCUMENTS)
def test_one_pack_is_dealt(name: str) -> None:
    """Four seats get the 52 cards, thirteen each, and no joker."""
    rules = preset(name)

    assert FULL_PACK == rules.pack
    assert 13 == rules.hand_size


@pytest.mark.parametrize("name", ["C", "D", "H", "S"])
def test_the_ace_is_high_and_the_two_low(name: str) -> None:
    """In every suit each card beats the one before, from the two to the ace."""
    order = [f"{r}{name}" for r in "23456789TJQKA"]
    for low in range(10):
        four = order[low : low + 4]
        deal = small_deal(preset("standard"), *four, trick=2, broken=True)
        play(deal, " ".join(four))

        assert [0, 0, 0, 1] == deal.tricks_won


def test_no_suit_is_trump() -> None:
    """The highest card of the suit led wins, whatever else is thrown."""
    deal = small_deal(preset("standard"), "9D", "2D", "AH", "QS", trick=2)

    assert [14, 0, 0, 0] == play(deal, "9D 2D AH QS").points


@pytest.mark.parametrize(
    ("name", "players", "removed", "hand_size", "opening"),
    [
        ("standard", 3, "2D", 17, "2C"),
        ("standard", 5, "2C 2D", 10, "3C"),
        ("standard", 6, "2C 3C 2D 3D", 8, "4C"),
        ("parlor", 3, "2C", 17, "2D"),
        ("parlor", 5, "2C 2D", 10, "3C"),
        ("black_lady", 3, "2C", 17, "3C"),
        ("party", 3, "2D", 17, "2C"),
        ("party", 5, "2C 2D", 10, "3C"),
        ("party", 6, "3C 4C 2D 3D", 8, "2C"),
        ("party", 7, "3C 2D 3D", 7, "2C"),
        ("black_maria", 3, "2C", 17, "3C"),
        ("cancellation", 6, "2C 2D", 17, "2C"),
        ("cancellation", 7, "2C 3C 3C 2D 2D 3D", 14, "2C"),
        ("cancellation", 8, "", 13, "2C"),
    ],
)
def test_packs_are_trimmed(
    name: str, players: int, removed: str, hand_size: int, opening: str
) -> None:
    """Low clubs and diamonds go, so that all hands are equal; the lowest club opens."""
    rules = preset(name, players=players)

    assert removed == card_names(rules.removed)
    assert hand_size == rules.hand_size
    assert parse_card(opening) == rules.opening


def test_other_low_cards_may_be_taken_out() -> None:
    """Any trim that comes out even will do, without hearts and the queen."""
    assert "3C" == card_names(preset("standard", players=3, removed="3C").removed)
    for removed in ("2H", "QS"):
        with pytest.raises(RulesError, match=f"takes out {removed}; hearts, penalty"):
            preset("standard", players=3, removed=removed)


def test_black_maria_is_three_things() -> None:
    """A game for three, a bonus for the jack, and a name of the queen of spades."""
    assert [3] == [*PRESETS["black_maria"].seats]
    assert hand("JD") == preset("omnibus_parlor").bonus_cards
    assert hand("QS") == preset("party").dear_penalties


def test_the_deal_passes_to_the_left() -> None:
    """Each deal is dealt by the seat left of the last dealer."""
    rules = preset("standard", first_dealer="seat0", target=1_000, pass_count=0)
    game = Game.from_seed(rules, bytes(32))
    dealers = []
    for _ in range(5):
        dealers.append(game.deal.dealer)
        while len(game.results) < len(dealers):
            if game.phase == Phase.PLAY:
                game.play(cards_in(game.deal.legal())[0])
            else:
                game.choose_moon(MoonChoice.ADD)

    assert [0, 1, 2, 3, 0] == dealers


@pytest.mark.parametrize("way", ["random", "draw_low"])
def test_the_first_dealer_is_drawn(way: str) -> None:
    """By lot or by the lowest card, every seat may be the first dealer."""
    rules = preset("standard", first_dealer=way)
    games = (Game.from_seed(rules, bytes([number]) * 32) for number in range(60))

    assert {0, 1, 2, 3} == {game.first_dealer for game in games}


# The pass


def test_passes_are_blind() -> None:
    """Any three cards go, and none is seen before all have passed."""
    dealt = [hand("AH QS KH 2C"), hand("3D 4D 5D 6D"), hand("3C 4C 5C 6C")]
    dealt.append(hand("3S 4S 5S 6S"))
    deal = Deal(preset("standard"), dealt, dealer=0, direction=PassDirection.LEFT)
    passes = [hand("AH QS KH"), hand("3D 4D 5D"), hand("3C 4C 5C"), hand("3S 4S 5S")]
    for seat in range(3):
        assert not deal.pass_cards(seat, passes[seat])
        assert dealt == deal.hands
        assert [0] * 4 == deal.received

    assert deal.pass_cards(3, passes[3])
    assert [passes[3], *passes[:3]] == deal.received


@pytest.mark.parametrize(
    ("name", "players", "expected"),
    [
        *[(name, 4, "left right across hold") for name in DOCUMENTS],
        ("standard", 3, "left right hold"),
        ("standard", 5, "left right hold"),
        ("standard", 6, "left right across hold"),
        ("parlor", 3, "left right hold"),
        ("parlor", 5, "left right hold"),
        ("black_lady", 3, "left right hold"),
        *[("party", players, "left right") for players in (3, 5, 6, 7)],
        ("black_maria", 3, "right"),
        ("cancellation", 6, "left right across hold"),
        ("cancellation", 7, "left right hold"),
        ("cancellation", 8, "left right across hold"),
    ],
)
def test_where_cards_are_passed(name: str, players: int, expected: str) -> None:
    """The directions of the deals, and then the first again."""
    rules = preset(name, players=players)
    cycle = expected.split()
    found = [rules.direction(index).label for index in range(len(cycle) + 1)]

    assert 3 == rules.pass_count
    assert [*cycle, cycle[0]] == found


# Trick one


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_opening_card_is_led_by_who_has_it_after_the_pass(name: str) -> None:
    """The two of clubs, passed or not, has to be the first card."""
    dealt = [hand("2C 3C 4C 5C"), hand("2D 3D 4D 5D")]
    dealt += [hand("2H 3H 4H 5H"), hand("2S 3S 4S 5S")]
    deal = Deal(preset(name), dealt, dealer=2, direction=PassDirection.RIGHT)
    for seat, cards in enumerate(("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", "2S 3S 4S")):
        deal.pass_cards(seat, hand(cards))

    assert (3, "2C") == (deal.turn, legal(deal))


def test_the_opening_card_twice() -> None:
    """Of two who hold it the first left of the dealer leads."""
    rules = preset("cancellation", players=8)
    hands = ["3D", "4D", "2C", "5D", "6D", "2C", "7D", "8D"]
    sets = [hand(text) for text in hands]
    leaders = [
        start_deal(rules, sets, dealer=dealer, direction=PassDirection.HOLD).turn
        for dealer in range(8)
    ]

    assert [2, 2, 5, 5, 5, 2, 2, 2] == leaders


def test_black_maria_opens_with_any_card() -> None:
    """The seat left of the dealer leads what it likes, but no heart."""
    deal = small_deal(preset("black_maria"), "9C QS 4H", "3C KS 5H", "4C AS 6H")

    assert (0, "9C QS") == (deal.turn, legal(deal))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_suit_is_followed(name: str) -> None:
    """Who has the suit led plays it; who has not plays anything."""
    hands = ["9D 2D", "3D AH", "AS 4H", "KD QS"]
    deal = play(small_deal(preset(name), *hands, trick=2), "9D")

    assert (1, "3D") == (deal.turn, legal(deal))
    assert "4H AS" == legal(play(deal, "3D"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("standard", "3D KS"),
        ("black_lady", "3D KS"),
        ("classic", "3D KS"),
        ("party", "3D KS"),
        ("standard_first_hearts_only", "3D QS KS"),
        ("parlor", "3D 4H QS KS"),
    ],
)
def test_what_is_banned_from_the_first_trick(name: str, expected: str) -> None:
    """A hand without clubs keeps its penalty cards, where there is no exception."""
    hands = ["2C 3C 4C 5C", "3D 4H QS KS", "6C 7C 8C 9C", "4D 5D 6D 7D"]

    assert expected == legal(play(small_deal(preset(name), *hands), "2C"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hand_of_banned_cards_may_play_any(name: str) -> None:
    """Nothing but hearts and the queen: all of them may be played."""
    hands = ["2C 3C 4C", "3H 4H QS", "6C 7C 8C", "4D 5D 6D"]
    deal = play(small_deal(preset(name), *hands), "2C")

    assert "3H 4H QS" == legal(deal)


@pytest.mark.parametrize(("name", "expected"), [("classic", [1]), ("standard", [])])
def test_a_forced_card_is_announced(name: str, expected: list[int]) -> None:
    """Where it has to be shown, all learn that the card was forced."""
    hands = ["2C 3C", "3H 4H", "6C 7C", "4D 5D"]

    assert (
        expected == play(small_deal(preset(name), *hands), "2C 3H 6C 4D").forced_plays
    )


def test_the_ban_bites_where_a_diamond_opens() -> None:
    """With three seats in parlor a hand that follows no diamond may have a club."""
    rules = preset("parlor", players=3)
    hands = ["2D 4C", "9C 4H", "3S 5H"]
    deal = play(small_deal(rules, *hands), "2D")

    assert "9C" == legal(deal)
    assert "5H 3S" == legal(play(deal, "9C"))


# Breaking hearts


@pytest.mark.parametrize("name", DOCUMENTS)
def test_hearts_wait_until_they_are_broken(name: str) -> None:
    """Before, anything but a heart may be led; after, a heart too."""
    rules = preset(name)

    assert "6D 4S" == on_lead(rules, "4S 6D 2H")
    assert "6D 2H 4S" == on_lead(rules, "4S 6D 2H", broken=True)


@pytest.mark.parametrize("name", [*DOCUMENTS, "standard_queen_breaks"])
@pytest.mark.parametrize(
    ("trick", "who"),
    [
        ("9D 2D 3D 4D", ()),
        ("9D 2D 3H 4D", "all"),
        ("9S QS 2S AS", ("party", "standard_queen_breaks")),
        ("9D QS 2D AD", ("party", "standard_queen_breaks")),
        ("9H 2H 3H 4H", ("party",)),
    ],
)
def test_what_breaks_hearts(name: str, trick: str, who: Sequence[str]) -> None:
    """A heart thrown always does; the queen and a heart led only in some rules."""
    deal = play(small_deal(preset(name), *trick.split(), trick=2), trick)

    assert (who == "all" or name in who) == deal.hearts_broken


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hand_of_hearts_may_lead_them(name: str) -> None:
    """Who has nothing else leads a heart, broken or not."""
    assert "2H 9H AH" == on_lead(preset(name), "2H 9H AH")


def test_a_heart_led_by_need() -> None:
    """It breaks hearts in party, and leaves them unbroken in standard."""
    hands = ["2H 3H", "4H 5D", "5H 6D", "AH KH"]
    plays = "2H 4H 5H AH"
    party, standard = (
        play(small_deal(preset(name), *hands, trick=2), plays)
        for name in ("party", "standard")
    )

    assert party.hearts_broken
    assert not standard.hearts_broken
    # The winner has hearts alone, and so may lead one all the same.
    assert "KH" == legal(standard) == legal(party)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_queen_of_spades_may_be_led(name: str) -> None:
    """Hearts need not be broken for her; with hearts beside her she must go first."""
    rules = preset(name)

    assert "6D 4S QS" == on_lead(rules, "QS 4S 6D 2H")
    assert "QS" == on_lead(rules, "QS 3H 8H KH")
