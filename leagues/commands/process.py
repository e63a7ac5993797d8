"""What the process of an arena asks of Python and of the system."""

import gc
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "FILES_WANTED",
    "TERMINATED",
    "orderly_termination",
    "prepare_process",
    "rare_collections",
]

FILES_WANTED = 16_384
"""How many files may be open, as far as the system lets the arena choose: each bot's
connection is one, and many systems begin with 1,024."""
TERMINATED = 128 + signal.SIGTERM
"""The exit code after SIGTERM, as in a shell."""
SWITCH_SECONDS = 0.0005
"""How long a thread computes while the edge waits for its turn. With Python's 5 ms
every record that is written could make turns that late."""
YOUNG_MAX = 10_000
"""How many new objects there may be before Python looks for those that only hold each
other. There are next to none, so with its 700 it looked for nothing, often."""


def prepare_process() -> None:
    """Keep the pauses of this process short, and let many bots connect.

    To be called once all is imported: what exists by then stays to the end, and Python
    no longer looks through it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MAX, 10, 10)
    sys.setswitchinterval(SWITCH_SECONDS)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for garbage seldom while the block makes many objects."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG_MAX, 10, 10)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def orderly_termination() -> Iterator[None]:
    """
    Let SIGTERM and SIGHUP leave the block by an exception, so that it cleans up.

    A SIGHUP that is ignored, as under `nohup`, stays so.
    """

    def terminate(number: int, _: object) -> None:
        sys.exit(128 + number)

    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, terminate) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
