"""Rules in words: nothing is left out."""

import json
import re

import pytest
from hypothesis import given

from arena.options import NUMBERS, WORDS
from arena.rules import OPTIONS, RuleSet, parse_rules, preset
from arena.rules_effect import has_effect
from arena.rules_text import (
    difference_text,
    difference_value,
    options_text,
    rules_text,
    rules_value,
    seats_words,
)
from arena.rules_words import MEANINGS, cards_words, rules_words, value_words
from tests.test_rules import SETUPS, faces, made_of, option_sets

# Every option and value has its sentence


def test_every_option_has_a_meaning() -> None:
    """The table of meanings names the options, in their order."""
    assert list(OPTIONS) == list(MEANINGS)


@pytest.mark.parametrize("option", WORDS)
def test_every_word_has_a_sentence(option: str) -> None:
    """An option of several words has a sentence for each, and nothing else."""
    meaning = MEANINGS[option]

    assert list(WORDS[option]) == list(meaning.values)
    assert ("", "") == (meaning.other, meaning.other_name)


@pytest.mark.parametrize("option", NUMBERS)
def test_every_number_has_a_sentence(option: str) -> None:
    """An option that is a number says it, and each word that it may also be."""
    meaning = MEANINGS[option]
    low, high, words = NUMBERS[option]

    assert {*words} <= {*meaning.values}
    assert {*meaning.values} <= {*words, *map(str, range(low, high + 1))}
    assert meaning.other or {*meaning.values} == {"1", "2"}
    assert bool(meaning.other) == bool(meaning.other_name)


def test_sentences_are_sentences() -> None:
    """Meanings begin large, end with a full stop, and no two are the same."""
    found = [
        sentence
        for meaning in MEANINGS.values()
        for sentence in (*meaning.values.values(), meaning.other)
        if sentence
    ]

    assert [] == [text for text in found if not re.fullmatch(r"[A-Z].*[^.]\.", text)]
    assert len(found) == len(set(found))
    assert [] == [m.about for m in MEANINGS.values() if m.about.endswith(".")]


@given(option_sets())
def test_any_rules_can_be_told(options: dict[str, object]) -> None:
    """Whatever the options are, all of them are told, without a gap."""
    made = made_of(options)
    if isinstance(made, RuleSet):
        words, told = rules_text(made), options_text(made)

        for option, value in made.options.items():
            sign = ":" if has_effect(made, option) else " (no effect here)"
            assert f" {option} = {value}{sign}" in re.sub(r"\s+", " ", told)
            assert value_words(made, option)
        for text in (words, told):
            assert "{" not in text
            assert max(map(len, text.splitlines()[2:])) <= 88


@given(option_sets())
def test_no_rule_is_told_that_is_not_in_the_game(options: dict[str, object]) -> None:
    """The words hold no sentence of an option without effect, and no empty talk."""
    made = made_of(options)
    if isinstance(made, RuleSet):
        told = [part for parts in rules_words(made).values() for part in parts]
        idle = [name for name in OPTIONS if not has_effect(made, name)]
        text = " ".join(told)

        assert {value_words(made, name) for name in idle}.isdisjoint(told)
        for name in ("moon", "sun"):
            is_off = made.options[name] == "off"
            assert not (is_off and f"A {name} " in text)


# What is told


@pytest.mark.parametrize(
    ("name", "options", "part", "sentence"),
    [
        (
            "standard",
            {},
            "Leading hearts",
            "a heart led by a hand of hearts alone does",
        ),
        ("standard", {}, "Moon", "That is 26 here."),
        ("arena", {}, "Leading hearts", "also one led by a hand of hearts alone."),
        ("arena", {}, "Deal", "13 to each of 4 seats, for 13 tricks."),
        ("arena", {}, "Pass", "across the table in deal 3, nowhere in deal 4; then"),
        ("arena", {"pass_count": 0}, "Pass", "No cards are passed."),
        (
            "arena",
            {"pass_count": 0},
            "First trick",
            "Whoever holds 2C leads that card.",
        ),
        ("arena", {"opening_play": "any_of_suit"}, "First trick", "leads any club. No"),
        (
            "arena",
            {"opening_play": "any"},
            "First trick",
            "Whoever holds 2C after the pass leads any card but a heart or QS. No card",
        ),
        (
            "black_maria",
            {},
            "First trick",
            "The seat to the dealer's left leads any card but a heart. Nothing is "
            "banned from the first trick: whoever can't follow suit may throw any",
        ),
        (
            "black_maria",
            {"opening_play": "any_of_suit", "hearts_lead": "free"},
            "First trick",
            "leads any club, or without one any card.",
        ),
        (
            "black_maria",
            {"queen_lead": "after_broken"},
            "First trick",
            "leads any card but a heart or QS.",
        ),
        ("black_maria", {}, "Pass", "They go to the right in every deal."),
        (
            "black_maria",
            {},
            "Points",
            "2H to AH 1 each, QS 13, KS 10, AS 7; 43 in all.",
        ),
        ("spot", {}, "Points", "9H 9, TH to KH 10 each, AH 15, QS 25; 124 in all."),
        ("plain_hearts", {}, "Points", "In a deal: 2H to AH 1 each; 13 in all."),
        (
            "parlor",
            {},
            "First trick",
            "may play anything. So nothing is banned: a hand with a club follows the",
        ),
        (
            "parlor",
            {"players": 3},
            "First trick",
            "QS for a hand with a club: without diamonds, but with a club, it may not "
            "throw a heart on 2D.",
        ),
        (
            "parlor",
            {"opening_play": "any"},
            "First trick",
            "Banned are 2H to AH, QS for a hand with a club. A hand whose every choice",
        ),
        (
            "classic",
            {},
            "First trick",
            "is announced as forced; the hand is not shown.",
        ),
        ("omnibus", {}, "Bonus", "adds -10 to the score of whoever takes it."),
        ("omnibus", {}, "Moon", "A moon needs the bonus card as well"),
        ("omnibus", {}, "Moon", "in the deal. That is 26 here. A moon that is taken"),
        ("omnibus_parlor", {}, "Moon", "That is 36 here, with the bonus card."),
        (
            "omnibus_parlor",
            {"moon_needs_bonus": "false", "sun": "add"},
            "Moon",
            "That is 26 here, and 36 with the bonus card. A moon that is taken off a",
        ),
        (
            "omnibus",
            {"moon_needs_bonus": "for_full_value", "moon_value": 30},
            "Moon",
            "The moon is worth 30 points. That is 30 here, and 40 with the bonus card.",
        ),
        (
            "cancellation",
            {"bonus_card": "JD", "moon_bonus": "fold"},
            "Moon",
            "That is 52 here, 62 with one, and 72 with both bonus cards.",
        ),
        ("standard", {"moon_value": 30}, "Moon", "worth 30 points. A moon that is"),
        ("sun", {}, "Moon", "A moon or sun that is taken off a total"),
        (
            "omnibus",
            {"moon": "off", "sun": "subtract"},
            "Moon",
            "A sun that is taken off a total takes it no lower than 0; a total that is "
            "lower already stays. A sun needs the bonus card",
        ),
        (
            "omnibus",
            {"moon_needs_bonus": "for_full_value"},
            "Moon",
            "but is worth more with it",
        ),
        ("omnibus_parlor", {}, "Moon", "the moon is worth more by its value."),
        ("sun", {}, "Sun", "The sun is worth twice the moon. That is 52 here."),
        ("sun", {}, "Sun", "or taken off the own one; nobody's penalty points count."),
        ("parlor_sun", {}, "Sun", "the shooter's own penalty points do not count."),
        (
            "sun",
            {},
            "Sun",
            "Every card that costs points, but not every trick, is a plain moon.",
        ),
        (
            "omnibus_parlor",
            {"sun": "choice"},
            "Sun",
            "twice the moon. That is 62 here, with the bonus card.",
        ),
        (
            "black_lady_exact50",
            {},
            "End",
            "exactly the target after a deal is lowered by 50. The game ends after a "
            "deal in which somebody has passed the target.",
        ),
        ("arena", {"exact_hit": "to_zero"}, "End", "becomes 0. The game ends after a"),
        ("arena", {"exact_hit": "wins"}, "End", "wins the game at once. The game also"),
        ("arena", {"max_deals": "none"}, "End", "any number of deals."),
        ("black_lady", {}, "End", "to be exactly there is not enough."),
        ("cancellation", {}, "Points", "52 in all, every card being there twice."),
        ("cancellation", {}, "Tricks", "the seat that led it leads again."),
    ],
)
def test_rules_are_told(
    name: str, options: dict[str, object], part: str, sentence: str
) -> None:
    """A part of the rules says what a player has to know."""
    made = parse_rules({"preset": name, **options})

    assert sentence in " ".join(rules_words(made)[part])


def test_a_kitty_is_told() -> None:
    """Cards left over are counted, and the opening card may be among them."""
    words = rules_words(preset("standard", players=5, leftover="kitty_first_trick"))

    one = rules_words(preset("arena", players=3, leftover="kitty_first_trick"))

    assert "2 of 52 cards are left over." in words["Deal"]
    assert "1 of 52 cards is left over." in one["Deal"]
    assert (
        "If 2C lies in the kitty, the lowest club in any hand takes its place."
        in (words["First trick"])
    )


def test_two_opening_cards_are_told() -> None:
    """Only with eight seats can two seats hold the card that opens."""
    sentence = "If two seats hold one, the first of them from the dealer's left leads."
    found = [
        sentence in rules_words(preset("cancellation", players=players))["First trick"]
        for players in (6, 7, 8)
    ]

    assert [False, False, True] == found


def test_what_does_not_matter_is_left_out() -> None:
    """Rules without a bonus, a sun or hearts to break are silent about them."""
    arena = rules_words(preset("arena"))
    free = rules_words(preset("arena", hearts_lead="free", moon="off", tie="draw"))

    assert {"Bonus", "Sun"}.isdisjoint(arena)
    assert ["A heart may be led at any time."] == free["Leading hearts"][:1]
    assert 2 == len(free["Leading hearts"])
    assert 1 == len(free["Moon"])
    assert len(arena["End"]) == len(free["End"]) + 1


def test_the_sun_without_a_moon_is_told() -> None:
    """The sun may be all there is."""
    words = rules_words(preset("arena", moon="off", sun="subtract"))

    assert "That is 26 here." not in words["Moon"]
    assert [
        "Without every trick the points stick, all of them too.",
        "The sun is worth 52 points.",
    ] == words["Sun"][1:]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("QS", "QS"),
        ("hearts QS", "2H to AH, QS"),
        ("2C 3C AC 2D", "2C, 3C, AC, 2D"),
        ("AC 2D 3D 4D", "AC, 2D to 4D"),
    ],
)
def test_cards_are_told_in_runs(cards: str, expected: str) -> None:
    """Three cards or more in a row of one suit are told by the ends."""
    assert expected == cards_words(faces(cards))


def test_what_is_special_is_marked() -> None:
    """A star marks what the preset arena has otherwise, a plus the own changes."""
    text = options_text(preset("standard", target=50))
    marked = re.findall(r"^(..) (\w+) = ", text, re.MULTILINE)
    stars = ["break_on", "moon", "moon_floor", "target"]

    assert stars == [option for mark, option in marked if "*" in mark]
    assert ["target"] == [option for mark, option in marked if "+" in mark]
    assert len(OPTIONS) == len(marked)


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_values_for_programs(name: str, players: int) -> None:
    """The value for programs holds everything, and is JSON."""
    made = preset(name, players=players)
    value = json.loads(json.dumps(rules_value(made)))

    assert [name, players, made.hash] == [
        value[k] for k in ("preset", "players", "hash")
    ]
    assert made.options == {o["option"]: o["value"] for o in value["options"]}
    assert made.total_points == sum(value["card_points"].values()) * made.packs
    assert made.hand_size * players + value["kitty_size"] == value["cards"]
    assert (made.moon == "off") == (value["moon_points"] is None)
    assert (made.sun == "off") == (value["sun_points"] is None)
    assert [o["option"] for o in value["options"] if o["has_effect"]] == [
        option for option in OPTIONS if has_effect(made, option)
    ]
    assert rules_words(made) == value["words"]


def test_options_unlike_arena_are_few() -> None:
    """The words end with what is not as in arena, and with what was changed."""
    made = preset("standard", target=50, moon="add", moon_floor="none", bonus_value=-5)
    lines = rules_text(made).split("\n\n")[-1].splitlines()

    assert [
        "Options not as in arena, + not as in the preset itself; --options tells all "
        f"{len(OPTIONS)}",
        "  break_on = heart_discarded (arena: heart_played)",
        "+ bonus_value = -5 (no effect here)",
        "+ moon = add (as in arena)",
        "+ moon_floor = none (no effect here)",
        "+ target = 50 (arena: 100)",
    ] == lines
    assert rules_text(preset("msft")).endswith(
        "\n\nOptions: all as in arena; --options tells all 41\n"
    )


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("standard", {}, (26, None, None, None)),
        ("sun", {}, (26, None, 52, None)),
        ("black_maria", {}, (None, None, None, None)),
        ("omnibus", {}, (26, None, None, None)),
        ("omnibus_parlor", {}, (26, 36, None, None)),
        ("omnibus_parlor", {"sun": "add"}, (26, 36, 52, 62)),
        ("omnibus", {"moon_needs_bonus": "for_full_value"}, (26, 36, None, None)),
        (
            "cancellation",
            {"bonus_card": "TD", "moon_bonus": "fold"},
            (52, 72, None, None),
        ),
        ("arena", {"moon_bonus": "fold"}, (26, None, None, None)),
        ("omnibus_parlor", {"moon": "off", "sun": "add"}, (None, None, 52, 62)),
    ],
)
def test_what_a_moon_is_worth_to_programs(
    name: str, options: dict[str, object], expected: tuple[int | None, ...]
) -> None:
    """Moon and sun have their points, also with a bonus card that is folded in."""
    value = rules_value(parse_rules({"preset": name, **options}))
    names = ("moon_points", "sun_points")
    keys = [key for name in names for key in (name, f"{name}_with_bonus")]

    assert expected == tuple(value[key] for key in keys)


def test_a_difference_without_effect_is_told() -> None:
    """Where an option decides nothing, that is said in place of its meaning."""
    one, other = preset("arena"), preset("standard")
    text, value = difference_text(one, other), difference_value(one, other)
    effects = {o["option"]: o["have_effect"] for o in value["options"]}

    assert "  arena/4     none (no effect here)\n  standard/4  zero: A moon" in text
    assert [False, True] == effects["moon_floor"]
    assert [True, True] == effects["moon"]


def test_a_difference_is_told() -> None:
    """Only options that differ are told, with both meanings, and what follows."""
    one, other = preset("standard", players=6), preset("party", players=6)
    text, value = difference_text(one, other), difference_value(one, other)
    options = [item["option"] for item in value["options"]]

    assert text.startswith("standard/6 and party/6 differ in 5 of 41 options\n")
    assert options == re.findall(r"^(\w+): ", text, re.MULTILINE)
    assert options == [o for o in OPTIONS if one.options[o] != other.options[o]]
    assert text.endswith("so these differ too:\n  opening: 4C / 2C\n")
    assert not value["is_equal"]


def test_figures_that_follow_are_told() -> None:
    """A figure that one of the rules does not have is none."""
    text = difference_text(preset("black_maria"), preset("standard", players=3))

    assert "  opening: none / 2C\n" in text
    assert "  total points: 43 / 26\n" in text
    assert "  moon points: none / 26\n" in text


def test_equal_rules_are_told() -> None:
    """Two names of one rule set differ in nothing."""
    one, other = preset("msft"), preset("arena")

    assert "msft/4 and arena/4 are the same rules\n" == difference_text(one, other)
    assert difference_value(one, other)["is_equal"]


def test_numbers_of_seats() -> None:
    """One number stands alone, two are a choice, several are told by the ends."""
    found = [seats_words(range(*ends)) for ends in ((4, 5), (3, 5), (3, 8))]

    assert ["4", "3 or 4", "3 to 7"] == found
