"""
Sandboxes: what keeps an entrant's program from the rest of the machine.

    with open_sandboxes(["fox"]) as home:     # the arena listens at home.sockets
        command = home.enclosed("fox", command, view, limits)

bubblewrap gives each program namespaces of its own: it sees the system's programs
and libraries, the Python installation and its own folder, all read-only, writes to
a small disk in memory, knows no other processes, and has no network but a door to
the arena (`leagues/programs/gate.py`). There is no sandbox where the kernel allows
none: `check` says so before anything starts.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from leagues.limits import Limits
from leagues.programs import gate, guard

__all__ = ["Sandboxes", "SandboxError", "View", "check", "open_sandboxes"]

BWRAP: Final = "bwrap"
ARENA_PORT: Final = 50051
"""Where programs find the arena in their sandbox, on 127.0.0.1."""
_INSIDE: Final = "/run/hearts"
_SOCKET: Final = f"{_INSIDE}/arena.sock"
_GATE: Final = f"{_INSIDE}/gate.py"
_SCRATCH_MB: Final = 64
"""The private disk, unless a limit says otherwise."""
_PROBE_SECONDS: Final = 10.0
_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS: Final = (
    # What programs need to find libraries and tell the time, and no secrets.
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    *(f"/etc/java-{version}-openjdk" for version in (8, 11, 17, 21, 25)),
)
_NAMES: Final = {
    "passwd": "bot:x:1000:1000:a bot:/tmp:/bin/sh\n",
    "group": "bot:x:1000:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files of `/etc` that a sandbox has in place of the machine's own."""
_ENVIRONMENT: Final = ("LANG", "LANGUAGE", "PYTHONPATH", "TERM", "TZ")
"""What a sandboxed program is told of the arena's environment, and `LC_...`."""
_ISOLATION: Final = (
    # No new privileges and no capabilities come with a user namespace, and the
    # program can make no further one.
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"),
    *("--cap-drop", "ALL"),
    *("--uid", "1000", "--gid", "1000", "--hostname", "bot"),
    # Read-only: run by root, the program would else still be the user to whom the
    # kernel's settings belong.
    *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"),
)


class SandboxError(Exception):
    """There can be no sandbox; the text says what was tried and what to do."""


@dataclass(frozen=True, slots=True)
class View:
    """What one program sees of the disk."""

    folder: Path
    """Where it runs."""
    readable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    """What it must not see, also where that lies within something readable."""

    def paths(self) -> list[Path]:
        """Return all that can be read, the system's own among it."""
        return [*_installation(), self.folder, *self.readable]

    def problem(self, program: str) -> str:
        """Say why a program can't be started in a sandbox; empty when it can."""
        for path in self.readable:
            if not path.exists():
                return f"readable: there is no {path}"
        found = Path(os.path.realpath(program))
        if any(_is_within(found, hidden) for hidden in self._hidden()):
            return f"{found} lies in a directory that a sandbox hides"
        shown = [Path(os.path.realpath(path)) for path in self.paths()]
        if any(_is_within(found, path) for path in [*map(Path, _SYSTEM), *shown]):
            return ""
        return (
            f"{found} can't be seen in a sandbox: put it into {self.folder}, or name "
            "it in `readable`"
        )

    def mounts(self) -> list[str]:
        """Return the options that show what is readable and nothing else."""
        places: dict[Path, list[str]] = {}
        for path in self.paths():
            source = os.path.realpath(path)
            for place in {Path(source), Path(os.path.abspath(path))}:
                places[place] = ["--ro-bind", source, str(place)]
        shown = [*places, *map(Path, _SYSTEM)]
        masks = [
            path
            for path in self._hidden()
            if any(_is_within(path, place) for place in shown)
        ]
        for path in masks:
            places[path] = ["--size", "4096", "--tmpfs", str(path)]
        # The deeper ones lie in, or over, those above them.
        ordered = sorted(places, key=lambda place: (len(place.parts), place))
        options = [option for place in ordered for option in places[place]]
        return options + [
            word for path in masks for word in ("--remount-ro", str(path))
        ]

    def _hidden(self) -> list[Path]:
        return [Path(os.path.realpath(path)) for path in self.hidden if path.is_dir()]


def _is_within(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _installation() -> list[Path]:
    """Return where the running Python and the SDK are."""
    import hearts

    sdk = Path(hearts.__path__[0])
    found = (Path(sys.prefix), Path(sys.base_prefix), sdk)
    return [path for path in found if not _is_within(path, Path("/usr"))]


def _system() -> list[str]:
    """Return the options that show the system's own files."""
    options = []
    for path in _SYSTEM:
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            options += ["--ro-bind", path, path]
    for path in _SETTINGS:
        if os.path.exists(path):
            options += ["--ro-bind", os.path.realpath(path), path]
    return options


@dataclass(frozen=True, slots=True)
class Sandboxes:
    """What all sandboxes of an arena share; made by `open_sandboxes`."""

    folder: Path
    """A directory that only the arena's user can enter."""
    bots: tuple[str, ...]
    """Whose programs run in them."""

    @property
    def sockets(self) -> list[str]:
        """Where the arena is to listen for them, each at its own."""
        return [str(self.socket_of(bot)) for bot in self.bots]

    def socket_of(self, bot: str) -> Path:
        """Return where the arena is to listen for a bot's program and no other."""
        return self.folder / f"{self.bots.index(bot)}.sock"

    def enclosed(
        self, bot: str, command: Sequence[str], view: View, limits: Limits
    ) -> list[str]:
        """Return the command that runs a bot's program in a sandbox."""
        size = str((limits.disk_mb or _SCRATCH_MB) << 20)
        names = [
            option
            for name in _NAMES
            for option in ("--ro-bind", str(self.folder / name), f"/etc/{name}")
        ]
        return [
            *(_bwrap(), *_ISOLATION, *_system(), *names),
            *("--size", size, "--tmpfs", "/tmp"),
            *("--size", size, "--tmpfs", "/dev/shm"),
            *view.mounts(),
            *("--ro-bind", str(self.socket_of(bot)), _SOCKET),
            *("--ro-bind", gate.__file__, _GATE),
            *("--remount-ro", "/dev", "--remount-ro", "/"),
            *("--chdir", os.path.realpath(view.folder), "--"),
            *(sys.executable, "-I", "-S", _GATE, guard.READY_FILE),
            *(_SOCKET, str(ARENA_PORT)),
            *(str(limits.processes), "--", *command),
        ]

    def environment(self, arena: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of a sandboxed program, given the arena's own.

        Clients that can dial a socket find it in `HEARTS_SOCKET`, which spares
        them the way through the gate.
        """
        kept = {
            key: value
            for key, value in arena.items()
            if key in _ENVIRONMENT or key.startswith("LC_")
        }
        return kept | {
            "HOME": "/tmp",
            "TMPDIR": "/tmp",
            "USER": "bot",
            "HEARTS_ARENA": f"127.0.0.1:{ARENA_PORT}",
            "HEARTS_SOCKET": _SOCKET,
        }


@contextmanager
def open_sandboxes(bots: Iterable[str]) -> Iterator[Sandboxes]:
    """Make what sandboxes share; it is gone when the block is left.

    Args:
        bots: Whose programs are to run in them.

    Raises:
        SandboxError: There can be no sandbox here.
    """
    check()
    # Not in the data directory: a socket's path may have about 100 characters.
    with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
        for name, text in _NAMES.items():
            Path(folder, name).write_text(text, encoding="ascii")
        with _kept(folder):
            yield Sandboxes(Path(folder), tuple(bots))


@contextmanager
def _kept(folder: str) -> Iterator[None]:
    """Have systemd not clean a directory up that has become old meanwhile."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_SH)
        yield
    finally:
        os.close(held)


def check() -> None:
    """Make a sandbox once.

    Raises:
        SandboxError: It can't be made.
    """
    command = [_bwrap(), *_ISOLATION, *_system(), "--", "/bin/sh", "-c", ":"]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        problem = f"it did not end within {_PROBE_SECONDS:g} s"
    except OSError as error:
        problem = f"it can't be started: {error.strerror}"
    else:
        if done.returncode == 0:
            return
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        problem = lines[0] if lines else f"exit code {done.returncode}"
    raise SandboxError(_advice(problem))


def _bwrap() -> str:
    found = shutil.which(BWRAP)
    if found is None:
        raise SandboxError(
            'sandbox = "bwrap" needs bubblewrap, and there is no bwrap on the search '
            "path; `apt install bubblewrap` brings it on Debian and Ubuntu, or set "
            'sandbox = "none" if you trust the programs'
        )
    return found


def _advice(problem: str) -> str:
    return (
        'sandbox = "bwrap": bwrap could not make namespaces for a program here; it '
        f"says: {problem}\n"
        "It takes bubblewrap 0.8 or newer, and a kernel that lets this user make "
        "namespaces: see `sysctl user.max_user_namespaces "
        "kernel.unprivileged_userns_clone "
        "kernel.apparmor_restrict_unprivileged_userns`. In a container it must be "
        "started with rights for that (docker run --security-opt seccomp=unconfined "
        "--security-opt apparmor=unconfined --security-opt systempaths=unconfined). "
        'Or set sandbox = "none" if you trust the programs.'
    )
