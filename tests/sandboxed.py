"""Programs in real sandboxes: what tests need to run one and to hear what it says."""

import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from leagues.limits import Limits
from leagues.programs.processes import Program, ProgramFailure, keep_running
from leagues.programs.sandbox import Sandboxes, View, open_sandboxes
from leagues.running.started import StartedTokens


@contextmanager
def unserved() -> Iterator[Sandboxes]:
    """Make sandboxes for a bot, with a socket that nobody serves."""
    with (
        open_sandboxes(["fox"]) as opened,
        closing(socket.socket(socket.AF_UNIX)) as arena,
    ):
        arena.bind(str(opened.socket_of("fox")))
        arena.listen()
        yield opened


def fox_folder(tmp_path: Path) -> Path:
    """Make the folder of an entrant, beside things that are not for it."""
    folder = tmp_path / "bots" / "fox"
    folder.mkdir(parents=True)
    (folder / "model").write_text("weights")
    (tmp_path / "secret").write_text("token")
    return folder


async def run(
    sandboxes: Sandboxes,
    view: View,
    code: str,
    *,
    limits: Limits | None = None,
    command: tuple[str, ...] = (),
    start_seconds: float = 60.0,
) -> ProgramFailure:
    """Run Python code in a sandbox until it ends."""
    program = Program(
        "fox",
        command or (sys.executable, "-S", "-c", code),
        folder=view.folder,
        restarts_max=0,
        view=view,
        limits=limits or Limits(),
    )
    return await keep_running(
        program,
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        log=view.folder.parent / "fox.log",
        sandboxes=sandboxes,
        start_seconds=start_seconds,
    )


def said(failure: ProgramFailure) -> str:
    """Return what a program printed last."""
    return failure.log_excerpt.splitlines()[-2].strip()
