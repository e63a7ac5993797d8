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
room = room_for_connections(programs=int(sys.argv[2]))
print(room.in_all, room.of_program)
"""


@pytest.mark.parametrize(
    ("files", "programs", "room", "of_program"),
    [
        (8000, 0, CONNECTIONS_MAX, 64),
        (2048, 0, 2048 - OWN_FILES, 64),
        (256, 0, 128, 64),
        (8000, 4, CONNECTIONS_MAX, 64),
        (2048, 4, 2048 - 4 * 64 - OWN_FILES, 64),
        (1024, 8, (1024 - 8 * 32) // 2, 32),
        (256, 9, (256 - 9 * 8) // 2, 8),
    ],
)
def test_clients_get_what_is_left(
    files: int, programs: int, room: int, of_program: int
) -> None:
    """Connections may take as many files as there are, but for the arena's own and
    for those of programs in sandboxes."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(files), str(programs)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    assert f"{room} {of_program}" == done.stdout.strip()
