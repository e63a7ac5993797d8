"""
The guard: a small process that runs one entrant's program and never outlives
the arena.

The arena starts it with `LIFELINE LOG LOG_BYTES_MAX GRACE_SECONDS LIMITS SANDBOX
-- COMMAND…`. The lifeline is the number of a file descriptor, a socket whose other
end the arena holds: when it ends, because the arena closed it or because the arena is
dead in whatever way, the guard ends the program with everything that the program has
started, and then itself.

The other way it says in lines what the arena can't see in an exit code, which may be
the program's: `ended`, the program has run and ended; `trouble …`, it could not be
started, and that was not its doing; `log …`, its log can't be written. A guard that
ends without a word was itself hit by something.

The limits are `memory_mb=512,…` (see `leagues/limits.py`). The kernel keeps those on
files; memory, processes and time on the processor the guard watches itself, since
without control groups, which seldom are an ordinary user's to make, the kernel
limits them for single processes only, and then the arena could not tell why one died.
SANDBOX is how many words of the command make a sandbox, 0 for none. bubblewrap ends at
once when it is told to, so what runs inside is told instead.

A parent-death signal on the program alone would not do: it fires when the
*thread* that forked ends, it is not inherited, and it so leaves the
grandchildren of `sh -c` behind. Here the guard is single-threaded, the program
leads its own session, which is killed as one process group, and descendants
that left the group come back to the guard as the nearest subreaper.

With `-` for a log the program is attached to the arena's terminal instead, so
that a debugger in it can be talked to.

It imports the standard library only, and of that only what starts fast.
"""

import ctypes
import errno
import os
import resource
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from leagues.programs.capped_log import CappedLog, open_log
from leagues.programs.kernel_memory import Mappings
from leagues.programs.usage import Meter, Usage, exact_memory, look

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_CHUNK_BYTES = 65536
_LIMIT_NOTE = "limit: "
"""Begins the guard's note on what ended a program."""
_NICENESS = 5
"""How far a program steps back from the processor: the arena has to be on time."""
_SANDBOX_TASKS = 3
"""The tasks of a sandbox that are not the program's: two of bubblewrap, the gate."""
_OOM_SCORE = 500
"""How much sooner than others a program is ended where memory runs out, of 1000."""
_LOOK_SHARE = 4
"""A look may take so much less time than there is to the next one."""
_EXIT_OF_FILE_SIZE = 128 + signal.SIGXFSZ

CANNOT_START = 127
"""The exit code when the program cannot be started, as in a shell."""
READY_FILE = "@ready"
"""Stands in a sandbox's command for the number of the file that the gate writes to."""
READY, FAILED = b".", b"!"
"""What the gate writes once all is done but to start the program itself, and when the
machine then would not start that."""
MACHINE_ERRORS = frozenset(
    (
        *(errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE),
        *(errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.ESTALE),
    )
)
"""What keeps a program from being started that is none of its own doing."""
_SAID_BYTES = 400
"""What is kept of the output of a sandbox that is not ready yet."""


def _prctl(option: int, argument: int) -> None:
    """Ask the kernel for something that only Linux knows; elsewhere do nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, argument, 0, 0, 0)


def _limit_files(limits: Mapping[str, float]) -> None:
    """Set what the kernel itself limits, for this process and all that it starts."""
    for key, which, unit in (
        ("open_files", resource.RLIMIT_NOFILE, 1),
        ("disk_mb", resource.RLIMIT_FSIZE, 1 << 20),
    ):
        if most := int(limits.get(key, 0) * unit):
            ceiling = resource.getrlimit(which)[1]
            if ceiling != resource.RLIM_INFINITY:
                most = min(most, ceiling)
            resource.setrlimit(which, (most, most))


def _be_ended_first() -> None:
    """Have the kernel end this before the arena where memory runs out."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "r+b") as file:
        score = int(file.read())
        file.seek(0)
        file.write(b"%d" % max(score, _OOM_SCORE))


def ended_for_memory(path: str = "/proc/vmstat") -> int:
    """Return how many processes the kernel has ended since memory had run out."""
    try:
        with open(path, "rb") as file:
            found = file.read().partition(b"\noom_kill ")[2].split(None, 1)
    except OSError:
        return 0
    return int(found[0]) if found else 0


def _start(
    command: list[str],
    *,
    output: int | None,
    limits: Mapping[str, float],
    pass_fds: tuple[int, ...],
) -> subprocess.Popen[bytes]:
    """Start the program in a session of its own; without an output attached."""
    guard = os.getpid()

    def die_with_the_guard() -> None:
        if output is not None:
            os.nice(_NICENESS)
        _be_ended_first()
        _limit_files(limits)
        # What is ignored stays ignored in a new program, and the guard ignores it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(1)

    return subprocess.Popen(
        command,
        stdin=None if output is None else subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=output is not None,
        pass_fds=pass_fds,
        preexec_fn=die_with_the_guard,
    )


def _orphans() -> list[int]:
    """Processes that the program left behind, which are the guard's children now."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as children:
            return [int(pid) for pid in children.read().split()]
    except OSError:
        return []


def _kill(send: Callable[[int, int], None], target: int, number: int) -> bool:
    """Send the signal; return whether anything was there and within reach."""
    try:
        send(target, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


class Guard:
    """
    Runs one program until it exits or the lifeline ends.

    Args:
        log: Where its output goes; `None` leaves it attached to the terminal.
        grace_seconds: How long it may take to end after SIGTERM.
        limits: What it may use of the machine.
        sandbox_words: How many words of the command make a sandbox.
    """

    def __init__(
        self,
        log: CappedLog | None,
        *,
        grace_seconds: float,
        limits: Mapping[str, float],
        sandbox_words: int,
    ) -> None:
        self._log = log
        self._limits = limits
        self._sandbox_words = sandbox_words
        self._is_sandboxed = is_sandboxed = sandbox_words > 0
        self._is_ready = not is_sandboxed
        self._ready = -1
        self._heard = self._said = b""
        self._trouble = ""
        self._is_limited = False
        self._listened = 0.0
        self._mappings = Mappings()
        own_tasks = _SANDBOX_TASKS if is_sandboxed else 0
        self._meter = Meter(limits, own_tasks=own_tasks)
        self._look_time = time.monotonic() if self._meter.is_needed else None
        self._is_stopped = False
        self._grace_seconds = grace_seconds
        # An attached program is in the arena's own group.
        self._send = os.kill if log is None else os.killpg
        self._exit_code: int | None = None
        self._is_stopping = False
        self._kill_time: float | None = None

    def run(self, command: list[str], *, lifeline: int) -> int:
        """Run the command; return its exit code, or 128 and its signal's number."""
        wakeup, wakeup_end = os.pipe()
        os.set_blocking(wakeup_end, False)
        signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self._obey())
        output, output_end = os.pipe()
        self._ready, ready_end = os.pipe()
        words = self._sandbox_words
        sandbox = [
            str(ready_end) if word == READY_FILE else word for word in command[:words]
        ]
        try:
            self._program = _start(
                [*sandbox, *command[words:]],
                output=output_end if self._log else None,
                limits=self._limits,
                pass_fds=(ready_end,) if words else (),
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return self._cannot_start(command[0], error)
        self._start_time = time.monotonic()
        ended_before = ended_for_memory()
        os.close(output_end)
        os.close(ready_end)
        sources = {lifeline, output, wakeup, self._ready}
        self._watch(sources, output=output, lifeline=lifeline)
        self._sweep()
        for source in (output, self._ready):
            self._drain(source)
        assert self._exit_code is not None
        if ended_for_memory() > ended_before:
            self._blame_memory()
        return self._exit_code if self._exit_code >= 0 else 128 - self._exit_code

    def _cannot_start(self, program: str, error: Exception) -> int:
        text = f"cannot start {program!r}: {error.args[-1]}"
        is_machines = isinstance(error, subprocess.SubprocessError)
        if is_machines or getattr(error, "errno", None) in MACHINE_ERRORS:
            self._trouble = text
        self._note(text)
        return CANNOT_START

    def _blame_memory(self) -> None:
        """Say so where the kernel has ended a program that kept to its limit."""
        is_killed = self._exit_code in (-signal.SIGKILL, 128 + signal.SIGKILL)
        is_asked = self._is_stopping or self._is_limited
        if is_killed and not is_asked and self._limits.get("memory_mb"):
            self._trouble = "this machine had no memory left, and it was ended for that"
            self._note(self._trouble)

    def report(self) -> str:
        """Return the line for the arena on how the program ended."""
        if not (self._is_ready or self._is_stopping or self._is_limited):
            said = self._said.decode(errors="replace").strip().splitlines()
            self._trouble = f"no sandbox was made for it: {(said or [''])[-1]}"
        return f"trouble {self._trouble}" if self._trouble else "ended"

    def _note(self, text: str) -> None:
        if self._log is None:
            sys.stderr.write(text + "\n")
        else:
            self._log.note(text)

    def _watch(self, sources: set[int], *, output: int, lifeline: int) -> None:
        while self._exit_code is None:
            ready, _, _ = select.select(sources, [], [], self._seconds_to_wait())
            for source in ready:
                start = time.thread_time()
                data = os.read(source, _CHUNK_BYTES)
                if source in (output, self._ready):
                    self._take(source, data)
                    self._listened += time.thread_time() - start
                if not data:
                    sources.discard(source)
                    if source == lifeline:
                        self._stop()
            now = time.monotonic()
            if self._kill_time is not None and self._kill_time <= now:
                self._kill_time = None
                _kill(self._send, self._program.pid, signal.SIGKILL)
            if self._look_time is not None and self._look_time <= now:
                self._look(now)
            self._reap()

    def _take(self, source: int, data: bytes) -> None:
        """Take what the program or its sandbox wrote."""
        if source == self._ready:
            self._heard += data
            self._is_ready |= self._heard == READY
            self._is_ready &= FAILED not in self._heard
            return
        if not self._is_ready:
            self._said = (self._said + data)[-_SAID_BYTES:]
        if self._log is not None:
            self._log.write(data)

    def _obey(self) -> None:
        """End the program at a signal, which the arena does not send."""
        if not self._is_stopping:
            self._trouble = "its guard was told to end by a signal"
        self._stop()

    def _stop(self) -> None:
        if not self._is_stopping:
            self._is_stopping = True
            self._kill_time = time.monotonic() + self._grace_seconds
            if self._is_sandboxed:
                self._tell_inside(signal.SIGTERM)
            else:
                _kill(self._send, self._program.pid, signal.SIGTERM)
            self._set_stopped(False)

    def _tell_inside(self, number: int) -> None:
        """Send a signal to all processes of a sandbox, but not to that which made it.

        The first one inside does not listen, nor does the gate to a SIGTERM.
        """
        for process in look(self._program.pid).processes:
            _kill(os.kill, process, number)

    def _seconds_to_wait(self) -> float | None:
        times = [t for t in (self._kill_time, self._look_time) if t is not None]
        return max(min(times) - time.monotonic(), 0.0) if times else None

    def _look(self, now: float) -> None:
        """Look at what the program uses; end it above a limit, hold it back above
        that on time."""
        # Before it is ready, its disks and its network are still the machine's.
        is_made = self._is_sandboxed and self._is_ready
        usage = look(os.getpid(), is_sandboxed=is_made)
        # A program that floods its log takes the guard's time for it.
        usage.cpu[os.getpid(), 1] = self._listened, 0.0
        if self._limits.get("memory_mb"):
            usage.kernel.known += self._mappings.look(usage.processes)
        reason = self._meter.judge(usage, now - self._start_time, exact=exact_memory)
        if reason:
            self._note(f"{_LIMIT_NOTE}{reason}; memory in MB: {self._meter.curve()}")
            self._is_limited = True
            self._look_time = self._kill_time = None
            self._set_stopped(False)
            _kill(self._send, self._program.pid, signal.SIGKILL)
            return
        # Whoever has a great deal to look at is looked at less often.
        ended = time.monotonic()
        # And no program knows when.
        pause = self._meter.pause(usage) * (0.5 + os.urandom(1)[0] / 255)
        pause = max(pause, _LOOK_SHARE * (ended - now))
        self._look_time = ended + pause
        if not self._is_stopping and (self._meter.is_held or self._is_stopped):
            self._set_stopped(self._meter.is_held, usage)

    def _set_stopped(self, is_stopped: bool, usage: Usage | None = None) -> None:
        """Have all processes of the program stand still, or go on."""
        if is_stopped or self._is_stopped:
            number = signal.SIGSTOP if is_stopped else signal.SIGCONT
            for process in (usage or look(os.getpid())).processes:
                _kill(os.kill, process, number)
        self._is_stopped = is_stopped

    def end_text(self, exit_code: int) -> str:
        """Say how the program ended, and what its limits had to do with it."""
        text = _exit_text(exit_code)
        if exit_code == _EXIT_OF_FILE_SIZE:
            text += f"; {_LIMIT_NOTE}disk_mb = {self._limits.get('disk_mb', 0):g}"
        if held := self._meter.held_seconds:
            cores = f"cores = {self._limits['cores']:g}"
            text += f"; {_LIMIT_NOTE}{cores} has held it back for {held:.1f} s"
        return text

    def _reap(self) -> None:
        """Take the exit codes of the program and of orphans that ended."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._program.pid:
                self._exit_code = os.waitstatus_to_exitcode(status)
                self._program.returncode = self._exit_code

    def _sweep(self) -> None:
        """Kill what the program has left behind, in its group or outside."""
        if self._log is not None:
            _kill(os.killpg, self._program.pid, signal.SIGKILL)
        # Killing one brings its own children here, so until nobody is left.
        while killed := [
            pid for pid in _orphans() if _kill(os.kill, pid, signal.SIGKILL)
        ]:
            for pid in killed:
                os.waitpid(pid, 0)

    def _drain(self, source: int) -> None:
        """Take what has been written and not been read yet."""
        os.set_blocking(source, False)
        try:
            while data := os.read(source, _CHUNK_BYTES):
                self._take(source, data)
        except BlockingIOError:
            # Something out of reach still holds the other end.
            pass


def _exit_text(exit_code: int) -> str:
    try:
        return f"ended by {signal.Signals(exit_code - 128).name}"
    except ValueError:
        return f"ended with exit code {exit_code}"


def read_limits(text: str) -> dict[str, float]:
    """Read `memory_mb=512,cores=1.5`; nothing is no limit."""
    pairs = (pair.partition("=") for pair in text.split(",") if pair)
    return {key: float(value) for key, _, value in pairs}


def main() -> int:
    """Run the guard; the program's exit code becomes its own."""
    lifeline, path, bytes_max, grace_seconds, *more = sys.argv[1:]
    limits, sandbox, dashes, *command = more
    assert dashes == "--"
    assert command
    # Ctrl-C at the terminal is for the arena, which then ends its programs.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    log = None
    if path != "-":
        log, problem = open_log(path, bytes_max=int(bytes_max))
        if problem:
            _tell(int(lifeline), f"log {problem}")
    words = int(sandbox)
    if log:
        where = " in a sandbox" if words else ""
        log.note(f"start{where}: {shlex.join(command[words:])}")
    guard = Guard(
        log,
        grace_seconds=float(grace_seconds),
        limits=read_limits(limits),
        sandbox_words=words,
    )
    exit_code = guard.run(command, lifeline=int(lifeline))
    if log:
        log.close(guard.end_text(exit_code))
    _tell(int(lifeline), guard.report())
    return exit_code


def _tell(lifeline: int, text: str) -> None:
    """Tell the arena something in a line, as far as it is there to listen."""
    with suppress(OSError):
        os.write(lifeline, text.replace("\n", " ").encode() + b"\n")
