"""`arena league plan`: what a league will be, by command."""

from __future__ import annotations

import json
import re
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from leagues.config import parse_league
from leagues.storage import schema
from leagues.storage.store import Store
from tests.command_line import Arena
from tests.league_games import play_run

PLAYED = 6
HOUSES = ("careful", "dodger", "lowest", "daring", "ducker", "random")


def league_text(*, games: int = 15, entrants: int = 6, owner: str = "") -> str:
    """A league of short games between house bots."""
    lines = ['name = "friday"', f"games = {games}", 'practice_seed = "1"']
    for house in HOUSES[:entrants]:
        lines += ["[[entrant]]", f'house = "{house}"']
        lines += [f'owner = "{owner}"'] if owner else []
    return "\n".join([*lines, "[rules]", "target = 10"])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A league file."""
    path = tmp_path / "friday.toml"
    path.write_text(league_text())
    return path


@pytest.fixture
def data(tmp_path: Path, file: Path) -> Path:
    """A data directory in which some games of the league are finished."""
    config = parse_league(file.read_text(), file="friday.toml")
    with Store.open(tmp_path / "data", command="a test") as store:
        play_run(store, config, finished=PLAYED)
    return tmp_path / "data"


def test_a_plan_is_told_before_anything_starts(
    arena: Arena, file: Path, tmp_path: Path
) -> None:
    """Games, balance, ratings and duration are told, and nothing is stored."""
    done = arena("league", "plan", file, "--data", tmp_path / "none")
    told = " ".join(done.out.split())

    assert (0, "") == (done.code, done.error)
    assert "League friday: 6 entrants, arena" in told
    assert "Games 15 games in 15 rounds of 1 table with 4 seats" in told
    assert (
        "Balance Everybody plays equally often, and meets everybody equally often."
        in told
    )
    assert "Elo for each rating, from careful" in told
    assert "2,000 turns a second (assumed, for bots that hardly think" in told
    assert not (tmp_path / "none").exists()


def test_a_league_with_a_time_is_planned_for_what_it_has(
    arena: Arena, file: Path, tmp_path: Path
) -> None:
    """So many games as end before by the speed that is told, with even counts."""
    until = datetime.now(UTC) + timedelta(hours=1)
    text = file.read_text().replace("games = 15", f'until = "{until:%Y-%m-%d %H:%MZ}"')
    file.write_text(text)
    words = ("league", "plan", file, "--turns-per-second", 100, "--data", tmp_path)
    plan = json.loads(arena(*words, "--format", "json").out)
    duration, counts = plan["duration"], plan["counts"]

    assert 0.85 * 3600 < duration["seconds"] <= 3600
    assert counts["games"][1] - counts["games"][0] <= 1
    assert plan["games"] > 100
    told = arena(*words).out
    assert f"Until {duration['until']}, which is time for about so many games" in told
    file.write_text(text.replace(f"{until:%Y-%m-%d}", "2020-01-01"))
    done = arena(*words)
    assert 2 == done.code
    assert "is over: it is" in done.error


def test_rounds_are_listed_by_name(arena: Arena, file: Path, tmp_path: Path) -> None:
    """The tables of the first rounds name who sits where."""
    done = arena("league", "plan", file, "--rounds", 2, "--data", tmp_path)
    lines = done.out.splitlines()
    first, second = lines[lines.index("Round 1") + 1], lines[lines.index("Round 2") + 1]

    assert "Round 3" not in lines
    for line in (first, second):
        names = line.strip().split(", ")

        assert 4 == len(set(names))
        assert set(names) <= set(HOUSES)


def test_a_plan_for_programs(arena: Arena, file: Path, tmp_path: Path) -> None:
    """JSON has the same figures, the speed as it was told, and the listed rounds."""
    done = arena(
        *("league", "plan", file, "--data", tmp_path, "--format", "json"),
        *("--games", 30, "--turns-per-second", 100, "--rounds", 1),
    )
    plan = json.loads(done.out)
    duration = plan["duration"]

    assert ("friday", 30, "subsets") == (plan["league"], plan["games"], plan["method"])
    assert {"games": [20, 20], "pairs": [12, 12]} == {
        key: plan["counts"][key] for key in ("games", "pairs")
    }
    for key in ("gap_games", "gap_games_among_all"):
        assert [200, 100, 50, 25] == [row["elo"] for row in plan[key]]
    assert (100, "as told") == (duration["turns_per_second"], duration["speed_source"])
    assert duration["seconds"] == pytest.approx(30 * duration["turns_per_game"] / 100)
    assert 1 == len(plan["first_rounds"])
    assert plan["precision"]["gap"] > plan["precision"]["half_width"]


def test_a_begun_league_is_planned_with_its_own_games_and_speed(
    arena: Arena, file: Path, data: Path
) -> None:
    """What is finished is left out, and the speed is that of the games so far."""
    plan = json.loads(
        arena("league", "plan", file, "--data", data, "--format", "json").out
    )
    with Store.open_read_only(data) as store:
        deals = sum(result.deals for result in store.results("friday"))
    source = f"measured in {PLAYED} games of league friday"

    assert (15, PLAYED) == (plan["games"], plan["games_finished"])
    # All games of the test took the same second.
    assert {
        "turns_per_second": pytest.approx(deals * 55),
        "turns_per_game": pytest.approx(deals * 55 / PLAYED),
        "speed_source": source,
        "length_source": source,
        "seconds": pytest.approx((15 - PLAYED) / PLAYED),
        "until": "",
    } == plan["duration"]
    told = " ".join(arena("league", "plan", file, "--data", data).out.split())

    assert "6 of the 15 games are finished." in told
    assert f"turns a second, {source}." in told


def test_more_games_than_a_league_may_have_are_refused(
    arena: Arena, file: Path, tmp_path: Path
) -> None:
    """What no league file may say is not planned for hours either."""
    done = arena(
        *("league", "plan", file, "--games", 10_000_001, "--data", tmp_path / "none")
    )

    assert (2, True) == (done.code, "less than or equal to 10000000" in done.error)


def test_another_league_of_the_same_rules_tells_its_speed(
    arena: Arena, file: Path, data: Path
) -> None:
    """A league that has not begun is measured by the newest one like it."""
    other = file.with_name("other.toml")
    other.write_text(league_text(entrants=5).replace("friday", "saturday"))
    unlike = file.with_name("unlike.toml")
    unlike.write_text(other.read_text().replace("target = 10", "target = 20"))

    assert "of league friday" in arena("league", "plan", other, "--data", data).out
    assert "assumed" in arena("league", "plan", unlike, "--data", data).out


def test_a_league_that_was_planned_otherwise_keeps_its_games(
    arena: Arena, file: Path, data: Path
) -> None:
    """A stored schedule of another kind is told of as it is, and gone on with."""
    begun = [[0, 1, 2, 3]] * 15
    with Store.open(data, command="a test") as store, store.database.write() as write:
        packed = zlib.compress(json.dumps(begun).encode())
        write.execute(sa.update(schema.leagues).values(schedule=packed))
    call = ("league", "plan", file, "--data", data)
    plan = json.loads(arena(*call, "--format", "json", "--rounds", 15).out)

    assert ("stored", 15) == (plan["method"], plan["games"])
    assert [[list(HOUSES[:4])]] * 15 == plan["first_rounds"]
    assert "as they were planned when it began" in " ".join(arena(*call).out.split())
    assert (
        30 == json.loads(arena(*call, "--format", "json", "--games", 30).out)["games"]
    )


def test_a_stored_league_of_others_is_told(
    arena: Arena, file: Path, data: Path
) -> None:
    """A file under the name of a league with other entrants cannot be its plan."""
    file.write_text(league_text(entrants=5))
    done = arena("league", "plan", file, "--data", data)

    assert 2 == done.code
    assert f"league friday exists, and {file} lacks " in done.error
    assert "`arena league withdraw` lets it play no more" in done.error


def test_who_comes_and_who_leaves_is_planned_before_it_happens(
    arena: Arena, file: Path, data: Path
) -> None:
    """What becomes of a league with a newcomer is told, and nothing is stored."""
    config = parse_league(file.read_text(), file="friday.toml")
    with Store.open(data, command="a test") as store:
        store.open_league(config)
    more = '\n[[entrant]]\nname = "late"\nhouse = "careful"\n'
    file.write_text(file.read_text() + more)
    call = ("league", "plan", file, "--data", data)
    told = " ".join(arena(*call).out.split())
    found = json.loads(arena(*call, "--format", "json").out)
    with Store.open_read_only(data) as store:
        entrants = store.league("friday").entrants
        decisions = store.decisions("friday")

    assert "planned anew, since entrants came or went" in told
    assert re.search(r"late joined late: \d+ games\.", told)
    assert {"late": "joined late"} == found["came_and_went"]
    assert "late" == found["entrants"][-1] not in entrants
    assert 1 >= found["counts"]["games"][1] - found["counts"]["games"][0]
    assert () == decisions


def test_nobody_is_promised_games_of_a_finished_league(
    arena: Arena, file: Path, data: Path
) -> None:
    """A plan refuses what running the league would, and says what is needed."""
    with Store.open(data, command="a test") as store:
        store.stop_run("friday", over="host")
    more = '\n[[entrant]]\nname = "late"\nhouse = "careful"\n'
    unchanged = arena("league", "plan", file, "--data", data)
    file.write_text(file.read_text() + more)
    planned = arena("league", "plan", file, "--data", data)
    run = arena("league", "run", file, "--port", 0, "--data", data)

    assert 0 == unchanged.code
    assert (2, "") == (planned.code, planned.out)
    assert planned.error == run.error
    assert "league friday is finished, and" in planned.error
    assert "a new league needs a new name" in planned.error
    assert "entrant late: nothing -> house (refused: the league is finished)" in (
        planned.error
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (league_text(games=0), "friday.toml:2: games: "),
        (league_text(owner="ann"), "owner 'ann' has 6 of 6 bots"),
    ],
)
def test_a_file_that_is_wrong_is_one_line(
    arena: Arena, file: Path, text: str, problem: str
) -> None:
    """What is wrong with a league file is told as by `arena league run`."""
    file.write_text(text)
    done = arena("league", "plan", file)

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert problem in done.error


def test_bots_that_dial_in_belong_to_whom_they_were_added_for(
    arena: Arena, file: Path, tmp_path: Path
) -> None:
    """A plan keeps the bots of one owner apart, and tells of owners that differ."""
    data = tmp_path / "data"
    text = league_text(games=30, entrants=6)
    for name in ("ada", "bea"):
        text = text.replace("[rules]", f'[[entrant]]\nbot = "{name}"\n[rules]')
        assert 0 == arena("bot", "add", name, "--owner", "Uta", "--data", data).code
    file.write_text(text)
    words = ("league", "plan", file, "--rounds", 15, "--data", data)
    told = arena(*words).out
    tables = told.partition("\nRound 1\n")[2].splitlines()
    kept = json.loads(arena(*words, "--format", "json").out)["kept_apart"]
    seated = [set(line.strip().split(", ")) for line in tables if "," in line]
    file.write_text(text.replace('"ada"', '"ada"\nowner = "Eve"'))
    differing = arena(*words)

    assert 30 == len(seated)
    assert not any({"ada", "bea"} <= names for names in seated)
    assert "ada and bea (Uta) never meet, so they meet others more often." in (
        " ".join(told.split())
    )
    assert {"Uta": ["ada", "bea"]} == kept
    assert (2, "") == (differing.code, differing.out)
    assert "bot 'ada' is owned by 'Eve' in the league file, but its token was" in (
        differing.error
    )


def test_a_league_does_not_start_while_owners_differ(
    arena: Arena, file: Path, tmp_path: Path
) -> None:
    """`arena league run` says in a line which two owners a bot has."""
    data = tmp_path / "data"
    arena("bot", "add", "ada", "--owner", "Uta", "--data", data)
    bot = '[[entrant]]\nbot = "ada"\nowner = "Eve"\n[rules]'
    file.write_text(league_text(entrants=4).replace("[rules]", bot))
    done = arena("league", "run", file, "--port", 0, "--data", data)

    assert 2 == done.code
    assert "error: bot 'ada' is owned by 'Eve'" in done.error


@pytest.mark.parametrize(
    ("change", "is_told"),
    [
        (("", ""), True),
        (("[rules]", '[[entrant]]\nbot = "ada"\n[rules]'), False),
        (("[rules]", '[[entrant]]\nname = "ada"\ncommand = "ada"\n[rules]'), False),
        (('"friday"', '"friday"\nluck = "rotate"'), False),
    ],
)
def test_what_rotated_deals_would_save_is_told_where_they_may_be(
    arena: Arena, file: Path, tmp_path: Path, change: tuple[str, str], is_told: bool
) -> None:
    """House bots and sandboxed programs could rotate; who could remember deals not."""
    file.write_text(league_text(games=60).replace(*change))
    words = ("league", "plan", file, "--data", tmp_path)
    text = " ".join(arena(*words).out.split())
    plan = json.loads(arena(*words, "--format", "json").out)
    told = (
        'With luck = "rotate" 52 to 60 games would tell as much as these 60, or 32 if '
        "all are versions of one bot, as far as house bots at tables of four tell."
    )

    assert is_told == (told in text)
    assert plan["rotated_games"] == (
        {"fewest": 52, "most": 60, "alike": 32} if is_told else None
    )


def test_a_league_that_has_begun_keeps_its_luck(
    arena: Arena, file: Path, data: Path
) -> None:
    """What it could have saved is of no use any more."""
    assert "rotate" not in arena("league", "plan", file, "--data", data).out
