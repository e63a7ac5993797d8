"""Rules of junk: values of any type are refused, and shown in a short line."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import parse_card
from arena.options import MoonChoice, parse_option
from arena.rules import (
    OPTIONS,
    PassDirection,
    RulesError,
    RuleSet,
    option_text,
    parse_rules,
    preset,
)

PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**100, -(10**4000), float("nan"), float("inf"), 4.0]),
    st.floats(),
    st.binary(max_size=8),
    st.text(st.characters(), max_size=8),
    st.sampled_from(["\ud800", "2C\ud800", "x" * 10_000, "9" * 5000, "²", "\0"]),
    st.sampled_from([object(), int, PassDirection.LEFT, MoonChoice.ADD, 1j]),
)
"""Values of all kinds, few of which an option can have."""

HASHABLE = st.one_of(st.text(max_size=8), st.integers(), st.binary(max_size=8))
JUNK = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(HASHABLE, inner, max_size=3),
        st.frozensets(HASHABLE, max_size=3),
    ),
    max_leaves=5,
)
KEYS = st.one_of(st.sampled_from(["preset", *OPTIONS]), HASHABLE, st.none())


MESSAGE_MAX = 500
"""No error is longer, whatever it is about."""


def refused(make: Callable[..., RuleSet], *args: object, **options: object) -> str:
    """Return why there are no rules, or nothing when there are."""
    try:
        made = make(*args, **options)
    except RulesError as error:
        return str(error)
    assert made == parse_rules({"players": made.players, **made.options})
    return ""


@given(st.dictionaries(KEYS, JUNK, min_size=1, max_size=3))
def test_junk_makes_no_rules(options: dict[str, object]) -> None:
    """Values of any type are rules or are refused in a short line."""
    error = refused(parse_rules, options)

    assert error.startswith("rules.") or not error
    assert len(error) < MESSAGE_MAX


@pytest.mark.parametrize("make", [preset, RuleSet])
@given(name=st.sampled_from(OPTIONS), value=JUNK)
def test_junk_makes_no_rule_set(
    make: Callable[..., RuleSet], name: str, value: object
) -> None:
    """The same is true where rules are made from Python."""
    assert len(refused(make, "arena", **{name: value})) < MESSAGE_MAX


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("pass_count", ("2C",), "\"('2C',)\" is no value of an option; expected"),
        ("pass_count", [4], "'[4]' is no value of an option"),
        ("moon", {"add": 1}, "\"{'add': 1}\" is no value of an option"),
        ("moon", b"add", "\"b'add'\" is no value of an option"),
        ("moon", "a" * 10_000, "aaa...' is not one of add, choice, "),
        ("target", 50.0, "'50.0' is not a whole number"),
        pytest.param("target", 10**5000, "'<int>' is no value of an option", id="huge"),
        pytest.param("players", 10**5000, "'<int>' is no value", id="huge players"),
        ("removed", [["2D"]], "\"['2D']\" is no item of the list; expected texts"),
        ("removed", [True], "'True' is no item of the list"),
        ("removed", [0], "'0' is no item of the list"),
        ("removed", [53], "'53' is no item of the list"),
        ("pass_cycle", [1], "'1' is no item of the list"),
        ("removed", [PassDirection.LEFT], "'<PassDirection.LEFT: 1>' is no item"),
        ("preset", ["arena"], "\"['arena']\" is not a preset; expected its name"),
        ("preset", None, "'None' is not a preset"),
        ("x" * 10_000, "1", "no such option"),
        (1, "1", "no such option; the names of options are texts"),
    ],
)
def test_junk_is_named(name: str, value: object, problem: str) -> None:
    """An error shows what stands there, but not all of it."""
    with pytest.raises(RulesError) as error:
        parse_rules({name: value})

    assert problem in error.value.problem
    assert len(str(error.value)) < 300


def test_lists_hold_what_their_options_hold() -> None:
    """Cards and directions may be given as such, in lists and tuples."""
    expected = preset("arena", players=3, removed="2D", pass_cycle="left hold")
    for kind in (list, tuple):
        cycle = kind([PassDirection.LEFT, "hold"])
        removed = kind([parse_card("2D")])

        assert expected == preset("arena", players=3, removed=removed, pass_cycle=cycle)
    assert preset("black_maria").options["spade_penalties"] == option_text(
        parse_option("spade_penalties", ("A:7", "K:10", "Q:13"))
    )
