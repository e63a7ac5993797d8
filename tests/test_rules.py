"""Rules: options, presets, hashes and what is refused."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import rules
from arena.cards import FULL_PACK, HEARTS, QUEEN_OF_SPADES, parse_card
from arena.rules import OPTIONS, PassDirection, RulesError, option_text, preset

CYCLE = tuple(PassDirection)

OTHER_VALUES: dict[str, tuple[object, ...]] = {
    "first_dealer": ("seat0",),
    "pass_count": (0, 1, 4),
    "pass_cycle": ((PassDirection.LEFT,), (PassDirection.RIGHT, PassDirection.HOLD)),
    "opening_card": ("2D", "JC"),
    "opening_play": ("any_of_suit", "any"),
    "first_trick_ban": ("hearts", "unless_no_clubs", "none"),
    "first_trick_escape": ("hearts", "queen"),
    "hearts_lead": ("free",),
    "break_on": ("heart_discarded",),
    "queen_breaks": ("played", "discarded"),
    "unbroken_lead_exception": ("only_penalties",),
    "moon": ("choice", "subtract", "off"),
    "moon_value": ("26",),
    "moon_floor": ("zero",),
    "target": (1, 50, 500),
    "end_when": ("exceed",),
    "tie": ("draw", "shared"),
    "tie_recheck": ("tie_only",),
    "winner_pool": ("not_over",),
    "max_deals": (1, None),
    "moon_default": ("subtract",),
}
"""The values in use that differ from the preset `arena`."""


@st.composite
def overrides(draw: st.DrawFn) -> dict[str, object]:
    """Draw options that differ from the preset."""
    names = draw(st.sets(st.sampled_from(sorted(OTHER_VALUES))))
    return {name: draw(st.sampled_from(OTHER_VALUES[name])) for name in sorted(names)}


@given(overrides())
def test_overrides_are_what_differs(options: dict[str, object]) -> None:
    """Rules name their differences as text, and the text gives the same rules."""
    made = rules.parse_rules(options)
    expected = {name: option_text(value) for name, value in options.items()}

    assert expected == made.overrides
    assert made == rules.parse_rules({"preset": "arena", **made.overrides})


@given(overrides(), overrides())
def test_equal_hashes_mean_equal_rules(
    options: dict[str, object], others: dict[str, object]
) -> None:
    """Rules have one hash when all options are equal, and only then."""
    one, other = rules.parse_rules(options), rules.parse_rules(others)

    assert (one == other) == (one.hash == other.hash)


def test_the_hash_never_changes() -> None:
    """Records of this version stay readable."""
    assert HASH == preset("arena").hash


HASH = "8a9270550647982ee67bcc79b2ad3b80707ead0ddb65f2faacfb1358f280b946"


def test_a_league_file_gives_lists_numbers_and_flags() -> None:
    """Options may come as TOML knows them."""
    table = {
        "preset": "arena",
        "players": 4,
        "pass_cycle": ["left", "hold"],
        "target": 50,
        "announce_forced": False,
        "removed": [],
    }
    made = rules.parse_rules(table)

    assert {"pass_cycle": "left hold", "target": "50"} == made.overrides
    assert made == preset("arena", pass_cycle="L, -", target="50")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "standard"}, "preset: 'standard' is not a preset of this version"),
        ({"players": 5}, "players: '5' is out of range; expected 4"),
        ({"players": "four"}, "players: 'four' is not a whole number"),
        ({"packs": 2}, "packs: '2' is out of range"),
        ({"pass_cycle": "leftt"}, "'leftt' is not one of left, right, across, hold"),
        ({"pass_cycle": ""}, "pass_cycle: '' names no direction"),
        ({"pass_count": 14}, "pass_count: '14' is out of range; expected 0 to 13"),
        ({"target": 0}, "target: '0' is out of range; expected 1 to"),
        ({"target": True}, "target: 'true' is not a whole number"),
        ({"target": 99.5}, "target: '99.5' is not a whole number"),
        ({"target": None}, "target: 'none' is not a whole number"),
        ({"max_deals": -1}, "max_deals: '-1' is out of range"),
        ({"moon": "auto"}, "moon: 'auto' arrives with a later version; now: add, cho"),
        ({"moon": "both"}, "moon: 'both' is not one of add, choice, subtract, off"),
        ({"cancellation": True}, "cancellation: 'true' arrives with a later version"),
        ({"removed": "2C"}, "removed: '2C' arrives with a later version"),
        ({"opening_card": "1C"}, "opening_card: '1C' is neither lowest_club nor a"),
        ({"opening_leader": "eldest"}, "'eldest' needs opening_play any"),
        ({"hands_max": 3}, "rules.hands_max: '3' is set, but is no option"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], message: str) -> None:
    """An error names option, value and what was expected."""
    with pytest.raises(RulesError) as error:
        rules.parse_rules(options)

    assert message in str(error.value)
    assert error.value.option in options


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - set(OTHER_VALUES)))
def test_an_option_without_other_values_refuses_them(name: str) -> None:
    """No option silently takes a value that the engine would ignore."""
    with pytest.raises(RulesError):
        rules.parse_rules({name: "something else"})


def test_rules_can_not_be_made_wrong_or_changed() -> None:
    """Without the reader, too, options are checked; and then they stay."""
    with pytest.raises(RulesError, match=r"rules\.moon"):
        rules.RuleSet(moon="auto")
    with pytest.raises(RulesError, match=r"rules\.preset"):
        rules.RuleSet(preset="house")
    with pytest.raises(FrozenInstanceError):
        preset("arena").target = 50  # type: ignore[misc]


def test_what_follows_from_the_options() -> None:
    """A rule set tells the pack, the penalties and what the cards cost."""
    arena = preset("arena")
    queen = 1 << QUEEN_OF_SPADES

    assert FULL_PACK == arena.pack
    assert 13 == arena.hand_size
    assert parse_card("2C") == arena.opening
    assert HEARTS & FULL_PACK | queen == arena.penalties
    assert 26 == arena.total_points == sum(arena.card_points) == arena.moon_points
    assert queen == arena.dear_penalties
    assert parse_card("2D") == preset("arena", opening_card="2d").opening


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "left right across hold left"),
        ({"pass_cycle": "right"}, "right right right right right"),
        ({"pass_count": 0}, "hold hold hold hold hold"),
    ],
)
def test_directions_go_round(options: dict[str, object], expected: str) -> None:
    """Deals take the directions of the cycle in turn."""
    made = rules.parse_rules(options)

    assert expected.split() == [made.direction(index).label for index in range(5)]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (3, [1, 2, 1, 0]),
        (4, [1, 3, 2, 0]),
        (5, [1, 4, 2, 0]),
        (6, [1, 5, 3, 0]),
        (7, [1, 6, 3, 0]),
    ],
)
def test_directions_at_tables_of_all_sizes(players: int, expected: list[int]) -> None:
    """Left is one seat on, right one back, across the one opposite."""
    assert expected == [direction.steps(players) for direction in CYCLE]
