"""A league whose entrants come and go, by real commands, while its arena is killed."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from leagues.storage.store import Store, StoreError
from tests.e2e.processes import (
    TIMEOUT_SECONDS,
    arena,
    entrant,
    left_over,
    records,
    standings,
    start,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GAMES = 234
"""Seventy-two for each of the thirteen, if all were there all along."""
KINDS = ("random", "lowest", "ducker", "careful", "daring")
BOTS = tuple(f"bot{number}" for number in range(1, 14))
LATE, GONE = "late", "bot5"


def test_thirteen_with_a_late_one_and_one_who_leaves_end_even_after_two_kills(
    tmp_path: Path,
) -> None:
    """Half-way a bot joins and another withdraws, the arena is killed twice, and all
    those who are left have played as evenly as in a league that was planned so."""
    lines = [f"games = {GAMES}", "rules = { preset = 'arena', target = 26 }"]
    bots = [entrant(name=b, house=KINDS[at % 5]) for at, b in enumerate(BOTS)]
    # Few games at a time, so that half-way is half-way and there is time to decide.
    file = write_league(tmp_path, "friday", *lines, "tables_max = 3", *bots)
    before = killed_after(tmp_path, file, GAMES // 2 - 30)
    bots = [entrant(name=LATE, house="careful"), *bots]
    write_league(tmp_path, "friday", *lines, "tables_max = 1", *bots)
    middle = killed_after(tmp_path, file, GAMES // 2, leaving=GONE)
    write_league(tmp_path, "friday", *lines, *bots)
    last = arena(tmp_path, "league", "run", file)
    kept = {record["block"]: record["seats"] for record in records(tmp_path, "friday")}
    told = balance(tmp_path)
    whole = {row["kind"]: row for row in told["rows"] if not row["entrant"]}
    audit = arena(tmp_path, "league", "audit", "friday")
    found = standings(tmp_path, "friday")

    assert (0, []) == (last.code, left_over(tmp_path)), last.error
    assert [*range(1, 1 + GAMES)] == sorted(kept)
    # What was finished before each kill is there as it was.
    assert middle == {number: kept[number] for number in middle}
    assert before == {number: middle[number] for number in before}
    # S-2 and S-3, S-5, S-4, by the words of the report.
    assert whole.keys() == {"games", "pairs", "lefts", "across", "seats"}
    assert whole["games"]["apart"] <= 2
    assert whole["pairs"]["apart"] <= 3
    # Neighbours that had met before one who came could not be chosen any more.
    assert max(whole["lefts"]["apart"], whole["across"]["apart"]) <= 4
    assert whole["seats"]["apart"] <= 2
    # S-7.
    games = {row["entrant"]: row["most"] for row in told["rows"] if is_games(row)}
    assert games[LATE] >= whole["games"]["least"] - 1
    assert games[GONE] < whole["games"]["least"]
    assert f"{LATE} joined late and has played {games[LATE]} games" in told["summary"]
    assert f"{GONE} withdrew and has played {games[GONE]} games." in told["summary"]
    # And the log says it all, with a commitment to each plan.
    assert 0 == audit.code, audit.error
    check_log(found["audit"])
    assert {LATE, *BOTS} == {row["entrant"] for row in found["standings"]}


def check_log(entries: list[dict[str, Any]]) -> None:
    """See that the log tells who came and went, and has a commitment to each plan."""
    actions = [entry["action"] for entry in entries]
    # Planned once more if the second kill cut off a game of the one who leaves.
    assert ["join", "plan", "withdraw", "plan"] == actions[:4]
    assert actions[4:] in ([], ["plan"])
    assert [one == "plan" for one in actions] == [
        "commitment" in entry for entry in entries
    ]


def killed_after(
    folder: Path, file: Path, games: int, *, leaving: str = ""
) -> dict[int, Any]:
    """Run the league, and kill its arena once so many games are finished.

    Args:
        leaving: Who withdraws some games before that.
    """
    process = start(folder, "league", "run", file)
    if leaving:
        begun = _finished(folder)
        _await(process, folder, begun + 1)
        words = ("league", "withdraw", "friday", leaving, "--reason", "it has left")
        done = arena(folder, *words)
        assert 0 == done.code, done.error
        # The arena has taken it up once the log has the new plan.
        while process.poll() is None and _decisions(folder)[-1] != "plan":
            time.sleep(0.01)
    _await(process, folder, games)
    process.kill()
    out, _ = process.communicate(timeout=TIMEOUT_SECONDS)

    assert -signal.SIGKILL == process.returncode, out
    assert [] == left_over(folder)
    return {record["block"]: record["seats"] for record in records(folder, "friday")}


def _await(process: subprocess.Popen[str], folder: Path, games: int) -> None:
    while process.poll() is None and _finished(folder) < games:
        time.sleep(0.01)


def _finished(folder: Path) -> int:
    try:
        with Store.open_read_only(folder / "data") as store:
            return store.league("friday").games_finished
    except (StoreError, KeyError):
        return 0


def _decisions(folder: Path) -> list[str]:
    with Store.open_read_only(folder / "data") as store:
        return [entry.action.value for entry in store.decisions("friday")]


def balance(folder: Path) -> dict[str, Any]:
    """What the report on the balance says."""
    words = ("league", "report", "friday", "balance", "--format", "json")
    told: dict[str, Any] = json.loads(arena(folder, *words).out)
    return told


def is_games(row: dict[str, Any]) -> bool:
    """Whether a row of the report has the games of an entrant."""
    return bool(row["entrant"]) and row["kind"] == "games"


def test_a_broken_program_that_withdraws_is_not_started_any_more(
    tmp_path: Path,
) -> None:
    """A league that stopped for it goes on without it to its end."""
    file = write_league(
        tmp_path,
        "friday",
        "games = 10",
        "rules = { preset = 'arena', target = 13 }",
        *[entrant(house=house) for house in KINDS],
        entrant(name="broken", command="python -c 'exit(3)'", max_restarts=0),
    )
    first = arena(tmp_path, "league", "run", file)
    gone = arena(tmp_path, "league", "withdraw", "friday", "broken", "--reason", "so")
    log = tmp_path / "data" / "logs" / "friday" / "broken.log"
    before = log.read_text()
    last = arena(tmp_path, "league", "run", file)
    played = records(tmp_path, "friday")
    seats = [seat["bot"] for one in played for seat in one["seats"]]

    assert (2, 0, 0) == (first.code, gone.code, last.code), last.error
    assert before == log.read_text()
    assert ("broken" in seats, 40) == (False, len(seats))
