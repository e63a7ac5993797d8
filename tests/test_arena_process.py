"""What an arena's process asks of Python and of the system, in one of its own."""

import json
import subprocess
import sys

import pytest

from leagues.commands.process import FILES_WANTED
from tests.sources import ROOT

PROGRAM = """
import gc, json, resource, sys
from leagues.commands.process import prepare_process
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
prepare_process()
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
print(json.dumps([soft, hard, gc.get_freeze_count() > 0, sys.getswitchinterval()]))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "files"),
    [(64, 512, 512), (512, 512, 512), (64, FILES_WANTED + 1, FILES_WANTED)],
)
def test_an_arena_may_have_many_bots_and_short_pauses(
    soft: int, hard: int, files: int
) -> None:
    """Files are allowed as far as the system does; what exists is not searched."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(soft=soft, hard=hard)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert [files, hard, True, 0.0005] == json.loads(done.stdout)
