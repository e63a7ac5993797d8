"""What all tests share: a quiet gRPC, no settings of the user's, steady chance."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from leagues.storage.store import Store
    from tests.command_line import Arena

os.environ.setdefault("GRPC_VERBOSITY", "NONE")
for name in [name for name in os.environ if name.startswith("HEARTS_")]:
    del os.environ[name]

# The same examples each time, however slow the machine is.
settings.register_profile("arena", deadline=None, derandomize=True)
settings.load_profile("arena")

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this project's tests."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden files anew; read the difference before you commit it",
    )
    parser.addoption(
        "--kills",
        type=int,
        default=5,
        help="how often the kill-and-resume test kills a league (default 5)",
    )
    parser.addoption(
        "--perft-lines",
        type=int,
        default=2_000,
        help="the most lines of play that are counted at one depth (default 2000)",
    )
    parser.addoption(
        "--games",
        type=int,
        default=2,
        help="how many games of each rule set both engines play (default 2)",
    )
    parser.addoption(
        "--deals",
        type=int,
        default=1_000,
        help="how many deals are played along with OpenSpiel (default 1000)",
    )


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Run a command of the arena in this process."""
    from tests.command_line import runner  # What is set above comes first.

    return runner(capsys)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A fresh store, in `data`, that the test owns."""
    from leagues.storage.store import Store

    with Store.open(tmp_path / "data", command="a test") as opened:
        yield opened


@pytest.fixture
def assert_golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a check that a text is what a golden file holds, by the file's name."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")

        assert path.read_text(encoding="utf-8") == text

    return check
