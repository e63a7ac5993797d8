"""Rules in words: nothing is left out, and the commands that tell them."""

import json
import re

import pytest
from hypothesis import given

from arena.options import NUMBERS, WORDS
from arena.presets import PRESETS
from arena.rules import OPTIONS, RuleSet, parse_rules, preset
from arena.rules_text import (
    difference_text,
    difference_value,
    rules_text,
    rules_value,
    seats_words,
)
from arena.rules_words import MEANINGS, cards_words, rules_words, value_words
from tests.command_line import Arena, runner
from tests.test_rules import SETUPS, faces, made_of, option_sets


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Run a command of the arena."""
    return runner(capsys)


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
        text = rules_text(made)

        for option, value in made.options.items():
            assert f" {option} = {value}: " in re.sub(r"\s+", " ", text)
            assert value_words(made, option)
        assert "{" not in text
        assert max(map(len, text.splitlines()[2:])) <= 88


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
        ("arena", {"opening_play": "any_of_suit"}, "First trick", "leads any club, or"),
        ("black_maria", {}, "First trick", "The seat to the dealer's left leads any"),
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
            "Banned are 2H to AH, QS for a hand with a club.",
        ),
        (
            "classic",
            {},
            "First trick",
            "is announced as forced; the hand is not shown.",
        ),
        ("omnibus", {}, "Bonus", "adds -10 to the score of whoever takes it."),
        ("omnibus", {}, "Moon", "The moon needs the bonus card as well"),
        (
            "omnibus",
            {"moon_needs_bonus": "for_full_value"},
            "Moon",
            "but is worth more with it",
        ),
        ("omnibus_parlor", {}, "Moon", "the moon is worth more by its value."),
        ("sun", {}, "Sun", "The sun is worth twice the moon. That is 52 here."),
        (
            "arena",
            {"exact_hit": "minus_50"},
            "End",
            "is lowered by 50, before the game",
        ),
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

    assert "2 of 52 cards are left over." in words["Deal"]
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
    assert "That is 52 here." in words["Sun"]


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
    text = rules_text(preset("standard", target=50))
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
    assert rules_words(made) == value["words"]


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

    assert "  opening: 3C / 2C\n" in text
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


# The commands


def test_presets_are_listed(arena: Arena) -> None:
    """Every preset stands in the list with its seats."""
    done, listed = arena("rules", "list"), arena("rules", "list", "--json")

    assert (0, "") == (done.code, done.error)
    assert list(PRESETS) == [line.split()[0] for line in done.out.splitlines()[1:]]
    assert [
        {"preset": name, "seats": list(made.seats), "title": made.title}
        for name, made in PRESETS.items()
    ] == json.loads(listed.out)


def test_a_preset_is_shown(arena: Arena) -> None:
    """The command prints the rules for so many seats, with own changes."""
    made = preset("spot", players=5, target=300, moon="add")
    command = ["rules", "show", "spot", "--players", "5"]
    command += ["--rule", "target=300", "--rule", "moon=add"]

    assert rules_text(made) == arena(*command).out
    assert rules_value(made) == json.loads(arena(*command, "--json").out)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ("standard/5 party/5", "standard/5 and party/5 "),
        ("standard party --players 6", "standard/6 and party/6 "),
        ("standard/5 black_maria", "standard/5 and black_maria/3 "),
        ("arena msft", "arena/4 and msft/4 are the same rules"),
    ],
)
def test_two_presets_are_compared(arena: Arena, arguments: str, names: str) -> None:
    """Each side may have its own number of seats."""
    done = arena("rules", "diff", *arguments.split())
    value = json.loads(arena("rules", "diff", *arguments.split(), "--json").out)

    assert done.out.startswith(names)
    assert names.split(" ")[0] == "/".join(
        str(value["rules"][0][key]) for key in ("preset", "players")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("show house", "rules.preset: 'house' is not a preset; there are arena, "),
        ("show arena --players 5", "rules.players: '5' is not what the preset arena"),
        ("show arena --rule moon=both", "rules.moon: 'both' is not one of add, choice"),
        ("show arena --rule mon=add", "rules.mon: 'add' is set, but is no option"),
        ("show arena --rule target", "--rule target: expected OPTION=VALUE, like tar"),
        ("show arena --rule players=5", "--rule players=5: this is set by --players N"),
        ("show arena --rule preset=x", "--rule preset=x: this is set by PRESET"),
        ("show arena --rule tie=draw --rule tie=shared", "tie is set twice"),
        ("show arena --rule cancellation=true", "needs packs 2: in one pack no two"),
        ("diff arena house", "rules.preset: 'house' is not a preset"),
        ("diff arena standard/x", "rules.players: 'x' is not a whole number"),
        ("diff arena standard/", "rules.players: '' is not a whole number"),
    ],
)
def test_what_is_wrong_is_one_line(arena: Arena, arguments: str, message: str) -> None:
    """Unknown presets, options and values end with one clear line."""
    done = arena("rules", *arguments.split())

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert message in done.error
