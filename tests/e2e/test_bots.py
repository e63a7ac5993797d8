"""Bots of one's own in real processes: started by the arena, or dialling in."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import blocks, read_document
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
    standings,
    start,
    write_league,
)
from tests.sources import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GAMES = 4


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Messages compiled from the `.proto` files, with nothing of the SDK."""
    folder = tmp_path_factory.mktemp("stubs")
    protos = sorted(map(str, (ROOT / "proto").rglob("*.proto")))
    outputs = [f"--python_out={folder}", f"--grpc_python_out={folder}"]
    compiler = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'proto'}"]
    subprocess.run([*compiler, *outputs, *protos], check=True)
    for package in ("hearts", "hearts/arena", "hearts/arena/v1"):
        (folder / package / "__init__.py").touch()
    return folder


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """An arena with a league that waits for the bot `plain`, and its address."""
    entrants = [entrant(bot="plain"), *houses("careful", "lowest", "ducker")]
    file = write_league(tmp_path, "open", f"games = {GAMES}", *entrants)
    process = start(tmp_path, "serve", "--port", 0, "--league", file)
    try:
        yield process, address_of(process)
    finally:
        process.kill()
        process.communicate()


def _run_bot(
    folder: Path, name: str, address: str, *arguments: object, **variables: str
) -> str:
    """Run a bot that dials in, to its end; return what it printed."""
    token = arena(folder, "bot", "add", name).out.strip()
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=environment(folder, HEARTS_ARENA=address, HEARTS_TOKEN=token, **variables),
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=True,
    )
    return done.stdout


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    """The README's bot, in a folder of its own, plays a game without a fault."""
    text = next(
        block.text
        for block in blocks(read_document("README.md"))
        if block.language == "python" and "hearts.run" in block.text
    )
    (tmp_path / "mybot.py").write_text(text)
    done = arena(tmp_path, "play", "--seed", 1, "--", "python", "mybot.py")
    (record,) = (tmp_path / "data/play").glob("*.jsonl")
    verified = arena(tmp_path, "verify", record)

    assert (0, 0) == (done.code, verified.code)
    assert 11 >= len([line for line in text.splitlines() if line.strip()])
    assert "Game play-1-1\n" in done.out
    assert "\nOver after " in done.out
    assert ", 0 faults\n" in done.out
    assert [] == left_over(tmp_path)


def test_a_failing_bot_learns_why(tmp_path: Path) -> None:
    """A bot that raises is told where, with the end of its log; exit code 1."""
    (tmp_path / "mybot.py").write_text(
        "import hearts\n\n\n"
        "class MyBot(hearts.Bot):\n"
        "    def choose_card(self, turn):\n"
        "        return turn.choices[len(turn.plays) // 20]\n\n\n"
        "hearts.run(MyBot)\n"
    )
    done = arena(tmp_path, "play", "--seed", 1, "--", "python", "mybot.py")

    assert 1 == done.code
    assert "? mybot: named no card, as a bot does whose code raised" in done.out
    assert "~ mybot is given up (too many faults): counts the worst" in done.out
    assert "IndexError" in done.error


def test_a_bot_of_lines_plays(tmp_path: Path) -> None:
    """A bot that only reads and writes lines plays through the bridge."""
    (tmp_path / "mybot.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    turn = json.loads(line)\n"
        "    print(*turn['choices'][: turn['count']], flush=True)\n"
    )
    done = arena(
        tmp_path,
        *("play", "--stdio", "--seed", 1, "--rule", "target=20"),
        *("--transcript", "compact", "--", "python", "mybot.py"),
    )

    assert 0 == done.code, done.error
    assert "  rules arena, 4 seats, target = 20\n" in done.out
    assert [] == left_over(tmp_path)


def test_bots_dial_in(
    tmp_path: Path, serving: tuple[subprocess.Popen[str], str], stubs: Path
) -> None:
    """A bot without the SDK plays a league, another practises; all ends cleanly."""
    process, address = serving
    practised = _run_bot(tmp_path, "owl", address, BOTS / "practising.py")
    _run_bot(
        tmp_path, "plain", address, BOTS / "plain.py", GAMES, PYTHONPATH=str(stubs)
    )
    assert process.stdout is not None
    finished = next(line for line in process.stdout if "finished" in line)
    file = tmp_path / "download.jsonl"
    downloaded = arena(
        tmp_path, "games", "export", "open", "--arena", address, "-o", file
    )
    process.send_signal(signal.SIGTERM)
    printed, _ = process.communicate(timeout=TIMEOUT_SECONDS)

    assert practised.startswith("places ")
    assert f"league open: finished, {GAMES} of {GAMES} games\n" == finished
    assert (0, 0) == (downloaded.code, process.returncode), printed
    assert GAMES == len(file.read_text().splitlines())
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines == records(tmp_path, "open")
    rows = {row["entrant"]: row for row in standings(tmp_path, "open")["standings"]}
    assert {0} == set(rows["plain"]["faults"].values())
    assert [] == left_over(tmp_path)


def test_what_is_in_use_is_named(
    tmp_path: Path, serving: tuple[subprocess.Popen[str], str]
) -> None:
    """A port, a data directory or a token that can't be used ends in one line."""
    process, address = serving
    port = address.rpartition(":")[2]
    taken = arena(tmp_path, "serve", "--port", port, "--data", tmp_path / "other")
    locked = arena(tmp_path, "demo")
    stranger = subprocess.run(
        [sys.executable, BOTS / "practising.py"],
        env=environment(tmp_path, HEARTS_ARENA=address, HEARTS_TOKEN="hb_wrong"),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )

    assert (2, 1) == (taken.code, len(taken.error.splitlines()))
    assert f":{port}" in taken.error
    assert 2 == locked.code
    assert f"is in use by process {process.pid} (arena serve)" in locked.error
    assert 2 == stranger.returncode
    assert "does not know the token" in stranger.stderr
