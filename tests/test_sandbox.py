"""Sandboxes, with real ones: what a program sees, reaches and may use in there."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trio

from leagues.limits import Limits
from leagues.programs import sandbox
from leagues.programs.sandbox import SandboxError, Sandboxes, View, open_sandboxes
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
class TestDisk:
    """What a program can read and write."""

    async def test_it_reads_its_folder_and_no_other(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """The folder is there to read; what lies beside and above it is not."""
        code = (
            "import os; print(open('model').read(), os.listdir('..'),"
            f" os.path.exists({str(folder.parent.parent / 'secret')!r}),"
            " os.path.exists(os.path.expanduser('~root/.ssh')))"
        )
        failure = await run(sandboxes, View(folder), code)

        assert "weights ['fox'] False False" == said(failure)

    async def test_it_cannot_write_but_to_its_own_disk(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Of all places only /tmp and /dev/shm take a file."""
        code = """
import os
def can_write(path):
    try:
        open(path + '/x', 'w').close()
    except OSError:
        return False
    return True
places = ['.', '/', '/usr', '/dev', '/proc', '/etc', '/run/hearts', '/tmp', '/dev/shm']
print([place for place in places if can_write(place)])
"""
        failure = await run(sandboxes, View(folder), code)

        assert "['/tmp', '/dev/shm']" == said(failure)
        assert ["model"] == os.listdir(folder)

    async def test_the_kernels_settings_are_read_only(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Also for root, to whom they belong: one of them names a program to run."""
        code = """
import os
settings = ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe',
    '/proc/sysrq-trigger', '/proc/self/oom_score_adj', '/proc/sys/vm/overcommit_memory']
print([os.open in () or name for name in settings if os.access(name, os.W_OK)])
"""
        failure = await run(sandboxes, View(folder), code)

        assert "[]" == said(failure)

    async def test_hidden_directories_are_empty(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """What lies within the readable and is hidden is there and shows nothing."""
        data = folder / "arena-data"
        data.mkdir()
        (data / "arena.sqlite").write_text("all cards")
        code = """
import os
print(os.listdir('.'), os.listdir('arena-data'))
try:
    open('arena-data/x', 'w')
except OSError as error:
    print(error.strerror)
"""
        failure = await run(sandboxes, View(folder, hidden=(data,)), code)

        assert "Read-only file system" == said(failure)
        assert "'arena-data'" in failure.log_excerpt
        assert "] []\n" in failure.log_excerpt

    async def test_a_folder_within_a_hidden_one_is_seen(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """A data directory around everything hides all but what is to be read."""
        root = folder.parent.parent
        code = "import os; print(os.listdir('.'), os.listdir('../..'))"
        failure = await run(
            sandboxes, View(folder, readable=(root,), hidden=(root / "bots",)), code
        )

        assert "['model']" in said(failure)

    async def test_more_can_be_made_readable(
        self, sandboxes: Sandboxes, folder: Path, tmp_path: Path
    ) -> None:
        """A path that is named is there, also through a link."""
        (tmp_path / "link").symlink_to(tmp_path / "secret")
        code = f"print(open({str(tmp_path / 'link')!r}).read())"
        view = View(folder, readable=(tmp_path / "link",))

        assert "token" == said(await run(sandboxes, view, code))

    async def test_its_disk_is_small(self, sandboxes: Sandboxes, folder: Path) -> None:
        """Many files together hit the limit as one does."""
        code = """
import os
n = 0
try:
    for n in range(100):
        open(f'{os.environ["HOME"]}/{n}', 'wb').write(bytes(1 << 20))
except OSError as error:
    print(n, error.strerror)
"""
        failure = await run(sandboxes, View(folder), code, limits=Limits(disk_mb=8))

        assert "8 No space left on device" == said(failure)


@needs_sandboxes
class TestOthers:
    """What a program knows of other processes, and whom it can reach."""

    async def test_it_sees_no_other_process(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """The arena and this test are not among its processes, and cannot be hit."""
        code = f"""
import os, signal
pids = [int(name) for name in os.listdir('/proc') if name.isdigit()]
reached = []
for pid in range(1, 100000):
    if pid in pids: continue
    try:
        os.kill(pid, 0)
        reached.append(pid)
    except ProcessLookupError: pass
    except PermissionError: reached.append(pid)
print(len(pids), reached, os.path.exists('/proc/{os.getpid()}'))
"""
        count, rest = said(await run(sandboxes, View(folder), code)).split(" ", 1)

        # bubblewrap's first process, the gate, and the program.
        assert 3 == int(count)
        assert "[] False" == rest

    async def test_it_reaches_nothing_on_the_network(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Listeners of this machine, also abstract ones, and other machines are out."""
        with (
            closing(socket.create_server(("127.0.0.1", 0))) as listener,
            closing(socket.socket(socket.AF_UNIX)) as abstract,
        ):
            abstract.bind("\0hearts-test")
            abstract.listen()
            code = f"""
import socket
def dial(family, address):
    try:
        one = socket.socket(family); one.settimeout(3); one.connect(address)
        return 'reached'
    except OSError as error:
        return error.strerror
print(dial(socket.AF_INET, {listener.getsockname()!r}), '|',
    dial(socket.AF_UNIX, '\\0hearts-test'), '|',
    dial(socket.AF_INET, ('192.0.2.1', 80)))
"""
            failure = await run(sandboxes, View(folder), code)

        refused = "Connection refused"
        assert f"{refused} | {refused} | Network is unreachable" == said(failure)

    async def test_it_has_no_privileges_and_gets_none(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """No capabilities, no new privileges, and no namespace in which to have any."""
        code = """
import ctypes, os
status = dict(l.split(':\\t') for l in open('/proc/self/status').read().splitlines()
    if l.startswith(('CapEff', 'CapBnd', 'NoNewPrivs')))
unshared = ctypes.CDLL(None).unshare(0x10000000)
mounted = ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None)
print(status, unshared, mounted, os.getuid())
"""
        failure = await run(sandboxes, View(folder), code)
        none = "0" * 16

        assert (
            f"{{'CapEff': '{none}', 'CapBnd': '{none}', 'NoNewPrivs': '1'}} -1 -1 1000"
            == said(failure)
        )

    async def test_it_has_no_memory_outside_of_processes(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """Memory that no process has mapped would not count, so there is none."""
        code = """
import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
def try_(call, *args):
    ctypes.set_errno(0)
    return call(*args) >= 0 or os.strerror(ctypes.get_errno())
print(try_(libc.memfd_create, b'm', 0), '|', try_(libc.shmget, 0, 4096, 0o1600),
    '|', try_(libc.msgget, 0, 0o1600), '|', try_(libc.syscall, 425, 8, bytes(120)),
    '|', len(mmap.mmap(-1, 4096)))
"""
        told = said(await run(sandboxes, View(folder), code))

        assert 4 * "Function not implemented | " + "4096" == told

    async def test_it_has_no_larger_buffers(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """What lies in a socket is no process's, so its room stays as it is."""
        code = """
import socket
one, other = socket.socketpair()
size = one.getsockopt(1, socket.SO_SNDBUF)
one.setsockopt(1, socket.SO_SNDBUF, 9 * size)
one.setsockopt(1, socket.SO_PASSCRED, 1)
print(one.getsockopt(1, socket.SO_SNDBUF) == size, one.getsockopt(1, 16))
"""
        assert "True 1" == said(await run(sandboxes, View(folder), code))

    async def test_it_knows_nothing_of_the_arenas_environment(
        self,
        sandboxes: Sandboxes,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Variables of the host's shell stay outside; no process in there has them."""
        monkeypatch.setenv("HEARTS_OPERATOR_TOKEN", "hush")
        code = """
import glob, os
texts = [open(f, 'rb').read() for f in glob.glob('/proc/[0-9]*/environ')
    if os.access(f, os.R_OK)]
print(any(b'hush' in text for text in texts), os.environ['HOME'])
"""

        assert "False /tmp" == said(await run(sandboxes, View(folder), code))

    async def test_the_gate_carries_both_ways(
        self, sandboxes: Sandboxes, folder: Path
    ) -> None:
        """A program that knows host and port only reaches the arena's socket."""
        code = """
import os, socket, threading
host, port = os.environ['HEARTS_ARENA'].split(':')
one = socket.create_connection((host, int(port)))
sent = b'x' * 3_000_000
threading.Thread(target=lambda: (one.sendall(sent), one.shutdown(1))).start()
print(one.recv(100))
"""
        with (
            open_sandboxes(["fox"]) as mine,
            closing(socket.socket(socket.AF_UNIX)) as arena,
        ):
            arena.bind(str(mine.socket_of("fox")))
            arena.listen()
            arena.settimeout(20)

            def serve() -> int:
                one, _ = arena.accept()
                count = 0
                with one:
                    while count < 3_000_000:
                        count += len(one.recv(1 << 16))
                    one.sendall(b"hello")
                return count

            counts: list[int] = []
            async with trio.open_nursery() as nursery:

                async def listen() -> None:
                    counts.append(await trio.to_thread.run_sync(serve))

                nursery.start_soon(listen)
                failure = await run(mine, View(folder), code)

        assert [3_000_000] == counts
        assert "b'hello'" == said(failure)


@needs_sandboxes
async def test_a_shell_loses_nobody(sandboxes: Sandboxes, folder: Path) -> None:
    """What a program leaves running in its sandbox ends with it."""
    code = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
"""
    failure = await run(sandboxes, View(folder), code)

    assert 0 == failure.exit_code


@needs_sandboxes
async def test_what_cannot_be_started_says_so(
    sandboxes: Sandboxes, folder: Path
) -> None:
    """A program that is none is told as without a sandbox."""
    failure = await run(sandboxes, View(folder), "", command=("./model",))

    assert 127 == failure.exit_code
    assert "cannot start './model': Permission denied" in failure.log_excerpt


@needs_sandboxes
def test_what_cleans_up_old_files_leaves_a_sandbox_alone(
    sandboxes: Sandboxes,
) -> None:
    """A long league needs its directory to the end, and a lock says so."""
    folder = os.open(sandboxes.folder, os.O_RDONLY)
    try:
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(folder)


def test_without_bubblewrap_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It says what is missing and what to do, and nothing runs unprotected."""
    monkeypatch.setenv("PATH", "/nowhere")

    with (
        pytest.raises(SandboxError, match="there is no bwrap on the search path"),
        open_sandboxes(["fox"]),
    ):
        pass


def test_where_the_kernel_refuses_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what bubblewrap said."""
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions' >&2; exit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxError, match="it says: bwrap: No permissions"):
        sandbox.check()


def test_a_program_outside_its_view_is_refused(folder: Path, tmp_path: Path) -> None:
    """Better before the league than as a file that is not found."""
    program = tmp_path / "mybot"
    program.touch(mode=0o755)

    assert "can't be seen in a sandbox: put it into" in View(folder).problem(
        str(program)
    )
    assert "" == View(folder, readable=(tmp_path,)).problem(str(program))
    assert "" == View(folder).problem("/bin/sh")
    assert "lies in a directory that a sandbox hides" in View(
        folder, readable=(tmp_path,), hidden=(tmp_path,)
    ).problem(str(program))
    assert "readable: there is no" in View(folder, readable=(tmp_path / "x",)).problem(
        "/bin/sh"
    )
