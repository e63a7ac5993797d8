"""The standard streams: there, and never the end of what a command does.

Results go to standard output, and a command that can't write its result has failed.
What goes to standard error only accompanies the work: a full disk behind it, a
terminal that is gone, a reader that has left cost the words and nothing else.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["LossyStream", "forget_unwritten", "lasting_streams", "open_descriptors"]


class LossyStream:
    """A stream that loses what it can't write."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, if that can be done."""
        # A file that was closed is a ValueError.
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Write out what waits, if that can be done."""
        with suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def open_descriptors() -> None:
    """
    Open those of the first three descriptors that whoever started this has closed.

    Else a file of ours could get the number of one, and would be written into as if it
    were standard error. What is written there fails as before, so that a result does
    not get lost without a word.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # Each open takes the lowest number that is free.
            os.open(os.devnull, os.O_WRONLY if name == "stdin" else os.O_RDONLY)
        # Who wants to read says better than the system that there is nothing.
        if getattr(sys, name) is None and name != "stdin":
            setattr(sys, name, os.fdopen(number, "w", closefd=False))


def forget_unwritten(stream: Any) -> bool:
    """
    Write out what waits; where that can't be done, forget it and return whether so.

    Else Python would try again as the process ends, and make exit code 120 of it.
    """
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError), open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), stream.fileno())
        return True
    return False


@contextmanager
def lasting_streams() -> Iterator[None]:
    """Let nothing that goes to standard error end what the block does."""
    open_descriptors()
    before = sys.stderr
    sys.stderr = LossyStream(before)
    try:
        yield
    finally:
        sys.stderr = before
        forget_unwritten(before)
