"""What every command says of itself, and how the command line fails."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from arena import __main__ as entry
from arena.terminal import CommandError, counted, only_cause
from tests.command_line import Arena


# The classes of commands are typer's own affair, and change with its versions.
def _commands(group: Any, *path: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, *path, name)
        else:
            yield (*path, name)


COMMANDS = list(_commands(typer.main.get_command(entry._application())))


def test_all_commands_are_there() -> None:
    """The commands are those that the documents promise."""
    expected = {
        *("demo", "play", "match", "serve", "replay", "verify", "convert", "perft"),
        *("bridge", "cert", "status", "rate"),
        *(
            "league run",
            "league plan",
            "league standings",
            "league lift",
            "league list",
            "league report",
            "league close",
            "league audit",
            "league schedule",
        ),
        *("league pause", "league resume", "league void"),
        *("league exclude", "league withdraw", "league reinstate"),
        "league end",
        *("bot add", "bot list", "bot revoke"),
        *("games list", "games show", "games export", "games faults"),
        *("rules list", "rules show", "rules diff"),
    }

    assert expected == {" ".join(command) for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_examples(
    arena: Arena, command: tuple[str, ...]
) -> None:
    """Help says what the command does, shows examples and explains exit codes."""
    done = arena(*command, "--help")
    examples = re.findall(r"^ +\S*.*arena " + " ".join(command), done.out, re.MULTILINE)

    assert (0, "") == (done.code, done.error)
    assert "Exit codes: 0 fine, " in done.out
    assert "Examples:" in done.out
    assert examples
    # Those that the first signal only drains.
    drains = command in {("serve",), ("match",), ("league", "run")}
    told = " ".join(done.out.split())
    assert drains == ("130 a second signal ended it at once." in told)


def test_a_wrong_value_is_told_plainly(arena: Arena) -> None:
    """What is wrong with it stands there without the name of an error."""
    done = arena("league", "report", "demo", "crosstabel")
    told = " ".join(done.error.split())

    assert 2 == done.code
    assert "Value error" not in told
    assert "Invalid value for 'kind': 'crosstabel' is not one of" in told


def test_a_missing_package_is_one_line(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the server's packages the command says what to install."""
    monkeypatch.setitem(sys.modules, "typer", None)
    done = arena("demo")

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert "pip install -e '.[server]'" in done.error


def test_a_package_of_one_command_is_told_too(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that only some commands load is told when one of them needs it."""
    for name in ("arena.certificates", "arena.tls_files"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    done = arena("cert")

    assert (2, "", 1) == (done.code, done.out, len(done.error.splitlines()))
    assert "the package 'cryptography' is missing; the commands need" in done.error


def test_a_fault_of_our_own_is_one_line(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug has no traceback either, unless it is asked for."""
    app = typer.Typer()

    @app.command()
    def broken() -> None:
        raise RuntimeError("oh no")

    monkeypatch.setattr(entry, "_application", lambda: app)
    monkeypatch.delenv("HEARTS_TRACEBACK", raising=False)
    done = arena()
    monkeypatch.setenv("HEARTS_TRACEBACK", "1")

    assert 2 == done.code
    assert done.error.startswith("error: RuntimeError: oh no (a fault of the arena's")
    with pytest.raises(RuntimeError, match="oh no"):
        arena()


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (IsADirectoryError(21, "Is a directory", "a.log"), "a.log: Is a directory"),
        (OSError(28, "No space left on device"), "the output can't be written: No sp"),
        (TimeoutError("too slow"), "too slow"),
    ],
)
def test_what_the_system_refuses_is_no_fault_of_our_own(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, error: OSError, line: str
) -> None:
    """Full disks and missing rights are told in one line."""
    app = typer.Typer()

    @app.command()
    def refused() -> None:
        raise error

    monkeypatch.setattr(entry, "_application", lambda: app)
    monkeypatch.delenv("HEARTS_TRACEBACK", raising=False)
    done = arena()

    assert 2 == done.code
    assert done.error.startswith(f"error: {line}")
    assert "fault of the arena" not in done.error


def test_a_full_output_is_one_line() -> None:
    """What can't be printed ends the command, without a second complaint."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "rules", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (2, 1) == (done.returncode, len(done.stderr.splitlines())), done.stderr
    assert "the output can't be written: No space left on device" in done.stderr


@pytest.mark.parametrize("is_at_once", [True, False])
def test_an_interrupt_has_the_exit_code_of_shells(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, is_at_once: bool
) -> None:
    """Ctrl-C gives 130, while packages are read and while a command runs."""

    def interrupt() -> typer.Typer:
        raise KeyboardInterrupt

    app = typer.Typer()
    app.command()(interrupt)
    monkeypatch.setattr(entry, "_application", interrupt if is_at_once else lambda: app)

    assert 130 == arena().code


def test_the_cause_of_a_group_is_its_first_error() -> None:
    """Nested groups come down to the error that was there first."""
    cause = CommandError("x", exit_code=1)
    group = ExceptionGroup("a", [ExceptionGroup("b", [cause, ValueError()])])

    assert cause is only_cause(group)
    assert cause is only_cause(cause)


def test_things_are_counted_in_words() -> None:
    """One game, but two games."""
    assert ["0 games", "1 game", "2 games"] == [counted(n, "game") for n in range(3)]
