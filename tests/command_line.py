"""The command line as tests call it, in this process."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from arena.__main__ import main


@dataclass(frozen=True)
class Done:
    """What a command printed, and how it ended."""

    code: int
    out: str
    error: str


Arena = Callable[..., Done]
"""Runs `arena` with arguments, which may be texts or paths."""


def runner(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Return what runs a command and captures what it prints."""

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return run
