"""Rules: options, presets, hashes and what is refused."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import rules
from arena.cards import (
    FULL_PACK,
    PACK_SIZE,
    card_name,
    card_names,
    card_set,
    cards_in,
    parse_card,
    parse_cards,
)
from arena.options import NUMBERS, WORDS, MoonChoice, parse_option
from arena.rules import (
    OPTIONS,
    PRESETS,
    PassDirection,
    RulesError,
    RuleSet,
    option_text,
    preset,
)

CYCLE = tuple(PassDirection)
SETUPS = [(name, seats) for name, made in PRESETS.items() for seats in made.seats]

OTHER_VALUES: dict[str, tuple[object, ...]] = {
    **WORDS,
    "removed": ("none", "2D", "2C 2D", "2C 3C 2D 3D"),
    "pass_count": (0, 1, 3, 4),
    "pass_cycle": ("left right hold", "right", (PassDirection.LEFT,), "A, L"),
    "opening_card": ("lowest_club", "2D", "JC"),
    "spade_penalties": ("none", "Q:13", "A:7 K:10, Q:13", "2:1"),
    "bonus_value": (-10, -5),
    "moon_value": ("total", 26),
    "sun_value": ("double", "same", 30),
    "target": (1, 50, 100, 5000),
    "exact_hit": ("none", "minus_50", "to_zero", "wins"),
    "max_deals": ("none", 1, 40),
}
"""Values of every option but the numbers of seats and packs."""


@st.composite
def option_sets(draw: st.DrawFn) -> dict[str, object]:
    """Draw a preset with some options, which may contradict each other."""
    name, players = draw(st.sampled_from(SETUPS))
    names = draw(st.sets(st.sampled_from(sorted(OTHER_VALUES)), max_size=8))
    chosen = {n: draw(st.sampled_from(OTHER_VALUES[n])) for n in sorted(names)}
    return {"preset": name, "players": players, **chosen}


def made_of(options: dict[str, object]) -> RuleSet | RulesError:
    """Return the rules of the options, or why there are none."""
    try:
        return rules.parse_rules(options)
    except RulesError as error:
        return error


@given(option_sets())
def test_rules_are_made_of_their_differences(options: dict[str, object]) -> None:
    """Rules name their differences as text, and the text gives the same rules."""
    made = made_of(options)
    if isinstance(made, RulesError):
        assert made.option in OPTIONS
        assert f"rules.{made.option}: {str(made.value)!r} {made.reason}" == str(made)
        return
    again = rules.parse_rules(
        {"preset": made.preset, "players": made.players, **made.overrides}
    )

    assert made == again
    assert made.overrides == again.overrides
    for option, text in made.overrides.items():
        assert text == made.options[option]


@given(option_sets(), option_sets())
def test_equal_hashes_mean_equal_rules(
    options: dict[str, object], others: dict[str, object]
) -> None:
    """Rules have one hash when all options are equal, and only then."""
    one, other = made_of(options), made_of(others)
    if isinstance(one, RuleSet) and isinstance(other, RuleSet):
        assert (one == other) == (one.hash == other.hash)
        assert (one == other) == (one.options == other.options)


@given(option_sets())
def test_text_is_the_inverse_of_reading(options: dict[str, object]) -> None:
    """Every value written and read again is itself, in one spelling."""
    for name in options.keys() - {"preset", "players"}:
        value = parse_option(name, options[name])
        text = option_text(value)

        assert value == parse_option(name, text)
        assert text == option_text(parse_option(name, text))


@pytest.mark.parametrize("name", WORDS)
def test_every_word_is_a_value(name: str) -> None:
    """The first word is the default, and each is read as itself."""
    default, *_ = WORDS[name]

    assert default == option_text(getattr(RuleSet(), name))
    assert list(WORDS[name]) == [
        option_text(parse_option(name, word)) for word in WORDS[name]
    ]


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_has_its_bounds(name: str) -> None:
    """The least and the most are values, the numbers beyond are not."""
    low, high, words = NUMBERS[name]

    assert [low, high] == [parse_option(name, str(n)) for n in (low, high)]
    assert list(words) == [option_text(parse_option(name, word)) for word in words]
    for number in (low - 1, high + 1):
        with pytest.raises(RulesError, match="is out of range; expected"):
            parse_option(name, number)


def test_the_hash_never_changes() -> None:
    """Records of this version stay readable."""
    assert HASH == preset("arena").hash


HASH = "1ec146ea16bdd70f16c0c5fdc95309df0611ab9e91f2e179aaa08d67701b7aeb"


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


# What presets are


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_every_preset_can_be_played(name: str, players: int) -> None:
    """Every preset makes rules for each of its numbers of seats, undivided."""
    made = preset(name, players=players)

    assert (name, players, {}) == (made.preset, made.players, made.overrides)
    assert made.pack.bit_count() == made.hand_size * players
    assert 0 == made.kitty_size
    assert made.total_points == sum(made.card_points[c] for c in cards_in(made.pack))
    assert made == rules.parse_rules({"preset": name, "players": str(players)})


def test_a_preset_knows_its_seats() -> None:
    """Without a number a table has four seats, or the fewest there may be."""
    found = {name: preset(name).players for name in PRESETS}

    assert {4, 3, 6} == set(found.values())
    assert (3, 6) == (found["black_maria"], found["cancellation"])


@pytest.mark.parametrize(
    ("name", "players", "options", "expected"),
    [
        ("standard", 4, {}, "2C 13 26 26 0"),
        ("standard", 6, {}, "4C 8 26 26 0"),
        ("sun", 5, {}, "3C 10 26 26 52"),
        ("sun_plain", 4, {}, "2C 13 26 26 26"),
        ("parlor", 3, {}, "2D 17 26 26 0"),
        ("party", 7, {}, "2C 7 26 26 0"),
        ("spot", 5, {"sun": "add"}, "3C 10 124 124 248"),
        ("black_maria", 3, {}, "3C 17 43 0 0"),
        ("black_maria", 3, {"sun": "add"}, "3C 17 43 0 86"),
        ("plain_hearts", 4, {"sun": "add"}, "2C 13 13 13 26"),
        ("cancellation", 7, {}, "2C 14 52 52 0"),
        ("sun", 4, {"moon_value": 30, "sun_value": "same"}, "2C 13 26 30 30"),
        ("sun", 4, {"sun_value": 60, "heart_values": "rank"}, "2C 13 117 117 60"),
        ("arena", 4, {"sun_value": 60, "moon_value": 30}, "2C 13 26 30 0"),
        ("arena", 4, {"heart_values": "pips10"}, "2C 13 107 107 0"),
        ("arena", 4, {"heart_values": "face"}, "2C 13 36 36 0"),
    ],
)
def test_what_follows_for_the_deal(
    name: str, players: int, options: dict[str, object], expected: str
) -> None:
    """Opening card, hand size, points, moon and sun follow from the options."""
    made = preset(name, players=players, **options)
    found = (made.hand_size, made.total_points, made.moon_points, made.sun_points)

    assert expected == " ".join(map(str, (card_name(made.opening), *found)))


def test_other_numbers_of_seats_need_a_trim_or_a_kitty() -> None:
    """A preset may be played by more seats when the cards are seen to."""
    trimmed = preset("standard", players=7, removed="2C 3C 2D")
    kitty = preset("standard", players=5, leftover="kitty_first_trick")

    assert (7, 0, "4C") == (
        trimmed.hand_size,
        trimmed.kitty_size,
        card_name(trimmed.opening),
    )
    # Nobody sits across in an odd number of seats.
    assert "left right hold" == trimmed.options["pass_cycle"]
    assert {"removed": "2C 3C 2D"} == trimmed.overrides
    assert (10, 2, ()) == (kitty.hand_size, kitty.kitty_size, kitty.removed)
    assert {"leftover": "kitty_first_trick", "removed": "none"} == kitty.overrides
    for players in (9, 10, 11):
        many = preset("cancellation", players=players, **TRIMS[players])
        assert 104 - len(TRIMS[players]["removed"].split()) == many.pack.bit_count()


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("arena", 8, {"packs": "2", "removed": "none"}),
        ("standard", 5, {"leftover": "kitty_first_heart", "removed": "2C 2D"}),
        ("standard", 5, {"leftover": "kitty_first_heart"}),
        ("party", 4, {"removed": "none"}),
        ("arena", 4, {"target": "100000"}),
    ],
)
def test_rules_come_back_from_their_overrides(
    name: str, players: int, options: dict[str, str]
) -> None:
    """A trim that looks like the default is named where it is not the default."""
    made = preset(name, players=players, **options)
    again = preset(name, players=players, **made.overrides)

    assert (made, made.overrides) == (again, again.overrides)


TRIMS = {
    9: {"removed": "2C 2C 2D 2D 3C", "pass_cycle": "left right"},
    10: {"removed": "2C 2C 2D 2D"},
    11: {"removed": "2C 2C 2D 2D 3D", "pass_cycle": "left"},
}


def test_long_games_have_a_later_cap() -> None:
    """The cap on deals never ends a game that could reach its target."""
    assert 40 == preset("arena").max_deals
    assert 77 == preset("arena", target=500).max_deals
    assert 3 == preset("arena", target=500, max_deals=3).max_deals
    assert preset("arena", target=500, max_deals="none").max_deals is None


# What is refused

BAD_VALUES = [
    ({"preset": "house"}, "preset: 'house' is not a preset; `arena rules list` has"),
    ({"players": 2}, "players: '2' is out of range; expected 3 to 11"),
    (
        {"players": 5},
        "players: '5' is not what the preset arena is made for: 4; another",
    ),
    ({"players": "four"}, "players: 'four' is not a whole number"),
    ({"packs": 3}, "packs: '3' is out of range; expected 1 to 2"),
    ({"pass_cycle": "leftt"}, "'leftt' is not one of left, right, across, hold"),
    ({"pass_cycle": ""}, "pass_cycle: '' names 0 directions; expected 1 to 24"),
    ({"pass_cycle": "left " * 25}, "names 25 directions; expected 1 to 24"),
    ({"target": True}, "target: 'true' is not a whole number"),
    ({"target": 99.5}, "target: '99.5' is not a whole number"),
    ({"target": None}, "target: 'none' is not a whole number"),
    ({"max_deals": -1}, "max_deals: '-1' is out of range; expected 1 to 1000 or none"),
    ({"moon": "both"}, "moon: 'both' is not one of add, choice, subtract, off, auto"),
    ({"cancellation": "yes"}, "cancellation: 'yes' is not one of false, true"),
    ({"removed": "2X"}, "removed: '2X' is no list of cards: "),
    ({"removed": "2C 2C 2C"}, "removed: '2C 2C 2C' names 2C more than twice"),
    ({"opening_card": "1C"}, "opening_card: '1C' is neither lowest_club nor a card"),
    ({"spade_penalties": "Q"}, "spade_penalties: 'Q' is not like Q:13 K:10 A:7"),
    ({"spade_penalties": "Q:0"}, "spade_penalties: 'Q:0' is not like Q:13 K:10 A:7"),
    ({"spade_penalties": "Q:13 Q:1"}, "names a rank twice, or more than 1000 points"),
    ({"spade_penalties": "Q:1001"}, "names a rank twice, or more than 1000 points"),
    ({"exact_hit": "minus_0"}, "'minus_0' is not none, to_zero, wins or an amount"),
    (
        {"preset": "omnibu"},
        "rules.preset: 'omnibu' is not a preset; did you mean 'omnibus'? `arena rules",
    ),
    ({"mon": "add"}, "rules.mon: no such option; did you mean 'moon'?"),
    ({"hands_max": 3}, "rules.hands_max: no such option; `arena rules show"),
]

CONTRADICTIONS = [
    ({"cancellation": True}, "cancellation: 'true' needs packs 2"),
    (
        {"preset": "standard", "players": 5, "pass_cycle": "across"},
        "pass_cycle: 'across' passes across, but 5 seats have no opposite",
    ),
    ({"pass_count": 14}, "pass_count: '14' is more than the 13 cards of a hand"),
    ({"opening_leader": "eldest"}, "opening_leader: 'eldest' needs opening_play any"),
    ({"moon_needs_bonus": "true"}, "moon_needs_bonus: 'true' needs a bonus_card"),
    (
        {
            "preset": "omnibus",
            "moon_needs_bonus": "for_full_value",
            "moon_bonus": "drop",
        },
        "moon_bonus: 'drop' leaves moon_needs_bonus for_full_value without effect",
    ),
    (
        {"players": 8, "leftover": "kitty_first_trick"},
        "players: '8' needs packs 2; one pack is for 3 to 7",
    ),
    ({"packs": 2}, "packs: '2' is for 6 to 11 seats, not for 4"),
    (
        {"removed": "2H 2D 2C 3C"},
        "removed: '2C 3C 2D 2H' takes out 2H; hearts, penalty and bonus cards stay",
    ),
    ({"removed": "QS 2D 2C 3C"}, "takes out QS; hearts, penalty and bonus cards stay"),
    (
        {"preset": "omnibus", "removed": "JD 2D 2C 3C"},
        "takes out JD; hearts, penalty and bonus cards stay",
    ),
    (
        {"removed": "2C 2C"},
        "removed: '2C 2C' names a card twice, but there is one pack",
    ),
    (
        {"removed": "2C 2D 3C 3D", "opening_card": "2C"},
        "opening_card: '2C' is not in the pack; another card must open",
    ),
    ({"removed": "2C"}, "players: '4' do not divide the 51 cards of the pack; take"),
    (
        {
            "preset": "cancellation",
            "players": 9,
            "removed": "2C",
            "pass_cycle": "left",
        },
        "no trim is known for more than 8 seats; take out 4 by `removed`, or make",
    ),
]


@pytest.mark.parametrize(("options", "message"), [*BAD_VALUES, *CONTRADICTIONS])
def test_what_is_refused_is_named(options: dict[str, object], message: str) -> None:
    """An error names option, value, and what was expected or contradicts it."""
    with pytest.raises(RulesError) as error:
        rules.parse_rules(options)

    assert message in str(error.value)
    assert error.value.option in str(error.value)


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - {"players"}))
def test_no_option_takes_anything(name: str) -> None:
    """No option silently takes a value that the engine would ignore."""
    with pytest.raises(RulesError, match=f"rules.{name}: 'something' "):
        rules.parse_rules({name: "something"})


def test_rules_can_not_be_made_wrong_or_changed() -> None:
    """Without the reader, too, options are checked; and then they stay."""
    with pytest.raises(RulesError, match=r"rules\.moon"):
        RuleSet(moon="sometimes")
    with pytest.raises(RulesError, match=r"rules\.preset"):
        RuleSet(preset="house")
    with pytest.raises(RulesError, match=r"rules\.cancellation"):
        RuleSet(cancellation=True)
    with pytest.raises(FrozenInstanceError):
        preset("arena").target = 50  # type: ignore[misc]


# What follows from the options


def faces(text: str) -> int:
    """Return the set of the named cards, `hearts` standing for all thirteen."""
    hearts = " ".join(f"{rank}H" for rank in "23456789TJQKA")
    return card_set(parse_cards(text.replace("hearts", hearts)))


def test_the_cards_that_cost() -> None:
    """Penalty cards are hearts and dear spades, in two packs both copies."""
    arena, twice = preset("arena"), preset("cancellation", players=8)
    omnibus = preset("omnibus")

    assert FULL_PACK == arena.pack
    assert faces("hearts QS") == arena.penalties == arena.penalty_cards
    assert faces("QS") == arena.dear_penalties
    assert 0 == arena.bonus_cards
    assert faces("hearts QS KS AS") == preset("black_maria").penalties
    assert faces("hearts") == preset("plain_hearts").penalties
    assert faces("JD") == omnibus.bonus_cards
    assert parse_card("2D") == preset("arena", opening_card="2d").opening
    assert twice.penalties == arena.penalties
    assert twice.penalty_cards == arena.penalties | arena.penalties << PACK_SIZE
    assert "2C 2C" == card_names(cards_in(twice.pack)[:2])


@pytest.mark.parametrize(
    ("options", "banned", "banned_void"),
    [
        ({}, "hearts QS", "hearts QS"),
        ({"first_trick_ban": "hearts"}, "hearts", "hearts"),
        ({"first_trick_ban": "unless_no_clubs"}, "hearts QS", ""),
        ({"first_trick_ban": "none"}, "", ""),
        ({"spade_penalties": "Q:13 A:1"}, "hearts QS AS", "hearts QS AS"),
    ],
)
def test_the_ban(options: dict[str, object], banned: str, banned_void: str) -> None:
    """The ban names the cards, with a club in the hand and without."""
    made = rules.parse_rules(options)

    assert [faces(banned), faces(banned_void)] == [made.banned, made.banned_void]


@pytest.mark.parametrize(
    ("options", "breakers", "discard_breakers", "waiting"),
    [
        ({}, "hearts", "", "hearts"),
        ({"break_on": "heart_discarded"}, "", "hearts", "hearts"),
        ({"queen_breaks": "played"}, "hearts QS", "", "hearts"),
        ({"queen_breaks": "discarded"}, "hearts", "QS", "hearts"),
        (
            {"break_on": "heart_discarded", "queen_breaks": "discarded"},
            "",
            "hearts QS",
            "hearts",
        ),
        ({"queen_lead": "after_broken"}, "hearts", "", "hearts QS"),
        ({"hearts_lead": "free"}, "hearts", "", ""),
        ({"hearts_lead": "free", "queen_lead": "after_broken"}, "hearts", "", "QS"),
    ],
)
def test_breaking_hearts(
    options: dict[str, object], breakers: str, discard_breakers: str, waiting: str
) -> None:
    """The cards that break hearts, and those that wait until they are broken."""
    made = rules.parse_rules(options)

    assert faces(breakers) == made.breakers
    assert faces(discard_breakers) == made.discard_breakers
    assert faces(waiting) == FULL_PACK & ~made.lead_until_broken


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
        (8, [1, 7, 4, 0]),
        (11, [1, 10, 5, 0]),
    ],
)
def test_directions_at_tables_of_all_sizes(players: int, expected: list[int]) -> None:
    """Left is one seat on, right one back, across the one opposite."""
    assert expected == [direction.steps(players) for direction in CYCLE]


def test_choices_have_the_names_of_records() -> None:
    """The moon is added or subtracted."""
    assert ["add", "subtract"] == [choice.label for choice in MoonChoice]
