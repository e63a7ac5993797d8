"""What the core of gRPC is told: no more than it is known to understand."""

import os
import subprocess
import sys

import pytest

from hearts.grpc_core import lean_client


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.61.3", ""),
        ("1.62.0", "-event_engine_client"),
        ("1.85.3", "-event_engine_client"),
        ("1.86.0rc1", ""),
        ("2.0.0", ""),
        ("0.0", ""),
    ],
)
def test_only_tried_releases_are_told_anything(release: str, expected: str) -> None:
    """Releases before and after those that were tried keep their own ways."""
    assert expected == lean_client(release)


def test_what_the_environment_says_stays() -> None:
    """An operator's own setting is not touched, an empty one either."""
    code = "import os, hearts; print(repr(os.environ['GRPC_EXPERIMENTS']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"GRPC_EXPERIMENTS": ""},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "''\n" == done.stdout
