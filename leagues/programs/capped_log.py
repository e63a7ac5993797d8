"""
The log of a program: a file that stops growing at a size and still shows its end.

Imported by the guard, so it takes the standard library only.
"""

import os
import time

__all__ = ["CappedLog", "open_log"]

_TAIL_BYTES = 4096
"""What is kept of the end of an overlong log: a traceback and some context."""


class CappedLog:
    """A log file that stops growing at a size and still shows its end."""

    def __init__(self, path: str, *, bytes_max: int) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        # A restarted program goes on in the same file and under the same cap.
        self._room = bytes_max - os.fstat(self._fd).st_size
        self._bytes_max = bytes_max
        self._tail = b""
        self._left_out = 0

    def write(self, data: bytes) -> None:
        """Append while there is room; keep only the end of what comes after."""
        head = data[: max(self._room, 0)]
        rest = data[len(head) :]
        self._room -= len(head)
        self._append(head)
        if rest and not self._left_out:
            self._append(b"\n")
            self.note(f"log full at {self._bytes_max} bytes: more is left out")
        self._left_out += len(rest)
        self._tail = (self._tail + rest)[-_TAIL_BYTES:]

    def note(self, text: str) -> None:
        """Append a line of the guard's own, even when the log is full."""
        self._append(f"[{time.strftime('%FT%TZ', time.gmtime())} {text}]\n".encode())

    def close(self, text: str) -> None:
        """Append the kept end, if anything was left out, and a last note."""
        if self._left_out:
            self.note(f"{self._left_out} bytes left out; the end of them:")
            self._append(self._tail)
            self._append(b"\n")
        self.note(text)
        os.close(self._fd)

    def _append(self, data: bytes) -> None:
        # A full disk must not stop a bot in the middle of its games.
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError:
            pass


def open_log(path: str, *, bytes_max: int) -> tuple[CappedLog, str]:
    """
    Open a log, in a directory that is made again where it has gone.

    Where that can't be done the log goes nowhere, for a program must not stop for
    what happened to its log; then the text says why, and is empty otherwise.
    """
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return CappedLog(path, bytes_max=bytes_max), ""
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}"
        return CappedLog(os.devnull, bytes_max=bytes_max), problem
