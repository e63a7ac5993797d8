"""Leagues in real processes: demo, faults, reruns."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import (
    BOTS,
    TIMEOUT_SECONDS,
    arena,
    entrant,
    houses,
    left_over,
    records,
    running,
    standings,
    timeless,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

HOUSES = ("random", "lowest", "ducker", "careful", "daring")
SHORT = ("[rules]", "target = 26")
"""Games of a few deals: as good as long ones here."""


def test_the_demo_plays_and_says_what_to_try_next(tmp_path: Path) -> None:
    """The demo ends with ratings, names its logs, and its records are right."""
    done = arena(tmp_path, "demo", "--games", 15)
    ratings = {
        row["entrant"]: row["elo"] for row in standings(tmp_path, "demo")["standings"]
    }
    exported = arena(tmp_path, "games", "export", "demo", "-o", "demo.jsonl")
    verified = arena(tmp_path, "verify", "demo.jsonl")
    again = arena(tmp_path, "demo", "--games", 15)

    assert (0, 0) == (done.code, again.code)
    assert (0, 0) == (exported.code, verified.code)
    assert verified.out.startswith("demo.jsonl: 15 games, ")
    assert "League demo: finished, 15 of 15 games" in done.out
    assert 6 == len(ratings)
    assert 1500.0 == ratings["careful"]
    assert str(tmp_path / "data/logs/demo") in done.error
    assert set(ratings) == {log.stem for log in (tmp_path / "data/logs/demo").iterdir()}
    assert "arena games show demo-1" in done.error
    assert "League demo-2: finished, 15 of 15 games" in again.out
    assert [] == left_over(tmp_path)


def test_faults_hurt_nobody_else(tmp_path: Path) -> None:
    """Each bad bot's faults are told with their place; all games are complete."""
    command = f"python {BOTS / 'unsteady.py'}"
    modes = ("illegal", "sleepy", "killed", "gone")
    bad = [entrant(name=mode, command=f"{command} {mode}") for mode in modes]
    file = write_league(
        tmp_path,
        "bad",
        "games = 30",
        "practice_seed = 1",
        *SHORT,
        *("[time]", "turn_limit = 3", "bank = 20"),
        *bad,
        *houses("careful", "lowest"),
    )
    done = arena(tmp_path, "league", "run", file)
    found = standings(tmp_path, "bad")
    rows = {row["entrant"]: row for row in found["standings"]}
    faults = {
        name: {k: n for k, n in row["faults"].items() if n}
        for name, row in rows.items()
    }
    places = {(f["entrant"], f["kind"], f["deal"], f["trick"]) for f in found["faults"]}

    assert 1 == done.code, done.error
    assert "bot 'gone'" in done.error
    assert "ended with exit code 3" in done.error
    assert 30 == found["games_finished"] == len(records(tmp_path, "bad"))
    assert {} == faults["careful"] == faults["lowest"]
    assert {"illegal"} == set(faults["illegal"])
    assert {"late": 1} == faults["sleepy"]
    assert {} == faults["killed"]
    assert rows["gone"]["given_up"] == rows["gone"]["games"]
    assert ("illegal", "illegal", 1, 5) in places
    assert ("sleepy", "late", 1, 5) in places
    given_up = {name for name, row in rows.items() if row["given_up"]}
    assert {"gone"} == given_up
    assert [] == left_over(tmp_path)


def test_a_program_that_never_connects_stops_its_league(tmp_path: Path) -> None:
    """A typo costs no game: mended, the league is played as if nothing had been."""
    typo = entrant(name="typo", command="python typo.py")
    lines = ("games = 3", *SHORT, typo, *houses("careful", "lowest", "ducker"))
    file = write_league(tmp_path, "typo", *lines)
    stopped = arena(tmp_path, "league", "run", file)
    (tmp_path / "typo.py").write_text(
        (BOTS / "unsteady.py").read_text().replace("sys.argv[1]", "'none'")
    )
    mended = arena(tmp_path, "league", "run", file)
    rows = {row["entrant"]: row for row in standings(tmp_path, "typo")["standings"]}

    assert 2 == stopped.code
    assert "was started 4 times, never connected and ended with" in stopped.error
    assert "typo.py': [Errno 2] No such file" in stopped.error
    assert "run the league again" in stopped.error
    assert "3 games of league typo left to play" in stopped.error
    assert 0 == mended.code, mended.error
    assert (3, 0) == (rows["typo"]["games"], rows["typo"]["given_up"])
    assert [] == left_over(tmp_path)


@pytest.mark.parametrize("protocol", ["grpc", "stdio"])
def test_a_league_may_play_on_without_a_broken_program(
    tmp_path: Path, protocol: str
) -> None:
    """Asked for, a program that never connects is given up in all its games."""
    typo = entrant(
        name="typo", command="python typo.py", protocol=protocol, max_restarts=0
    )
    lines = ("games = 3", *SHORT, typo, *houses("careful", "lowest", "ducker"))
    file = write_league(tmp_path, "typo", *lines)
    stopped = arena(tmp_path, "league", "run", file)
    done = arena(tmp_path, "league", "run", file, "--give-up-broken")
    rows = {row["entrant"]: row for row in standings(tmp_path, "typo")["standings"]}

    assert (2, 1) == (stopped.code, done.code), stopped.error
    assert "The seats of typo are given up." in done.error
    assert (3, 3) == (rows["typo"]["games"], rows["typo"]["given_up"])


def test_an_open_league_can_be_played_again(tmp_path: Path) -> None:
    """The same seed gives the same records and ratings, another one other deals."""
    found: list[tuple[list[dict[str, Any]], Any]] = []
    for folder, seed in (("one", "x"), ("two", "x"), ("three", "y")):
        (tmp_path / folder).mkdir()
        played = _play_open_league(tmp_path / folder, seed)
        found.append((played, standings(tmp_path / folder, "open")["standings"]))
    (one, ratings), (two, ratings_again), (three, _) = found

    assert [timeless(record) for record in one] == [timeless(record) for record in two]
    assert ratings == ratings_again
    hands = [
        {deal["hands"][0] for r in rs for deal in r["deals"]} for rs in (one, three)
    ]
    assert set() == hands[0] & hands[1]


def _hands(played: list[dict[str, Any]]) -> set[str]:
    return {hand for one in played for deal in one["deals"] for hand in deal["hands"]}


def _open_league(folder: Path, seed: str, *, games: int) -> Path:
    return write_league(
        folder,
        "open",
        f"games = {games}",
        f"practice_seed = '{seed}'",
        "tables_max = 8",
        *SHORT,
        *houses(*HOUSES),
    )


def _play_open_league(
    folder: Path, seed: str, *, games: int = 10
) -> list[dict[str, Any]]:
    return _finished(folder, _open_league(folder, seed, games=games), "open")


def _finished(folder: Path, file: Path, league: str) -> list[dict[str, Any]]:
    """Play a league to its end, without a process or a fault left."""
    done = arena(folder, "league", "run", file)

    assert 0 == done.code, done.error
    assert [] == left_over(folder)
    return records(folder, league)


@pytest.mark.parametrize("command", ["league run", "serve --league"])
def test_a_league_says_who_has_no_token_to_come_with(
    tmp_path: Path, command: str
) -> None:
    """Whoever can't dial in is named with the command that lets it in."""
    bots = [entrant(bot="grace"), *houses("careful", "daring", "lowest")]
    write_league(tmp_path, "demo", "games = 1", *bots)
    hint = f"grace (it has no token: `arena bot add grace --data {tmp_path / 'data'}`)"
    with running(tmp_path, *command.split(), "demo.toml", "--port", 0) as process:
        assert process.stdout is not None
        waiting = next(line for line in process.stdout if "waiting for" in line)
        process.terminate()
        process.communicate(timeout=TIMEOUT_SECONDS)

    assert waiting.endswith(f"demo: 0 of 1 games; waiting for {hint}\n")
