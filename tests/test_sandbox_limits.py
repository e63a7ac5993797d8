"""Limits in sandboxes, with real ones: what a program may use in there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from leagues.limits import Limits
from leagues.programs.sandbox import Sandboxes, View
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


PAGE_TABLES = """
import mmap
space = mmap.mmap(-1, 1 << 40,
    mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
for place in range(0, 1 << 40, 2 << 20): space[place]
"""
SMALL_FILES = """
import os
for n in range(10**7):
    os.symlink('x', f"{('/tmp', '/dev/shm')[n % 2]}/{n:0200}")
"""
SOCKETS = """
import os, socket, time
for n in range(2): os.fork()
kept = [socket.socketpair() for n in range(200)]
time.sleep(600)
"""
SOCKETS_ON_THEIR_WAY = """
import os, socket, time
one, other = socket.socketpair()
for n in range(10):
    ends = [end for _ in range(50) for end in socket.socketpair()]
    socket.send_fds(one, [b'x'], [end.fileno() for end in ends])
    for end in ends: end.close()
time.sleep(600)
"""
LOOPBACK = """
import socket, time
listener = socket.create_server(('127.0.0.1', 0))
kept = []
for n in range(40):
    one = socket.create_connection(listener.getsockname())
    one.setblocking(False)
    kept += [one, listener.accept()[0]]
    try:
        while True: one.send(bytes(1 << 16))
    except BlockingIOError: pass
time.sleep(600)
"""

WATCHES = """
import os, select, time
files = [os.eventfd(0) for n in range(200)]
kept = [select.epoll() for n in range(150)]
for one in kept:
    for file in files: one.register(file)
time.sleep(600)
"""
MAPPINGS = """
import ctypes, mmap, os, time
libc = ctypes.CDLL(None)
libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
space = mmap.mmap(-1, 65_000 * 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
start = ctypes.addressof(ctypes.c_char.from_buffer(space))
for n in range(0, 65_000, 2): libc.mprotect(start + 4096 * n, 4096, 0)
for n in range(4): os.fork()
time.sleep(600)
"""


@needs_sandboxes
@pytest.mark.parametrize(
    "code",
    [
        PAGE_TABLES,
        SMALL_FILES,
        SOCKETS,
        SOCKETS_ON_THEIR_WAY,
        LOOPBACK,
        WATCHES,
        MAPPINGS,
    ],
    ids=[
        "page tables",
        "small files",
        "sockets",
        "on their way",
        "loopback",
        "epoll",
        "mappings",
    ],
)
async def test_memory_of_the_kernel_counts(
    sandboxes: Sandboxes, folder: Path, code: str
) -> None:
    """What a program has the kernel hold for it is its memory, and the text says so."""
    limits = Limits(memory_mb=100)
    failure = await run(sandboxes, View(folder), code, limits=limits)

    assert 137 == failure.exit_code
    assert (
        "most of it in page tables, small files, pipes, sockets or epoll"
        in failure.limit
    )


@needs_sandboxes
async def test_a_busy_program_is_within_its_memory(
    sandboxes: Sandboxes, folder: Path
) -> None:
    """Some hundred sockets and files that every process has inherited are no harm."""
    code = """
import os, socket, time
kept = [socket.socketpair() for n in range(100)]
files = [os.pipe() for n in range(100)]
for n in range(1000): open(f'/dev/shm/{n}', 'w').close()
for n in range(3): os.fork()
time.sleep(1)
print('fine')
"""
    limits = Limits(memory_mb=150)
    failure = await run(sandboxes, View(folder), code, limits=limits)

    assert (0, "") == (failure.exit_code, failure.limit)
