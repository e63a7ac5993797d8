"""
Rules for people and programs: one rule set whole, and the difference of two.

Pure: texts and plain values out, nothing printed.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Final

from arena.cards import CardSet, card_name, card_names, cards_in
from arena.presets import PRESETS
from arena.rules import OPTIONS, RuleSet, preset
from arena.rules_effect import has_effect
from arena.rules_words import MEANINGS, bonus_worth, rules_words, value_words

__all__ = [
    "difference_text",
    "difference_value",
    "options_text",
    "rules_text",
    "rules_value",
    "seats_words",
]

_WIDTH: Final = 88
_FIGURES: Final = (
    *("cards", "hand_size", "kitty_size", "opening"),
    *("total_points", "moon_points", "moon_points_with_bonus"),
    *("sun_points", "sun_points_with_bonus"),
)
"""What follows from the options and is a single figure or card."""


def seats_words(seats: Sequence[int]) -> str:
    """Return the numbers of seats a preset is made for: `4`, `3 or 4`, `3 to 7`."""
    if len(seats) < 3:
        return " or ".join(map(str, seats))
    return f"{seats[0]} to {seats[-1]}"


def rules_text(rules: RuleSet) -> str:
    """Return the rules in words, then the options that make them."""
    lines = _head(rules)
    for part, sentences in rules_words(rules).items():
        lines += ["", part, *_indented(" ".join(sentences), first="  ", rest="  ")]
    lines += ["", *_special_lines(rules)]
    return "\n".join(lines) + "\n"


def options_text(rules: RuleSet) -> str:
    """Return every option with its value and what that means."""
    lines = [
        *_head(rules),
        "",
        "* not as in the preset arena, + not as in the preset itself",
        "",
    ]
    for option in OPTIONS:
        star = "*" if _is_special(rules, option) else " "
        words = f"{option} = {_meaning(rules, option)}"
        lines += _indented(words, first=f"{_own(rules, option)}{star} ", rest="     ")
    return "\n".join(lines) + "\n"


def _head(rules: RuleSet) -> list[str]:
    made = PRESETS[rules.preset]
    return [
        f"{rules.preset} with {rules.players} seats: {made.title}",
        f"Made for {seats_words(made.seats)} seats; hash {rules.hash}",
    ]


def _special_lines(rules: RuleSet) -> list[str]:
    """Return the options that are not those of the preset arena, or set anew."""
    others = f"--options tells all {len(OPTIONS)}"
    arena = preset("arena").options
    lines = []
    for option, text in rules.options.items():
        if not (_is_special(rules, option) or option in rules.overrides):
            continue
        note = f"arena: {arena[option]}"
        if not has_effect(rules, option):
            note = "no effect here"
        elif text == arena[option]:
            note = "as in arena"
        words = f"{option} = {text} ({note})"
        lines += _indented(words, first=f"{_own(rules, option)} ", rest="    ")
    if not lines:
        return [f"Options: all as in arena; {others}"]
    plus = ", + not as in the preset itself" if rules.overrides else ""
    return [f"Options not as in arena{plus}; {others}", *lines]


def _own(rules: RuleSet, option: str) -> str:
    return "+" if option in rules.overrides else " "


def _meaning(rules: RuleSet, option: str) -> str:
    """Return an option's value with what it means here."""
    text = rules.options[option]
    if not has_effect(rules, option):
        return f"{text} (no effect here)"
    return f"{text}: {value_words(rules, option)}"


def _is_special(rules: RuleSet, option: str) -> bool:
    """Tell whether an option matters and is not as in the preset arena."""
    differs = bool(getattr(rules, option) != getattr(preset("arena"), option))
    return differs and has_effect(rules, option)


def _indented(text: str, *, first: str, rest: str) -> list[str]:
    return wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def rules_value(rules: RuleSet) -> dict[str, Any]:
    """Return everything about the rules as plain values, for JSON."""
    arena = preset("arena").options
    return {
        **_name_value(rules),
        "title": PRESETS[rules.preset].title,
        "seats": list(PRESETS[rules.preset].seats),
        "overrides": rules.overrides,
        "options": [
            {
                "option": option,
                "value": text,
                "is_as_in_arena": text == arena[option],
                "has_effect": has_effect(rules, option),
                "about": MEANINGS[option].about,
                "meaning": value_words(rules, option),
            }
            for option, text in rules.options.items()
        ],
        **_facts(rules),
        "words": rules_words(rules),
    }


def _name_value(rules: RuleSet) -> dict[str, Any]:
    return {"preset": rules.preset, "players": rules.players, "hash": rules.hash}


def _facts(rules: RuleSet) -> dict[str, Any]:
    """Return what follows from the options, by name."""
    costs = {card_name(c): rules.card_points[c] for c in cards_in(rules.penalties)}
    return {
        "cards": rules.pack.bit_count(),
        "removed": card_names(rules.removed),
        "hand_size": rules.hand_size,
        "kitty_size": rules.kitty_size,
        "directions": [
            rules.direction(index).label for index in range(len(rules.pass_cycle))
        ],
        "opening": card_name(rules.opening)
        if has_effect(rules, "opening_card")
        else None,
        "banned": _names(rules.banned),
        "banned_without_clubs": _names(rules.banned_void),
        "breaks_hearts": _names(rules.breakers),
        "breaks_hearts_discarded": _names(rules.breakers | rules.discard_breakers),
        "card_points": costs,
        "total_points": rules.total_points,
        "moon_points": rules.moon_points or None,
        "moon_points_with_bonus": _with_bonus(rules, rules.moon_points),
        "sun_points": rules.sun_points or None,
        "sun_points_with_bonus": _with_bonus(rules, rules.sun_points),
    }


def _with_bonus(rules: RuleSet, points: int) -> int | None:
    """Return what a moon or sun is worth with all bonus cards, None for no change."""
    more = bonus_worth(rules)
    return points + more if points and more else None


def _names(cards: CardSet) -> str:
    return card_names(cards_in(cards))


def difference_text(one: RuleSet, other: RuleSet) -> str:
    """Return the options that differ, with what each value means there."""
    names = [f"{rules.preset}/{rules.players}" for rules in (one, other)]
    options = _different(one, other)
    if not options:
        return f"{names[0]} and {names[1]} are the same rules\n"
    lines = [
        f"{names[0]} and {names[1]} differ in {len(options)} of {len(OPTIONS)} options"
    ]
    width = max(map(len, names))
    for option in options:
        lines += ["", f"{option}: {MEANINGS[option].about}"]
        for name, rules in zip(names, (one, other), strict=True):
            first = f"  {name:{width}}  "
            words = _meaning(rules, option)
            lines += _indented(words, first=first, rest=" " * len(first))
    facts = _different_facts(one, other)
    if facts:
        lines += ["", "so these differ too:"]
        lines += [f"  {name.replace('_', ' ')}: {a} / {b}" for name, a, b in facts]
    return "\n".join(lines) + "\n"


def _different(one: RuleSet, other: RuleSet) -> list[str]:
    mine, others = one.options, other.options
    return [option for option in OPTIONS if mine[option] != others[option]]


def _different_facts(one: RuleSet, other: RuleSet) -> list[tuple[str, str, str]]:
    """Return the single figures that follow from the options and differ."""
    pairs = zip(_facts(one).items(), _facts(other).values(), strict=True)
    return [
        (name, _figure(mine), _figure(others))
        for (name, mine), others in pairs
        if mine != others and name in _FIGURES
    ]


def _figure(value: object) -> str:
    return "none" if value in (None, "") else str(value)


def difference_value(one: RuleSet, other: RuleSet) -> dict[str, Any]:
    """Return the options that differ as plain values, for JSON."""
    return {
        "rules": [_name_value(one), _name_value(other)],
        "is_equal": one == other,
        "options": [
            {
                "option": option,
                "about": MEANINGS[option].about,
                "values": [rules.options[option] for rules in (one, other)],
                "meanings": [value_words(rules, option) for rules in (one, other)],
                "have_effect": [has_effect(rules, option) for rules in (one, other)],
            }
            for option in _different(one, other)
        ],
    }
