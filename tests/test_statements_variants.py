"""
Statements of the sources about the variants.

`docs/rules.md` lists them by number, with the tests here that cover them.
"""

from collections.abc import Sequence

import pytest

from arena.cards import (
    cards_in,
    parse_card,
    rank,
)
from arena.game import MoonChoice, Phase
from arena.rules import preset
from tests.statements import (
    ALL_BUT_ONE_PLAYS,
    ALL_BUT_ONE_TRICK,
    ONE_HEART_MISSED_PLAYS,
    hand,
    legal,
    on_lead,
    play,
    scored,
    small_deal,
    started,
)

# Variants


def test_the_bonus_card_scores_for_who_takes_it() -> None:
    """Ten points off, and a total may go below zero by it."""
    plays = ONE_HEART_MISSED_PLAYS
    jack, ten, none = (
        scored(preset(name), ALL_BUT_ONE_TRICK, plays).results[0].points
        for name in ("omnibus", "omnibus_td", "standard")
    )

    assert (24, 2, 0, 0) == none
    # The jack and the ten went to seat 0, with most diamonds.
    assert (14, 2, 0, 0) == jack == ten


def test_the_moon_needs_the_bonus_card() -> None:
    """Without it all penalty points stick."""
    without_jack = ALL_BUT_ONE_PLAYS.replace("JD", "AD").replace("2D AD 2S", "2D JD 2S")
    game = scored(preset("omnibus"), ALL_BUT_ONE_TRICK, without_jack)
    moon = scored(
        preset("omnibus"), ALL_BUT_ONE_TRICK, ALL_BUT_ONE_PLAYS, choice=MoonChoice.ADD
    )

    assert (26, -10, 0, 0) == game.results[0].points
    assert (-10, 26, 26, 26) == moon.results[0].points


@pytest.mark.parametrize(
    ("choice", "before", "after"),
    [
        ("add", (0, 0, 0, 0), (0, 36, 36, 36)),
        ("subtract", (50, 0, 0, 0), (14, 0, 0, 0)),
    ],
)
def test_the_full_bonus_in_parlor(
    choice: str, before: Sequence[int], after: Sequence[int]
) -> None:
    """The moon with the jack is worth 36."""
    game = scored(
        preset("omnibus_parlor"),
        ALL_BUT_ONE_TRICK,
        ALL_BUT_ONE_PLAYS,
        totals=before,
        choice=MoonChoice[choice.upper()],
    )

    assert tuple(after) == game.results[0].totals


def test_black_maria_has_three_dear_spades() -> None:
    """Queen 13, king 10, ace 7; no ban on trick one, but hearts must be broken."""
    rules = preset("black_maria")
    deal = small_deal(rules, "AS 2C", "KS 3C", "QS 4C")

    assert [30, 0, 0] == play(deal, "AS KS QS").points
    assert "5H QS" == legal(play(small_deal(rules, "9C 2C", "QS 5H", "4C 5C"), "9C"))
    assert "4S" == on_lead(rules, "4S 2H")


def test_black_maria_has_no_moon() -> None:
    """All 43 points stick, but in the form that has a moon."""
    hands = ["4C 5C 6C 7C 8C 9C TC JC QC KC AC QS KS AS AD KD 3C"]
    hands += ["2D 3D 4D 5D 2H 3H 4H 5H 6H 7H 8H 2S 3S 4S 5S 6S 7S"]
    hands += ["6D 7D 8D 9D TD JD QD 9H TH JH QH KH AH 8S 9S TS JS"]
    for name, expected in (
        ("black_maria", (43, 0, 0)),
        ("black_maria_moon", (0, 43, 43)),
    ):
        game = started(preset(name), [hand(text) for text in hands], [0, 0, 0])
        # The dealer is seat 0, and the seat to the left leads a low diamond.
        game.play(parse_card("2D"))
        while not game.results and game.phase == Phase.PLAY:
            cards = cards_in(game.deal.legal())
            is_shooter = game.deal.turn == 0
            game.play(max(cards, key=rank) if is_shooter else cards[0])
        if game.phase == Phase.MOON:
            game.choose_moon(MoonChoice.ADD)

        assert expected == game.results[0].points


CANCELLATION = preset("cancellation", players=6)


@pytest.mark.parametrize(
    ("trick", "winner", "points"),
    [
        ("JC TC 9C 8C 4C JC", 1, 0),
        ("AC AC KC 5C 3C 2H", 2, 1),
        ("QS 3S QS 5S 2S 4S", 3, 26),
        ("7D 7H 7D 7H 3D AS", 4, 2),
    ],
)
def test_equal_cards_cancel(trick: str, winner: int, points: int) -> None:
    """Neither copy wins, both still cost, the highest card left of the suit wins."""
    deal = play(small_deal(CANCELLATION, *trick.split(), trick=5), trick)

    assert [points if seat == winner else 0 for seat in range(6)] == deal.points


def test_a_cancelled_trick_is_swept_with_the_next() -> None:
    """Its leader leads again, and the winner takes both tricks."""
    hands = ["7D 5C", "7D 6C", "8D 9C", "8D AC", "QS KC", "2H QC"]
    deal = play(small_deal(CANCELLATION, *hands, trick=5), "7D 7D 8D 8D QS 2H")

    assert (0, [0] * 6, [5]) == (deal.turn, deal.points, deal.cancelled_tricks)
    play(deal, "5C 6C 9C AC KC QC")
    assert [0, 0, 0, 14, 0, 0] == deal.points
    assert [0, 0, 0, 2, 0, 0] == deal.tricks_won


@pytest.mark.parametrize(
    ("last", "seat"), [("leader", 0), ("second_highest", 4), ("nobody", None)]
)
def test_a_cancelled_last_trick(last: str, seat: int | None) -> None:
    """Its leader, the next best card or nobody takes it."""
    rules = preset("cancellation", players=6, cancel_last_trick=last)
    trick = "7D 7D 8D 8D QS 2H"
    deal = play(small_deal(rules, *trick.split(), trick=17), trick)

    assert [14 if s == seat else 0 for s in range(6)] == deal.points


def test_spot_hearts_cost_their_pips() -> None:
    """The two to ten their number, court cards ten, the ace 15, the queen 25."""
    points = preset("spot").card_points
    hearts = [points[card] for card in cards_in(hand("H"))]

    assert [*range(2, 11), 10, 10, 10, 15] == hearts
    assert 25 == points[parse_card("QS")]
    assert 500 == preset("spot").target


def test_plain_hearts_has_no_queen() -> None:
    """Only hearts cost, and they alone make the moon."""
    rules = preset("plain_hearts")

    assert hand("H") == rules.penalties
    hands = ["2C 3C", "QS 4H", "6C 7C", "4D 5D"]
    assert "QS" == legal(play(small_deal(rules, *hands), "2C"))
