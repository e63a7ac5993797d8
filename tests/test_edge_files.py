"""Open files: connections leave enough of them for everything else."""

import subprocess
import sys

import pytest

from arena.edge_files import OWN_FILES
from arena.edge_limits import CONNECTIONS_MAX
from tests.sources import ROOT

PROGRAM = """
import resource, sys
from arena.edge_files import room_for_connections
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[1])))
print(room_for_connections())
"""


@pytest.mark.parametrize(
    ("files", "room"),
    [(8000, CONNECTIONS_MAX), (2048, 2048 - OWN_FILES), (256, 128)],
    ids=["many", "few", "hardly any"],
)
def test_clients_get_what_is_left(files: int, room: int) -> None:
    """Connections may take as many files as there are, but for the arena's own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(files)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    assert str(room) == done.stdout.strip()
