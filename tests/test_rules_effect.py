"""Options without effect: which they are, and that a game never knows of them."""

import random
from dataclasses import replace

import pytest

from arena.options import WORDS, option_text
from arena.rules import OPTIONS, RulesError, RuleSet, parse_rules, preset
from arena.rules_effect import ban_can_bite, can_be_forced, has_effect
from tests.differential import Comparison, wild_rules

NUMBERS = {
    "pass_cycle": "hold",
    "opening_card": "2S",
    "bonus_value": "-30",
    "moon_value": "40",
    "sun_value": "60",
}
"""Another value of the options that are no words and may have no effect."""
REFUSED = ("cancellation", "moon_bonus", "moon_needs_bonus", "opening_card")
"""The options without effect of which some values are refused."""


def idle_options(rules: RuleSet) -> list[str]:
    """Return the options without effect."""
    return [option for option in OPTIONS if not has_effect(rules, option)]


def test_arena_has_its_idle_options() -> None:
    """No bonus card, choice, sun or second pack: nothing asks for their options."""
    assert [
        *("leftover", "cancellation", "cancel_next_leader", "cancel_last_trick"),
        *("bonus_value", "bonus_floor", "moon_floor", "moon_needs_bonus"),
        *("moon_bonus", "sun_value", "moon_default"),
    ] == idle_options(preset("arena"))


@pytest.mark.parametrize(
    ("rules", "idle", "in_use"),
    [
        ({"preset": "standard"}, "", "moon_floor moon_default"),
        ({"preset": "standard", "players": 3}, "first_trick_escape", ""),
        ({"preset": "standard", "players": 5}, "", "first_trick_escape"),
        ({"preset": "plain_hearts", "players": 4}, "", "first_trick_escape"),
        ({"preset": "plain_hearts", "players": 3}, "announce_forced", ""),
        ({"preset": "parlor"}, "first_trick_escape announce_forced", ""),
        ({"preset": "parlor", "players": 3}, "first_trick_escape", "opening_card"),
        ({"preset": "parlor", "opening_play": "any"}, "", "first_trick_escape"),
        ({"first_trick_ban": "none"}, "first_trick_escape announce_forced", ""),
        ({"preset": "parlor_sun"}, "", "moon_floor sun_value moon_default"),
        ({"preset": "omnibus"}, "", "bonus_value bonus_floor moon_bonus"),
        ({"preset": "omnibus", "moon_needs_bonus": "for_full_value"}, "moon_bonus", ""),
        ({"bonus_card": "TD", "moon": "off"}, "moon_needs_bonus moon_bonus", ""),
        ({"preset": "cancellation"}, "", "cancellation cancel_last_trick"),
        ({"preset": "cancellation", "cancellation": False}, "cancel_next_leader", ""),
        ({"preset": "black_maria"}, "moon_value moon_floor opening_card", ""),
        ({"preset": "black_maria", "opening_play": "any_of_suit"}, "", "opening_card"),
        ({"moon": "off", "sun": "add"}, "moon_floor", "moon_value"),
        ({"moon": "off", "sun": "add", "sun_value": 9}, "moon_value", "sun_value"),
        ({"moon": "auto"}, "moon_default", "moon_floor"),
        ({"pass_count": 0}, "pass_cycle", ""),
        ({"hearts_lead": "free"}, "break_on queen_breaks unbroken_lead_exception", ""),
        ({"hearts_lead": "free", "queen_lead": "after_broken"}, "", "break_on"),
        ({"players": 5, "leftover": "kitty_first_trick"}, "", "leftover"),
        ({"leftover": "kitty_first_trick"}, "leftover", ""),
        ({"tie": "draw"}, "tie_recheck", ""),
        ({"exact_hit": "to_zero"}, "end_when", "exact_hit"),
    ],
)
def test_options_wait_for_others(
    rules: dict[str, object], idle: str, in_use: str
) -> None:
    """Whether an option has an effect follows from the others."""
    found = idle_options(parse_rules(rules))

    assert set(idle.split()) <= set(found)
    assert set(in_use.split()).isdisjoint(found)


@pytest.mark.parametrize(
    ("rules", "bites", "forces"),
    [
        ({}, True, True),
        ({"preset": "party", "players": 3}, True, False),
        ({"preset": "parlor"}, False, False),
        ({"preset": "parlor", "opening_play": "any_of_suit"}, False, False),
        ({"preset": "parlor", "players": 3}, True, False),
        ({"preset": "parlor", "opening_card": "2S"}, True, True),
        ({"preset": "black_maria"}, False, False),
        ({"preset": "black_maria", "first_trick_ban": "hearts"}, True, True),
        ({"preset": "cancellation", "players": 8}, True, True),
        ({"preset": "cancellation", "players": 6}, True, True),
    ],
)
def test_what_a_ban_can_do(
    rules: dict[str, object], *, bites: bool, forces: bool
) -> None:
    """A ban needs a hand that it can keep from a card, and one with nothing else."""
    made = parse_rules(rules)

    assert (bites, forces) == (ban_can_bite(made), can_be_forced(made))


@pytest.mark.parametrize("seed", range(40))
def test_no_game_knows_of_an_idle_option(seed: int) -> None:
    """Whatever the options without effect are, the same cards give the same game."""
    chance = random.Random(f"idle {seed}")
    rules = wild_rules(chance)
    other = rules
    for option in idle_options(rules):
        words = WORDS.get(option) or (NUMBERS[option],)
        own = option_text(getattr(rules, option))
        value = chance.choice([word for word in words if word != own] or [own])
        try:
            other = replace(other, **{option: value})  # type: ignore[arg-type]
        except RulesError:
            # The option contradicts that which it needs to have an effect.
            assert option in REFUSED
    games = []
    for played in (rules, other):
        comparison = Comparison(played, random.Random(f"game {seed}"))
        comparison.play(4)
        games.append(comparison.game)

    assert idle_options(rules) == idle_options(other)
    for one, again in zip(games[0].deals, games[1].deals, strict=True):
        assert one.plays == again.plays
        assert one.taken == again.taken
    assert games[0].results == games[1].results
    assert games[0].ending == games[1].ending
