"""The reference engine: the golden cases, and its own files of counts."""

from typing import Any

import pytest

from tests.reference import golden, perft
from tests.reference.counting import after_passes, pass_count, play_counts
from tests.reference.game import ReferenceGame
from tests.reference.options import OptionsError, options_of
from tests.reference.positions import (
    Position,
    PositionFile,
    read_positions,
    write_positions,
)

ANSWERS = {
    "setup": golden.setup_answer,
    "pass": golden.pass_answer,
    "legal": golden.legal_answer,
    "broken": golden.broken_answer,
    "trick": golden.trick_answer,
    "pass_legal": golden.pass_legal_answer,
    "score": golden.score_answer,
}


@pytest.mark.parametrize("scenario", golden.scenarios(), ids=lambda s: s["id"])
def test_golden_scenario(scenario: dict[str, Any]) -> None:
    """The reference engine answers every case of a scenario as expected."""
    for case in scenario["cases"]:
        if scenario["kind"] == "deal":
            dealt = {"passes": [], "dealer": 0, "direction": "hold", **scenario}
            deal = golden.played_deal(golden.options_for(case["rules"]), dealt)
            answer: object = golden.moon_answer(case, deal)
        else:
            answer = ANSWERS[scenario["kind"]](case)

        assert case["expect"] == answer


@pytest.mark.parametrize("line", range(len(golden.golden_deals())))
def test_golden_deal(line: int) -> None:
    """A golden deal can be played, and goes and costs what it says."""
    told = golden.golden_deals()[line]

    deal = golden.played_deal(golden.options_for(told["rules"]), told)
    game = ReferenceGame(deal.options)
    result = game.finish(deal)

    winners = [trick.winner for trick in deal.tricks]
    assert told["leaders"] == [trick.leader for trick in deal.tricks]
    assert told["winners"] == winners
    # The file counts the tricks that a card won, without the cancelled ones swept.
    counted = [winners.count(seat) for seat in range(deal.options.players)]
    assert told["tricks_won"] == counted
    assert deal.options.hand_size == sum(deal.tricks_won)
    assert told["points"] == deal.points
    assert told["totals"] == game.totals
    assert told["shot"] == result.shot


@pytest.mark.parametrize(
    ("preset", "players", "overrides"),
    [
        ("arena", 5, {}),
        ("arena", 4, {"cancellation": "true"}),
        ("arena", 4, {"removed": "2H"}),
        ("arena", 4, {"removed": "2C"}),
        ("arena", 4, {"removed": "2C 2D 3C QS"}),
        ("arena", 4, {"moon_needs_bonus": "true"}),
        ("arena", 4, {"opening_leader": "eldest"}),
        ("arena", 4, {"pass_count": "14"}),
        ("standard", 3, {"pass_cycle": "L A"}),
        ("omnibus", 4, {"removed": "2C 2D 3C JD"}),
        ("omnibus", 4, {"moon_needs_bonus": "for_full_value", "moon_bonus": "drop"}),
    ],
)
def test_options_that_make_no_game(
    preset: str, players: int, overrides: dict[str, str]
) -> None:
    """Options that contradict each other are refused."""
    with pytest.raises(OptionsError):
        options_of(preset, players, **overrides)


def test_every_preset_makes_a_game() -> None:
    """Every preset can be played by all the numbers of seats it is made for."""
    names = perft.file_names()

    for preset, players, overrides in names.values():
        options = options_of(preset, players, **overrides)
        assert len(options.pack) == options.players * options.hand_size


def test_position_file_can_be_read_back() -> None:
    """What is written to a file of positions is what is read from it."""
    hands = (("2C",), ("3C",), ("4C",), ("5C",))
    position = Position("x", "hold", hands, True, 13, 2, {"1": 1})
    file = PositionFile("arena", 4, {"removed": "2D 3D"}, 1, (position,))

    assert file == read_positions(write_positions(file))


def recount(file: PositionFile, position: Position) -> dict[str, int]:
    """Count a position afresh."""
    deal = position.deal(file.options, file.dealer)
    depth = max(int(name) for name in position.counts if name != "pass")
    if not deal.is_passing:
        counts = play_counts(deal, depth)
        return {str(place): count for place, count in enumerate(counts, start=1)}
    each = [play_counts(after, depth) for after in after_passes(deal)]
    sums = [sum(counts[level] for counts in each) for level in range(depth)]
    named = {str(place): count for place, count in enumerate(sums, start=1)}
    return {"pass": pass_count(deal), **named}


def test_every_file_of_positions_is_there() -> None:
    """There is a file for each preset, number of seats and lone option."""
    assert sorted(perft.file_names()) == sorted(p.stem for p in perft.FOLDER.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arena_4", "cancellation_6", "black_maria_3"])
def test_counts_are_current(name: str) -> None:
    """The counts in a file are what the reference engine counts."""
    file = read_positions((perft.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))

    for position in file.positions:
        if set(position.counts) == {"pass"}:
            deal = position.deal(file.options, file.dealer)
            assert position.counts == {"pass": pass_count(deal)}
        else:
            assert position.counts == recount(file, position)
