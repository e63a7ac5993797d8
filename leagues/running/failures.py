"""What the host is told of a program that would not stay alive."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.table import printable

__all__ = ["ProgramFailure", "limit_of", "log_excerpt"]

_TAIL_LINES = 12
_TRACEBACK = "Traceback (most recent call last):"
_TRACEBACK_LINES = 15
_START_NOTE = re.compile(r"\[\S+Z start(?: in a sandbox)?: ")
"""How the guard begins the log of a start."""
_LIMIT_NOTE = re.compile(r"\[\S+Z (?:.*; )?limit: (.*)\]")
"""How it says that a limit has ended the program."""


@dataclass(frozen=True, slots=True)
class ProgramFailure:
    """A program that was given up because it would not stay alive."""

    bot: str
    command: tuple[str, ...]
    start_count: int
    exit_code: int | None
    """The last one; 128 and the signal's number after a signal, 127 not started,
    `None` when the arena ended it, since it did not connect or answered nothing."""
    has_connected: bool
    """Whether it came to the arena in any of its starts."""
    log: Path
    log_excerpt: str
    """What its log says, see `log_excerpt`."""
    limit: str = ""
    """Which limit ended it the last time, with what it used; empty when none did."""
    is_silent: bool = False
    """Whether the arena ended it the last time since it answered nothing."""

    @property
    def ending(self) -> str:
        """What it did, in words that follow the name of the bot."""
        if self.is_silent:
            return "answered nothing"
        return "would not stay alive" if self.has_connected else "never connected"

    def __str__(self) -> str:
        """Say what happened, with what to mend and the log below."""
        times = "once" if self.start_count == 1 else f"{self.start_count} times"
        if self.is_silent:
            outcome = " and answered nothing, so the arena has ended it"
        elif self.exit_code is None:
            outcome = " and did not connect to the arena in time"
        elif self.has_connected:
            outcome = f" and ended with exit code {self.exit_code}"
        else:
            outcome = f", never connected and ended with exit code {self.exit_code}"
        limit = f"; the last time by its limit {self.limit}" if self.limit else ""
        hint = ""
        if not (self.has_connected or self.exit_code):
            hint = (
                "; does it call hearts.run()? a bot of lines needs --stdio, or "
                'protocol = "stdio" in a league file'
            )
        return (
            f"bot {self.bot!r}: `{shlex.join(self.command)}` was started {times}"
            f"{outcome}{limit}{hint}{self.log_excerpt and '; '}{self.log_excerpt}"
        )


def log_excerpt(log: Path) -> str:
    """
    Return what a log says of its last start, with the log's name above.

    That is the first traceback if there is one, for what follows it is often only
    its consequence, else the last lines. Empty when there is no log.
    """
    lines = _last_start(log)
    if _TRACEBACK in lines:
        shown, what = _first_traceback(lines), "has a traceback"
    else:
        shown, what = lines[-_TAIL_LINES:], "ends"
    indented = "".join(f"\n    {printable(line)}" for line in shown)
    return f"its log {log} {what}:{indented}" if shown else ""


def _first_traceback(lines: Sequence[str]) -> list[str]:
    """Return the first traceback up to its error, without its outermost calls."""
    start = lines.index(_TRACEBACK)
    end = start + 1
    while end < len(lines) and lines[end].startswith(" "):
        end += 1
    calls = lines[start + 1 : end + 1]
    return [_TRACEBACK, *calls[-_TRACEBACK_LINES + 1 :]]


def limit_of(log: Path) -> str:
    """Return what the guard says of the limit that ended the last start, if any."""
    found = [note[1] for line in _last_start(log) if (note := _LIMIT_NOTE.match(line))]
    return printable(found[-1]) if found else ""


def _last_start(log: Path) -> list[str]:
    """Return the lines of a log from its last start on; none when there is no log."""
    try:
        lines = log.read_text(errors="replace").splitlines()
    except OSError:
        return []
    starts = [index for index, line in enumerate(lines) if _START_NOTE.match(line)]
    return lines[starts[-1] if starts else 0 :]
