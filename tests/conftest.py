"""Options and fixtures that many tests share."""

from collections.abc import Callable
from pathlib import Path

import pytest

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


@pytest.fixture
def assert_golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a check that a text is what a golden file holds, by the file's name."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")

        assert path.read_text(encoding="utf-8") == text

    return check
