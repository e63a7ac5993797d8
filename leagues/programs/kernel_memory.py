"""
Memory that the kernel holds for a program and that is in no page of its processes.

Page tables, the entries of files on its own disk, what lies in pipes and sockets:
without control groups nobody adds that up, so it is worked out here from what can be
counted. Where the kernel does not tell how much lies in something it is taken to be
full, beyond a number that no program is likely to have by accident.

Imported by the guard, so it takes the standard library only.
"""

import os
from collections.abc import Iterable, Sequence

__all__ = [
    "Mappings",
    "Held",
    "files_of",
    "held_by_network",
    "held_on_disks",
    "open_files_mb",
    "page_tables_mb",
]

INODE_MB = 0.0015
"""What one file on a disk in memory takes beside its content, with a long name."""
SOCKETS_FREE, SOCKET_MB = 128, 0.2
"""Sockets that count for nothing, and what one more may hold."""
TCP_FREE, TCP_MB = 16, 5.0
"""The same of TCP, whose buffers grow (net.ipv4.tcp_rmem and tcp_wmem)."""
QUEUED_FACTOR = 2.0
"""How much more memory than content may lie in a buffer."""
FILES_FREE, PIPE_MB, FILE_MB = 1024, 0.008, 0.001
"""The same of open files. A user's first pipes hold 64 KB, 64 MB in all, and any more
of them two pages (fs.pipe-user-pages-soft); other files only themselves."""
WATCHES_FREE, WATCH_MB = 16_384, 0.02
"""The same of files that are watched by epoll. Each takes 0.2 KB only, but a user has
so many (fs.epoll.max_user_watches), and the arena is the same user."""
MAPPINGS_FREE, MAPPING_MB = 4096, 0.00025
"""The same of mappings of a process, of which it may have 65,530 (vm.max_map_count)."""
_MB = 1 << 20
_DISKS = ("/tmp", "/dev/shm")
"""The disks in memory of a sandbox."""


class Mappings:
    """The mappings of processes, of which one is looked at a time: it takes long."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def look(self, processes: Sequence[int]) -> float:
        """Return the memory of the mappings of some processes.

        Those that were not looked at yet are taken to have as many as the one that has
        the most: it may be the one that they have them from.
        """
        counts = {one: self._counts[one] for one in processes if one in self._counts}
        unseen = [one for one in processes if one not in counts]
        if processes:
            # The one that was looked at last comes last.
            next_one = unseen.pop() if unseen else next(iter(counts))
            counts.pop(next_one, None)
            counts[next_one] = _mappings(next_one)
        self._counts = counts
        many = [max(count - MAPPINGS_FREE, 0) for count in counts.values()]
        return (sum(many) + len(unseen) * max(many, default=0)) * MAPPING_MB


def _mappings(process: int) -> int:
    try:
        with open(f"/proc/{process}/maps", "rb") as file:
            return file.read().count(b"\n")
    except OSError:
        return 0


class Held:
    """Memory in MB: as far as it is known, and as much as it may be.

    Args:
        known: What there is.
        most: What there may be beyond that.
    """

    __slots__ = ("known", "most")

    def __init__(self, known: float = 0.0, most: float = 0.0) -> None:
        self.known = known
        self.most = most


def page_tables_mb(process: int) -> float:
    """Return the memory of a process's page tables."""
    try:
        with open(f"/proc/{process}/status", "rb") as file:
            found = file.read().partition(b"\nVmPTE:")[2].split(None, 1)
    except OSError:
        return 0.0
    # One that has ended has none.
    return int(found[0]) / 1024 if found else 0.0


def files_of(process: int) -> int:
    """Return how many files a process has open."""
    path = f"/proc/{process}/fd"
    try:
        # Before Linux 6.2 nobody has counted them.
        return os.stat(path).st_size or len(os.listdir(path))
    except OSError:
        return 0


def held_on_disks(process: int) -> float:
    """Return the memory of the files on a sandbox's disks, but for their content.

    Args:
        process: One that is in the sandbox.
    """
    count = 0
    for disk in _DISKS:
        try:
            found = os.statvfs(f"/proc/{process}/root{disk}")
        except OSError:
            continue
        count += found.f_files - found.f_ffree
    return count * INODE_MB


def held_by_network(process: int) -> Held:
    """Return the memory of the sockets in a sandbox.

    Those count too that are in no process, but on the way from one to another.

    Args:
        process: One that is in the sandbox.
    """
    try:
        with open(f"/proc/{process}/net/sockstat", "rb") as file:
            words = file.read().split()
        sockets = int(words[words.index(b"sockets:") + 2])
        tcp = int(words[words.index(b"TCP:") + 2])
    except (OSError, ValueError, IndexError):
        return Held()
    return Held(
        max(sockets - tcp - SOCKETS_FREE, 0) * SOCKET_MB,
        max(tcp - TCP_FREE, 0) * TCP_MB,
    )


def queued_mb(process: int) -> float:
    """Return the memory of what lies in the TCP sockets of a sandbox."""
    queued = 0
    for name in ("tcp", "tcp6"):
        try:
            with open(f"/proc/{process}/net/{name}", "rb") as file:
                lines = file.read().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            sent, _, received = line.split()[4].partition(b":")
            queued += int(sent, 16) + int(received, 16)
    return queued * QUEUED_FACTOR / _MB


def most_in_files_mb(counts: Iterable[int]) -> float:
    """Return the most that may lie in open files, given how many each process has."""
    counts = list(counts)
    # Half of its files may watch the other half.
    watches = sum(count * count for count in counts) / 4
    return (
        max(sum(counts) - FILES_FREE, 0) * PIPE_MB
        + max(watches - WATCHES_FREE, 0) * WATCH_MB
    )


def open_files_mb(processes: Iterable[int]) -> float:
    """Return what lies in the open files of some processes, each pipe counted once.

    Raises:
        PermissionError: One process does not let itself be looked at.
    """
    pipes, others, watches = set[str](), 0, 0
    for process in processes:
        for name in _names(f"/proc/{process}/fd"):
            target = _target(f"/proc/{process}/fd/{name}")
            if target.startswith("pipe:"):
                pipes.add(target)
            elif not target.startswith("socket:"):
                others += 1
            if target.endswith("[eventpoll]"):
                watches += _watches(f"/proc/{process}/fdinfo/{name}")
    free = max(FILES_FREE - len(pipes), 0)
    return (
        max(len(pipes) - FILES_FREE, 0) * PIPE_MB
        + max(others - free, 0) * FILE_MB
        + max(watches - WATCHES_FREE, 0) * WATCH_MB
    )


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except PermissionError:
        raise
    except OSError:
        return []


def _target(path: str) -> str:
    try:
        return os.readlink(path)
    except PermissionError:
        raise
    except OSError:
        return ""


def _watches(path: str) -> int:
    try:
        with open(path, "rb") as file:
            return file.read().count(b"tfd:")
    except PermissionError:
        raise
    except OSError:
        return 0
