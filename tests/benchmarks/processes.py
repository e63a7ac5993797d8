"""What the system knows of a process: the processor time it has used, its memory."""

from __future__ import annotations

import time


def cpu_seconds(pid: int) -> float:
    """Return the processor time of all threads of a process, those ended too.

    Linux keeps a clock for each process, fine to a nanosecond; the number of the
    clock is made as `clock_getcpuclockid` makes it.
    """
    return time.clock_gettime((~pid << 3) | 2)
