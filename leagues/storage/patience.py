"""Waiting for a file that another program keeps busy: how long, and what is told of it.

Who asks for a transaction is served, sooner or later: a backup or a tool that has the
file open for a minute must not end a league. Only the one that owns the directory is so
patient; a short command says after a few seconds who is in the way.
"""

import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from arena.logs import Event

__all__ = ["OWNER_SECONDS", "SHORT_SECONDS", "SLICE_SECONDS", "Patience"]

log = logging.getLogger("leagues.storage.store")

SHORT_SECONDS: Final = 10.0
"""How long a command waits for its turn."""
OWNER_SECONDS: Final = 1800.0
"""How long an arena does, whose games go on meanwhile."""
SLICE_SECONDS: Final = 1.0
"""How long the database itself waits before this is asked whether to go on."""
_TOLD_SECONDS: Final = 10.0
"""How often the log is told."""
_TROUBLE_SECONDS: Final = 3.0
"""What takes no longer is nothing to speak of."""


class Patience:
    """
    How long transactions of one file wait for another program; used by all threads.

    Args:
        path: The file.
        clock: Gives seconds from any start.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds = SHORT_SECONDS
        self._path = path
        self._clock = clock
        self._lock = Lock()
        self._waiting: dict[object, float] = {}
        self._told_at = float("-inf")

    @property
    def trouble(self) -> str:
        """What keeps transactions waiting; empty when nothing does."""
        with self._lock:
            since = min(self._waiting.values(), default=None)
        waited = 0.0 if since is None else self._clock() - since
        if waited < _TROUBLE_SECONDS:
            return ""
        return f"another program has kept {self._path} busy for {waited:.0f} s"

    def wait(self, begin: Callable[[], object]) -> bool:
        """
        Begin a transaction; return whether it has begun before patience was at an end.

        Args:
            begin: Tries it for a second, see `SLICE_SECONDS`.
        """
        who, since = object(), self._clock()
        try:
            while self.seconds and not _has_begun(begin):
                with self._lock:
                    self._waiting[who] = since
                if self._clock() - since >= self.seconds:
                    return False
                self._tell()
            if not self.seconds:
                return False
        except sqlite3.Error:
            return False  # Whoever begins it again gets the error.
        finally:
            with self._lock:
                self._waiting.pop(who, None)
                is_free = not self._waiting
        if is_free and self._told_at > float("-inf"):
            self._told_at = float("-inf")
            log.info(Event("the file is free again", file=self._path))
        return True

    def hurry(self) -> None:
        """Wait no longer for anything: the process is to end."""
        self.seconds = 0.0

    def _tell(self) -> None:
        trouble, now = self.trouble, self._clock()
        if trouble and now - self._told_at >= _TOLD_SECONDS:
            self._told_at = now
            log.warning(Event(trouble))


def _has_begun(begin: Callable[[], object]) -> bool:
    """Try to begin a transaction; return whether nobody was in the way."""
    try:
        begin()
    except sqlite3.OperationalError as error:
        if not getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
            raise
        return False
    return True
