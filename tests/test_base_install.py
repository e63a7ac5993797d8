"""The base install: what a bot author gets with `pip install -e .` in a clone.

The wheel is built and installed into an empty environment, as a user would do it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.documents import read_document, saved_files
from tests.sources import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

BASE_PACKAGES = {"grpcio", "hearts-arena", "protobuf", "typing-extensions"}
"""The SDK, what it names, and what grpcio itself brings."""

INSTALLERS = {"pip", "setuptools"}

INSTALL_SECONDS_MAX = 300


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command outside the project's tree and without its environment."""
    ours = ("PYTHON", "HEARTS_", "VIRTUAL_ENV")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS_MAX,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder to work in."""
    return tmp_path_factory.mktemp("base")


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    """The project as a wheel."""
    pip = (sys.executable, "-m", "pip", "--quiet")
    built = run(*pip, "wheel", "--no-deps", "--wheel-dir", ".", ROOT, folder=folder)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("hearts_arena-*.whl")
    return path


def test_the_wheel_brings_its_data(wheel: Path) -> None:
    """What schedules are made from is in the wheel."""
    assert "leagues/scheduling/starters.json" in ZipFile(wheel).namelist()


@pytest.fixture(scope="module")
def python(wheel: Path, folder: Path) -> Path:
    """The Python of an environment with the wheel and nothing else."""
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv/bin/python"
    installed = run(python, "-m", "pip", "--quiet", "install", wheel, folder=folder)
    assert installed.returncode == 0, installed.stderr
    return python


def test_the_base_install_is_small(python: Path, folder: Path) -> None:
    """The base install brings grpcio and protobuf, and no server package."""
    listed = run(python, "-m", "pip", "list", "--format", "json", folder=folder)
    names = {package["name"].lower() for package in json.loads(listed.stdout)}

    assert BASE_PACKAGES == {name.replace("_", "-") for name in names} - INSTALLERS


def test_the_sdk_can_be_imported(python: Path, folder: Path) -> None:
    """The SDK works from the wheel, types and messages included."""
    code = (
        "import hearts, hearts.arena.v1.play_pb2_grpc as stubs, pathlib; "
        "print(hearts.QS, stubs.BotServiceStub.__name__, "
        "pathlib.Path(hearts.__file__).with_name('py.typed').exists())"
    )
    done = run(python, "-c", code, folder=folder)

    assert ("QS BotServiceStub True\n", "") == (done.stdout, done.stderr)


def test_house_bots_come_with_the_sdk(python: Path, folder: Path) -> None:
    """A house bot says how to start it."""
    done = run(python, "-m", "hearts.house", "lowest", "--help", folder=folder)

    assert 0 == done.returncode, done.stderr
    assert "usage:" in done.stdout.lower()


@pytest.mark.parametrize("arguments", [(), ("demo",), ("league", "run", "x.toml")])
def test_commands_name_the_extra_they_need(
    python: Path, folder: Path, arguments: tuple[str, ...]
) -> None:
    """Without the server's packages a command says in one line what to install."""
    done = run(python.with_name("arena"), *arguments, folder=folder)

    assert 2 == done.returncode
    assert "pip install -e '.[server]'" in done.stderr
    assert 1 == len(done.stderr.splitlines())


def test_a_bot_plays_with_the_base_install(python: Path, folder: Path) -> None:
    """The README's bot plays a whole game with nothing but the base install."""
    (folder / "mybot.py").write_text(
        saved_files(read_document("README.md"))["mybot.py"]
    )
    arena = Path(sys.executable).with_name("arena")
    play = (arena, "play", "--transcript", "compact", "--", python, "mybot.py")
    done = run(*play, folder=folder)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "mybot: 1 game, " in done.stdout
    assert ", 0 faults" in done.stdout
