"""The presets as the rule book lists them: what each changes in the defaults.

A preset is a text for every option that differs from its default. Some options
depend on how many sit at the table: those stand in the tables below them.
"""

from dataclasses import dataclass, field

ALL_WAYS = "left right across hold"
TWO_AND_HOLD = "left right hold"
TWO_WAYS = "left right"

Changes = dict[str, str]


@dataclass(frozen=True)
class Preset:
    """One preset."""

    changes: Changes
    seats: dict[int, Changes] = field(default_factory=dict)
    """What is different by the number of seats; the numbers it is made for."""
    other_seats: Changes = field(default_factory=dict)
    """What holds for numbers of seats that it was not made for."""


FOUR: dict[int, Changes] = {4: {}}

STANDARD: Changes = {
    "break_on": "heart_discarded",
    "moon": "choice",
    "moon_floor": "zero",
    "tie_recheck": "finish_condition",
}
STANDARD_SEATS: dict[int, Changes] = {
    3: {"removed": "2D", "pass_cycle": TWO_AND_HOLD},
    4: {},
    5: {"removed": "2D 2C", "pass_cycle": TWO_AND_HOLD},
    6: {"removed": "2D 3D 2C 3C", "pass_cycle": ALL_WAYS},
}

PARLOR: Changes = {
    "first_trick_ban": "unless_no_clubs",
    "break_on": "heart_discarded",
    "moon": "choice",
    "moon_floor": "zero",
    "tie_recheck": "tie_only",
}
PARLOR_SEATS: dict[int, Changes] = {
    3: {"removed": "2C", "pass_cycle": TWO_AND_HOLD, "opening_card": "2D"},
    4: {},
    5: {"removed": "2C 2D", "pass_cycle": TWO_AND_HOLD},
}

BLACK_LADY: Changes = {
    "break_on": "heart_discarded",
    "moon": "add",
    "end_when": "exceed",
    "tie": "draw",
    "winner_pool": "not_over",
}
BLACK_LADY_SEATS: dict[int, Changes] = {
    3: {"removed": "2C", "pass_cycle": TWO_AND_HOLD},
    4: {},
}

CLASSIC: Changes = {
    "break_on": "heart_discarded",
    "moon": "subtract",
    "tie_recheck": "tie_only",
    "announce_forced": "true",
}

PARTY: Changes = {"queen_breaks": "played", "moon": "choice", "moon_floor": "none"}
PARTY_SEATS: dict[int, Changes] = {
    3: {"removed": "2D", "pass_cycle": TWO_WAYS},
    4: {},
    5: {"removed": "2D 2C", "pass_cycle": TWO_WAYS},
    6: {"removed": "2D 3D 3C 4C", "pass_cycle": TWO_WAYS},
    7: {"removed": "2D 3D 3C", "pass_cycle": TWO_WAYS},
}
PARTY_OTHERS: Changes = {"pass_cycle": TWO_WAYS}

BLACK_MARIA: Changes = {
    **STANDARD,
    "spade_penalties": "Q:13 K:10 A:7",
    "pass_cycle": "right",
    "opening_leader": "eldest",
    "opening_play": "any",
    "first_trick_ban": "none",
    "moon": "off",
}
BLACK_MARIA_SEATS: dict[int, Changes] = {3: {"removed": "2C"}}

CANCELLATION: Changes = {**STANDARD, "packs": "2", "cancellation": "true"}
CANCELLATION_SEATS: dict[int, Changes] = {
    6: {"removed": "2D 2C"},
    7: {"removed": "2D 2D 3D 2C 3C 3C", "pass_cycle": TWO_AND_HOLD},
    8: {},
}


def _standard(**changes: str) -> Preset:
    return Preset({**STANDARD, **changes}, STANDARD_SEATS)


def _parlor(**changes: str) -> Preset:
    return Preset({**PARLOR, **changes}, PARLOR_SEATS)


def _black_lady(**changes: str) -> Preset:
    return Preset({**BLACK_LADY, **changes}, BLACK_LADY_SEATS)


def _party(**changes: str) -> Preset:
    return Preset({**PARTY, **changes}, PARTY_SEATS, PARTY_OTHERS)


PRESETS: dict[str, Preset] = {
    "arena": Preset({}, FOUR),
    "standard": _standard(),
    "parlor": _parlor(),
    "black_lady": _black_lady(),
    "classic": Preset(CLASSIC, FOUR),
    "party": _party(),
    "standard_quick": _standard(target="50"),
    "short50": _party(target="50"),
    "standard_queen_breaks": _standard(queen_breaks="played"),
    "standard_first_hearts_only": _standard(first_trick_ban="hearts"),
    "parlor_sun": _parlor(sun="add", sun_value="double"),
    "black_lady_choice": _black_lady(moon="choice"),
    "black_lady_exact50": _black_lady(exact_hit="minus_50"),
    "black_lady_exact0": _black_lady(exact_hit="to_zero"),
    "omnibus": _standard(bonus_card="JD", moon_needs_bonus="true"),
    "omnibus_td": _standard(bonus_card="TD", moon_needs_bonus="true"),
    "omnibus_parlor": _parlor(
        bonus_card="JD", moon_needs_bonus="true", moon_bonus="fold"
    ),
    "black_maria": Preset(BLACK_MARIA, BLACK_MARIA_SEATS),
    "black_maria_moon": Preset(
        {**BLACK_MARIA, "moon": "choice", "moon_floor": "zero"}, BLACK_MARIA_SEATS
    ),
    "cancellation": Preset(CANCELLATION, CANCELLATION_SEATS),
    "spot": _standard(heart_values="spot", spade_penalties="Q:25", target="500"),
    "sun": _standard(sun="choice", sun_value="double"),
    "sun_plain": _standard(sun="choice", sun_value="same"),
    "plain_hearts": _standard(spade_penalties="none"),
    "openspiel": Preset({"queen_breaks": "played"}, FOUR),
    "msft": Preset({}, FOUR),
    "bernsrite": Preset(
        {"queen_breaks": "played", "moon": "auto", "tie": "shared"}, FOUR
    ),
}
"""All presets by name."""
