"""The JavaScript SDK: its own tests, and games of its bots in a real arena.

At the table with them sits the bot that was written from the .proto alone.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.record import Record
from arena.rules import RuleSet, preset
from arena.spec import GameSpec, SeatSpec
from tests.arena_thread import RunningArena, running_arena
from tests.certificate_files import make_client, make_server
from tests.sources import ROOT

FOLDER = ROOT / "clients" / "javascript"
SECONDS_MAX = 60

pytestmark = [pytest.mark.slow, pytest.mark.e2e]


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return the folder of the SDK with its libraries installed."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: the JavaScript SDK is untested")
    if not (FOLDER / "node_modules").exists():
        done = subprocess.run(
            ["npm", "ci", "--silent", "--no-audit", "--no-fund"],
            cwd=FOLDER,
            timeout=SECONDS_MAX,
            check=False,
        )
        if done.returncode:
            pytest.skip("npm ci failed: the JavaScript SDK is untested")
    return FOLDER


@contextmanager
def program(arena: RunningArena, token: str, *command: str | Path) -> Iterator[None]:
    """Run a bot beside an arena; afterwards SIGTERM must end it, without an error."""
    environment = {**os.environ, "HEARTS_ARENA": arena.address, "HEARTS_TOKEN": token}
    process = subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        yield
        process.terminate()
        _, errors = process.communicate(timeout=SECONDS_MAX)
    finally:
        process.kill()
        process.communicate()

    assert 0 == process.returncode, errors


def readme_bot(folder: Path, into: Path) -> Path:
    """Install the SDK in a folder as the README says, with its bot; give its path."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    found = re.search(r"Saved as `(.*?)`.*?```js\n(.*?)```", text, re.DOTALL)
    assert found is not None
    assert "npm install PATH/clients/javascript" in text
    subprocess.run(
        ["npm", "init", "-y"], cwd=into, stdout=subprocess.DEVNULL, check=True
    )
    subprocess.run(
        ["npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", folder],
        cwd=into,
        timeout=SECONDS_MAX,
        check=True,
    )
    path = into / found[1]
    path.write_text(found[2], encoding="utf-8")
    return path


def test_the_javascript_sdk_passes_its_own_tests(folder: Path) -> None:
    """Cards, turns, session and network behave against a scripted arena."""
    done = subprocess.run(
        ["node", "--test", "--test-timeout=30000", "test/"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=2 * SECONDS_MAX,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "# fail 0" in done.stdout


def test_bots_without_the_python_sdk_play(folder: Path, tmp_path: Path) -> None:
    """Three bots in JavaScript and one in plain gRPC play games without a fault."""
    raw = Path(__file__).with_name("raw_bot.py")
    seats = tuple(SeatSpec(bot=name) for name in ("ada", "bob", "cat", "dot"))
    with running_arena() as arena, ExitStack() as programs:
        token = ("--arena", arena.address, "--token", "once-dot")
        for command in (
            ("once-ada", "node", folder / "examples" / "random_bot.js"),
            ("bob", "node", folder / "examples" / "careful_bot.js"),
            ("cat", "node", readme_bot(folder, tmp_path)),
            ("once-dot", sys.executable, raw, *token),
        ):
            programs.enter_context(program(arena, *command))
        arena.wait_for(lambda server: len(server.presence()) == len(seats))
        rules = [
            preset("arena", moon="choice", target=50),
            preset("omnibus", target=50, sun="choice"),
        ]
        records = [_play(arena, seats, each) for each in rules]

    assert [(), ()] == [record.faults for record in records]
    assert ["finished"] * 2 == [record.ending for record in records]


def _play(arena: RunningArena, seats: tuple[SeatSpec, ...], rules: RuleSet) -> Record:
    return arena.play(
        GameSpec(
            game_id=f"javascript-{rules.preset}",
            rules=rules,
            seats=seats,
            sequence_seed=bytes(32),
        )
    )


def _dial(folder: Path, address: str, token: str, **tls: Path) -> str:
    """Run a bot that the arena does not let in; return what it says."""
    variables = {f"HEARTS_TLS_{name.upper()}": str(path) for name, path in tls.items()}
    done = subprocess.run(
        ["node", folder / "examples" / "random_bot.js"],
        env={**os.environ, "HEARTS_ARENA": address, "HEARTS_TOKEN": token, **variables},
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert 0 != done.returncode
    return done.stderr


def test_bots_connect_over_tls(folder: Path, tmp_path: Path) -> None:
    """With the right files a bot is let in; else it ends, saying what is missing."""
    ca, other = tmp_path / "ca.pem", tmp_path / "other"
    tls = replace(make_server(tmp_path), client_ca=ca.read_bytes())
    make_server(other)
    cert, key = make_client(tmp_path)
    server_key = tmp_path / "server-key.pem"
    # The last one comes as far as the arena itself, which does not know its token.
    cases: list[tuple[dict[str, Path], str]] = [
        ({}, "speaks TLS; set HEARTS_TLS_CA to the ca.pem"),
        ({"ca": ca}, "admits only bots with a certificate; set HEARTS_TLS_CERT"),
        ({"ca": other / "ca.pem"}, "is not from the authority in"),
        ({"ca": ca, "cert": cert}, "is of no use without HEARTS_TLS_KEY"),
        ({"ca": ca, "cert": cert, "key": tmp_path / "none"}, "_KEY names"),
        ({"ca": ca, "cert": cert, "key": tmp_path / "ca-key.pem"}, "and its key"),
        (
            {"ca": ca, "cert": tmp_path / "server.pem", "key": server_key},
            "it has expired, it is not a bot's (`arena cert --client NAME` makes",
        ),
        ({"ca": ca, "cert": cert, "key": key}, "the token is missing or unknown"),
    ]
    with running_arena(tls=tls) as arena:
        address = arena.server.bot_address
        said = [_dial(folder, address, "unknown", **files) for files, _ in cases]

    for (_, expected), text in zip(cases, said, strict=True):
        assert expected in text
