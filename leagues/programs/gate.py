"""
The gate: what runs in a sandbox beside a program, and lets it reach the arena.

`python -I -S gate.py READY SOCKET PORT PROCESSES_MAX -- COMMAND…` starts the program,
and tells the guard in the file READY when all is done but that.

The sandbox has a network of its own in which there is nobody; the arena is a socket
in the file system. Programs that know that only by `host:port` dial 127.0.0.1:PORT,
and the gate carries their bytes to the socket and back. Nothing else is on the way
out.

Memory that belongs to no process (memfd, System V, io_uring and the like) would
escape the guard, which adds up that of processes. So the program has none: a filter
of system calls says that the kernel knows no such thing.

It imports the standard library only, and of that only what starts fast.
"""

import ctypes
import errno
import os
import platform
import resource
import select
import signal
import socket
import struct
import sys
from contextlib import suppress

CHUNK_BYTES = 65536
CONNECTIONS_MAX = 64
CANNOT_START = 127
READY, FAILED = b".", b"!"
MACHINE_ERRORS = (
    *(errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE),
    *(errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.ESTALE),
)
"""What keeps a program from being started that is none of its own doing."""
SANDBOX_TASKS = 2
"""The tasks of the sandbox itself, which count among the program's own."""


# Of each machine: its number for the kernel's audit, its number of setsockopt, and
# those of memfd_create, memfd_secret, shmget, semget, msgget, mq_open, io_uring_setup,
# bpf, perf_event_open and add_key (linux/audit.h, unistd.h).
HOMELESS_MEMORY = {
    "x86_64": (0xC000003E, 54, (319, 447, 29, 64, 68, 240, 425, 321, 298, 248)),
    "aarch64": (0xC00000B7, 208, (279, 447, 194, 190, 186, 180, 425, 280, 241, 217)),
}
SOCKET_BUFFERS = (7, 8, 32, 33)
"""SO_SNDBUF and SO_RCVBUF, and the same of those who may force them."""
FOREIGN_CALLS = 0x40000000
"""From this number on x86-64 has the calls of another way to call (x32)."""
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _IGNORE, _REFUSE = 0x7FFF0000, 0x00050000, 0x00050000 | errno.ENOSYS
_CALL, _MACHINE, _SECOND, _THIRD = 0, 4, 24, 32
"""Where the kernel's description of a call has its number and its arguments."""
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2


def filter_code(audit: int, setsockopt: int, refused: tuple[int, ...]) -> bytes:
    """Return a program for the kernel that refuses some system calls.

    Those of other machines, which have other numbers, are refused altogether
    (https://docs.kernel.org/userspace-api/seccomp_filter.html). The size of a
    socket's buffers stays what it is; who asks for another one hears no error.
    """
    steps = [(_LOAD, 0, 0, _MACHINE)]
    steps += [(_IF_EQUAL, 1, 0, audit), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_LOAD, 0, 0, _CALL)]
    buffers = [(_LOAD, 0, 0, _SECOND), (_IF_EQUAL, 1, 0, socket.SOL_SOCKET)]
    buffers += [(_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, _THIRD)]
    for option in SOCKET_BUFFERS:
        buffers += [(_IF_EQUAL, 0, 1, option), (_RETURN, 0, 0, _IGNORE)]
    buffers += [(_RETURN, 0, 0, _ALLOW)]
    steps += [(_IF_EQUAL, 0, len(buffers), setsockopt), *buffers]
    steps += [(_IF_AT_LEAST, 0, 1, FOREIGN_CALLS), (_RETURN, 0, 0, _REFUSE)]
    for number in refused:
        steps += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def refuse_homeless_memory() -> None:
    """Let this process and all that it starts have no memory outside of processes.

    Where that can't be done it is said on standard error.
    """
    problem = f"no numbers of system calls are known for {platform.machine()}"
    if known := HOMELESS_MEMORY.get(platform.machine()):
        code = filter_code(*known)
        buffer = ctypes.create_string_buffer(code, len(code))
        # struct sock_fprog: a count, padding, a pointer.
        program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer))
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        if not prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, program, 0, 0):
            return
        problem = os.strerror(ctypes.get_errno())
    sys.stderr.write(f"memory of memfd and System V is not limited here: {problem}\n")
    sys.stderr.flush()


class End:
    """One end of a connection through the gate."""

    __slots__ = ("has_ended", "peer", "socket", "unsent")

    def __init__(self, one: socket.socket) -> None:
        self.socket = one
        self.peer = self
        self.unsent = b""
        """What came from the other end and did not go at once."""
        self.has_ended = False
        """Whether nothing more comes from here."""

    def send(self, data: bytes) -> None:
        """Send what goes at once and keep the rest; then pass on an end."""
        if data:
            with suppress(BlockingIOError):
                data = data[self.socket.send(data) :]
        self.unsent = data
        if self.peer.has_ended and not data:
            # Whoever has closed it may have said something before.
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)

    def events(self) -> int:
        """Return what to wait for: nothing is read that can't be passed on."""
        is_read = not self.has_ended and not self.peer.unsent
        return (select.POLLIN if is_read else 0) | (
            select.POLLOUT if self.unsent else 0
        )


class Carrier:
    """Carries bytes between connections of the program and the arena's socket."""

    def __init__(self, path: str, port: int) -> None:
        self._path = path
        self._poll = select.poll()
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(("127.0.0.1", port))
        self._listener.listen(CONNECTIONS_MAX)
        self._listener.setblocking(False)
        self._poll.register(self._listener, select.POLLIN)
        self._ends: dict[int, End] = {}
        self._alarm = -1

    def watch(self, alarm: int) -> None:
        """Return from `carry` when there is something to read there."""
        self._alarm = alarm
        self._poll.register(alarm, select.POLLIN)

    def carry(self) -> None:
        """Wait until something can be carried, and carry it."""
        for number, events in self._poll.poll():
            if number == self._listener.fileno():
                self._accept()
            elif number == self._alarm:
                os.read(number, CHUNK_BYTES)
            elif number in self._ends:
                self._serve(self._ends[number], events)

    def _accept(self) -> None:
        try:
            inner, _ = self._listener.accept()
        except OSError:
            return
        outer = socket.socket(socket.AF_UNIX)
        try:
            if len(self._ends) >= 2 * CONNECTIONS_MAX:
                raise OSError
            outer.connect(self._path)
        except OSError:
            inner.close()
            outer.close()
            return
        inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        here, there = End(inner), End(outer)
        here.peer, there.peer = there, here
        for end in (here, there):
            end.socket.setblocking(False)
            self._ends[end.socket.fileno()] = end
            self._poll.register(end.socket, select.POLLIN)

    def _serve(self, end: End, events: int) -> None:
        is_broken = events & select.POLLERR
        try:
            if events & select.POLLOUT:
                end.send(end.unsent)
            if events & (select.POLLIN | select.POLLHUP) and not end.has_ended:
                if end.peer.unsent:
                    return
                data = end.socket.recv(CHUNK_BYTES)
                end.has_ended = not data
                end.peer.send(data)
        except BlockingIOError:
            pass
        except OSError:
            is_broken = True
        if is_broken or (end.has_ended and end.peer.has_ended):
            self._close(end)
            return
        for one in (end, end.peer):
            self._poll.modify(one.socket, one.events())

    def _close(self, end: End) -> None:
        for one in (end, end.peer):
            self._poll.unregister(one.socket)
            del self._ends[one.socket.fileno()]
            one.socket.close()


def start(command: list[str], ready: int) -> int:
    """Start the program, and tell the guard how far that went; return its process."""
    prctl = ctypes.CDLL(None).prctl
    # So that the program can't open the file by way of /proc and write to it too.
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.write(ready, READY)
    try:
        failed, failed_end = os.pipe()
        pid = os.fork()
    except OSError as error:
        os.write(ready, FAILED)
        sys.stderr.write(f"cannot start {command[0]!r}: {error.strerror}\n")
        sys.exit(CANNOT_START)
    if not pid:
        prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
        _become(command, failed_end)
    os.close(failed_end)
    with open(failed, "rb") as file:
        # Nothing but its end, where another program has taken over there.
        failure = file.read()
    if failure and int(failure) in MACHINE_ERRORS:
        os.write(ready, FAILED)
    os.close(ready)
    prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
    return pid


def _become(command: list[str], failed: int) -> None:
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        refuse_homeless_memory()
        os.execvp(command[0], command)
    except OSError as error:
        os.write(failed, str(error.errno).encode())
        sys.stderr.write(f"cannot start {command[0]!r}: {error.strerror}\n")
        sys.stderr.flush()
    finally:
        os._exit(CANNOT_START)


def main() -> int:
    """Run the program to its end; its exit code becomes the gate's own."""
    ready, path, port, processes_max, dashes, *command = sys.argv[1:]
    assert dashes == "--"
    os.set_inheritable(int(ready), False)
    wakeup, wakeup_end = os.pipe()
    os.set_blocking(wakeup_end, False)
    signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # The guard asks the program itself to end.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    carrier = Carrier(path, int(port))
    carrier.watch(wakeup)
    if most := int(processes_max):
        # Of this user in this sandbox alone: what runs outside does not count.
        most += SANDBOX_TASKS
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    program = start(command, int(ready))
    while True:
        carrier.carry()
        pid, status = os.waitpid(program, os.WNOHANG)
        if pid:
            exit_code = os.waitstatus_to_exitcode(status)
            return exit_code if exit_code >= 0 else 128 - exit_code


if __name__ == "__main__":
    sys.exit(main())
