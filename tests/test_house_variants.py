"""House bots under all rules: as sensible as in the standard game, and frozen too."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from arena.rules import RuleSet, preset
from hearts import Turn
from hearts.house import BOTS
from hearts.house.careful import VERSION, choose_moon, choose_pass
from tests.house_turns import (
    ALL_RULES,
    TABLES,
    careful_decisions,
    make_turn,
    passed,
    played,
    points_per_deal,
)

OMNIBUS = preset("omnibus")
MARIA = preset("black_maria")
PLAIN = preset("plain_hearts")
SPOT = preset("spot")
DOUBLE = preset("cancellation", players=6)


def variant(rules: RuleSet, hand: str, plays: str = "", **more: Any) -> Turn:
    """Return a turn of the seat that plays next; all have taken something."""
    count = len(plays.split())
    leader = -count % rules.players
    more.setdefault("points", [1] * rules.players)
    return make_turn(hand=hand, plays=plays, leaders=[leader], rules=rules, **more)


@pytest.mark.parametrize(
    ("rules", "hand", "plays", "card"),
    [
        # The last to play takes the bonus card, and puts it on a trick of its own.
        (OMNIBUS, "3D KD", "JD 4D 5D", "KD"),
        (OMNIBUS, "3D JD", "4D 5D TD", "JD"),
        # It does not give it away, neither below a higher card nor by throwing it.
        (OMNIBUS, "3D JD", "4D 5D QD", "3D"),
        (OMNIBUS, "4C JD", "4S 5S 6S", "4C"),
        # In Black Maria the king and the ace are poison themselves.
        (MARIA, "3S KS", "2S AS", "KS"),
        (MARIA, "AH KS", "2D 3D", "KS"),
        (MARIA, "JS KS", "TS 9S", "JS"),
        # Without points on her the queen is a spade like others.
        (PLAIN, "AH QS", "2D 3D 4D", "AH"),
        (PLAIN, "5S QS", "2S 3S 4S", "QS"),
        # The ace of hearts costs fifteen, the two costs two.
        (SPOT, "2H AH", "2D 3D 4D", "AH"),
        # An equal card cancels the best one, and loses; so the ace may go.
        (DOUBLE, "3D AD", "AD 4D 5D 6D 2H", "AD"),
    ],
)
@pytest.mark.parametrize("name", ["dodger", "careful"])
def test_other_rules_are_known(
    name: str, rules: RuleSet, hand: str, plays: str, card: str
) -> None:
    """What costs, what pays and what loses depends on the rules in force."""
    assert card == played(variant(rules, hand, plays), name)


@pytest.mark.parametrize("name", ["ducker", "dodger"])
def test_cancelled_cards_beat_nothing(name: str) -> None:
    """Below the highest card that is not cancelled, a card loses."""
    rules = preset("cancellation", players=6)

    assert "4D" == played(variant(rules, "2D 4D QD", "5D KD KD"), name)
    assert "2D" == played(variant(rules, "2D 4D QD", "5D 5D"), name)


def test_careful_takes_what_nobody_won() -> None:
    """It wins a trick if what lies on the table pays, and ducks it if that costs."""
    rules = preset("cancellation", players=6, bonus_card="JD")
    clean = "4C 5C 6C 7C 8C"

    def over(carried: str) -> str:
        turn = variant(rules, "3C AC", f"{carried} {clean}", cancelled=[1])
        turn.message.leaders[:] = [1, 1]
        return played(turn)

    assert "AC" == over("JD KD KD 2D 2D JD")
    assert "3C" == over("KD KD QS 5D 5D QS")


def test_careful_passes_by_the_rules() -> None:
    """Poison goes, the bonus card stays, and a card may go twice."""
    bonus = make_turn(
        kind="pass", hand="2C 3C 4C JD KH AH 4S", answer_count=2, rules=OMNIBUS
    )
    maria = make_turn(
        kind="pass", hand="2D 3D 4D 5D 6H 7H KS AS", answer_count=2, rules=MARIA
    )
    double = make_turn(
        kind="pass", hand="2C 3C 4C 5D 6D QS QS", answer_count=2, rules=DOUBLE
    )

    assert {"KH", "AH"} == passed(bonus)
    assert {"KS", "AS"} == passed(maria)
    assert ["QS", "QS"] == [str(card) for card in choose_pass(double)]


def test_careful_stops_no_moon_where_there_is_none() -> None:
    """Who has all the points is stopped for the sake of a moon alone."""
    hand, points = "3H AH", [0, 0, 9]
    plays = "3C 4C 5C 2H 7H 8H 9H TH JH 4H 5H 6H QH 3D"
    leaders = [0, 2, 2, 2, 1]

    def card(rules: RuleSet) -> str:
        return played(
            make_turn(
                hand=hand, plays=plays, leaders=leaders, points=points, rules=rules
            )
        )

    moon = preset("standard", players=3)

    assert "AH" == card(moon)
    assert "3H" == card(preset("standard", players=3, moon="off"))
    assert "AH" == card(preset("standard", players=3, moon="off", sun="add"))


def test_careful_asks_what_its_shot_is_worth() -> None:
    """A sun of 52 ends the game where a moon would not, and above 100 is not at it."""
    totals = (48, 9, 47, 48)

    assert "add" == choose_moon(make_turn(kind="moon", totals=totals))
    assert "add" == choose_moon(make_turn(kind="sun", totals=totals, moon_points=52))
    over = (90, 9, 48, 48)
    above = preset("black_lady_choice")

    assert "subtract" == choose_moon(make_turn(kind="sun", totals=over, moon_points=52))
    assert "add" == choose_moon(
        make_turn(kind="sun", totals=over, moon_points=52, rules=above)
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_careful_beats_random_under_all_rules(name: str, players: int) -> None:
    """With every preset and number of seats it takes far fewer points."""
    rules = preset(name, players=players)
    bots = (BOTS["careful"], BOTS["random"])
    careful, chance = points_per_deal(bots, deals=8, seed=1, rules=rules)

    assert careful < chance - rules.total_points / (3 * players)


@pytest.mark.slow
@pytest.mark.parametrize("spades", ["2:30 A:4", "5:13"])
def test_careful_fears_high_spades_when_a_low_one_is_dear(spades: str) -> None:
    """It loses no more than those who only duck."""
    rules = preset("arena", spade_penalties=spades)
    bots = [BOTS[name] for name in ("careful", "ducker", "dodger", "ducker")]
    careful, *others = points_per_deal(bots, deals=60, seed=1, rules=rules)

    assert careful < min(others)
    hand = "4C 5C 6C 4D 5D 6D 2H 3H 2S 3S JS QS KS"
    turn = make_turn(kind="pass", hand=hand, answer_count=3, rules=rules)
    assert {"KS", "QS", "JS"} == passed(turn)


@pytest.mark.slow
def test_the_order_of_strength_holds_over_all_rules() -> None:
    """At mixed tables of all presets careful is first, and chance by far the last."""
    names = ("careful", "dodger", "ducker", "random")
    bots = [BOTS[name] for name in names]
    shares = dict.fromkeys(names, 0.0)
    for name, players in TABLES:
        rules = preset(name, players=players)
        points = points_per_deal(bots, deals=2, seed=1, rules=rules)
        for bot, taken in zip(names, points, strict=True):
            shares[bot] += taken / rules.total_points / len(TABLES)

    assert shares["careful"] < min(shares["dodger"], shares["ducker"])
    assert max(shares["dodger"], shares["ducker"]) < shares["random"] / 2


@pytest.mark.slow
def test_careful_decides_as_ever_under_all_rules(
    assert_golden: Callable[[str, str], None],
) -> None:
    """It plays for seats that are given up in every game that there is."""
    lines = [f"The decisions of {VERSION} with every preset, frozen, and two of each."]
    for rules in ALL_RULES:
        decisions = careful_decisions(deals=2, rules=rules)
        digest = hashlib.sha256("\n".join(decisions).encode()).hexdigest()
        changes = "".join(f" {k}={v}" for k, v in sorted(rules.overrides.items()))
        third = len(decisions) // 3
        lines += [
            "",
            f"{rules.preset}, {rules.players} seats{changes}",
            f"All {len(decisions)}: {digest}",
            decisions[third],
            decisions[2 * third + 7],
        ]

    assert_golden("careful_1_variants.txt", "\n".join(lines) + "\n")
