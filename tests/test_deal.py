"""Deals: the laws of Hearts, and what is refused."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import (
    FULL_PACK,
    HEARTS,
    SUIT_SETS,
    CardSet,
    card_names,
    card_set,
    cards_in,
    parse_card,
    parse_cards,
    suit,
)
from arena.deal import Deal, IllegalPass, IllegalPlay
from arena.rules import PassDirection, RuleSet, preset
from tests.reachable import answer, played_deal, reachable_deals, rule_sets, seeds

ARENA = preset("arena")


def hand(text: str) -> CardSet:
    """Return the set of the named cards."""
    return card_set(parse_cards(text))


def small_deal(*hands: str, rules: RuleSet = ARENA) -> Deal:
    """Return a deal of a few cards without a pass, dealt by seat 0."""
    sets = [hand(text) for text in hands]
    return Deal(rules, sets, dealer=0, direction=PassDirection.HOLD)


# The laws


@given(reachable_deals())
def test_cards_are_conserved(deal: Deal) -> None:
    """Hands, open trick and taken tricks part the pack at every moment."""
    piles = [*deal.hands, *deal.taken, card_set(deal.trick)]

    assert FULL_PACK == sum(piles)
    assert 52 == sum(pile.bit_count() for pile in piles)
    assert card_set(deal.plays) == FULL_PACK ^ sum(deal.hands)
    assert len(deal.plays) == len(set(deal.plays))


@given(reachable_deals())
def test_the_seat_on_turn_has_a_legal_card(deal: Deal) -> None:
    """Legal cards are in the hand of the seat on turn, and there is one."""
    legal = deal.legal()

    assert (deal.turn < 0) == (not legal) == (deal.is_passing or deal.is_over)
    assert deal.turn < 0 or not legal & ~deal.hands[deal.turn]


@given(reachable_deals())
def test_who_can_follow_suit_must(deal: Deal) -> None:
    """When a legal card follows suit, all legal cards do."""
    if deal.trick:
        led = SUIT_SETS[suit(deal.trick[0])]
        legal = deal.legal()

        assert bool(legal & led) == bool(deal.hands[deal.turn] & led)
        assert not legal & led or not legal & ~led


@given(reachable_deals())
def test_the_list_and_the_question_agree(deal: Deal) -> None:
    """A card is legal exactly when it is in the set of legal cards."""
    legal = deal.legal()

    for card in range(-2, 110):
        assert deal.is_legal(card) == (card in cards_in(legal))


@given(reachable_deals(), st.integers(-3, 110))
def test_a_play_is_refused_exactly_when_it_is_illegal(deal: Deal, card: int) -> None:
    """A refusal carries card, reason and legal cards, and changes nothing."""
    before = position(deal)
    if deal.is_legal(card):
        deal.play(card)

        assert deal.plays[-1] == card
        return
    with pytest.raises(IllegalPlay) as error:
        deal.play(card)

    assert (card, deal.legal()) == (error.value.card, error.value.legal)
    assert error.value.reason in str(error.value)
    assert before == position(deal)


@given(seeds(), rule_sets())
def test_points_of_a_deal_add_up(seed: int, rules: RuleSet) -> None:
    """All points of the pack are taken, and none of them twice."""
    deal = played_deal(seed, rules=rules)

    assert deal.is_over
    assert 26 == sum(deal.points)
    assert 13 == sum(deal.tricks_won) == deal.trick_count == len(deal.leaders)
    for seat in range(4):
        hearts = (deal.taken[seat] & HEARTS).bit_count()
        queen = 13 if deal.taken[seat] & hand("QS") else 0
        assert hearts + queen == deal.points[seat]


@given(reachable_deals(), st.integers(0, 3))
def test_a_turned_table_gives_a_turned_result(deal: Deal, turn: int) -> None:
    """Turn all seats, give the same answers: everything is turned as far."""
    turned = Deal(
        deal.rules,
        rotated(deal.dealt, turn),
        dealer=(deal.dealer + turn) % 4,
        direction=deal.direction,
    )
    for seat in range(4):
        if deal.passed[seat]:
            turned.pass_cards((seat + turn) % 4, deal.passed[seat])
    for card in deal.plays:
        turned.play(card)

    assert rotated(deal.points, turn) == turned.points
    assert rotated(deal.hands, turn) == turned.hands
    assert rotated(deal.received, turn) == turned.received
    assert [(seat + turn) % 4 for seat in deal.leaders] == turned.leaders
    assert deal.legal() == turned.legal()


def rotated(items: Sequence[int], turn: int) -> list[int]:
    """Return the items with each one moved on by so many places."""
    return [items[(place - turn) % len(items)] for place in range(len(items))]


def position(deal: Deal) -> tuple[object, ...]:
    """Return all that can be seen of a deal."""
    return (
        *(list(deal.hands), list(deal.plays), list(deal.leaders), deal.turn),
        *(list(deal.passed), list(deal.received), deal.hearts_broken),
        *(list(deal.points), list(deal.taken), list(deal.tricks_won), deal.legal()),
    )


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
    assert rotated(given_away, steps) == deal.received
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
    passing = played_deal(1, rules=ARENA, answers=1)
    over = small_deal("2C", "3C", "4C", "5C")
    for card in parse_cards("2C 3C 4C 5C"):
        over.play(card)
    for deal in (passing, over):
        with pytest.raises(IllegalPlay, match="nobody is on turn") as error:
            deal.play(1)

        assert 0 == error.value.legal == deal.legal()


@pytest.mark.parametrize("card", [0, -1, 105, 10**12])
def test_a_number_that_is_no_card_is_refused(card: int) -> None:
    """Any number may be asked for and played; it costs nothing and is illegal."""
    deal = small_deal("2C", "3C", "4C", "5C")

    assert not deal.is_legal(card)
    with pytest.raises(IllegalPlay, match=f"can't play card {card}|does not hold"):
        deal.play(card)


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


@given(seeds())
def test_no_shooter_without_all_points(seed: int) -> None:
    """In a whole deal the shooter is the seat with all 26 points, if any."""
    deal = played_deal(seed, rules=ARENA)
    shooter = deal.points.index(26) if 26 in deal.points else None

    assert shooter == deal.shooter()


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


def test_random_answers_end_a_deal() -> None:
    """A deal takes four passes and 52 cards, never more."""
    deal = played_deal(7, rules=ARENA, answers=0)
    chance = random.Random(7)
    answers = 0
    while not deal.is_over:
        answer(deal, chance)
        answers += 1

    assert answers in (52, 56)
