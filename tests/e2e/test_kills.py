"""Leagues whose arena is killed again and again: `--kills 100` for a long run.

A kill at a random moment needs a random moment: these tests wait for what the store
shows, and then for a short while that chance decides. No other tests do so.
"""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.record import read_record
from leagues.storage.store import Store, StoreError
from tests.e2e.processes import (
    BOTS,
    TIMEOUT_SECONDS,
    arena,
    entrant,
    houses,
    left_over,
    records,
    standings,
    start,
    timeless,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

HOUSES = ("random", "lowest", "ducker", "careful", "daring")
GAMES_A_KILL = 8
"""How many games a league has for each kill, so that none comes too late."""
SHORT = ("[rules]", "target = 26")
"""Games of a few deals: as good as long ones here."""
START_SECONDS = 2.5
"""About what an arena needs until its first game ends."""
MOMENTS = ("play", "commit", "start", "play", "commit")
"""When the arena is killed, in turn: while games run, while one is written, and
before any ends. The last kill of a league comes with its last game."""


def test_a_league_killed_at_any_moment_ends_like_an_unbroken_one(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """After any number of kills, records and standings are those of a single run."""
    kills = int(request.config.getoption("--kills"))
    chance = random.Random(kills)
    lines = (f"games = {GAMES_A_KILL * (kills + 1)}", "practice_seed = 'x'")
    for folder in ("whole", "broken"):
        (tmp_path / folder).mkdir()
    whole, broken = (
        Killed(tmp_path / folder, *lines, "tables_max = 8", *SHORT, *houses(*HOUSES))
        for folder in ("whole", "broken")
    )
    whole.finish()
    for number in range(kills - 1):
        broken.kill(MOMENTS[number % len(MOMENTS)], chance)
    broken.kill("end", chance)
    broken.finish()
    exported = arena(broken.folder, "games", "export", "league", "-o", "all.jsonl")
    verified = arena(broken.folder, "verify", "all.jsonl", timeout_seconds=600)
    expected, found = (
        [timeless(one) for one in records(killed.folder, "league")]
        for killed in (whole, broken)
    )

    assert expected == found
    assert standings(whole.folder, "league") == standings(broken.folder, "league")
    assert (0, 0) == (exported.code, verified.code), verified.error


def test_a_killed_secret_league_deals_nothing_twice(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """No finished game is lost, and no hand is ever dealt a second time."""
    kills = int(request.config.getoption("--kills")) // 2
    chance = random.Random(kills)
    games = GAMES_A_KILL * (kills + 1)
    watchful = entrant(name="watchful", command=f"python {BOTS / 'watchful.py'}")
    entrants = [watchful, *houses("careful", "lowest", "random")]
    league = Killed(tmp_path, f"games = {games}", "tables_max = 8", *SHORT, *entrants)
    for _ in range(kills):
        league.kill("play", chance)
    league.finish()
    played = records(tmp_path, "league")
    seen = (tmp_path / "watchful.hands").read_text().splitlines()
    hands = [line.split(" ", 2)[2] for line in seen]

    assert games == len(played) == len({record["game"] for record in played})
    assert len(hands) == len(set(hands))


class Killed:
    """A league of its own in a folder, and what its store has ever held."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.folder = folder
        self.file = write_league(folder, "league", *lines)
        self.stored: dict[int, str] = {}

    def finish(self) -> None:
        """Play the league to its end, without a process left or a game lost."""
        seconds = TIMEOUT_SECONDS + self._planned()
        done = arena(self.folder, "league", "run", self.file, timeout_seconds=seconds)

        assert 0 == done.code, done.error
        assert [] == left_over(self.folder)
        self._check()

    def kill(self, moment: str, chance: random.Random) -> None:
        """Run the league and kill its arena at a moment of this kind.

        Nothing that it has started lives on, even where the programs are not killed
        with it.
        """
        process = start(self.folder, "league", "run", self.file)
        seen = self._await(process, moment, chance)
        if chance.random() < 0.25:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        # The guards of its programs hold the other end until they have ended.
        out, _ = process.communicate(timeout=TIMEOUT_SECONDS)

        assert process.returncode == -signal.SIGKILL or moment == "end", out
        assert [] == left_over(self.folder)
        self._check()
        assert seen <= len(self.stored), f"{seen} games had been finished"

    def _await(
        self, process: subprocess.Popen[str], moment: str, chance: random.Random
    ) -> int:
        """Wait for a moment; return how many games were finished by then."""
        if moment == "start":
            _pause(process, chance.uniform(0, START_SECONDS))
            return len(self.stored)
        planned = self._planned()
        wanted = len(self.stored) + chance.randint(1, GAMES_A_KILL - 2)
        if moment == "end":
            wanted = planned
        seen = 0
        for seen in self._counts(process):
            if seen >= wanted:
                break
        if moment == "commit":
            _await_write(process, self.folder / "data" / "arena.sqlite-wal")
            _pause(process, chance.choice([0, 0, 0.0005, 0.002]))
        else:
            _pause(process, chance.uniform(0, 0.05))
        return seen

    def _planned(self) -> int:
        line = next(
            line
            for line in self.file.read_text().splitlines()
            if line.startswith("games =")
        )
        return int(line.split("=")[1])

    def _counts(self, process: subprocess.Popen[str]) -> Iterator[int]:
        """Yield how many games are finished, as long as the arena lives."""
        while process.poll() is None:
            yield self._count()
            time.sleep(0.01)
        yield self._count()

    def _count(self) -> int:
        try:
            with Store.open_read_only(self.folder / "data") as store:
                return store.league("league").games_finished
        except (StoreError, KeyError):
            return 0

    def _check(self) -> None:
        """What was stored once is there once, and as it was."""
        now: dict[int, Any] = {}
        if (self.folder / "data" / "arena.sqlite").exists():
            try:
                with Store.open_read_only(self.folder / "data") as store:
                    now = dict(store.records("league"))
            except (StoreError, KeyError):
                assert not self.stored, "the store can't be read any more"
        assert self.stored == {n: now[n] for n in self.stored if n in now}
        assert [read_record(text).block for text in now.values()] == [*now]
        self.stored = now


def _await_write(process: subprocess.Popen[str], path: Path) -> None:
    """Wait until the file is written to."""
    before = _written(path)
    while process.poll() is None and _written(path) == before:
        time.sleep(0.0002)


def _written(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except FileNotFoundError:
        return 0, 0
    return state.st_size, state.st_mtime_ns


def _pause(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait, though no longer than the process lives."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        time.sleep(min(0.01, max(0.0, until - time.monotonic())))
