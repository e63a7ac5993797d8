"""Limits in sandboxes, with real ones: what a program may use in there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from leagues.limits import Limits
from leagues.sandbox import Sandboxes, View
from tests.bubblewrap import needs_sandboxes
from tests.sandboxed import fox_folder, run, said, unserved


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[Sandboxes]:
    """What all sandboxes of these tests share, with a socket nobody serves."""
    with unserved() as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an entrant, beside things that are not for it."""
    return fox_folder(tmp_path)


@needs_sandboxes
class TestLimits:
    """What a program may use."""

    async def test_memory_is_limited_over_all_processes(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """A program whose processes eat memory together is ended, with its curve."""
        code = """
import os, time
eaten = []
for n in range(3): os.fork()
while True:
    eaten.append(b'x' * (1 << 20)); time.sleep(0.01)
"""
        failure = await run(sandboxes, View(folder), code, limits=Limits(memory_mb=100))

        assert 137 == failure.exit_code
        assert re.match(r"memory_mb = 100: it used \d{3,} MB after", failure.limit)
        assert "; memory in MB: " in failure.limit
        assert failure.limit.count(" s ") >= 3
        assert f"the last time by its limit {failure.limit}" in str(failure)

    async def test_pages_that_are_shared_count_once(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Eight processes that share what they were born with are within a limit."""
        code = """
import os, time
model = b'x' * (60 << 20)
for n in range(3): os.fork()
time.sleep(0.5)
print('fine')
"""
        failure = await run(sandboxes, View(folder), code, limits=Limits(memory_mb=150))

        assert (0, "") == (failure.exit_code, failure.limit)

    async def test_a_fork_bomb_is_over_soon(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Whether the kernel refuses or the guard ends it, it stays small."""
        code = """
import os, time
count = 0
try:
    while count < 100000:
        if os.fork() == 0:
            time.sleep(60)
        count += 1
except OSError:
    print('refused', count)
os.kill(-1, 9)
"""
        failure = await run(sandboxes, View(folder), code, limits=Limits(processes=20))

        assert "processes = 20" in failure.limit or "refused" in failure.log_excerpt

    async def test_open_files_are_limited(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """No more files can be open than the limit says."""
        code = """
import os
try:
    while True: last = os.dup(0)
except OSError as error:
    print(last, error.strerror)
"""
        failure = await run(sandboxes, View(folder), code, limits=Limits(open_files=40))

        assert "39 Too many open files" == said(failure)

    async def test_who_thinks_too_much_is_held_back(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Out of time it stands still, but for a signal to end it can go on."""
        failure = await run(
            sandboxes,
            View(folder),
            "import time; time.sleep(600)",
            limits=Limits(cores=0.001),
            start_seconds=1.5,
        )

        assert failure.limit.startswith("cores = 0.001 has held it back for ")
        assert "ended by SIGTERM; limit: cores" in failure.log_excerpt
