"""The tables of `docs/rules.md` that follow from the code, as they should stand."""

from collections.abc import Iterator

from arena.cards import card_name, card_names
from arena.options import WORDS, option_text
from arena.presets import PRESETS
from arena.rules import OPTIONS, RuleSet, preset
from arena.rules_text import seats_words
from arena.rules_words import MEANINGS


def presets_table() -> str:
    """Return every preset with its seats and title."""
    rows = [
        f"| `{name}` | {seats_words(made.seats)} | {made.title} |"
        for name, made in PRESETS.items()
    ]
    return "\n".join(["| preset | seats | is |", "|---|---|---|", *rows])


def packs_table() -> str:
    """Return the pack of every preset and number of seats, equal ones together."""
    names: dict[tuple[int, str], list[str]] = {}
    for name, made in PRESETS.items():
        for players in made.seats:
            row = _pack_row(preset(name, players=players))
            names.setdefault((players, row), []).append(name)
    heads = "| seats | presets | taken out | cards each | opens | passes |"
    rows = [
        f"| {players} | {', '.join(f'`{name}`' for name in shared)} | {row} |"
        for (players, row), shared in sorted(names.items(), key=lambda item: item[0][0])
    ]
    return "\n".join([heads, "|---|---|---|---|---|---|", *rows])


def _pack_row(rules: RuleSet) -> str:
    opens = card_name(rules.opening)
    if rules.opening_leader == "eldest":
        opens = "any card, left of the dealer"
    cycle = ", ".join(option_text(rules.pass_cycle).split())
    taken_out = card_names(rules.removed) or "none"
    return f"{taken_out} | {rules.hand_size} | {opens} | {cycle}"


def options_table() -> str:
    """Return every option with each of its values and what that means."""
    heads = ["| option | value | meaning |", "|---|---|---|"]
    return "\n".join([*heads, *(row for name in OPTIONS for row in _option_rows(name))])


def _option_rows(name: str) -> Iterator[str]:
    meaning = MEANINGS[name]
    yield f"| **`{name}`** | | {meaning.about} |"
    default = option_text(getattr(RuleSet(), name))
    values = [(f"`{word}`", text) for word, text in meaning.values.items()]
    if meaning.other:
        other = (meaning.other_name, meaning.other.replace("{value}", "*value*"))
        # Numbers have no first value, so their default is said.
        if default not in meaning.values:
            other = (f"`{default}`, or {meaning.other_name}", other[1])
            values.insert(0, other)
        else:
            values.append(other)
    assert name not in WORDS or values[0][0] == f"`{default}`"
    yield from (f"| | {value} | {text} |" for value, text in values)
