"""Rule sets in which every value of every option is in force at least once."""

from collections.abc import Iterator

from arena.options import WORDS
from arena.rules import OPTIONS, RulesError, RuleSet, option_text, preset

EXAMPLES: dict[str, tuple[str, ...]] = {
    "players": tuple(map(str, range(3, 12))),
    "packs": ("1", "2"),
    "removed": ("none", "2C", "2C 3C"),
    "pass_count": ("0", "1", "3", "5"),
    "pass_cycle": ("left right across hold", "across", "hold"),
    "opening_card": ("lowest_club", "2D", "3S"),
    "spade_penalties": ("Q:13", "Q:13 K:10 A:7", "Q:25", "none"),
    "bonus_value": ("-10", "-5"),
    "moon_value": ("total", "26", "40"),
    "sun_value": ("double", "same", "60"),
    "target": ("1", "26", "50", "100"),
    "exact_hit": ("none", "minus_50", "to_zero", "wins"),
    "max_deals": ("3", "none"),
}
"""Values of the options that are not one of a few words."""

_BASES: tuple[dict[str, str], ...] = (
    {},
    {"bonus_card": "JD"},
    {"bonus_card": "JD", "moon_needs_bonus": "true"},
    {"opening_play": "any"},
    {"leftover": "kitty_first_trick"},
    {"packs": "2", "players": "6", "removed": "2C 2D"},
    {"packs": "2", "players": "6", "removed": "2C 2D", "cancellation": "true"},
)
"""What may have to be so for a value to make sense; the first that fits is taken."""


def values(option: str) -> tuple[str, ...]:
    """Return all words of an option, or examples of its values."""
    return WORDS[option] if option in WORDS else EXAMPLES[option]


def rules_of_every_value() -> Iterator[RuleSet]:
    """Yield rules for every value of every option, as short games."""
    for option in OPTIONS:
        for value in values(option):
            yield _rules_with(option, value)


def _rules_with(option: str, value: str) -> RuleSet:
    for base in reversed(_BASES) if option.startswith("cancel") else _BASES:
        options = {"target": "26", **base, option: value}
        players = int(options.pop("players", "4"))
        if option == "players":
            # Two packs from eight seats on; what is left over is a kitty.
            packs = "2" if players > 7 else "1"
            options |= {"packs": packs, "leftover": "kitty_first_heart"}
        try:
            rules = preset("arena", players=players, **options)
        except RulesError:
            continue
        assert value == option_text(getattr(rules, option))
        return rules
    raise AssertionError(f"no base fits {option} = {value}")
