"""
Usage: what a program and all that it has started take of the machine.

The guard looks at it a few times a second, in `/proc`, where no rights are needed
and no program can hide. `Meter` judges what is seen and keeps the course of it.
"""

import os
from collections.abc import Callable, Iterable, Mapping

from leagues.programs.kernel_memory import (
    Held,
    files_of,
    held_by_network,
    held_on_disks,
    most_in_files_mb,
    open_files_mb,
    page_tables_mb,
    queued_mb,
)

__all__ = ["LOOK_SECONDS", "LOOK_SECONDS_MIN", "Meter", "Usage", "exact_memory", "look"]

LOOK_SECONDS = 0.2
LOOK_SECONDS_MIN = 0.02
"""How often a program is looked at that is near its limit."""
BURST_SECONDS = 5.0
"""How much of the processor can be saved up, in seconds of every core allowed."""
CURVE_POINTS = 12
LOOKS_ABOVE = 3
"""In so many looks in a row memory must be above its limit: while processes end, the
pages that they share count for those looked at later, and seem more than they are."""
ESCAPED_SECONDS_LEAST = 2.0
"""With less nobody has gone on: to have a great many stand still takes a while."""
_FEW_TICKS = 5
"""What the kernel counts in ticks is not good enough for less."""
LOST_SECONDS = 0.2
"""When so much is missing, what processes have used is guessed from then on."""
_MAKERS = 2
"""How many processes come before the gate, which is in the sandbox that they make."""
_SAMPLES_MAX = 256
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_CORES = os.cpu_count() or 1
_MB = 1 << 20


class Usage:
    """What the processes of one program use at one moment."""

    __slots__ = (
        *("cpu", "gone", "inside", "kernel", "memory_mb", "processes", "running"),
        "tasks",
    )

    def __init__(
        self,
        processes: Iterable[int] = (),
        *,
        tasks: int = 0,
        memory_mb: float = 0.0,
        cpu: Mapping[tuple[int, int], tuple[float, float]] | None = None,
        kernel: Held | None = None,
        running: Mapping[tuple[int, int], float] | None = None,
        gone: int = 0,
    ) -> None:
        self.processes = list(processes)
        self.tasks = tasks
        self.memory_mb = memory_mb
        """Pages that processes share count for each of them."""
        self.running = dict(running or {})
        """Of a core what each process uses at this moment; none is left out."""
        self.gone = gone
        """How many were there, and had ended before they could be looked at."""
        self.kernel = kernel or Held()
        """What the kernel holds for them beside that."""
        self.inside: int | None = None
        """One of them that is in their sandbox."""
        self.cpu = dict(cpu or {})
        """By number and time of start what each process has used of the processor, in
        seconds: itself, and those that it started and that it has seen end."""


def look(root: int, *, is_sandboxed: bool = False) -> Usage:
    """Look at the children of a process, theirs, and so on, but not at itself.

    Args:
        root: The process.
        is_sandboxed: Whether these are a sandbox that has been made.
    """
    seen, files = Usage(), list[int]()
    # Orphans become its children, and so what they have used when they have ended.
    seen.cpu[root, 0] = 0.0, _ended_children(root)
    waiting = _children(root)
    while waiting:
        process = waiting.pop()
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                # The name, in parentheses, may hold anything.
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            seen.gone += 1
            continue
        seen.processes.append(process)
        own, ended = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        key, had, share = (process, int(fields[19])), own / _TICKS, 1.0
        if own < _FEW_TICKS:
            had, share = _start_of_life(process, had)
        seen.cpu[key] = had, ended / _TICKS
        if fields[0] == b"R":
            seen.running[key] = share
        seen.tasks += int(fields[17])
        seen.memory_mb += int(fields[21]) * _PAGE_BYTES / _MB
        seen.kernel.known += page_tables_mb(process)
        files.append(files_of(process))
        waiting += _children(process)
    seen.kernel.most += most_in_files_mb(files)
    if is_sandboxed and len(seen.processes) > _MAKERS:
        seen.inside = seen.processes[_MAKERS]
        network = held_by_network(seen.inside)
        seen.kernel.known += network.known + held_on_disks(seen.inside)
        seen.kernel.most += network.most
    return seen


def _ended_children(process: int) -> float:
    """Return the seconds that a process's ended children have used."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[13:15])) / _TICKS


def _start_of_life(process: int, had: float) -> tuple[float, float]:
    """Look closely at a process that has just begun.

    Returns:
        The seconds that it has had, and how much of the time in which it wanted a core
        that was.
    """
    try:
        with open(f"/proc/{process}/schedstat", "rb") as file:
            ran, waited = map(int, file.read().split()[:2])
        if ran:
            return max(had, ran / 1e9), ran / (ran + waited)
        # It is on a core for the first time, or still waits for one.
        with open("/proc/loadavg", "rb") as file:
            wanting = int(file.read().split()[3].partition(b"/")[0])
    except (OSError, ValueError):
        return had, 1.0
    return had, min(_CORES / max(wanting, 1), 1.0)


def _children(process: int) -> list[int]:
    """Return the children of all threads of a process."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def exact_memory(usage: Usage) -> float:
    """Return the memory in MB, each shared page counted once in all.

    If one process does not let itself be looked at, each page counts for everybody,
    and what may be held by its files is.
    """
    try:
        pages = sum(map(_pages_mb, usage.processes))
        held = open_files_mb(usage.processes) if usage.kernel.most else 0.0
    except PermissionError:
        return usage.memory_mb + usage.kernel.known + usage.kernel.most
    if usage.kernel.most and usage.inside is not None:
        held += queued_mb(usage.inside)
    return pages + usage.kernel.known + held


def _pages_mb(process: int) -> float:
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            pages = file.read().partition(b"\nPss:")[2].split(None, 1)
    except PermissionError:
        raise
    except OSError:
        pages = []
    # Of one that has ended meanwhile there is nothing to read.
    return int(pages[0]) / 1024 if pages else 0.0


class Meter:
    """Judges what a program uses against its limits.

    Args:
        limits: `memory_mb`, `processes` and `cores`; 0 or nothing is no limit.
        own_tasks: How many tasks of the sandbox itself are among those seen.
    """

    def __init__(self, limits: Mapping[str, float], *, own_tasks: int = 0) -> None:
        self._memory_mb = limits.get("memory_mb", 0)
        self._processes = limits.get("processes", 0)
        self._cores = limits.get("cores", 0)
        self._own_tasks = own_tasks
        self._budget = self._guessed = self._cores * BURST_SECONDS
        self._escaped = self._lost = 0.0
        self._has_lost = False
        self._cpu: Mapping[tuple[int, int], tuple[float, float]] = {}
        self._time = 0.0
        self._samples: list[tuple[float, float]] = []
        self._every = 1
        self._count = 0
        self._above = 0
        self.is_held = False
        """Whether the program has used up its time and must stand still."""
        self.held_seconds = 0.0

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to judge."""
        return bool(self._memory_mb or self._processes or self._cores)

    def judge(
        self, usage: Usage, seconds: float, *, exact: Callable[[Usage], float]
    ) -> str:
        """Take note of what is used; return which limit ends the program, if any.

        Args:
            usage: What was seen.
            seconds: When, since the start.
            exact: Works the memory out with shared pages counted once.
        """
        self._keep(seconds, usage.memory_mb + usage.kernel.known)
        self._hold(usage, seconds)
        if self._is_above(usage, seconds, exact):
            _, memory = self._samples[-1]
            return (
                f"memory_mb = {self._memory_mb:g}: it used {memory:.0f} MB after "
                f"{seconds:.1f} s{_where(usage, memory)}"
            )
        if self._escaped > max(self._cores * BURST_SECONDS, ESCAPED_SECONDS_LEAST):
            return (
                f"cores = {self._cores:g}: it went on while it was to stand still, "
                f"after {seconds:.1f} s"
            )
        tasks = usage.tasks - self._own_tasks
        if self._processes and tasks > self._processes:
            return (
                f"processes = {self._processes:g}: it had {tasks} processes and "
                f"threads after {seconds:.1f} s"
            )
        return ""

    def _is_above(
        self, usage: Usage, seconds: float, exact: Callable[[Usage], float]
    ) -> bool:
        """Tell whether the memory is above its limit, and was before."""
        most = usage.memory_mb + usage.kernel.known + usage.kernel.most
        if not self._memory_mb or most <= self._memory_mb:
            self._above = 0
            return False
        # What the kernel holds is nobody else's, and a look at all pages takes long.
        is_plain = usage.kernel.known > self._memory_mb
        memory = usage.memory_mb + usage.kernel.known if is_plain else exact(usage)
        self._above = self._above + 1 if memory > self._memory_mb else 0
        if self._above < LOOKS_ABOVE:
            return False
        self._samples.append((seconds, memory))
        return True

    def pause(self, usage: Usage) -> float:
        """Return after how many seconds to look again: sooner near a limit."""
        memory = usage.memory_mb + usage.kernel.known
        is_near = memory > self._memory_mb / 2 > 0 or self.is_held or self._above > 0
        is_near |= usage.tasks - self._own_tasks > self._processes / 2 > 0
        return LOOK_SECONDS_MIN if is_near else LOOK_SECONDS

    def curve(self) -> str:
        """Return the course of the memory: `0.2 s 12, 1.4 s 80, 3.0 s 511`."""
        count = len(self._samples)
        points = min(count, CURVE_POINTS)
        last = max(points - 1, 1)
        chosen = [self._samples[i * (count - 1) // last] for i in range(points)]
        return ", ".join(f"{seconds:.1f} s {memory:.0f}" for seconds, memory in chosen)

    def _keep(self, seconds: float, memory_mb: float) -> None:
        """Keep a sample; of a long course every second one, again and again."""
        if self._count % self._every == 0:
            self._samples.append((seconds, memory_mb))
        self._count += 1
        if len(self._samples) > _SAMPLES_MAX:
            self._samples = self._samples[::2]
            self._every *= 2

    def _hold(self, usage: Usage, seconds: float) -> None:
        """Follow what the program may use of the processor, and stop it in debt.

        What a process has used shows up with its parent when it has ended, unless that
        does not want to hear of it: then it is lost. From then on a second account has
        what was seen at the moments of the looks, which a program can't foresee: that
        is right on average, whatever the processes do.
        """
        if not self._cores:
            return
        elapsed, self._time = seconds - self._time, seconds
        used, lost = _used(self._cpu, usage.cpu)
        guessed = _guessed(self._cpu, usage, elapsed)
        self._lost = max(self._lost + lost, 0.0)
        if self._lost < LOST_SECONDS and not self._has_lost:
            guessed = used
        self._has_lost |= self._lost >= LOST_SECONDS
        self._cpu = usage.cpu
        most = self._cores * BURST_SECONDS
        allowed = self._cores * elapsed
        self._budget = min(self._budget + allowed, most) - used
        self._guessed = min(self._guessed + allowed, most) - guessed
        if self.is_held:
            self.held_seconds += elapsed
            escaped = self._escaped + max(used, guessed) - allowed
            self._escaped = max(escaped, 0.0)
        self.is_held = min(self._budget, self._guessed) < 0


def _where(usage: Usage, memory: float) -> str:
    """Say where the memory is that no process has."""
    if usage.memory_mb > memory / 2:
        return ""
    return ", most of it in page tables, small files, pipes, sockets or epoll"


def _used(
    before: Mapping[tuple[int, int], tuple[float, float]],
    after: Mapping[tuple[int, int], tuple[float, float]],
) -> tuple[float, float]:
    """Return the seconds of the processor that were used between two looks, and how
    many of those of ended processes have not shown up; below 0, more did.

    What a process used shows up at whoever started it once it has ended, and was
    mostly counted before; or nowhere, where that one does not want to hear of it. So
    it is taken off what has shown up there, and off nothing else.
    """
    own, shown_up = 0.0, 0.0
    for key, (now_own, now_ended) in after.items():
        then_own, then_ended = before.get(key, (0.0, 0.0))
        own += now_own - then_own
        shown_up += now_ended - then_ended
    counted = sum(sum(used) for key, used in before.items() if key not in after)
    return own + max(shown_up - counted, 0.0), counted - shown_up


def _guessed(
    before: Mapping[tuple[int, int], tuple[float, float]], usage: Usage, elapsed: float
) -> float:
    """Return the seconds used between two looks, from what was seen at the last one.

    Of processes that were there before too it is known. All that were born since, and
    may have died, are taken to have used all the time what those that are there use.
    """
    known = sum(
        own - before[key][0] for key, (own, _) in usage.cpu.items() if key in before
    )
    rate = usage.gone + sum(
        share for key, share in usage.running.items() if key not in before
    )
    return known + min(rate, _CORES) * elapsed
