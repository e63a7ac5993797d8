"""
The command line `arena`: the top of the house, the one place that knows it all.

The base install has no packages for it; they are imported only here inside
`main`, so that what is missing can be said in one line.
"""

import errno
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

_INTERRUPTED = 130
"""The exit code after ctrl-C, as in a shell."""
_OURS = frozenset({"arena", "hearts", "leagues"})


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run a command; return its exit code.

    0 is fine, 1 says that what was checked or played is wrong, 2 that the command
    could not be done: wrong usage, missing files, a port in use.
    """
    from arena.streams import lasting_streams

    with lasting_streams():
        return _whole(_main(arguments))


def _main(arguments: Sequence[str] | None) -> int:
    try:
        app = _application()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in _OURS:
            raise
        sys.stderr.write(f"arena: {_missing_text(package)}\n")
        return 2
    return _run(app, arguments)


def _whole(code: int) -> int:
    """Return the exit code, or that of a result that could not be written out."""
    from arena.streams import forget_unwritten

    if not forget_unwritten(sys.stdout) or code:
        return code
    sys.stderr.write("error: the output can't be written\n")
    return 2


def _missing_text(package: str) -> str:
    return (
        f"the package {package!r} is missing; the commands need "
        "`pip install -e '.[server]'` in a clone of the project"
    )


def _application() -> "typer.Typer":
    import typer

    from arena.command_group import Commands
    from arena.commands import bridge, cert, convert, perft, replay, rules, version
    from leagues.commands import (
        bot,
        demo,
        games,
        league,
        match,
        play,
        rate,
        serve,
        status,
        verify,
    )

    app = typer.Typer(
        cls=Commands,
        help="Programs play Hearts against each other, and leagues rate them.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="`arena COMMAND --help` shows each command with examples.",
    )
    for part in (version, demo, play, match, serve, status):
        part.add_to(app)
    for group in (league, bot, games, rules):
        app.add_typer(group.app, name=group.__name__.rpartition(".")[2])
    rate.add_to(app)
    for tool in (replay, verify, convert, perft, bridge, cert):
        tool.add_to(app)
    return app


def _run(app: "typer.Typer", arguments: Sequence[str] | None) -> int:
    from arena.terminal import CommandError, only_cause, print_error

    try:
        app(arguments, prog_name="arena")
    except SystemExit as end:
        return _INTERRUPTED if _was_interrupted(end) else _exit_code(end)
    except (Exception, BaseExceptionGroup) as error:
        cause = only_cause(error)
        if isinstance(cause, CommandError):
            print_error(str(cause))
            return cause.exit_code
        if os.environ.get("HEARTS_TRACEBACK"):
            raise
        if isinstance(cause, ModuleNotFoundError) and cause.name:
            # Some commands load what only they need.
            print_error(_missing_text(cause.name.partition(".")[0]))
            return 2
        if isinstance(cause, OSError):
            print_error(_system_text(cause))
            return 2
        print_error(
            f"{type(cause).__name__}: {cause} (a fault of the arena's own; "
            "HEARTS_TRACEBACK=1 shows where)"
        )
        return 2
    return 0


def _system_text(error: OSError) -> str:
    """Say in a line what the system would not do: full disks, missing rights."""
    from arena.streams import forget_unwritten

    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if forget_unwritten(sys.stdout) or error.errno == errno.ENOSPC:
        return f"the output can't be written: {error.strerror}"
    return str(error)


def _exit_code(end: SystemExit) -> int:
    return end.code if isinstance(end.code, int) else 0


def _was_interrupted(end: BaseException) -> bool:
    """Tell whether ctrl-C is behind it; typer makes exit code 1 of that."""
    error: BaseException | None = end
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


if __name__ == "__main__":
    sys.exit(main())
