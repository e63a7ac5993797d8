"""The JavaScript SDK, by the tests that it brings along."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.sources import ROOT

FOLDER = ROOT / "clients" / "javascript"

pytestmark = [pytest.mark.slow, pytest.mark.e2e]


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return the folder of the SDK with its libraries installed."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: the JavaScript SDK is untested")
    if not (FOLDER / "node_modules").exists():
        subprocess.run(
            ["npm", "ci", "--silent", "--no-audit", "--no-fund"],
            cwd=FOLDER,
            check=True,
            timeout=100,
        )
    return FOLDER


def test_the_javascript_sdk_passes_its_own_tests(folder: Path) -> None:
    """Cards, turns, session and network behave against a scripted arena."""
    done = subprocess.run(
        ["node", "--test", "--test-timeout=30000", "test/"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
