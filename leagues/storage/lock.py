"""The lock on a data directory: one process owns it at a time."""

import fcntl
import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

__all__ = [
    "DirectoryLock",
    "PassingStoreError",
    "Served",
    "StoreError",
    "StoreLocked",
    "is_owned",
    "served",
]

_LOCK_NAME: Final = "lock"
# Who only looks whether a directory is owned holds the lock for an instant.
_TRIES: Final = 10
_TRY_SECONDS: Final = 0.05


class StoreError(Exception):
    """The data directory cannot be used: what is wrong with it and what to do."""


class PassingStoreError(StoreError):
    """One that may pass without anybody's help: a full disk, a busy file."""


class StoreLocked(StoreError):  # noqa: N818
    """Another process owns the data directory."""


class DirectoryLock:
    """Ownership of a data directory until `release`, or until the process ends.

    The kernel drops the lock with the process, however that ends, so that no
    stale lock is ever left behind.

    Raises:
        StoreLocked: Another process owns the directory.
    """

    def __init__(self, directory: Path, *, command: str) -> None:
        path = directory / _LOCK_NAME
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _taken(self._file, fcntl.LOCK_EX):
            holder = _holder(self._file)
            os.close(self._file)
            raise StoreLocked(
                f"{directory} is in use by {holder}; wait for it, stop it, or use "
                "another directory (--data)"
            )
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._told: dict[str, object] = {
            "pid": os.getpid(),
            "command": command,
            "since": now,
        }
        self._tell()

    def announce(
        self,
        address: str,
        *,
        has_tls: bool,
        wants_certificate: bool,
        operator_token: str,
    ) -> None:
        """Let others know where this process serves bots, and its operator the token.

        The file is the user's alone, and the token ends with the process.
        """
        self._told |= {
            "address": address,
            "tls": has_tls,
            "wants_certificate": wants_certificate,
            "operator_token": operator_token,
        }
        os.fchmod(self._file, 0o600)
        self._tell()

    def release(self) -> None:
        """Let others own the directory."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _tell(self) -> None:
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, json.dumps(self._told).encode(), 0)


@dataclass(frozen=True, slots=True)
class Served:
    """Where the owner of a directory serves bots, and what its operator may use."""

    address: str
    has_tls: bool
    wants_certificate: bool
    """Whether bots must show a certificate of their own."""
    operator_token: str


def served(directory: Path) -> Served | None:
    """Return what the owner of a directory has announced; None if it has nothing."""
    if not is_owned(directory):
        return None
    try:
        told = json.loads((directory / _LOCK_NAME).read_text())
        return Served(
            address=str(told["address"]),
            has_tls=bool(told.get("tls")),
            wants_certificate=bool(told.get("wants_certificate")),
            operator_token=str(told["operator_token"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_owned(directory: Path) -> bool:
    """Tell whether a process owns the directory now."""
    try:
        file = os.open(directory / _LOCK_NAME, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _taken(file: int, kind: int) -> bool:
    for number in range(_TRIES):
        if number:
            time.sleep(_TRY_SECONDS)
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        return True
    return False


def _holder(file: int) -> str:
    """Say who holds the lock, as far as it has said so itself."""
    try:
        told = json.loads(os.pread(file, 10_000, 0))
        return f"process {told['pid']} ({told['command']}) since {told['since']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
