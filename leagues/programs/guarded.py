"""
One start of a program under its guard, and whose doing its end was.

    exit_code = await run_guarded(command, lifeline_at=…, …)

The guard (`leagues/programs/guard.py`) says in words what an exit code can't: that the
program has run and ended, or that something else has kept it from running.
"""

import socket
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from signal import Signals
from typing import Final

import trio

__all__ = [
    "GRACE_SECONDS",
    "NotStartedError",
    "TroubleError",
    "Troubles",
    "run_guarded",
]

GRACE_SECONDS: Final = 3.0
"""How long a program may take to end after SIGTERM."""
TROUBLE_PAUSES: Final = (0.1, 0.4, 1.0, 2.0, 4.0)
"""The seconds before each new try to start what the machine did not let start. All of
them are less than a bot may be away in a game: it is not to lose anything by that."""
WELL_SECONDS: Final = 60.0
"""After so long the next trouble is another one."""
_GUARD_SECONDS: Final = 2.0
"""How much longer than the program its guard may take; then it is killed too."""
_REPORT_BYTES_MAX: Final = 65536


class TroubleError(Exception):
    """A program was not started, or not kept running, which is not its own doing."""


class NotStartedError(OSError):
    """The machine has let a program not start so often that games can't go on."""


class Troubles:
    """Counts how often in a row the machine has kept a program from running."""

    def __init__(self) -> None:
        self.count = 0
        """How many there were without a good minute between them."""

    def pause(self, lived_seconds: float) -> float | None:
        """Return the seconds before the next try; `None` when it is no use.

        Args:
            lived_seconds: How long ago it was started.
        """
        if lived_seconds >= WELL_SECONDS:
            self.count = 0
        self.count += 1
        if self.count > len(TROUBLE_PAUSES):
            return None
        return TROUBLE_PAUSES[self.count - 1]


async def run_guarded(
    command: Callable[[int], list[str]],
    *,
    folder: Path | None,
    environment: Mapping[str, str],
    is_attached: bool,
    on_note: Callable[[str], None],
) -> int:
    """
    Run a program under its guard; end it when cancelled. Return its exit code.

    Args:
        command: Makes the guard's command of its end of the lifeline.
        folder: Where it runs.
        environment: What it is told.
        is_attached: Whether it has the arena's terminal.
        on_note: Called with what the guard could not do as it should.

    Raises:
        TroubleError: It was not started, or its guard has gone.
    """
    try:
        lifeline, inner = socket.socketpair()
    except OSError as error:
        raise TroubleError(str(error)) from None
    with lifeline:
        try:
            process = await trio.lowlevel.open_process(
                command(inner.fileno()),
                stdin=None if is_attached else subprocess.DEVNULL,
                cwd=folder,
                env=environment,
                pass_fds=(inner.fileno(),),
                # Ctrl-C at the terminal is for the arena alone.
                start_new_session=not is_attached,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise TroubleError(f"its guard can't be started: {_why(error)}") from None
        finally:
            inner.close()
        try:
            trouble = await _listen(lifeline, on_note)
            exit_code = await process.wait()
        finally:
            await _end(process, lifeline)
    if trouble is None:
        trouble = f"its guard {_end_text(exit_code)}"
    if trouble:
        raise TroubleError(trouble)
    return exit_code


async def _listen(
    lifeline: socket.socket, on_note: Callable[[str], None]
) -> str | None:
    """Hear the guard out; return what kept the program from running.

    That is empty when it has run, and `None` when the guard has not said so.
    """
    outcome, rest = None, b""
    other = trio.socket.from_stdlib_socket(lifeline.dup())
    with other, suppress(ConnectionResetError):
        while data := await other.recv(_REPORT_BYTES_MAX):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                word, _, text = line.decode(errors="replace").partition(" ")
                if word == "log":
                    on_note(f"{text}; what it prints is left out")
                else:
                    outcome = text
    return outcome


async def _end(process: trio.Process, lifeline: socket.socket) -> None:
    """End the guard, if it has not ended, and the program with it."""
    with trio.CancelScope(shield=True):
        # The end of this is what tells the guard to end the program.
        lifeline.shutdown(socket.SHUT_RDWR)
        with trio.move_on_after(GRACE_SECONDS + _GUARD_SECONDS):
            await process.wait()
        if process.poll() is None:
            process.kill()
            await process.wait()


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _end_text(exit_code: int) -> str:
    if exit_code < 0:
        with suppress(ValueError):
            return f"was ended by {Signals(-exit_code).name}"
    return f"ended with exit code {exit_code}"
