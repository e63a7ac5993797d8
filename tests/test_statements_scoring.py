"""
Statements of the sources about points, moon, sun and the end.

`docs/rules.md` lists them by number, with the tests here that cover them.
"""

from collections.abc import Sequence

import pytest

from arena.cards import (
    cards_in,
    parse_card,
)
from arena.game import Game, MoonChoice, Phase
from arena.presets import PRESETS
from arena.rules import preset
from tests.statements import (
    ALL_BUT_ONE_PLAYS,
    ALL_BUT_ONE_TRICK,
    DOCUMENTS,
    EVERY_TRICK,
    EVERY_TRICK_PLAYS,
    ONE_HEART_MISSED_PLAYS,
    ended,
    hand,
    play,
    play_deal,
    scored,
    small_deal,
    winners,
)

# Tricks and points


def test_the_winner_leads_until_all_cards_are_gone() -> None:
    """Every trick is played, each led by the winner of the last."""
    game = scored(preset("arena"), ALL_BUT_ONE_TRICK, ALL_BUT_ONE_PLAYS)
    deal = game.deals[0]

    assert [1, *[0] * 12] == deal.leaders
    assert [12, 1, 0, 0] == deal.tricks_won
    assert [0] * 4 == deal.hands


@pytest.mark.parametrize(
    ("name", "total"),
    [
        *[(name, 26) for name in DOCUMENTS],
        ("plain_hearts", 13),
        ("black_maria", 43),
        ("spot", 124),
        ("cancellation", 52),
    ],
)
def test_all_points_are_handed_out(name: str, total: int) -> None:
    """The points taken in a deal are those in the pack, trimmed or not."""
    for players in PRESETS[name].seats:
        rules = preset(name, players=players, pass_count=0, moon="off")
        game = Game.from_seed(rules, b"p" * 32)
        play_deal(game)

        assert total == rules.total_points == sum(game.results[0].points)


def test_hearts_cost_one_and_the_queen_thirteen() -> None:
    """Nothing else costs anything, and neither does a trick."""
    points = preset("standard").card_points
    hearts, queen = hand("H"), parse_card("QS")

    assert [1] * 13 == [points[card] for card in cards_in(hearts)]
    assert 13 == points[queen]
    assert 26 == sum(points)
    deal = small_deal(preset("standard"), "AD", "JD", "AC", "KS", trick=2)
    assert [0] * 4 == play(deal, "AD JD AC KS").points


# The moon and the sun

MOONS = [
    ("standard", "add", (60, 0, 0, 0), (60, 26, 26, 26)),
    ("standard", "subtract", (60, 0, 0, 0), (34, 0, 0, 0)),
    ("parlor", "add", (60, 0, 0, 0), (60, 26, 26, 26)),
    ("parlor", "subtract", (60, 0, 0, 0), (34, 0, 0, 0)),
    ("party", "add", (60, 0, 0, 0), (60, 26, 26, 26)),
    ("party", "subtract", (60, 0, 0, 0), (34, 0, 0, 0)),
    ("black_lady", None, (60, 0, 0, 0), (60, 26, 26, 26)),
    ("black_lady_choice", "subtract", (60, 0, 0, 0), (34, 0, 0, 0)),
    ("classic", None, (60, 0, 0, 0), (34, 0, 0, 0)),
    ("spot", "add", (0, 0, 0, 0), (0, 124, 124, 124)),
    ("plain_hearts", "add", (0, 0, 0, 0), (0, 13, 13, 13)),
]
FLOORS = [
    ("standard", "subtract", (20, 0, 0, 0), (0, 0, 0, 0)),
    ("parlor", "subtract", (0, 0, 0, 0), (0, 0, 0, 0)),
    ("parlor", "subtract", (-5, 0, 0, 0), (-5, 0, 0, 0)),
    ("party", "subtract", (20, 0, 0, 0), (-6, 0, 0, 0)),
    ("classic", None, (20, 0, 0, 0), (-6, 0, 0, 0)),
]


@pytest.mark.parametrize(("name", "choice", "before", "after"), [*MOONS, *FLOORS])
def test_the_moon(
    name: str, choice: str | None, before: Sequence[int], after: Sequence[int]
) -> None:
    """It adds, subtracts or is chosen, and stops at a floor or does not."""
    chosen = MoonChoice[choice.upper()] if choice else None
    game = scored(
        preset(name), ALL_BUT_ONE_TRICK, ALL_BUT_ONE_PLAYS, totals=before, choice=chosen
    )

    assert tuple(after) == game.results[0].totals
    assert 0 == game.results[0].shooter


@pytest.mark.parametrize("name", DOCUMENTS)
def test_one_heart_missed_is_no_moon(name: str) -> None:
    """All but one heart and the queen: the points stick."""
    game = scored(preset(name), ALL_BUT_ONE_TRICK, ONE_HEART_MISSED_PLAYS)

    assert (24, 2, 0, 0) == game.results[0].points
    assert game.results[0].shooter is None


@pytest.mark.parametrize(
    ("name", "choice", "before", "after"),
    [
        ("sun", "add", (0, 0, 0, 0), (0, 52, 52, 52)),
        ("sun", "subtract", (60, 0, 0, 0), (8, 0, 0, 0)),
        ("sun_plain", "add", (0, 0, 0, 0), (0, 26, 26, 26)),
        ("sun_plain", "subtract", (60, 0, 0, 0), (34, 0, 0, 0)),
        ("parlor_sun", None, (60, 0, 0, 0), (60, 52, 52, 52)),
        ("standard", "add", (0, 0, 0, 0), (0, 26, 26, 26)),
    ],
)
def test_the_sun(
    name: str, choice: str | None, before: Sequence[int], after: Sequence[int]
) -> None:
    """Every trick is worth twice the moon or as much, where there is a sun."""
    chosen = MoonChoice[choice.upper()] if choice else None
    game = scored(
        preset(name), EVERY_TRICK, EVERY_TRICK_PLAYS, totals=before, choice=chosen
    )

    assert tuple(after) == game.results[0].totals


@pytest.mark.parametrize(("name", "choice"), [("sun", "add"), ("parlor_sun", "add")])
def test_twelve_tricks_are_a_plain_moon(name: str, choice: str) -> None:
    """A sun that fails by a trick is the moon."""
    game = scored(
        preset(name),
        ALL_BUT_ONE_TRICK,
        ALL_BUT_ONE_PLAYS,
        choice=MoonChoice[choice.upper()],
    )

    assert (0, 26, 26, 26) == game.results[0].totals


# The end


@pytest.mark.parametrize(
    ("name", "highest", "is_over"),
    [
        ("standard", 99, False),
        ("standard", 100, True),
        ("parlor", 100, True),
        ("classic", 100, True),
        ("party", 100, True),
        ("black_lady", 100, False),
        ("black_lady", 101, True),
        ("standard_quick", 49, False),
        ("standard_quick", 50, True),
        ("short50", 50, True),
        ("spot", 499, False),
        ("spot", 500, True),
    ],
)
def test_when_a_game_ends(name: str, highest: int, is_over: bool) -> None:
    """Somebody reaches the target, or has to pass it."""
    game = ended(preset(name), (highest, 40, 30, 45))

    assert is_over == (game.phase == Phase.OVER)
    assert ([2] if is_over else []) == winners(game)


def test_any_target_can_be_agreed() -> None:
    """The number of points is an option."""
    assert [1] == winners(ended(preset("party", target=73), (73, 30, 40, 50)))


def test_everybody_over_the_target() -> None:
    """With nobody left below it the lowest of all wins."""
    assert [1] == winners(ended(preset("black_lady"), (116, 102, 103, 104)))
    assert [1, 2] == winners(ended(preset("black_lady"), (116, 102, 102, 104)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("standard", []),
        ("parlor", []),
        ("classic", []),
        ("party", []),
        ("black_lady", [1, 2]),
    ],
)
def test_a_tie_for_the_lowest_total(name: str, expected: list[int]) -> None:
    """The game goes on, or is a draw."""
    assert expected == winners(ended(preset(name), (107, 50, 50, 78)))


def test_a_tie_above_the_lowest_total_does_not_matter() -> None:
    """Who is lowest alone wins, whoever else is level."""
    assert [2] == winners(ended(preset("standard"), (107, 50, 30, 50)))


def test_three_level_seats_play_on() -> None:
    """A tie of three is a tie, too."""
    game = ended(preset("classic"), (107, 50, 50, 50), (110, 60, 55, 70))

    assert 2 == len(game.results)
    assert [2] == winners(game)


@pytest.mark.parametrize(
    ("name", "is_over"), [("standard", False), ("parlor", True), ("classic", True)]
)
def test_nobody_at_the_target_after_a_tie(name: str, is_over: bool) -> None:
    """Only where the tie alone counts it is enough to be lowest alone."""
    game = ended(preset(name), (100, 50, 50, 78), (74, 60, 55, 90))

    assert is_over == (game.phase == Phase.OVER)


@pytest.mark.parametrize(
    ("name", "after", "expected"),
    [
        ("black_lady", (100, 40, 30, 45), (100, 40, 30, 45)),
        ("black_lady_exact50", (100, 40, 30, 45), (50, 40, 30, 45)),
        ("black_lady_exact0", (100, 40, 30, 45), (0, 40, 30, 45)),
        ("black_lady_exact0", (100, 40, 100, 45), (0, 40, 0, 45)),
        ("black_lady_exact50", (101, 40, 100, 45), (101, 40, 50, 45)),
    ],
)
def test_a_total_of_exactly_the_target(
    name: str, after: Sequence[int], expected: Sequence[int]
) -> None:
    """It is lowered for whoever has it, before the end is looked at."""
    game = ended(preset(name), after)

    assert tuple(expected) == game.results[-1].totals
    assert (max(expected) > 100) == (game.phase == Phase.OVER)


def test_exactly_another_target() -> None:
    """The target, whatever it is, is what has to be hit."""
    game = ended(preset("black_lady_exact50", target=60), (60, 40, 30, 45))

    assert (10, 40, 30, 45) == game.results[-1].totals
