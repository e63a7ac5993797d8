"""The arena's engine against the reference engine, under all rules there are.

The two were written apart from each other and share no code, nor does the reference
know a bit mask. `--games N` says how many games each preset and number of seats
plays; `-s` shows what came up in them.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.presets import PRESETS
from arena.rules import RuleSet, preset
from tests.differential import Comparison, reference_options, wild_rules
from tests.reference.options import options_of
from tests.reference.presets import PRESETS as REFERENCE_PRESETS

TABLES = [(name, players) for name, made in PRESETS.items() for players in made.seats]

WILD_RULES_PER_GAME = 75
"""How many drawn rule sets there are for each of `--games`."""


@pytest.fixture(scope="module")
def tally() -> Iterator[Counter[str]]:
    """Count what came up in all games, and print it in the end."""
    found: Counter[str] = Counter()
    yield found
    print("\n" + ", ".join(f"{count} {name}" for name, count in found.items()))


@pytest.fixture
def games(request: pytest.FixtureRequest) -> int:
    """Return how many games each rule set plays."""
    number = request.config.getoption("--games")
    assert isinstance(number, int)
    return number


def compare(rules: RuleSet, seed: object, tally: Counter[str], deals_max: int) -> None:
    """Play a game in both engines, which assert that they agree, and count it."""
    comparison = Comparison(rules, random.Random(repr(seed)))
    comparison.play(deals_max)
    tally["games"] += 1
    tally["deals"] += len(comparison.game.results)
    for shot in comparison.shots:
        tally[f"{shot}s"] += 1
    tally["cancelled tricks"] += comparison.cancelled_count


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_both_engines_play_the_same_games(
    name: str, players: int, games: int, tally: Counter[str]
) -> None:
    """Legal cards, tricks, moons, scores and places are the same in whole games."""
    for number in range(games):
        compare(preset(name, players=players), (name, players, number), tally, 60)


@pytest.mark.slow
def test_both_engines_agree_under_any_options(games: int, tally: Counter[str]) -> None:
    """Options in combinations that nobody would play are the same, too."""
    for number in range(games * WILD_RULES_PER_GAME):
        chance = random.Random(f"wild {number}")
        compare(wild_rules(chance), number, tally, 3)


@pytest.mark.slow
def test_rare_things_have_come_up(tally: Counter[str]) -> None:
    """Games at random have had moons, suns and cancelled tricks."""
    if not tally:
        pytest.skip("no game was played")

    assert tally["moons"] > tally["suns"] > 0
    assert tally["cancelled tricks"] > 0


def test_both_know_the_same_presets() -> None:
    """Presets and their numbers of seats are the same in both readings."""
    assert {name: sorted(made.seats) for name, made in PRESETS.items()} == {
        name: sorted(known.seats) for name, known in REFERENCE_PRESETS.items()
    }


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_both_read_a_preset_alike(name: str, players: int) -> None:
    """Two readings of a preset agree in every option but the cap on deals."""
    # The cap grows here where a game may need more deals.
    own = reference_options(preset(name, players=players, max_deals=40))
    other = options_of(name, players)

    assert sorted(own.removed) == sorted(other.removed)
    assert replace(own, removed=other.removed) == other
