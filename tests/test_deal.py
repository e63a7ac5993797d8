"""Deals: what is passed, led and played, and what is refused."""

from typing import Any

import pytest

from arena.cards import (
    PACK_SIZE,
    card_names,
    cards_in,
    parse_card,
    parse_cards,
)
from arena.deal import Deal, IllegalPass, IllegalPlay
from arena.rules import PassDirection, RuleSet, preset
from tests.reachable import position, turned
from tests.statements import hand, legal, play
from tests.statements import small_deal as deal_of

ARENA = preset("arena")


def small_deal(*hands: str, rules: RuleSet = ARENA) -> Deal:
    """Return a deal of a few cards without a pass, dealt by seat 0."""
    sets = [hand(text) for text in hands]
    return Deal(rules, sets, dealer=0, direction=PassDirection.HOLD)


# The pass


@pytest.mark.parametrize(
    ("direction", "steps"),
    [(PassDirection.LEFT, 1), (PassDirection.RIGHT, 3), (PassDirection.ACROSS, 2)],
)
def test_cards_travel_when_all_have_passed(
    direction: PassDirection, steps: int
) -> None:
    """Nobody sees a passed card before everybody has committed."""
    dealt = [hand(f"2{s} 3{s} 4{s} 5{s} 6{s}") for s in "CDHS"]
    deal = Deal(ARENA, dealt, dealer=0, direction=direction)
    given_away = [hand(f"3{s} 4{s} 5{s}") for s in "CDHS"]
    done = [deal.pass_cards(seat, given_away[seat]) for seat in (2, 0, 3)]

    assert [False] * 3 == done
    assert [given_away[0], 0, *given_away[2:]] == deal.passed
    assert (dealt, [0] * 4, -1) == (deal.hands, deal.received, deal.turn)
    assert deal.pass_cards(1, given_away[1])
    assert turned(given_away, steps) == deal.received
    assert hand("2C 6C") | deal.received[0] == deal.hands[0]
    assert tuple(dealt) == deal.dealt


def test_the_opening_card_is_sought_after_the_pass() -> None:
    """Whoever receives the two of clubs leads it."""
    dealt = [hand(f"2{s} 3{s} 4{s}") for s in "CDHS"]
    deal = Deal(ARENA, dealt, dealer=0, direction=PassDirection.ACROSS)
    for seat in range(4):
        deal.pass_cards(seat, dealt[seat])

    assert ([2], 2, hand("2C")) == (deal.leaders, deal.turn, deal.legal())


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("2C 3C", "3 cards are to be passed"),
        ("2C 3C 4C 5C", "3 cards are to be passed"),
        ("2C 3C 2D", "does not hold them all"),
        ("", "3 cards are to be passed"),
    ],
)
def test_a_wrong_pass_is_refused(cards: str, reason: str) -> None:
    """Exactly three cards of the own hand are passed."""
    dealt = [hand(f"2{s} 3{s} 4{s} 5{s}") for s in "CDHS"]
    deal = Deal(ARENA, dealt, dealer=0, direction=PassDirection.LEFT)
    with pytest.raises(IllegalPass, match=reason) as error:
        deal.pass_cards(0, hand(cards))

    assert hand(cards) == error.value.cards
    assert [0] * 4 == deal.passed


def test_a_seat_passes_once() -> None:
    """What is committed stays, and there is no pass after the exchange."""
    dealt = [hand(f"2{s} 3{s} 4{s} 5{s}") for s in "CDHS"]
    deal = Deal(ARENA, dealt, dealer=0, direction=PassDirection.LEFT)
    deal.pass_cards(0, hand("2C 3C 4C"))
    with pytest.raises(IllegalPass, match="has passed already"):
        deal.pass_cards(0, hand("2C 3C 5C"))
    with pytest.raises(IllegalPass, match="no pass is due"):
        small_deal("2C", "3C", "4C", "5C").pass_cards(0, hand("2C"))


# Why a play is refused


@pytest.mark.parametrize(
    ("plays", "card", "reason"),
    [
        ("", "4C", "the opening lead is laid down"),
        ("", "QD", "seat 0 does not hold it"),
        ("2C", "9D", "the suit led must be followed"),
        ("2C 3C", "2H", "may not be played to the first trick"),
        ("2C 3C TD KC", "JH", "hearts are not broken"),
    ],
)
def test_a_refusal_says_why(plays: str, card: str, reason: str) -> None:
    """The reason names the rule that forbids the card."""
    deal = small_deal("2C 4C 8D", "3C 9D TS", "2H TD 2S", "KC JH JS")
    for played in parse_cards(plays):
        deal.play(played)
    with pytest.raises(IllegalPlay, match=reason) as error:
        deal.play(parse_card(card))

    assert card in str(error.value)
    assert card_names(cards_in(deal.legal())) in str(error.value)


def test_nobody_plays_before_the_pass_or_after_the_end() -> None:
    """When no seat is on turn every card is refused."""
    dealt = [hand(f"2{s} 3{s} 4{s}") for s in "CDHS"]
    passing = Deal(ARENA, dealt, dealer=0, direction=PassDirection.LEFT)
    over = small_deal("2C", "3C", "4C", "5C")
    for card in parse_cards("2C 3C 4C 5C"):
        over.play(card)
    for deal in (passing, over):
        with pytest.raises(IllegalPlay, match="nobody is on turn") as error:
            deal.play(1)

        assert 0 == error.value.legal == deal.legal()


@pytest.mark.parametrize("card", [0, -1, PACK_SIZE + 2, 105, 10**12])
def test_a_number_that_is_no_card_is_refused(card: int) -> None:
    """Any number may be asked for and played; it costs nothing and is illegal."""
    deal = small_deal("2C", "3C", "4C", "5C")

    assert not deal.is_legal(card)
    with pytest.raises(IllegalPlay, match=f"can't play card {card}|does not hold"):
        deal.play(card)


@pytest.mark.parametrize(
    ("options", "hands", "card", "reason"),
    [
        ({"opening_play": "any_of_suit"}, "2C 4D", "4D", "lead is laid down"),
        ({"opening_play": "any"}, "QS 4D", "QS", "may not be led to the first"),
        ({"opening_play": "any"}, "4H 4D", "4H", "hearts are not broken"),
        ({"opening_play": "that_card"}, "4H 2C", "4H", "lead is laid down"),
    ],
)
def test_a_refused_opening_lead_says_why(
    options: dict[str, Any], hands: str, card: str, reason: str
) -> None:
    """What may open the deal is the rules' business, and so is the first trick."""
    leader = "holder" if "2C" in hands else "eldest"
    rules = preset("arena", opening_leader=leader, **options)
    deal = deal_of(rules, hands, "5C 6C", "7C 8C", "9C TC")
    with pytest.raises(IllegalPlay, match=reason):
        deal.play(parse_card(card))


# What may be led


@pytest.mark.parametrize(
    ("options", "held", "expected"),
    [
        ({}, "3H QS", "QS"),
        ({"queen_lead": "after_broken"}, "3H QS", "3H QS"),
        ({"queen_lead": "after_broken"}, "3H QS 4D", "4D"),
        ({"queen_lead": "after_broken", "hearts_lead": "free"}, "3H QS", "3H"),
        ({"queen_lead": "after_broken", "hearts_lead": "free"}, "QS", "QS"),
        ({"unbroken_lead_exception": "only_penalties"}, "3H QS", "3H QS"),
        ({"unbroken_lead_exception": "only_penalties"}, "3H QS 2D", "2D QS"),
    ],
)
def test_what_may_be_led_while_hearts_are_whole(
    options: dict[str, Any], held: str, expected: str
) -> None:
    """Hearts wait, and the queen too where the rules have it, for who has others."""
    deal = deal_of(preset("arena", **options), *_with_fillers(held), trick=2)

    assert expected == legal(deal)


def test_the_queen_waits_for_the_other_penalty_cards() -> None:
    """A hand of hearts, the queen and the king that costs leads all but the queen."""
    rules = preset(
        "arena",
        spade_penalties="Q:13 K:10",
        queen_lead="after_broken",
        unbroken_lead_exception="only_penalties",
    )

    assert "3H KS" == legal(deal_of(rules, *_with_fillers("3H QS KS"), trick=2))
    assert "3H QS" == legal(deal_of(rules, *_with_fillers("3H QS"), trick=2))


def _with_fillers(held: str) -> list[str]:
    size = len(held.split())
    ranks = "56789TJQKA"
    clubs = [f"{rank}C" for rank in ranks[: 3 * size]]
    return [
        held,
        *(" ".join(clubs[seat * size : (seat + 1) * size]) for seat in range(3)),
    ]


# Opening, endings, kitties


def test_where_the_opening_card_is_missing_the_lowest_of_its_suit_opens() -> None:
    """It may lie in the kitty; without any card of the suit the dealer's left leads."""
    clubs = deal_of(ARENA, "3D", "7C", "4C", "5D")
    none = deal_of(ARENA, "3D", "7D", "4H", "5D")

    assert (2, "4C") == (clubs.turn, legal(clubs))
    assert (0, "3D") == (none.turn, legal(none))


def test_an_ending_starts_where_it_is_told() -> None:
    """A later trick has its leader, no first-trick rules, and hearts as they are."""
    hands = ["2C 3H", "3C 4H", "4C QS", "5C 6H"]
    whole = deal_of(ARENA, *hands)
    broken = deal_of(ARENA, *hands)
    whole.start_at(12, leader=2, hearts_broken=False)
    broken.start_at(12, leader=1, hearts_broken=True)

    assert ([2], 2, "4C QS") == (whole.leaders, whole.turn, legal(whole))
    assert ([1], 1, "3C 4H") == (broken.leaders, broken.turn, legal(broken))
    play(broken, "4H QS 6H 3H")
    assert (12, [3], [0, 0, 0, 16]) == (
        broken.trick_count,
        broken.winners,
        broken.points,
    )
    for deal, number in ((broken, 13), (deal_of(ARENA, *hands), 1)):
        with pytest.raises(AssertionError):
            deal.start_at(number, leader=0, hearts_broken=True)


@pytest.mark.parametrize(
    ("leftover", "takers"),
    [("kitty_first_trick", [4, 4]), ("kitty_first_heart", [None, 1])],
)
def test_the_kitty_goes_with_a_trick(leftover: str, takers: list[int | None]) -> None:
    """Its points count for whoever takes the first trick, or the first with a heart."""
    rules = preset("party", players=5, leftover=leftover)
    hands = ["2C 9D", "3C KD", "4C 3H", "5C 5D", "AC 6D"]
    kitty = hand("QS JH")
    deal = Deal(
        rules, [*map(hand, hands)], dealer=4, direction=PassDirection.HOLD, kitty=kitty
    )
    for trick, taker in zip(("2C 3C 4C 5C AC", "6D 9D KD 3H 5D"), takers, strict=True):
        play(deal, trick)
        assert taker == deal.kitty_taker
    taken = [seat for seat, cards in enumerate(deal.taken) if cards & kitty]

    assert 15 == sum(deal.points)
    assert 14 + (takers[1] == 1) == deal.points[takers[1] or 0]
    assert [takers[1]] == taken


def test_forced_cards_are_announced_after_a_pass() -> None:
    """What counts is the hand that the seat has after the pass."""
    rules = preset("classic", pass_count=1)
    dealt = [hand(text) for text in ("2C 9D", "9C 2H", "4C 5D", "QS 3H")]
    deal = Deal(rules, dealt, dealer=3, direction=PassDirection.ACROSS)
    for seat, card in enumerate(("9D", "9C", "5D", "3H")):
        deal.pass_cards(seat, hand(card))

    # Seat 1 now has two hearts, seat 3 a club that it must play.
    assert [] == deal.forced_plays
    assert [1] == play(deal, "2C 2H 4C 9C").forced_plays
    assert [1] == play(deal, "QS 5D 3H 9D").forced_plays


@pytest.mark.parametrize(("play_rule", "expected"), [("any", [0]), ("any_of_suit", [])])
def test_an_opening_lead_may_be_forced(play_rule: str, expected: list[int]) -> None:
    """Where the rules leave the lead open, a hand of banned cards is forced as well."""
    rules = preset(
        "classic", opening_leader="eldest", opening_play=play_rule, queen_breaks="no"
    )
    held = "3H 4H" if play_rule == "any" else "2C 4H"
    deal = deal_of(rules, held, "3C 9D", "4C 5D", "5C 3D")
    deal.play(deal.legal_cards()[0])

    assert expected == deal.forced_plays


def test_an_ending_has_no_forced_cards() -> None:
    """The first trick is past."""
    hands = ["2C", "3H", "4C", "5C"]
    deal = play(deal_of(preset("classic"), *hands, trick=13), "2C 3H 4C 5C")

    assert [] == deal.forced_plays


def test_one_pack_carries_no_cards() -> None:
    """Every trick is taken as soon as it is complete."""
    deal = play(deal_of(ARENA, "2C 3D", "3C 4D", "4C 5D", "5C 6D"), "2C 3C 4C 5C 6D")

    assert ([], [], [3], [3]) == (
        deal.carried,
        deal.cancelled_tricks,
        deal.winners,
        deal.takers,
    )
    assert parse_cards("6D") == deal.trick


# Copies


def test_a_copy_goes_its_own_way() -> None:
    """Neither deal sees what is played in the other."""
    deal = play(deal_of(ARENA, "2C 3D", "3C 4D", "4C 5D", "5C 6D"), "2C 3C")
    before = position(deal)
    copy = play(deal.copy(), "4C 5C 6D")

    assert type(deal) is type(copy)
    assert before == position(deal)
    assert (3, 1) == (len(play(deal, "4C").plays), copy.trick_count)
    assert position(copy) == position(play(deal, "5C 6D"))


def test_a_deal_is_copied_before_play() -> None:
    """While cards are passed nothing of a trick is there to copy."""
    dealt = [hand(f"2{s} 3{s} 4{s}") for s in "CDHS"]
    deal = Deal(ARENA, dealt, dealer=0, direction=PassDirection.LEFT)

    assert position(deal) == position(deal.copy())


# The moon


def test_the_shooter_holds_every_penalty_card() -> None:
    """One card in other hands and there is no shooter; before the end neither."""
    deal = small_deal("2C 5S", "3C 2H", "4C QS", "AC 3H")

    assert deal.shooter() is None
    for card in parse_cards("2C 3C 4C AC 3H 5S 2H QS"):
        deal.play(card)
    # Sixteen points, but not all of them: eleven hearts are not in this deal.
    assert [0, 0, 0, 15] == deal.points
    assert deal.shooter() is None


# What the caller must not do


@pytest.mark.parametrize(
    "hands",
    [
        ("2C", "3C", "4C"),
        ("2C", "3C", "4C", "4C"),
        ("2C", "3C", "4C", "5C 6C"),
    ],
)
def test_impossible_hands_are_a_fault_of_the_caller(hands: tuple[str, ...]) -> None:
    """Hands are one for each seat, disjoint and equal."""
    with pytest.raises(AssertionError):
        small_deal(*hands)
