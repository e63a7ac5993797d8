"""The SDK's cards and its view on turns."""

import copy
import doctest
import math
import pickle
import types
from typing import Any

import pytest

import hearts
from hearts.arena.v1 import cards_pb2, game_pb2
from hearts.cards import CARDS, Card, CardError, card_names, parse_card
from hearts.game import DealEnded, GameStart, TimeControl
from hearts.rules import Rules, read_rules
from hearts.tricks import Trick
from hearts.turn import Turn, remark_text
from tests.sdk_frames import cards, moon_turn, pass_turn, play_turn, start


def view(message: game_pb2.Turn, *, seat: int = 2) -> Turn:
    """Look at a turn of game `demo-1`."""
    return Turn(message, start(seat=seat))


def test_cards_are_those_of_the_protocol() -> None:
    """Each card has the name and the number that the protocol gives it."""
    named = {
        name.removeprefix("CARD_"): number for name, number in cards_pb2.Card.items()
    }

    assert {card.name: int(card) for card in CARDS} | {"UNSPECIFIED": 0} == named


def test_cards_are_shared() -> None:
    """However a card is made, it is the same object, and it cannot be changed."""
    queen = hearts.QS

    assert queen is Card(50) is Card("qs") is parse_card(" Qs ") is CARDS[49]
    assert queen is copy.deepcopy(queen) is pickle.loads(pickle.dumps(queen))
    with pytest.raises(AttributeError, match="shared"):
        queen.points = 0


def test_cards_say_what_they_are() -> None:
    """A card knows its suit, rank, name and points."""
    shown = [
        (c.suit, c.rank, c.points, str(c), f"{c:>4}")
        for c in (hearts.QS, hearts.AH, Card("10d"))
    ]

    assert [
        ("S", 12, 13, "QS", "  QS"),
        ("H", 14, 1, "AH", "  AH"),
        ("D", 10, 0, "TD", "  TD"),
    ] == shown
    assert 26 == sum(card.points for card in CARDS)
    assert "QS AH" == card_names([hearts.QS, hearts.AH])


@pytest.mark.parametrize("value", [0, 53, -1, "", "1S", "QX", "QSS", "10", None])
def test_what_is_no_card_is_refused(value: int) -> None:
    """A number or name of no card raises an error that shows it."""
    with pytest.raises(CardError, match="not"):
        Card(value)


@pytest.mark.parametrize("module", [hearts.cards, hearts])
def test_the_examples_in_the_docstrings_run(module: types.ModuleType) -> None:
    """Each example gives what it says."""
    assert 0 == doctest.testmod(module).failed


def test_everything_exported_exists() -> None:
    """Each name of `hearts.__all__` can be imported, and none is there twice."""
    assert all(hasattr(hearts, name) for name in hearts.__all__)
    assert len(set(hearts.__all__)) == len(hearts.__all__)


def test_a_turn_shows_its_message() -> None:
    """Every field of the turn and of the game's start can be read."""
    message = play_turn(7, plays="2C 5C KC 9C QS", leaders=[3, 1], choices="2S TS")
    message.hearts_broken = True
    message.last_charged_ms = 1500
    message.dealer = 1
    message.passed.extend(cards("AH KH QH"))
    message.received.extend(cards("2S 3S 4S"))
    turn = view(message)

    assert (7, "demo-1", "play", 1) == (
        turn.id,
        turn.game_id,
        turn.kind,
        turn.deal_number,
    )
    assert (2, 4, 1, 1) == (turn.seat, turn.players, turn.dealer, turn.answer_count)
    assert cards("2S TS") == turn.hand == turn.choices == turn.legal
    assert cards("2C 5C KC 9C QS") == turn.plays
    assert (cards("AH KH QH"), cards("2S 3S 4S")) == (turn.passed, turn.received)
    assert ("left", True) == (turn.pass_direction, turn.hearts_broken)
    assert ([0] * 4, [0] * 4) == (turn.points, turn.totals)
    assert (5.0, 30.0, 1.5) == (turn.time_left, turn.bank_left, turn.last_charged)
    assert ["ann", "ben", "cat", "dan"] == turn.names
    assert b"12345678" == turn.table_key
    assert Rules("arena", 4, {}, "abc") == turn.rules
    assert "<Turn 7: play in deal 1 of demo-1, seat 2>" == repr(turn)


def test_a_start_shows_its_message() -> None:
    """Every field of a game's start can be read."""
    game = GameStart(start())

    assert ("demo-1", 2, 4, "demo", 3) == (
        game.game_id,
        game.seat,
        game.players,
        game.league,
        game.faults_max,
    )
    assert TimeControl(bank=30.0, increment=0.1, turn_limit=5.0) == game.time_control


def test_tricks_are_cut_from_the_plays() -> None:
    """Complete tricks have leader, cards and winner; the open one stands apart."""
    turn = view(play_turn(1, plays="2C 5C KC 9C 2D QS", leaders=[3, 1]))

    assert [Trick(leader=3, cards=cards("2C 5C KC 9C"), winner=1)] == turn.tricks
    assert (1, cards("2D QS")) == (turn.leader, turn.trick)


def test_a_leader_sees_an_empty_trick() -> None:
    """Whoever is to lead sees itself as the leader of a trick without cards."""
    turn = view(play_turn(1, plays="2C 5C KC 9C", leaders=[0, 2]))

    assert (2, []) == (turn.leader, turn.trick)


def test_nobody_leads_while_cards_are_passed() -> None:
    """Before the first trick there is no leader."""
    turn = view(pass_turn(1, choices="2C 3C 4C"))

    assert (None, [], [], "pass") == (turn.leader, turn.trick, turn.tricks, turn.kind)


def test_after_the_last_trick_its_winner_is_known() -> None:
    """A moon choice comes when no trick is open, and shows who won the last one."""
    message = moon_turn(1)
    message.plays.extend(cards("2D KS AD QS"))
    message.leaders.append(3)
    turn = view(message)

    assert [Trick(leader=3, cards=cards("2D KS AD QS"), winner=1)] == turn.tricks
    assert (None, []) == (turn.leader, turn.trick)
    assert ("moon", [], ["add", "subtract"]) == (
        turn.kind,
        turn.choices,
        turn.moon_choices,
    )


def two_pack_turn(**fields: Any) -> Turn:
    """Look at a turn of a game of six with two packs."""
    cancellation = fields.pop("cancellation", "true")
    begin = start(seat=5)
    begin.players = 6
    begin.rules.options.update(packs="2", cancellation=cancellation)
    message = play_turn(1, plays=fields["plays"], leaders=fields["leaders"])
    message.cancelled_tricks.extend(fields.get("cancelled", ()))
    return Turn(message, begin)


CANCELLED = "5D 5D KD KD 2C 2S"
"""A trick of six that nobody wins."""


def test_a_cancelled_trick_has_no_winner() -> None:
    """Its cards lie on the table for the next winner, beside those of others."""
    plays = f"2C 3C 4C 5C 6C 7C {CANCELLED} {CANCELLED} 4D 6D"
    turn = two_pack_turn(plays=plays, leaders=[0, 5, 5, 5], cancelled=[2, 3])

    assert [5, None, None] == [trick.winner for trick in turn.tricks]
    assert cards(f"{CANCELLED} {CANCELLED}") == turn.carried
    assert ([2, 3], 5, cards("4D 6D")) == (
        turn.cancelled_tricks,
        turn.leader,
        turn.trick,
    )


def test_what_a_trick_has_taken_is_not_carried() -> None:
    """Once a trick has a winner nothing lies on the table."""
    turn = two_pack_turn(
        plays=f"{CANCELLED} 2D 3D 4D 5C 6C 7C", leaders=[0, 0, 2], cancelled=[1]
    )

    assert ([None, 2], []) == ([trick.winner for trick in turn.tricks], turn.carried)


@pytest.mark.parametrize(
    ("plays", "cancelled", "cancellation", "winner"),
    [
        ("5D KD KD 7D 7D AC", (), "true", 3),
        ("5D KD KD 7D 7D AC", (), "false", 4),
        ("5D KD 2D 7D KD AC", (), "false", 4),
        (CANCELLED, (1,), "true", None),
    ],
)
def test_the_last_trick_of_two_packs_has_its_winner(
    plays: str, cancelled: tuple[int, ...], cancellation: str, winner: int | None
) -> None:
    """Equal cards cancel each other, or the first of them wins; nothing is left."""
    turn = two_pack_turn(
        plays=plays, leaders=[3], cancelled=cancelled, cancellation=cancellation
    )

    assert [winner] == [trick.winner for trick in turn.tricks]
    assert [] == turn.carried


def test_a_turn_shows_what_variants_add() -> None:
    """Announced plays, the kitty, and what a moon or sun is worth."""
    message = moon_turn(1)
    message.kind = game_pb2.TURN_KIND_SUN
    message.moon_points = 52
    message.forced_plays.extend([2])
    message.kitty.extend(cards("2C 3D"))
    turn = view(message)

    assert ("sun", 52, [2], cards("2C 3D")) == (
        turn.kind,
        turn.moon_points,
        turn.forced_plays,
        turn.kitty,
    )


def test_rules_show_their_message() -> None:
    """The pack, what its cards cost, the bonus and every option can be read."""
    message = game_pb2.Rules(
        preset="omnibus",
        players=3,
        overrides={"target": "50"},
        hash="abc",
        options={"target": "50", "moon": "choice", "sun": "off", "packs": "2"},
        pack=cards("JD QS QS"),
        card_points=[0, 13, 13],
        hand_size=17,
        bonus_card=cards("JD")[0],
        bonus_points=-10,
        moon_points=26,
        sun_points=52,
    )
    rules = read_rules(message)

    assert ("omnibus", 3, {"target": "50"}, "abc") == (
        rules.preset,
        rules.players,
        rules.overrides,
        rules.hash,
    )
    assert cards("JD QS QS") == rules.pack
    assert {Card("JD"): 0, Card("QS"): 13} == rules.card_points
    assert [0, 13, 0] == [rules.points(Card(name)) for name in ("JD", "QS", "2H")]
    assert (26, 50, 2) == (rules.total_points, rules.target, rules.packs)
    assert (17, Card("JD"), -10, 26, 52) == (
        rules.hand_size,
        rules.bonus_card,
        rules.bonus_points,
        rules.moon_points,
        rules.sun_points,
    )
    assert (True, False, False) == (
        rules.has_moon,
        rules.has_sun,
        rules.has_cancellation,
    )


def test_the_rules_are_read_once_a_turn() -> None:
    """However often a bot asks its turn, it gets the same object."""
    turn = view(play_turn(1))

    assert turn.rules is turn.rules
    assert turn.rules == turn.game.rules


def test_a_deals_end_shows_what_variants_add() -> None:
    """A sun, cancelled tricks, and the kitty."""
    end = DealEnded(
        game_pb2.DealEnded(
            moon_seat=1,
            moon_choice=game_pb2.MOON_CHOICE_SUBTRACT,
            is_sun=True,
            cancelled_tricks=[3],
            kitty=cards("2C"),
        )
    )

    assert (1, "subtract", True, [3], cards("2C")) == (
        end.moon_seat,
        end.moon_choice,
        end.is_sun,
        end.cancelled_tricks,
        end.kitty,
    )


def test_without_a_clock_time_is_endless() -> None:
    """A turn limit of 0 means that no clock runs."""
    message = play_turn(1)
    message.turn_left_ms = 0
    turn = view(message)

    assert (math.inf, math.inf) == (turn.time_left, turn.bank_left)


def test_lists_belong_to_the_caller() -> None:
    """A bot may change what it got without changing the turn."""
    turn = view(play_turn(1))
    turn.choices.clear()
    turn.hand.sort(reverse=True)

    assert cards("QS KS") == turn.choices == turn.hand


def test_the_same_turn_has_the_same_randomness() -> None:
    """Chance depends on table key, seat, deal and place, and goes on in a turn."""
    message = play_turn(1)
    once = view(message)
    drawn = [once.random.random(), once.random.random()]
    again = view(play_turn(99)).random

    assert drawn == [again.random(), again.random()]
    assert drawn[0] != drawn[1]
    others = {
        view(message, seat=1).random.random(),
        view(play_turn(1, deal_number=2)).random.random(),
        view(play_turn(1, plays="2C", leaders=[1])).random.random(),
    }

    assert 3 == len(others - {drawn[0]})


def test_the_numbers_never_change() -> None:
    """The first number of a known turn is the same in every release."""
    assert 0.6816546358348532 == view(play_turn(1)).random.random()


def test_remarks_are_cut() -> None:
    """A remark of more than 200 characters loses its end."""
    turn = view(play_turn(1))
    turn.remark = "x" * 300

    assert "x" * 200 == turn.remark


def test_a_remark_that_is_no_text_is_mended() -> None:
    """Halves of surrogate pairs, which no message can hold, become question marks."""

    assert "a?b" == remark_text("a\ud800b")
    assert 200 == len(remark_text("x" * 1000))
