"""House bots: legal, pure, as strong as they claim, and `careful` for ever the same."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import card_names, cards_in
from arena.rules import preset
from hearts import Bot, Turn
from hearts.house import BOTS, describe
from hearts.house.careful import VERSION, choose_card, choose_moon, choose_pass
from tests.house_turns import (
    ALL_RULES,
    careful_decisions,
    make_turn,
    passed,
    played,
    points_per_deal,
)

EXAMPLES_STEP = 137
"""Every so many of careful's decisions one stands in the golden file to be read."""


# What all of them owe.


@st.composite
def wild_turns(draw: st.DrawFn) -> Turn:
    """Draw a turn that may be far from any that the rules would bring about."""
    rules = draw(st.sampled_from(ALL_RULES))
    players = rules.players
    pack = draw(st.permutations(cards_in(rules.pack)))
    hand = sorted(pack[: draw(st.integers(4, max(4, rules.hand_size)))])
    plays = pack[len(hand) : len(hand) + draw(st.integers(0, len(pack) - len(hand)))]
    choices = sorted(draw(st.permutations(hand))[: draw(st.integers(4, len(hand)))])
    numbers = st.lists(st.integers(-10, 150), min_size=players, max_size=players)
    tricks = len(plays) // players
    return make_turn(
        kind=draw(st.sampled_from(["pass", "play"])),
        hand=card_names(hand),
        choices=card_names(choices),
        plays=card_names(plays),
        leaders=[draw(st.integers(0, players - 1)) for _ in range(tricks + 1)],
        seat=draw(st.integers(0, players - 1)),
        answer_count=draw(st.integers(1, 4)),
        direction=draw(st.sampled_from(["left", "right", "across", "hold"])),
        passed=card_names(draw(st.lists(st.sampled_from(pack), max_size=4))),
        points=draw(numbers),
        totals=draw(numbers),
        cancelled=draw(st.lists(st.integers(1, tricks + 1), unique=True)),
        rules=rules,
    )


@pytest.mark.slow
@given(turn=wild_turns())
def test_answers_are_legal_under_any_rules(turn: Turn) -> None:
    """Whatever the seats, the packs and the choices: the answer is among them."""
    for name, bot_class in BOTS.items():
        bot = bot_class()
        if turn.kind == "play":
            assert bot.choose_card(turn) in turn.choices, name
        else:
            rest = turn.choices
            for card in bot.choose_pass(turn):
                rest.remove(card)
            assert turn.answer_count == len(turn.choices) - len(rest), name


@given(turn=wild_turns(), earlier=wild_turns())
def test_answers_depend_on_the_turn_alone(turn: Turn, earlier: Turn) -> None:
    """A bot that has seen another turn before answers like a new one."""
    for bot_class in BOTS.values():
        used = bot_class()
        list(used.choose_pass(earlier))
        used.choose_card(earlier)
        again = Turn(turn.message, turn.start)

        assert bot_class().choose_card(again) == used.choose_card(turn)


@pytest.mark.parametrize("kind", ["moon", "sun"])
@pytest.mark.parametrize("name", BOTS)
def test_a_moon_is_scored_in_a_way_that_is_offered(name: str, kind: str) -> None:
    """Every bot answers the question after a moon or a sun."""
    assert BOTS[name]().choose_moon(make_turn(kind=kind)) in {"add", "subtract"}


def test_every_bot_says_in_a_line_what_it_does() -> None:
    """The registry goes from weak to strong, with a line about each."""
    assert ["random", "lowest", "ducker", "dodger", "careful", "daring"] == list(BOTS)
    for name in BOTS:
        assert describe(name).endswith(".")
        assert 1 == len(describe(name).splitlines())


def test_the_program_lists_the_bots() -> None:
    """`python -m hearts.house --help` shows each bot and its line."""
    command = [sys.executable, "-m", "hearts.house", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    for name in BOTS:
        assert describe(name) in done.stdout


# How they play.


def test_lowest_plays_low_and_passes_high() -> None:
    """The lowest rank, whatever the suit."""
    assert "2S" == played(make_turn(hand="3C 4D 2S"), "lowest")
    turn = make_turn(kind="pass", hand="3C AD 2S AS KH", answer_count=3)

    assert {"AS", "AD", "KH"} == passed(turn, "lowest")


@pytest.mark.parametrize(
    ("hand", "plays", "card"),
    [
        ("3C 9C KC", "TC", "9C"),  # The highest below.
        ("JC QC KC", "TC", "JC"),  # Nobody knows yet who wins.
        ("JC QC KC", "TC 2C 3C", "KC"),  # Last to play, and it wins anyway.
        ("QS KS", "2S 3S 4S", "KS"),  # Not with the queen.
        ("QS KS", "AS", "QS"),
        ("AD 2H QS", "TC", "QS"),
    ],
)
@pytest.mark.parametrize("name", ["ducker", "dodger", "careful"])
def test_duckers_duck(name: str, hand: str, plays: str, card: str) -> None:
    """They lose tricks with high cards, and throw what costs most."""
    leader = (4 - len(plays.split())) % 4
    # All have taken something, so nobody thinks of a moon.
    turn = make_turn(hand=hand, plays=plays, leaders=[leader], points=[1, 1, 1, 1])

    assert card == played(turn, name)


def test_dodger_does_not_walk_into_the_queen() -> None:
    """With the queen about, it wins a spade trick with a low one."""
    turn = make_turn(hand="TS KS", plays="9S", leaders=[3])

    assert "TS" == played(turn, "dodger")
    assert "TS" == played(turn, "careful")


def test_careful_knows_to_whom_it_passed_the_queen() -> None:
    """The king is safe when the queen's owner has played already."""
    spades = "2S 9S"
    safe = make_turn(
        hand="TS KS",
        plays=spades,
        leaders=[2],
        direction="right",
        passed="QS",
    )
    unsafe = make_turn(
        hand="TS KS",
        plays=spades,
        leaders=[2],
        direction="left",
        passed="QS",
    )

    assert ("KS", "TS") == (played(safe), played(unsafe))


def test_careful_leads_what_cannot_win() -> None:
    """The seven of clubs is below all that are left, the four of diamonds is not."""
    plays = "2C 3C 5C 6C 4C 8C 9C TC 2D 6D 7D 8D 5D 9D TD JD"
    turn = make_turn(hand="7C 4D KD", plays=plays, leaders=[1, 0, 3, 2, 0])

    assert "7C" == played(turn)


def test_careful_stops_a_moon() -> None:
    """It takes a few hearts from who has taken all the others so far."""
    hand = "3H AH"
    plays = "2C 3C 4C 5C 6C 2H 7H 8H 9C 9H TH JH 2S 4H 5H 6H QH 3D TC"
    threatened = make_turn(
        hand=hand, plays=plays, leaders=[0, 3, 3, 3, 1], points=[0, 0, 0, 9]
    )
    shared = make_turn(
        hand=hand, plays=plays, leaders=[0, 3, 3, 3, 1], points=[0, 1, 0, 8]
    )

    assert ("AH", "3H") == (played(threatened), played(shared))


def test_careful_keeps_its_hearts_from_a_shooter() -> None:
    """It throws a plain card on the trick of a seat that has all the points."""
    hand = "4D 9H TH"
    plays = "2C 3C 4C QS 5C"
    threatened = make_turn(hand=hand, plays=plays, leaders=[0, 3], points=[0, 0, 0, 13])
    shared = make_turn(hand=hand, plays=plays, leaders=[0, 3], points=[0, 1, 0, 13])

    assert ("4D", "9H") == (played(threatened), played(shared))


@pytest.mark.parametrize(
    ("hand", "cards"),
    [
        # The queen with two spades, and the high cards of a short suit.
        ("2C 3C 4C 5C 7C QD AD 2H 3H 4H 2S 3S QS", "QD AD QS"),
        # With five spades below her she stays, and so does the king.
        ("2C 3C 4C AC 2D 3H KH 2S 3S 4S 5S 6S QS KS", "AC KH 2D"),
        # High spades without cover go.
        ("2C 3C 4C 5C 6C 2D 3D 4D 2H 3H TH KS AS", "TH KS AS"),
    ],
)
def test_careful_passes_danger(hand: str, cards: str) -> None:
    """Dangerous spades, high hearts and short suits go."""
    turn = make_turn(kind="pass", hand=hand, answer_count=3, direction="left")

    assert set(cards.split()) == passed(turn)


@pytest.mark.parametrize(
    ("totals", "target", "choice"),
    [
        ((40, 50, 60, 70), None, "add"),
        ((70, 50, 80, 60), None, "add"),  # All others end above.
        ((80, 10, 80, 60), None, "subtract"),  # Adding would let seat 1 win.
        ((30, 50, 80, 60), None, "add"),
        ((40, 10, 26, 26), "50", "subtract"),
    ],
)
def test_careful_scores_its_moon(
    totals: tuple[int, ...], target: str | None, choice: str
) -> None:
    """It adds, unless that ends the game with another winner."""
    rules = preset("arena", moon="choice", target=target or 100)
    turn = make_turn(kind="moon", totals=totals, rules=rules)

    assert choice == choose_moon(turn)


STRONG = "3C JC QC KC AC AD JH QH KH AH QS KS AS"
"""A hand that takes everything once the three of clubs is gone."""


def test_daring_shoots_with_a_strong_hand() -> None:
    """It leads from the top and passes its losers; careful passes high hearts."""
    lead = make_turn(hand=STRONG, choices="3C JC QC KC AC")
    hand = STRONG.replace("JC", "2D")
    passing = make_turn(kind="pass", hand=hand, answer_count=3, direction="left")

    assert played(lead, "daring") in {"JC", "QC", "KC", "AC"}
    assert {"3C", "2D"} < passed(passing, "daring")
    assert not {"3C", "2D"} & passed(passing, "careful")


def test_daring_does_not_dare_where_a_moon_is_worth_nothing() -> None:
    """Without a moon in the rules it plays like careful."""
    off = preset("arena", moon="off")
    turn = make_turn(kind="pass", hand=STRONG, answer_count=3, rules=off)

    assert passed(turn, "careful") == passed(turn, "daring")


# How well they play.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weak", "strong", "gap"),
    [
        ("random", "lowest", 2.0),
        ("lowest", "ducker", 3.0),
        ("ducker", "dodger", 0.5),
        ("dodger", "careful", 1.0),
        ("ducker", "careful", 2.0),
        ("careful", "daring", 0.4),
    ],
)
def test_each_bot_is_better_than_the_one_before(
    weak: str, strong: str, gap: float
) -> None:
    """Two of each at a table: the stronger ones take fewer points a deal."""
    bots: tuple[Callable[[], Bot], Callable[[], Bot]] = (BOTS[weak], BOTS[strong])
    weak_points, strong_points = points_per_deal(bots, deals=200, seed=1)

    assert weak_points - strong_points > gap


@pytest.mark.slow
def test_careful_decides_as_ever(assert_golden: Callable[[str, str], None]) -> None:
    """Records are checked against these decisions: none of them may change."""
    decisions = careful_decisions(deals=40)
    digest = hashlib.sha256("\n".join(decisions).encode()).hexdigest()
    lines = [
        f"The decisions of {VERSION}, frozen: a better policy gets a new name.",
        f"All {len(decisions)}: {digest}",
        "Some of them: position, hand, what may be played, and the choice.",
        "",
        *decisions[::EXAMPLES_STEP],
    ]

    assert "careful-1" == VERSION
    assert_golden("careful_1.txt", "\n".join(lines) + "\n")


def test_careful_is_three_functions() -> None:
    """The bot and the functions that arenas call decide alike."""
    hand = "2C 9C AD 4H KH QS"
    turn = make_turn(kind="pass", hand=hand, answer_count=3)

    assert passed(turn) == {str(card) for card in choose_pass(turn)}
    assert played(make_turn(hand=hand)) == str(choose_card(make_turn(hand=hand)))
