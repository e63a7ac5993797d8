"""Tokens of every kind, and all that an arena and its bots write of a run."""

import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from leagues.storage.bots import add_bot
from leagues.storage.lock import served
from leagues.storage.store import Store
from tests.arena_thread import dialled
from tests.e2e.frames import hands_of, play
from tests.e2e.processes import (
    BOTS,
    TIMEOUT_SECONDS,
    arena,
    entrant,
    environment,
    houses,
    left_over,
    records,
    running,
    write_league,
)

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

WRONG = "a-token-that-nobody-has"
LOUD = ("--metrics", 0, "--log-level", "debug", "--log-format")
COMMANDS = (
    ("status",),
    ("bot", "list", "--json"),
    ("bot", "revoke", "gus"),
)


@dataclass
class Run:
    """What was written, by where, and the tokens that should not be in it."""

    texts: dict[str, bytes] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def add(self, where: str, text: str) -> None:
        """Keep a text; the same place may have several."""
        self.texts[where] = self.texts.get(where, b"") + text.encode()

    def add_command(self, folder: Path, *arguments: str) -> None:
        """Keep what a command prints."""
        done = arena(folder, *arguments)
        self.add(" ".join(arguments), done.out + done.error)

    def add_files(self, data: Path) -> None:
        """Keep all files of a data directory but the one that is to hold a token."""
        for file in data.rglob("*"):
            if file.is_file() and file.name != "lock":
                where = str(file.relative_to(data))
                self.texts[where] = file.read_bytes()

    def places_of(self, text: str) -> list[str]:
        """Return where a text stands."""
        return [where for where, found in self.texts.items() if text.encode() in found]


def one_use_tokens(folder: Path) -> dict[str, str]:
    """Return the tokens in the environments of programs that an arena has started."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            pairs = file.read_bytes().decode().split("\0")
        except OSError:
            continue
        values = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        if str(folder) in values.values() and "HEARTS_BOT" in values:
            found[f"one-use, {values['HEARTS_BOT']}"] = values["HEARTS_TOKEN"]
    return found


def places(lines: Iterator[str]) -> tuple[str, str, str]:
    """Read where the bots of an arena and its metrics are; return what was read too."""
    read, bots, metrics = "", "", ""
    while not (bots and metrics):
        line = next(lines)
        read += line
        if found := re.search(r" at ([\d.:]+)$", line):
            bots = found[1]
        elif found := re.fullmatch(r"metrics: (\S+)\n", line):
            metrics = found[1]
    return bots, metrics, read


@contextmanager
def program(folder: Path, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a bot of the SDK beside the arena until the block is left."""
    process = subprocess.Popen(
        [sys.executable, BOTS / "practising.py"],
        env=environment(folder, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def watch(
    folder: Path, run: Run, bots: Mapping[str, str], *command: object, game_id: str
) -> None:
    """Play a game of the league, and keep all that is written meanwhile."""
    kind = str(command[0])
    with running(folder, *command) as process:
        assert process.stdout is not None
        address, metrics, read = places(process.stdout)
        where = {"HEARTS_ARENA": address}
        with (
            program(folder, **where, HEARTS_TOKEN=bots["gus"]) as practising,
            program(folder, **where, HEARTS_TOKEN=WRONG) as unknown,
            dialled(address, bots["ann"], max_games=1) as (_, frames),
        ):
            hands_of(frames, 1)
            run.tokens |= {f"{kind}, {k}": t for k, t in one_use_tokens(folder).items()}
            told = served(folder / "data")
            assert told is not None
            run.tokens[f"operator, {kind}"] = told.operator_token
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(metrics, timeout=TIMEOUT_SECONDS) as page:
                run.add("metrics", page.read().decode())
            run.add("command lines", "\n".join(left_over(folder)))
            for arguments in COMMANDS if kind == "serve" else ():
                run.add_command(folder, *arguments)
            for bot in (practising, unknown):
                run.add("bots", bot.communicate(timeout=TIMEOUT_SECONDS)[0])
        process.terminate()
        # The open turn comes again; with the game the arena ends, and so the frames do.
        with dialled(address, bots["ann"], max_games=1) as (send, frames):
            play(send, frames, game_id)
        run.add(kind, read + process.communicate(timeout=TIMEOUT_SECONDS)[0])


def test_no_token_is_written_anywhere(tmp_path: Path) -> None:
    """Not in logs of any form, what commands and bots print, metrics or the store."""
    file = write_league(
        tmp_path,
        "friday",
        "games = 2",
        "rules = { preset = 'arena', max_deals = 1 }",
        "time = { turn_limit = 0 }",
        entrant(bot="ann"),
        entrant(name="spy", command=[sys.executable, str(BOTS / "telling.py"), "told"]),
        *houses("careful", "lowest"),
    )
    run = Run()
    with Store.open(tmp_path / "data", command="a test") as store:
        bots = {name: add_bot(store, name) for name in ("ann", "gus")}
    serve = ("serve", "--port", 0, "--drain", 30, "--league", file, *LOUD, "json")
    watch(tmp_path, run, bots, *serve, game_id="friday-1")
    league = ("league", "run", file, "--port", 0, "--drain", 30, *LOUD, "text")
    watch(tmp_path, run, bots, *league, game_id="friday-2")
    run.add_command(tmp_path, "games", "export", "friday")
    run.add_files(tmp_path / "data")
    run.tokens |= {**bots, "unknown": WRONG}
    spied = (tmp_path / "told").read_text().split()
    run.tokens |= {f"spied {number}": token for number, token in enumerate(spied)}

    assert {} == {
        kind: where
        for kind, token in run.tokens.items()
        if (where := run.places_of(token))
    }
    # Four programs a run have one, and each of the spy's starts has a session's too.
    assert 13 <= len(set(run.tokens.values()))
    assert 2 == len(records(tmp_path, "friday"))
    assert {"serve", "league", "logs/arena.log", "games export friday"} <= {
        *run.places_of("friday")
    }
    assert b'"event": "connected"' in run.texts["logs/arena.log"]
    assert b"sdk=" in run.texts["logs/arena.log"]
    assert [] == left_over(tmp_path)
