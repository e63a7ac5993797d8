"""What a command loads before it does anything: nothing slow that it does not need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from leagues.storage.store import Store
from tests.e2e.processes import arena, environment, running
from tests.league_games import league_config, league_spec, played
from tests.sources import ROOT

SLOW = ("numpy", "scipy", "jinja2", "pyarrow")
"""Packages that take longer to load than all of the arena's own modules."""

PROGRAM = f"""
import contextlib, io, json, sys
from arena.__main__ import main
with contextlib.redirect_stdout(io.StringIO()):
    code = main(sys.argv[1:])
print(json.dumps([code, [name for name in {SLOW!r} if name in sys.modules]]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data directory that has a league with a finished game."""
    folder = tmp_path_factory.mktemp("loading")
    with Store.open(folder / "data", command="a test") as store:
        config = league_config()
        league = store.open_league(config)
        store.finish_game("demo", played(league_spec(config, league, 1)))
    return folder


def loaded(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """Return the exit code of a command, and what slow packages it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=ROOT,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    code, packages = json.loads(done.stdout)
    return code, packages


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "league list",
        "league run --help",
        "games list demo",
        "bot list",
        "games export demo",
    ],
)
def test_what_rates_nothing_loads_no_numbers(folder: Path, words: str) -> None:
    """Commands that need no ratings start without what makes them."""
    assert (0, []) == loaded(folder, *words.split())


def test_what_is_rated_is_seen(folder: Path) -> None:
    """Standings need numbers, so these tests would see if others loaded them."""
    assert (0, ["numpy", "scipy"]) == loaded(folder, "league", "standings")


def test_what_is_to_be_rated_is_loaded_early(folder: Path) -> None:
    """A league that is played has all that its standings take before it begins."""
    program = (
        "import sys; from leagues.storage.store import Store;"
        "from leagues.standings import load_ratings; load_ratings();"
        "before = set(sys.modules);"
        "print(Store.open_read_only(sys.argv[1]).standings('demo').games_finished);"
        "print([name for name in sys.modules.keys() - before"
        " if name.partition('.')[0] in ('numpy', 'scipy', 'leagues')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, folder / "data"],
        cwd=ROOT,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert "1\n[]\n" == done.stdout


def test_an_arena_serves_without_numbers(tmp_path: Path) -> None:
    """An arena loads what rates when somebody first asks for standings."""
    told = []
    words = ("serve", "--port", "0", "--no-practice")
    with running(tmp_path, *words, PYTHONPROFILEIMPORTTIME="1") as run:
        assert run.stdout is not None
        for line in run.stdout:
            told.append(line)
            if " at 127.0.0.1:" in line:
                break
        # It answers, and so has loaded all that serving takes.
        assert 0 == arena(tmp_path, "status").code
        run.terminate()
        told += run.stdout
    names = {line.rpartition("|")[2].strip() for line in told}

    assert "arena.server" in names
    assert [] == [name for name in SLOW if name in names]
