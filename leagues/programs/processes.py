"""
Entrants' programs as child processes: started, restarted, logged, ended.

    async with open_programs(programs, address=…, tokens=…, logs=…) as running:
        …

Each program runs under its own guard (`leagues/programs/guard.py`), which keeps its log
and ends it with everything it has started, also when the arena is killed.
"""

import os
import shlex
import shutil
import sys
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio

from hearts.grpc_core import without_setting
from leagues.limits import NO_LIMITS, Limits
from leagues.programs.guarded import (
    GRACE_SECONDS,
    NotStartedError,
    TroubleError,
    Troubles,
    run_guarded,
)
from leagues.programs.sandbox import SandboxError, Sandboxes, View
from leagues.running.backoff import Backoff
from leagues.running.failures import ProgramFailure, limit_of, log_excerpt
from leagues.running.renewal import Renewal, Renewals
from leagues.running.started import StartedTokens

__all__ = [
    "Program",
    "ProgramFailure",
    "command_of",
    "house_command",
    "keep_running",
    "log_excerpt",
    "open_programs",
    "start_problem",
    "stdio_command",
]

LOG_BYTES_MAX = 4 * 1024 * 1024
"""The most that one log holds, apart from notes and its last lines."""
START_SECONDS = 60.0
"""How long a program may take to connect, unless a league says otherwise."""
_PACKAGES = str(Path(__file__).parents[2])
_GUARD = (
    "import sys; sys.path.append(sys.argv[1]); del sys.argv[1]; "
    "from leagues.programs.guard import main; sys.exit(main())"
)
"""What Python runs as a guard. It imports nothing that is installed but the guard."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run for one bot."""

    bot: str
    """The bot's name."""
    command: tuple[str, ...]
    """The program and its arguments."""
    owner: str = ""
    folder: Path | None = None
    """Where it runs; `None` is where the arena runs."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables beside the arena's own."""
    restarts_max: int = 3
    """How often it is started again before it is given up."""
    log_name: str = ""
    """The name of its log file without `.log`; empty is the bot's name."""
    is_attached: bool = False
    """Whether it has the arena's terminal instead of a log, for a debugger."""
    limits: Limits = NO_LIMITS
    """What it may use of the machine."""
    view: View | None = None
    """What it sees of the disk in its sandbox; `None` runs it without one."""


def house_command(name: str) -> tuple[str, ...]:
    """Return the command that runs a house bot."""
    return (sys.executable, "-m", "hearts.house", name)


def stdio_command(command: Iterable[str]) -> tuple[str, ...]:
    """Return the command that puts a bot of JSON lines on the wire."""
    return (sys.executable, "-m", "hearts.bridge", "--", *command)


def command_of(text: str) -> tuple[str, ...]:
    """
    Split a command as a shell does, without running one.

    Raises:
        ValueError: the text is empty or a quotation is not closed.
    """
    words = tuple(shlex.split(text))
    if not words:
        raise ValueError("the command is empty; expected a program and its arguments")
    return words


def find_program(command: Iterable[str], *, folder: Path | None = None) -> str | None:
    """Return the path of the program as it would be started; `None`: not found."""
    name = next(iter(command))
    if os.sep in name:
        path = (folder or Path()) / name
        return str(path) if os.access(path, os.X_OK) and path.is_file() else None
    return shutil.which(name, path=_search_path())


def start_problem(command: Sequence[str], *, folder: Path | None = None) -> str:
    """Say why a command can't be started; empty when it can."""
    if find_program(command, folder=folder) is not None:
        return ""
    name = command[0]
    if (file := (folder or Path()) / name).is_file():
        call = name if os.sep in name else f"./{name}"
        if not os.access(file, os.X_OK):
            return (
                f"{name!r} is not executable; `chmod +x {name}` makes it so, or name "
                "what runs it, such as python"
            )
        return f"{name!r} is no program on the search path; expected {call!r}"
    where = f" in {folder}" if folder else ""
    return f"{name!r} is no program that can be started{where}"


def _search_path() -> str:
    # `python` and `arena` in a command then mean those of this installation.
    here = str(Path(sys.executable).parent)
    return os.pathsep.join([here, os.environ.get("PATH", os.defpath)])


def _environment(
    program: Program,
    *,
    address: str,
    socket: str,
    token: str,
    sandboxes: Sandboxes | None,
) -> dict[str, str]:
    inherited = without_setting(os.environ)
    inherited |= {"HEARTS_ARENA": address, "HEARTS_SOCKET": socket}
    if program.view is not None:
        assert sandboxes is not None, "a sandbox needs its socket"
        # What else is in the arena's environment is none of its business.
        inherited = sandboxes.environment(os.environ)
    return {
        **inherited,
        **program.environment,
        "PATH": _search_path(),
        # Else what a bot prints stays in its buffer when it is killed.
        "PYTHONUNBUFFERED": "1",
        "HEARTS_TOKEN": token,
        "HEARTS_BOT": program.bot,
        # What the host's shell asks for is not meant for an entrant.
        "HEARTS_PRACTICE": "",
        # Nor is its TLS: over loopback the arena has a port without.
        "HEARTS_TLS_CA": "",
        "HEARTS_TLS_CERT": "",
        "HEARTS_TLS_KEY": "",
    }


def _guarded(
    program: Program, log: Path, sandboxes: Sandboxes | None, lifeline: int
) -> list[str]:
    """Return the command that runs a program under its guard."""
    # The program may run in another folder than the arena.
    path = "-" if program.is_attached else str(log.absolute())
    command = list(program.command)
    if program.view is not None:
        assert sandboxes is not None, "a sandbox needs its socket"
        try:
            command = sandboxes.enclosed(
                program.bot, command, program.view, program.limits
            )
        except SandboxError as error:
            raise TroubleError(str(error)) from None
    words = len(command) - len(program.command)
    return [
        *(sys.executable, "-I", "-S", "-c", _GUARD, _PACKAGES, str(lifeline), path),
        *(str(LOG_BYTES_MAX), str(GRACE_SECONDS), program.limits.text(), str(words)),
        *("--", *command),
    ]


async def _end_unless_connected(
    secret: str, tokens: StartedTokens, seconds: float, program: trio.CancelScope
) -> None:
    await trio.sleep(seconds)
    if not tokens.has_connected(secret):
        program.cancel()


async def _run_once(
    run: Callable[[], Awaitable[int]],
    *,
    secret: str,
    tokens: StartedTokens,
    start_seconds: float,
    renewal: Renewal,
) -> int | None:
    """Run a program; return its exit code, `None` if the arena has ended it."""
    exit_code, trouble = None, None
    async with trio.open_nursery() as nursery:
        scope = nursery.cancel_scope
        nursery.start_soon(_end_unless_connected, secret, tokens, start_seconds, scope)
        try:
            was_here = partial(tokens.has_connected, secret)
            with renewal.life(scope, was_here=was_here):
                exit_code = await run()
        except TroubleError as error:
            trouble = error
        scope.cancel()
    if trouble is not None:
        raise trouble
    return exit_code


async def keep_running(
    program: Program,
    *,
    address: str,
    socket: str = "",
    tokens: StartedTokens,
    log: Path,
    start_seconds: float = START_SECONDS,
    sandboxes: Sandboxes | None = None,
    renewal: Renewal | None = None,
    on_note: Callable[[str], None] = lambda text: None,
) -> ProgramFailure:
    """
    Run the program until cancelled, restarting it whenever it ends.

    The first restart is at once, the others follow growing pauses. Every start has
    a fresh one-use secret; the tokens of the start before are void. A program that
    has not connected `start_seconds` after its start is ended. Returns when the
    program has ended more than `restarts_max` times in a row, see `Backoff`; a
    renewal does not count.

    What keeps it from running and is not its own doing is tried again and counts for
    nothing; the host is told, through `on_note`.

    Raises:
        NotStartedError: To try again was no use.
    """
    backoff, troubles, start_count = Backoff(program.restarts_max), Troubles(), 0
    renewal = renewal or Renewal()
    while True:
        await renewal.wait_for_start()
        start_time = trio.current_time()
        secret = tokens.issue(program.bot, owner=program.owner)
        environment = _environment(
            program, address=address, socket=socket, token=secret, sandboxes=sandboxes
        )
        run = partial(
            run_guarded,
            partial(_guarded, program, log, sandboxes),
            folder=program.folder,
            environment=environment,
            is_attached=program.is_attached,
            on_note=lambda text: on_note(f"bot {program.bot!r}: {text}"),
        )
        once = partial(_run_once, tokens=tokens, start_seconds=start_seconds)
        exit_code, trouble = None, ""
        try:
            exit_code = await once(run, secret=secret, renewal=renewal)
        except TroubleError as error:
            trouble = str(error)
        finally:
            was_connected = tokens.has_connected(secret)
            tokens.void(secret)
        if renewal.was_asked:
            continue
        lived = trio.current_time() - start_time
        if trouble:
            pause = _pause_after(trouble, program, troubles, lived, on_note)
        else:
            start_count += 1
            if (found := backoff.pause(lived, was_connected=was_connected)) is None:
                break
            pause = found
        await trio.sleep(pause)
    return _failure(program, log, start_count, exit_code, renewal)


def _pause_after(
    trouble: str,
    program: Program,
    troubles: Troubles,
    lived: float,
    on_note: Callable[[str], None],
) -> float:
    """Tell the host of the first of some troubles; return the pause after each.

    Raises:
        NotStartedError: There is to be none.
    """
    text = f"bot {program.bot!r} does not run, which is not its own doing: {trouble}"
    pause = troubles.pause(lived)
    if pause is None:
        raise NotStartedError(
            f"{text}; it was tried again and again, and nothing of it counts against "
            "the bot: mend that, and run the games again"
        )
    if troubles.count == 1:
        on_note(f"{text}; it is started again")
    return pause


def _failure(
    program: Program,
    log: Path,
    start_count: int,
    exit_code: int | None,
    renewal: Renewal,
) -> ProgramFailure:
    return ProgramFailure(
        bot=program.bot,
        command=program.command,
        start_count=start_count,
        exit_code=exit_code,
        has_connected=renewal.has_connected,
        log=log,
        log_excerpt=log_excerpt(log),
        limit=limit_of(log),
        is_silent=renewal.was_cut,
    )


@asynccontextmanager
async def open_programs(
    programs: Iterable[Program],
    *,
    address: str,
    socket: str = "",
    tokens: StartedTokens,
    logs: Path,
    on_failure: Callable[[ProgramFailure], None],
    on_note: Callable[[str], None] = lambda text: None,
    start_seconds: float = START_SECONDS,
    sandboxes: Sandboxes | None = None,
    resting: Collection[str] = (),
) -> AsyncIterator[Renewals]:
    """
    Keep programs running for as long as the block lasts, then end them.

    Args:
        address: where the programs dial in.
        socket: a socket in the file system that they may dial instead.
        logs: the folder for their logs; it must exist.
        on_failure: called once for each program that would not stay alive.
        on_note: called with what goes wrong and is no program's doing.
        start_seconds: how long a program may take to connect.
        sandboxes: where programs with a view run; needed for those only.
        resting: the bots whose programs are not started until they are called for.

    Yields:
        What ends programs and starts them afresh.

    Raises:
        OSError: A log can't be written.
        NotStartedError: The machine lets a program not run; the block is cancelled.
    """

    def log_of(program: Program) -> Path:
        return logs / f"{program.log_name or program.bot}.log"

    async def keep(program: Program) -> None:
        try:
            failure = await keep_running(
                program,
                address=address,
                socket=socket,
                tokens=tokens,
                log=log_of(program),
                start_seconds=start_seconds,
                sandboxes=sandboxes,
                renewal=lives[program.bot],
                on_note=on_note,
            )
        except NotStartedError as error:
            errors.append(error)
            nursery.cancel_scope.cancel()
        else:
            on_failure(failure)

    programs, errors = list(programs), list[NotStartedError]()
    lives = {program.bot: Renewal() for program in programs}
    renewals = Renewals(lives, resting=resting)
    for program in programs:
        if not program.is_attached:
            # Better now, in one line, than from each guard at each start.
            log_of(program).open("ab").close()
    async with trio.open_nursery() as nursery:
        for program in programs:
            nursery.start_soon(keep, program)
        yield renewals
        nursery.cancel_scope.cancel()
        errors.clear()
    if errors:
        raise errors[0]
