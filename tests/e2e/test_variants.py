"""Other rules and numbers of seats through real processes."""

import json
from pathlib import Path

import pytest

from tests.e2e.processes import BOTS, arena, left_over, records, standings
from tests.sources import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.mark.parametrize(
    ("league", "seats", "cards"),
    [("black-maria", 3, 51), ("cancellation", 7, 98), ("party-of-seven", 7, 49)],
)
def test_the_example_leagues_are_played(
    tmp_path: Path, league: str, seats: int, cards: int
) -> None:
    """House bots play each to its end without a fault, and all records are right."""
    file = ROOT / "docs/leagues" / f"{league}.toml"
    done = arena(tmp_path, "league", "run", file)
    found = standings(tmp_path, league)
    arena(tmp_path, "games", "export", league, "-o", "games.jsonl")
    verified = arena(tmp_path, "verify", "games.jsonl")
    text = arena(tmp_path, "league", "standings", league)

    assert (0, 0) == (done.code, verified.code), done.error + verified.error
    assert [] == found["faults"]
    assert found["games_planned"] == found["games_finished"]
    assert f"{found['games_finished']} games" in verified.out
    assert [seats] * len(found["standings"]) == [
        len(row["places"]) for row in found["standings"]
    ]
    assert f" {seats}{'rd' if seats == 3 else 'th'}% " in text.out
    for record in records(tmp_path, league):
        deal = record["deals"][0]

        assert cards == len(deal["plays"].split())
        assert seats == len(deal["hands"])
    assert [] == left_over(tmp_path)


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        (("--rules", "party", "--players", 5, "--rule", "target=30"), 5),
        (("--rules", "cancellation", "--players", 8, "--rule", "target=30"), 8),
    ],
)
def test_a_bot_can_be_tried_at_any_table(
    tmp_path: Path, rules: tuple[object, ...], seats: int
) -> None:
    """`arena play` fills the table with house bots, whatever its size."""
    bot = ("python", BOTS / "unsteady.py", "none")
    done = arena(tmp_path, "play", "--seed", 1, "--games", 2, *rules, "--", *bot)
    (file,) = (tmp_path / "data/play").glob(f"mybot-{rules[1]}-{seats}seats-*-1.jsonl")
    games = [json.loads(line) for line in file.read_text().splitlines()]

    assert 0 == done.code, done.out + done.error
    assert [seats, seats] == [len(game["seats"]) for game in games]
    assert [0, 1] == [
        [seat["bot"] for seat in game["seats"]].index("mybot") for game in games
    ]
    assert f"{seats}th" in done.out


def test_a_bot_that_knows_too_few_rules_is_told(tmp_path: Path) -> None:
    """`arena play` says what a bot lacks for its table, and stops."""
    (tmp_path / "plain.py").write_text(
        "import hearts\n"
        "from hearts.house.lowest import Lowest\n"
        "hearts.run(Lowest, players=(4,))\n"
    )
    table = ("--rules", "party", "--players", 5)
    done = arena(tmp_path, "play", *table, "--", "python", "plain.py")

    assert 1 == done.code
    assert "mybot plays at 4 seats only, not at 5; a bot says what" in done.error
    assert [] == left_over(tmp_path)
