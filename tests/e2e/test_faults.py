"""Lost time in real processes: whose it was, and that the arena's own is nobody's."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import (
    BOTS,
    TIMEOUT_SECONDS,
    address_of,
    arena,
    entrant,
    environment,
    houses,
    left_over,
    records,
    start,
    write_league,
)
from tests.tcp_proxy import proxy

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

RULES = "rules = { preset = 'arena', max_deals = 1 }"
LATE = str(BOTS / "late.py")


def program(mode: str) -> str:
    """Return an entrant that loses time in a certain way."""
    return entrant(name=mode, command=f"{sys.executable} {LATE} {mode}")


def explained(folder: Path, league: str) -> dict[str, Any]:
    """Return what `arena games faults` says of a league."""
    done = arena(folder, "games", "faults", league, "--json")
    assert 0 == done.code, done.error
    found: dict[str, Any] = json.loads(done.out)
    return found


@contextmanager
def dialling(folder: Path, name: str, address: str, mode: str) -> Iterator[None]:
    """Run a bot that dials in at an address while the block lasts."""
    token = arena(folder, "bot", "add", name).out.strip()
    process = subprocess.Popen(
        [sys.executable, LATE, mode],
        cwd=folder,
        env=environment(folder, HEARTS_ARENA=address, HEARTS_TOKEN=token),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def serving(folder: Path, league: Path) -> Iterator[tuple[str, Iterator[str]]]:
    """Serve a league; yields the address and the lines that the arena prints."""
    process = start(folder, "serve", "--port", 0, "--league", league)
    assert process.stdout is not None
    try:
        yield address_of(process), process.stdout
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT_SECONDS)


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The faults of a game whose four bots all lose time, each in its own way."""
    folder = tmp_path_factory.mktemp("late")
    time = "time = { bank = 30, turn_limit = 0.3 }"
    programs = [program(mode) for mode in ("sleeps", "stops", "killed")]
    file = write_league(
        folder, "late", "games = 1", RULES, time, *programs, entrant(bot="far")
    )
    with (
        serving(folder, file) as (address, lines),
        proxy(address, delay=0.2) as far,
        dialling(folder, "far", far.address, "plain"),
    ):
        assert any("finished, 1 of 1" in line for line in lines)
    assert [] == left_over(folder)
    return explained(folder, "late")


@pytest.mark.parametrize(
    ("bot", "verdict", "words"),
    [
        ("sleeps", "bot", "it was thinking: its own clock says "),
        ("far", "link", "the link: a round trip of "),
        ("stops", "unreachable", "by its own clock its process stood still for "),
        ("killed", "unreachable", "then its connection was lost; a stopped process"),
    ],
)
def test_each_loss_on_time_has_its_verdict(
    late: dict[str, Any], bot: str, verdict: str, words: str
) -> None:
    """Each bot is late, in the pass already, and that is told for what it was."""
    first = next(fault for fault in late["faults"] if fault["bot"] == bot)

    assert "late" == first["kind"]
    # What a busy machine hands back may save the bot behind the slow link at first.
    assert bot == "far" or (1, 0) == (first["deal"], first["trick"])
    assert verdict == first["verdict"], first["why"]
    assert words in first["why"]


def test_an_arena_that_stood_still_charges_nobody(tmp_path: Path) -> None:
    """An arena stopped for a second hands it back, and nobody has a fault."""
    file = write_league(
        tmp_path,
        "still",
        *("games = 1", RULES, "time = { bank = 30, turn_limit = 0.6 }"),
        program("arena"),
        *houses("careful", "lowest", "ducker"),
    )
    process = start(tmp_path, "league", "run", file)
    (tmp_path / "arena.pid").write_text(str(process.pid))
    printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)
    told = explained(tmp_path, "still")
    shown = arena(tmp_path, "games", "faults", "still").out

    assert 0 == process.returncode, printed
    assert [] == told["faults"]
    assert told["handed_back"]["turns"] >= 1
    assert 900 <= told["handed_back"]["most_ms"] <= 1_500
    assert "1 game, no fault\n\nThe arena itself stood still for up to " in shown
    (record,) = records(tmp_path, "still")
    charged = [turn[2] for deal in record["times"]["turns"] for turn in deal]
    assert max(charged) < 600
    assert [] == left_over(tmp_path)


def test_a_connection_may_be_lost_five_times_in_a_game(tmp_path: Path) -> None:
    """A bot whose connection is cut five times ends its game without a fault."""
    file = write_league(
        tmp_path,
        "cut",
        *("games = 1", "rules = { preset = 'arena', max_deals = 3 }"),
        entrant(bot="frail"),
        *houses("careful", "lowest", "ducker"),
    )
    with (
        serving(tmp_path, file) as (address, lines),
        proxy(address, cuts=5, after=8) as line,
        dialling(tmp_path, "frail", line.address, "plain"),
    ):
        assert any("finished, 1 of 1" in printed for printed in lines)
    told = explained(tmp_path, "cut")

    assert (5, []) == (line.was_cut, told["faults"])
    assert 1 == len(records(tmp_path, "cut"))
    assert [] == left_over(tmp_path)
