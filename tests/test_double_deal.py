"""Deals with two packs: hands that hold cards twice, and cards that cancel."""

import pytest

from arena.cards import FULL_PACK
from arena.deal import Deal, IllegalPass, IllegalPlay
from arena.double_deal import DoubleDeal, start_deal
from arena.rules import PassDirection, RuleSet, preset
from tests.reachable import position
from tests.statements import hand, legal, play, small_deal

RULES = preset("cancellation", players=6)
PLAIN = preset("cancellation", players=6, cancellation=False)
CANCELLED = "7D 7D 8D 8D QS 2H"
"""A trick in which all diamonds cancel."""


def test_the_rules_pick_the_class() -> None:
    """One pack is dealt as the faster `Deal`."""
    one = small_deal(preset("arena"), "2C", "3C", "4C", "5C")
    two = small_deal(RULES, "2C", "2C", "3C", "3C", "4C", "4C")

    assert (Deal, DoubleDeal) == (type(one), type(two))


@pytest.mark.parametrize(
    "hands",
    [
        ["2C", "2C", "2C", "3C", "4C", "5C"],
        ["2C 2C", "2C 3C", "4C 5C", "6C 7C", "8C 9C", "TC JC"],
        ["2C", "2C 4C", "3C", "3C", "4C", "5C"],
        ["2C", "3C", "4C", "5C", "6C"],
    ],
)
def test_impossible_hands_are_a_fault_of_the_caller(hands: list[str]) -> None:
    """Hands are one for each seat, equal in size, with no card more than twice."""
    with pytest.raises(AssertionError):
        small_deal(RULES, *hands)


def test_a_second_copy_has_a_first() -> None:
    """A set that says twice what it does not hold once is no hand."""
    hands = [1 << 60, *map(hand, ["2C", "2C", "3C", "4C", "5C"])]
    with pytest.raises(AssertionError, match="a second copy alone"):
        start_deal(RULES, hands, dealer=0, direction=PassDirection.HOLD)


def test_a_card_held_twice_is_one_choice() -> None:
    """It is legal once, and one copy is left when the other has been played."""
    deal = small_deal(
        RULES, "9C 9C 4H", *["3D 4D 5D"] * 2, *["6D 7D 8D"] * 2, "2S 3S 4S"
    )
    deal.start_at(2, leader=0, hearts_broken=False)

    assert "9C" == legal(deal)
    assert hand("9C 4H") == play(deal, "9C").hands[0]


@pytest.mark.parametrize("card", [0, -3, 53, 61, 104])
def test_numbers_beyond_the_faces_are_refused(card: int) -> None:
    """A second copy has no number of its own."""
    deal = small_deal(RULES, "9C 9C", *["3D 4D"] * 2, *["6D 7D"] * 2, "2S 3S", trick=2)

    assert not deal.is_legal(card)
    with pytest.raises(IllegalPlay, match="does not hold it"):
        deal.play(card)


def test_a_card_held_twice_is_passed_twice() -> None:
    """Both copies may go to one seat, which may have had one itself."""
    dealt = ["9C 9C 4H", "3C 3C 4H", "3D 4D 5D", "3D 4D 5D", "6D 7D 8D", "9D TD JD"]
    passes = ["9C 9C", "3C 4H", "3D 4D", "3D 5D", "6D 7D", "9D JD"]
    rules = preset("cancellation", players=6, pass_count=2)
    deal = DoubleDeal(
        rules, [*map(hand, dealt)], dealer=0, direction=PassDirection.LEFT
    )
    with pytest.raises(IllegalPass, match="does not hold them all"):
        deal.pass_cards(1, hand("4H 4H"))
    for seat, cards in enumerate(passes):
        deal.pass_cards(seat, hand(cards))

    received = ["9D JD", "9C 9C", "3C 4H", "3D 4D", "3D 5D", "6D 7D"]
    assert [*map(hand, received)] == deal.received
    assert hand("3C 9C 9C") == deal.hands[1]
    assert hand("3D 4D 4D") == deal.hands[3]


def test_without_cancellation_the_first_of_two_wins() -> None:
    """The copy that comes second does not beat the first."""
    deal = play(small_deal(PLAIN, *CANCELLED.split(), trick=17), CANCELLED)

    assert ([2], [2], []) == (deal.winners, deal.takers, deal.cancelled_tricks)
    assert [0, 0, 14, 0, 0, 0] == deal.points


def _two_tricks(rules: RuleSet, kitty: str = "") -> Deal:
    """Return a deal before two tricks of which the first is cancelled."""
    hands = ["7D 5C", "7D 6C", "8D 9C", "8D AC", "QS KC", "2H QC"]
    deal = start_deal(
        rules,
        [*map(hand, hands)],
        dealer=5,
        direction=PassDirection.HOLD,
        kitty=hand(kitty),
    )
    deal.start_at(16, leader=0, hearts_broken=False)
    return deal


@pytest.mark.parametrize(("next_leader", "leader"), [("same", 0), ("next_seat", 1)])
def test_who_leads_after_a_cancelled_trick(next_leader: str, leader: int) -> None:
    """The same seat again or the one to its left; the cards wait on the table."""
    rules = preset("cancellation", players=6, cancel_next_leader=next_leader)
    deal = play(_two_tricks(rules), CANCELLED)

    assert ([0, leader], leader) == (deal.leaders, deal.turn)
    assert ([None], [None], [16]) == (deal.winners, deal.takers, deal.cancelled_tricks)
    assert deal.hearts_broken
    deal.play(deal.legal_cards()[0])
    assert hand(CANCELLED) == sum(1 << card for card in {*deal.carried}) | (
        hand("7D 7D 8D 8D") & ~FULL_PACK
    )
    assert [0] * 6 == deal.tricks_won


def test_the_next_winner_sweeps() -> None:
    """It has the points, the cards and the count of both tricks."""
    deal = play(play(_two_tricks(RULES), CANCELLED), "5C 6C 9C AC KC QC")

    assert ([None, 3], [3, 3]) == (deal.winners, deal.takers)
    assert [0, 0, 0, 14, 0, 0] == deal.points
    assert [0, 0, 0, 2, 0, 0] == deal.tricks_won
    assert hand(f"{CANCELLED} 5C 6C 9C AC KC QC") == deal.taken[3]
    assert [] == deal.carried


@pytest.mark.parametrize(
    ("rule", "trick", "taker"),
    [
        ("leader", CANCELLED, 0),
        ("second_highest", CANCELLED, 4),
        ("second_highest", "7D 7D AS 8D 8D AH", 2),
        ("second_highest", "7D 7D 8S 8S 2H 2H", 0),
        ("nobody", CANCELLED, None),
    ],
)
def test_who_takes_a_cancelled_last_trick(
    rule: str, trick: str, taker: int | None
) -> None:
    """Its leader, the highest card left of any suit, the first of equals, or nobody."""
    rules = preset("cancellation", players=6, cancel_last_trick=rule)
    deal = play(small_deal(rules, *trick.split(), trick=17), trick)

    assert ([None], [taker], True) == (deal.winners, deal.takers, deal.is_over)
    assert (taker is None) == bool(deal.carried)
    assert (taker is None) == (not any(deal.points))


@pytest.mark.parametrize(
    ("leftover", "taker"), [("kitty_first_trick", 3), ("kitty_first_heart", None)]
)
def test_the_kitty_waits_for_the_taker(leftover: str, taker: int | None) -> None:
    """It lies with a cancelled first trick until somebody sweeps both."""
    rules = preset("cancellation", players=6, leftover=leftover)
    hands = ["2C 5S", "2C 6S", "3C 7S", "3C AS", "4C KS", "4C TS"]
    deal = start_deal(
        rules,
        [*map(hand, hands)],
        dealer=5,
        direction=PassDirection.HOLD,
        kitty=hand("3H QS"),
    )
    play(deal, "2C 2C 3C 3C 4C 4C")

    assert (None, [1]) == (deal.kitty_taker, deal.cancelled_tricks)
    play(deal, "5S 6S 7S AS KS TS")
    assert taker == deal.kitty_taker
    assert [14 if seat == taker else 0 for seat in range(6)] == deal.points


def test_the_kitty_follows_a_heart_in_the_pile() -> None:
    """A heart in a cancelled trick takes the kitty to the seat that sweeps it."""
    rules = preset("cancellation", players=6, leftover="kitty_first_heart")
    deal = play(_two_tricks(rules, "3H 4C"), CANCELLED)

    takers = [deal.kitty_taker]
    play(deal, "5C 6C 9C AC KC QC")
    assert [None, 3] == [*takers, deal.kitty_taker]
    assert [0, 0, 0, 15, 0, 0] == deal.points


def test_nobody_takes_the_kitty_with_a_lost_trick() -> None:
    """Where the last trick is nobody's, so is the kitty that goes with it."""
    rules = preset(
        "cancellation",
        players=6,
        leftover="kitty_first_heart",
        cancel_last_trick="nobody",
    )
    deal = start_deal(
        rules,
        [*map(hand, CANCELLED.split())],
        dealer=5,
        direction=PassDirection.HOLD,
        kitty=hand("3H"),
    )
    deal.start_at(17, leader=0, hearts_broken=False)
    play(deal, CANCELLED)

    assert (None, [0] * 6) == (deal.kitty_taker, deal.points)
    assert deal.shooter() is None


def test_a_copy_goes_its_own_way() -> None:
    """Neither deal sees what is played in the other, cancelled tricks included."""
    deal = play(_two_tricks(RULES), CANCELLED)
    before = position(deal)
    copy = play(deal.copy(), "5C 6C 9C AC KC QC")

    assert isinstance(copy, DoubleDeal)
    assert before == position(deal)
    assert position(copy) == position(play(deal, "5C 6C 9C AC KC QC"))
