"""Scoring: moon and sun, floors, the bonus card and exact hits, one by one."""

from typing import Any

import pytest

from arena.deal import Deal
from arena.game import Game, MoonChoice, Phase
from arena.rules import PassDirection, RuleSet, preset
from arena.scoring import Shot, after_exact_hit, best_choice, deal_points, shot_of
from tests.scenarios import TakenDeal, game_after_taking, hand
from tests.statements import EVERY_TRICK, EVERY_TRICK_PLAYS, play, started

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ALL = f"{HEARTS} QS"


def ended(rules: RuleSet, *taken: str) -> Deal:
    """Return a deal that is over, in which the seats took these cards."""
    sets = [hand(cards) for cards in taken]
    deal = TakenDeal(rules, sets + [0] * (rules.players - len(sets)))
    while not deal.is_over:
        deal.play(deal.legal_cards()[0])
    return deal


def after(
    rules: RuleSet, totals: list[int], *taken: str, choice: str | None = None
) -> list[int]:
    """Return the totals after a deal in which the seats took these cards."""
    sets = [hand(cards) for cards in taken]
    sets += [0] * (rules.players - len(sets))
    return game_after_taking(rules, sets, totals, choice).totals


# Moon and sun


@pytest.mark.parametrize(
    ("options", "taken", "value"),
    [
        ({}, ALL, 26),
        ({}, HEARTS, None),
        ({"moon": "off"}, ALL, None),
        ({"moon_value": 30}, ALL, 30),
        ({"bonus_card": "JD"}, ALL, 26),
        ({"bonus_card": "JD", "moon_needs_bonus": "true"}, ALL, None),
        ({"bonus_card": "JD", "moon_needs_bonus": "true"}, f"{ALL} JD", 26),
        ({"bonus_card": "JD", "moon_bonus": "fold"}, f"{ALL} JD", 36),
        ({"bonus_card": "JD", "moon_bonus": "fold"}, ALL, 26),
        ({"bonus_card": "JD", "moon_needs_bonus": "for_full_value"}, ALL, 26),
        ({"bonus_card": "JD", "moon_needs_bonus": "for_full_value"}, f"{ALL} JD", 36),
    ],
)
def test_what_a_moon_is_worth(
    options: dict[str, Any], taken: str, value: int | None
) -> None:
    """It takes every penalty card, perhaps the bonus card, and rules that have it."""
    shot = shot_of(ended(preset("arena", **options), taken))

    assert (None if value is None else Shot(0, False, value, "add")) == shot


def test_both_copies_of_the_bonus_card_are_needed() -> None:
    """With two packs a moon that needs the bonus card needs all of it."""
    rules = preset("cancellation", players=6, bonus_card="JD", moon_needs_bonus="true")
    all_twice = f"{ALL} {ALL}"

    assert shot_of(ended(rules, f"{all_twice} JD", "JD")) is None
    assert Shot(0, False, 52, "choice") == shot_of(ended(rules, f"{all_twice} JD JD"))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"sun": "off"}, Shot(0, False, 26, "add")),
        ({"sun": "add"}, Shot(0, True, 52, "add")),
        ({"sun": "choice", "sun_value": "same"}, Shot(0, True, 26, "choice")),
        ({"sun": "subtract", "sun_value": 70}, Shot(0, True, 70, "subtract")),
        ({"sun": "add", "bonus_card": "JD", "moon_bonus": "fold"}, 62),
    ],
)
def test_what_the_sun_is_worth(options: dict[str, Any], expected: Shot | int) -> None:
    """Every trick of a whole deal; a bonus card that is folded in counts as ever."""
    rules = preset("arena", pass_count=0, **options)
    game = started(rules, [hand_of(suit) for suit in EVERY_TRICK], [0] * 4)
    deal = play(game.deal, EVERY_TRICK_PLAYS)

    if isinstance(expected, int):
        expected = Shot(0, True, expected, "add")
    assert expected == shot_of(deal)


def hand_of(suit: str) -> int:
    """Return all cards of a suit."""
    return hand(" ".join(f"{rank}{suit}" for rank in "23456789TJQKA"))


def test_no_shot_before_the_end() -> None:
    """A deal that goes on has neither moon nor sun, even with all points taken."""
    deal = TakenDeal(preset("arena", sun="add"), [hand(ALL), 0, 0, 0])

    assert 26 == deal.points[0]
    assert shot_of(deal) is None


@pytest.mark.parametrize(
    ("value", "totals", "choice"),
    [
        (26, [90, 95, 63, 70], MoonChoice.SUBTRACT),
        (26, [89, 95, 63, 70], MoonChoice.ADD),
        (26, [40, 95, 63, 70], MoonChoice.ADD),
        (52, [90, 95, 63, 70], MoonChoice.ADD),
    ],
)
def test_the_best_choice(value: int, totals: list[int], choice: MoonChoice) -> None:
    """To add, unless somebody stays below the shooter; a tie is no harm."""
    assert choice == best_choice(value, 0, totals)


@pytest.mark.parametrize(
    ("moon", "expected"),
    [
        ("add", [60, 46, 56, 66]),
        ("subtract", [34, 20, 30, 40]),
        ("auto", [34, 20, 30, 40]),
    ],
)
def test_how_a_moon_scores(moon: str, expected: list[int]) -> None:
    """The others get the value, or it is taken off, or whatever serves best."""
    assert expected == after(preset("arena", moon=moon), [60, 20, 30, 40], ALL)


@pytest.mark.parametrize(
    ("floor", "before", "expected"),
    [("none", 10, -16), ("zero", 10, 0), ("zero", -5, -5), ("zero", 30, 4)],
)
def test_the_floor_of_the_moon(floor: str, before: int, expected: int) -> None:
    """With a floor a subtraction stops at zero, or where the total was below it."""
    rules = preset("arena", moon="subtract", moon_floor=floor)

    assert [expected, 0, 0, 0] == after(rules, [before, 0, 0, 0], ALL)


@pytest.mark.parametrize(
    ("choice", "sun"), [("add", [0, 52, 52, 52]), ("subtract", [-52, 0, 0, 0])]
)
def test_the_shooter_of_the_sun_is_asked(choice: str, sun: list[int]) -> None:
    """With a choice the deal is scored only when the shooter has chosen."""
    rules = preset("arena", pass_count=0, sun="choice")
    game = started(rules, [hand_of(suit) for suit in EVERY_TRICK], [0] * 4)
    for _ in range(52):
        assert not game.play(game.deal.legal_cards()[0])

    assert (Phase.SUN, 0, True) == (game.phase, game.moon_seat, game.is_choosing)
    game.choose_moon(MoonChoice[choice.upper()])
    result = game.results[0]
    assert (sun, True, 0) == ([*result.points], result.is_sun, result.shooter)
    assert not game.is_choosing


# The bonus card


@pytest.mark.parametrize(
    ("options", "before", "taken", "expected"),
    [
        ({}, 4, "JD", -6),
        ({"bonus_value": -3}, 4, "JD", 1),
        ({"bonus_floor": "total"}, 4, "JD", 0),
        ({"bonus_floor": "total"}, -4, "JD", -4),
        ({"bonus_floor": "total"}, 4, "JD QS", 7),
        ({"bonus_floor": "total"}, 4, "JD 2H", 0),
        ({"bonus_floor": "hand"}, 4, "JD", 4),
        ({"bonus_floor": "hand"}, 4, "JD 2H 3H 4H", 4),
        ({"bonus_floor": "hand"}, 4, "JD QS", 7),
    ],
)
def test_the_bonus_card_and_its_floors(
    options: dict[str, Any], before: int, taken: str, expected: int
) -> None:
    """It lowers the score of the deal, down to zero in the deal or in the total."""
    rules = preset("arena", bonus_card="JD", **options)

    assert expected == after(rules, [before, 0, 0, 0], taken)[0]


@pytest.mark.parametrize(
    ("moon_bonus", "own", "other"),
    [
        ("keep", [-10, 26, 26, 26], [0, 16, 26, 26]),
        ("fold", [0, 36, 36, 36], [0, 16, 26, 26]),
        ("drop", [0, 26, 26, 26], [0, 16, 26, 26]),
    ],
)
def test_the_bonus_card_beside_a_moon(
    moon_bonus: str, own: list[int], other: list[int]
) -> None:
    """What it does for the shooter is an option; with another seat it just scores."""
    rules = preset("arena", bonus_card="JD", moon_bonus=moon_bonus)

    assert own == after(rules, [0] * 4, f"{ALL} JD")
    assert other == after(rules, [0] * 4, ALL, "JD")


def test_each_copy_of_the_bonus_card_scores() -> None:
    """With two packs it may score twice."""
    rules = preset("cancellation", players=6, bonus_card="TD")

    assert [-19, 0, -10, 0, 0, 0] == [
        points - other
        for points, other in zip(
            after(rules, [0] * 6, "TD TD 2H", HEARTS, "TD"),
            after(rules, [0] * 6, "", HEARTS, ""),
            strict=True,
        )
    ]


# Given-up seats and exact hits


def test_a_given_up_seat_has_the_worst_score() -> None:
    """After moon and bonus card, so that leaving never pays."""
    rules = preset("arena", bonus_card="JD")
    deal = ended(rules, ALL, "JD")
    shot = shot_of(deal)
    scores = [
        deal_points(deal, [0] * 4, shot=shot, choice=MoonChoice.ADD, given_up=seats)
        for seats in ((), (0,), (1, 0))
    ]

    assert [[0, 16, 26, 26], [26, 16, 26, 26], [26, 26, 26, 26]] == scores


@pytest.mark.parametrize(
    ("exact_hit", "expected"),
    [("none", 100), ("minus_50", 50), ("minus_26", 74), ("to_zero", 0), ("wins", 100)],
)
def test_an_exact_hit(exact_hit: str, expected: int) -> None:
    """Only a total that is the target changes, and as the rules say."""
    rules = preset("arena", exact_hit=exact_hit)

    assert expected == after_exact_hit(rules, 100)
    assert [99, 101, 0] == [after_exact_hit(rules, total) for total in (99, 101, 0)]


def test_an_exact_hit_wins_the_game() -> None:
    """Whoever hits the target comes first; given-up seats can't."""
    rules = preset("arena", exact_hit="wins")
    taken = [hand(cards) for cards in ("QS", "2H 3H 4H", HEARTS[9:], "")]
    game = game_after_taking(rules, taken, [87, 97, 20, 0])
    left = game_after_taking(rules, taken, [87, 50, 20, 0], given_up=frozenset({0}))

    assert ("finished", (1, 1, 4, 3)) == (game.ending, game.places())
    assert [100, 100, 30, 0] == game.totals
    assert 100 == left.totals[0]
    assert (1, 4) == (left.places()[3], left.places()[0])


def test_the_result_tells_totals_after_an_exact_hit() -> None:
    """The points of the deal are told as they were."""
    rules = preset("arena", exact_hit="to_zero")
    game: Game = game_after_taking(rules, [hand("QS"), hand("2H"), 0, 0], [87, 0, 0, 0])

    assert ((13, 1, 0, 0), (0, 1, 0, 0)) == (
        game.results[0].points,
        game.results[0].totals,
    )
    assert game.phase != Phase.OVER
    assert PassDirection.HOLD == game.deal.direction
