"""The commands `arena rules`: the presets, one in words, two compared."""

import json

import pytest

from arena.presets import PRESETS
from arena.rules import preset
from arena.rules_text import options_text, rules_text, rules_value
from tests.command_line import Arena


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
    changes = ["--rule", "target=300", "--rule", "moon=add"]
    command = ["rules", "show", "spot", "--players", "5", *changes]

    assert rules_text(made) == arena(*command).out
    assert rules_text(made) == arena("rules", "show", "spot/5", *changes).out
    assert options_text(made) == arena(*command, "--options").out
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
        ("show house", "rules.preset: 'house' is not a preset; `arena rules list` "),
        ("show omnibu/5", "'omnibu' is not a preset; did you mean 'omnibus'? `arena r"),
        ("show party/7 --players 7", "party/7 --players 7: the number of seats is set"),
        ("show party/x", "rules.players: 'x' is not a whole number"),
        ("show arena --players 5", "rules.players: '5' is not what the preset arena"),
        ("show arena --rule moon=both", "rules.moon: 'both' is not one of add, choice"),
        (
            "show arena --rule mon=add",
            "rules.mon: no such option; did you mean 'moon'?",
        ),
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
