"""Open files: connections leave enough of them for everything else."""

import json
import subprocess
import sys

import pytest

from arena.edge_files import OWN_FILES
from arena.edge_limits import CONNECTIONS_MAX

WANTED = CONNECTIONS_MAX + OWN_FILES
PROGRAM = """
import json, resource, sys
from arena.edge_files import room_for_connections
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
room = room_for_connections()
print(json.dumps([room, resource.getrlimit(resource.RLIMIT_NOFILE)[0]]))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "room", "asked"),
    [
        (1024, 8192, CONNECTIONS_MAX, WANTED),
        (8000, 8192, CONNECTIONS_MAX, 8000),
        (256, 1024, 1024 - OWN_FILES, 1024),
        (256, 256, 128, 256),
    ],
    ids=["asks for more", "has enough", "gets a part", "gets none"],
)
def test_clients_get_what_is_left(soft: int, hard: int, room: int, asked: int) -> None:
    """The arena asks for files as far as it may, and keeps some for itself."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(soft), str(hard)],
        check=True,
        capture_output=True,
        text=True,
    )

    assert [room, asked] == json.loads(done.stdout)
