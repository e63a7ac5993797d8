"""Games in one process: the SDK's turns from the arena's own table."""

import importlib.metadata
import runpy
from collections.abc import Callable

import pytest

import hearts
import hearts.local
from arena.record import read_record
from arena.stand_in import STAND_INS
from arena.verify import verify
from hearts.house import BOTS as BOTS_BY_NAME
from hearts.local import EngineMissingError, GameResult, IllegalAnswerError
from tests.sources import ROOT

EXAMPLES = ROOT / "clients" / "python" / "examples"


class Lowest(hearts.Bot):
    """Plays the first of its choices."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        return turn.choices[0]


class Highest(hearts.Bot):
    """Plays the last of its choices."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        turn.remark = "high"
        return turn.choices[-1]


BOTS = [Lowest, Highest, Lowest, Highest]


def example(file: str, name: str) -> Callable[[], hearts.Bot]:
    """Load a bot from the examples."""
    bot_class: Callable[[], hearts.Bot] = runpy.run_path(str(EXAMPLES / file))[name]
    return bot_class


def test_a_whole_game_is_played() -> None:
    """A game ends as the rules say, and its record is right."""
    [result] = hearts.local.play(BOTS, seed=7)

    assert max(result.totals) >= 100
    assert result.totals == tuple(map(sum, zip(*result.points, strict=True)))
    assert result.places is not None
    assert min(result.totals) == result.totals[result.places.index(1)]
    record = read_record(result.record)
    verify(record, STAND_INS["careful-1"])
    assert ["Lowest-0", "Highest-1", "Lowest-2", "Highest-3"] == [
        seat.bot for seat in record.seats
    ]
    assert {"high"} == {note.text for note in record.notes}


def test_equal_seeds_give_equal_games() -> None:
    """The same bots and seed play the same games, another seed others."""
    first = hearts.local.play(BOTS, games=2, seed=1)

    assert first == hearts.local.play(BOTS, games=2, seed=1)
    assert first != hearts.local.play(BOTS, games=2, seed=2)
    assert ["local-1", "local-2"] == [result.game_id for result in first]
    assert first[0].points != first[1].points


def test_deals_are_played_over_as_many_games_as_it_takes() -> None:
    """A number of deals is played exactly; the last game may be cut off."""
    results = hearts.local.play(BOTS, deals=21, seed=3)

    assert 21 == sum(len(result.points) for result in results)
    assert all(result.places is not None for result in results[:-1])
    assert results[-1].places is None
    assert all(26 in (sum(points), sum(points) // 3) for points in results[0].points)


def test_bots_are_told_what_happens() -> None:
    """One object a game hears of its start, of each deal and of its end."""
    heard: list[str] = []

    class Listening(Lowest):
        def __init__(self) -> None:
            heard.append("made")

        def game_started(self, start: hearts.GameStart) -> None:
            heard.append(f"start {start.game_id} {start.seat}")

        def deal_ended(self, end: hearts.DealEnded) -> None:
            heard.append(f"deal {end.deal_number} {len(end.plays)}")

        def game_ended(self, end: hearts.GameEnded) -> None:
            heard.append(f"end {end.ending} {len(end.places)}")

    [result] = hearts.local.play([Lowest, Lowest, Listening, Lowest], seed=5)
    deals = [f"deal {index + 1} 52" for index in range(len(result.points))]

    assert ["made", "start local-1 2", *deals, "end finished 4"] == heard


def test_house_bots_are_named() -> None:
    """Opponents may be the names of house bots, beside classes."""
    [result] = hearts.local.play(["careful", Lowest, "random", "careful"], seed=4)
    [same] = hearts.local.play(
        [BOTS_BY_NAME["careful"], Lowest, "random", "careful"], seed=4
    )

    assert result == same
    assert ["Careful-0", "Lowest", "Random", "Careful-3"] == [
        seat.bot for seat in read_record(result.record).seats
    ]


def test_a_result_is_printed_without_its_record() -> None:
    """What a person reads of a result is what it came to."""
    [result] = hearts.local.play(BOTS, deals=1)

    assert (
        f"GameResult(game_id='local-1', points={result.points},"
        f" totals={result.totals}, places=None)"
    ) == repr(result)


def test_rules_may_be_a_table() -> None:
    """Options are given as in a league file: here a shooter may choose."""

    class Timid(Lowest):
        def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
            return sorted(turn.choices, key=lambda card: card.rank)[:3]

    class Shooter(Timid):
        def choose_card(self, turn: hearts.Turn) -> hearts.Card:
            assert turn.rules.overrides == {"moon": "choice"}
            return max(turn.choices, key=lambda card: card.rank)

        def choose_moon(self, turn: hearts.Turn) -> str:
            assert turn.moon_choices == ["add", "subtract"]
            return "subtract"

    # Among these deals, the first one in which it works.
    [result] = hearts.local.play(
        [Shooter, Timid, Timid, Timid], deals=1, seed=149, rules={"moon": "choice"}
    )

    assert (-26, 0, 0, 0) == result.totals


def test_an_illegal_answer_raises() -> None:
    """A test notices what an arena would have substituted."""

    class Cheat(hearts.Bot):
        def choose_card(self, turn: hearts.Turn) -> hearts.Card:
            return hearts.QS

    with pytest.raises(
        IllegalAnswerError, match=r"local-1, deal 1, trick 1: seat \d \(Cheat-\d\): QS"
    ):
        hearts.local.play([Cheat] * 4)


def test_what_a_bot_raises_comes_through() -> None:
    """An error in a bot is not swallowed."""

    class Broken(hearts.Bot):
        def choose_card(self, turn: hearts.Turn) -> hearts.Card:
            raise LookupError("where is it")

    with pytest.raises(LookupError, match="where is it"):
        hearts.local.play([Broken] * 4)


@pytest.mark.parametrize(
    ("bots", "options", "reason"),
    [
        ([Lowest] * 3, {}, "3 bots; the rules are for 4"),
        (BOTS, {"deals": 0}, "deals is 0"),
        (BOTS, {"games": 0}, "games is 0"),
        ([Lowest] * 3 + [Lowest()], {}, "is not a class"),
        ([Lowest] * 3 + ["clever"], {}, "'clever' is no house bot; expected one of ra"),
    ],
)
def test_bad_arguments_are_refused(
    bots: list[type[hearts.Bot]], options: dict[str, int], reason: str
) -> None:
    """An argument out of range raises an error that says what was expected."""
    with pytest.raises(ValueError, match=reason):
        hearts.local.play(bots, **options)  # type: ignore[arg-type]


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an engine the error says how to install one."""
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())

    with pytest.raises(EngineMissingError, match="pip install"):
        hearts.local.play(BOTS)


def test_the_examples_play() -> None:
    """The careful bot of the examples beats the random one by far."""
    careful = example("careful_bot.py", "CarefulBot")
    results: list[GameResult] = hearts.local.play(
        [careful, *[example("random_bot.py", "RandomBot")] * 3], deals=24, seed=2
    )
    careful_points, *others = (
        sum(points[seat] for result in results for points in result.points)
        for seat in range(4)
    )

    assert careful_points < min(others) / 2
