"""What the system knows of a process: the processor time it has used, its memory."""

from __future__ import annotations

import time
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Return the processor time of all threads of a process, those ended too.

    Linux keeps a clock for each process, fine to a nanosecond; the number of the
    clock is made as `clock_getcpuclockid` makes it.
    """
    return time.clock_gettime((~pid << 3) | 2)


def anonymous_kib(pid: int) -> int:
    """Return how much memory of a process is its own and backed by no file, in KiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))
