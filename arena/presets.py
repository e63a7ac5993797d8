"""
The presets: the readings of Hearts that have a name.

Pure data, in the text of league files. A preset is a set of options, some of them
for one number of seats only; the engine never asks for its name. `arena.rules`
turns one into a `RuleSet`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

Options = Mapping[str, str]
"""Options by name, as text."""


@dataclass(frozen=True, slots=True)
class Preset:
    """What one preset changes in the defaults."""

    title: str
    """What it is, in a line."""
    seats: range
    """For how many seats it is made; others need `removed` or a kitty."""
    options: Options = field(default_factory=dict)
    by_seats: Mapping[int, Options] = field(default_factory=dict)
    """What is different for one number of seats, over `options`."""

    def options_for(self, players: int) -> dict[str, str]:
        """Return the options for a number of seats, any number."""
        return {**self.options, **self.by_seats.get(players, {})}

    def but(
        self,
        title: str,
        *,
        seats: range | None = None,
        by_seats: Mapping[int, Options] | None = None,
        **options: str,
    ) -> "Preset":
        """Return a preset that differs from this one."""
        return Preset(
            title,
            self.seats if seats is None else seats,
            {**self.options, **options},
            self.by_seats if by_seats is None else by_seats,
        )


_NO_ACROSS: Final = "left right hold"

_ARENA: Final = Preset(
    "the moon adds to the others; what most programs play", range(4, 5)
)

_STANDARD: Final = Preset(
    "the shooter chooses how the moon scores; only a discarded heart breaks hearts",
    range(3, 7),
    {"break_on": "heart_discarded", "moon": "choice", "moon_floor": "zero"},
    {
        3: {"removed": "2D", "pass_cycle": _NO_ACROSS},
        5: {"removed": "2C 2D", "pass_cycle": _NO_ACROSS},
        6: {"removed": "2C 3C 2D 3D"},
    },
)

_PARLOR: Final = _STANDARD.but(
    "the shooter chooses; whoever has no clubs may throw penalty cards at once",
    seats=range(3, 6),
    by_seats={
        3: {"removed": "2C", "opening_card": "2D", "pass_cycle": _NO_ACROSS},
        5: {"removed": "2C 2D", "pass_cycle": _NO_ACROSS},
    },
    first_trick_ban="unless_no_clubs",
    tie_recheck="tie_only",
)

_BLACK_LADY: Final = Preset(
    "the moon adds, the game ends above 100, a tie is a draw",
    range(3, 5),
    {
        "break_on": "heart_discarded",
        "end_when": "exceed",
        "tie": "draw",
        "winner_pool": "not_over",
    },
    {3: {"removed": "2C", "pass_cycle": _NO_ACROSS}},
)

_CLASSIC: Final = Preset(
    "the moon subtracts, forced penalty cards are announced",
    range(4, 5),
    {
        "announce_forced": "true",
        "break_on": "heart_discarded",
        "moon": "subtract",
        "tie_recheck": "tie_only",
    },
)

_PARTY: Final = Preset(
    "the queen of spades breaks hearts, the shooter chooses",
    range(3, 8),
    {"queen_breaks": "played", "moon": "choice", "pass_cycle": "left right"},
    {
        3: {"removed": "2D"},
        4: {"pass_cycle": "left right across hold"},
        5: {"removed": "2C 2D"},
        6: {"removed": "3C 4C 2D 3D"},
        7: {"removed": "3C 2D 3D"},
    },
)

_BLACK_MARIA: Final = _STANDARD.but(
    "the king and ace of spades cost as well, all passes go right, no moon",
    seats=range(3, 4),
    by_seats={3: {"removed": "2C"}},
    pass_cycle="right",
    spade_penalties="Q:13 K:10 A:7",
    opening_leader="eldest",
    opening_play="any",
    first_trick_ban="none",
    moon="off",
)

_CANCELLATION: Final = _STANDARD.but(
    "two packs; equal cards in a trick cancel each other",
    seats=range(6, 9),
    by_seats={
        6: {"removed": "2C 2D"},
        7: {"removed": "2C 3C 3C 2D 2D 3D", "pass_cycle": _NO_ACROSS},
    },
    packs="2",
    cancellation="true",
)

_OMNIBUS: Final = _STANDARD.but(
    "standard with the jack of diamonds at -10, needed for the moon",
    bonus_card="JD",
    moon_needs_bonus="true",
)

_SUN: Final = _STANDARD.but(
    "standard; whoever takes every trick scores twice the moon", sun="choice"
)

PRESETS: Final[Mapping[str, Preset]] = {
    "arena": _ARENA,
    "standard": _STANDARD,
    "standard_quick": _STANDARD.but("standard to 50 points", target="50"),
    "standard_queen_breaks": _STANDARD.but(
        "standard; the queen of spades breaks hearts too", queen_breaks="played"
    ),
    "standard_first_hearts_only": _STANDARD.but(
        "standard; the queen of spades may be thrown on the first trick",
        first_trick_ban="hearts",
    ),
    "parlor": _PARLOR,
    "parlor_sun": _PARLOR.but(
        "parlor; every trick costs the others twice the moon", sun="add"
    ),
    "black_lady": _BLACK_LADY,
    "black_lady_choice": _BLACK_LADY.but(
        "black_lady; the shooter of the moon chooses", moon="choice"
    ),
    "black_lady_exact50": _BLACK_LADY.but(
        "black_lady; a total of exactly 100 becomes 50", exact_hit="minus_50"
    ),
    "black_lady_exact0": _BLACK_LADY.but(
        "black_lady; a total of exactly 100 becomes 0", exact_hit="to_zero"
    ),
    "classic": _CLASSIC,
    "party": _PARTY,
    "short50": _PARTY.but("party to 50 points", target="50"),
    "omnibus": _OMNIBUS,
    "omnibus_td": _OMNIBUS.but(
        "omnibus with the ten of diamonds in place of the jack", bonus_card="TD"
    ),
    "omnibus_parlor": _PARLOR.but(
        "parlor with the jack of diamonds at -10; it makes the moon worth 36",
        bonus_card="JD",
        moon_needs_bonus="true",
        moon_bonus="fold",
    ),
    "black_maria": _BLACK_MARIA,
    "black_maria_moon": _BLACK_MARIA.but(
        "black_maria with a moon of 43 points, the shooter chooses",
        moon="choice",
    ),
    "cancellation": _CANCELLATION,
    "spot": _STANDARD.but(
        "standard to 500; hearts cost their pips, court cards 10, the ace 15",
        heart_values="spot",
        spade_penalties="Q:25",
        target="500",
    ),
    "sun": _SUN,
    "sun_plain": _SUN.but(
        "standard; whoever takes every trick scores like the moon, with a choice",
        sun_value="same",
    ),
    "plain_hearts": _STANDARD.but(
        "standard without the queen of spades: 13 points a deal", spade_penalties="none"
    ),
    "openspiel": _ARENA.but(
        "arena as OpenSpiel plays it: the queen of spades breaks hearts",
        queen_breaks="played",
    ),
    "msft": _ARENA.but("arena under the name of a well-known desktop game"),
    "bernsrite": _ARENA.but(
        "arena; the queen breaks hearts, the moon scores best, winners share",
        queen_breaks="played",
        moon="auto",
        tie="shared",
    ),
}
"""All presets by name, the default first."""
