"""What keeps a program from running and is the machine's doing: never the bot's."""

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from leagues.programs import guard, guarded
from leagues.programs.guarded import NotStartedError, Troubles
from leagues.programs.processes import (
    Program,
    ProgramFailure,
    keep_running,
    open_programs,
)
from leagues.programs.sandbox import View, open_sandboxes
from leagues.running.started import StartedTokens
from tests.bubblewrap import needs_sandboxes


def python(code: str) -> tuple[str, ...]:
    """Return the command that runs some Python."""
    return (sys.executable, "-S", "-c", code)


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the host is told; what does not start is soon tried twice more."""
    monkeypatch.setattr(guarded, "TROUBLE_PAUSES", (0.0, 0.0))
    return []


async def run(program: Program, log: Path, notes: list[str]) -> ProgramFailure:
    """Keep a program running until that ends."""
    return await keep_running(
        program,
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        log=log,
        on_note=notes.append,
    )


async def test_a_log_whose_directory_has_gone_is_made_again(
    tmp_path: Path, notes: list[str]
) -> None:
    """Directory and log are there again, and nobody need hear of it."""
    log = tmp_path / "logs" / "league" / "fox.log"
    failure = await run(Program("fox", python("print(7)"), restarts_max=0), log, notes)

    assert (0, []) == (failure.exit_code, notes)
    assert "\n7\n" in log.read_text()


async def test_a_program_runs_without_its_log(tmp_path: Path, notes: list[str]) -> None:
    """Where a log can't be the program runs all the same, and the host is told."""
    (tmp_path / "logs").touch()
    log = tmp_path / "logs" / "fox.log"
    code = f"print(7); open({str(tmp_path / 'ran')!r}, 'w'); raise SystemExit(3)"
    failure = await run(Program("fox", python(code), restarts_max=0), log, notes)

    assert (3, "") == (failure.exit_code, failure.log_excerpt)
    assert (tmp_path / "ran").exists()
    assert [
        f"bot 'fox': {tmp_path}/logs: File exists; what it prints is left out"
    ] == notes


@pytest.mark.parametrize("restarts_max", [0, 3])
async def test_a_start_that_fails_outside_of_the_program_stops_the_run(
    tmp_path: Path, notes: list[str], restarts_max: int
) -> None:
    """It is tried again however few restarts a bot has, and then is an error."""
    program = Program(
        "fox", ("true",), folder=tmp_path / "gone", restarts_max=restarts_max
    )
    with pytest.raises(NotStartedError, match=r"gone.*it was tried again") as caught:
        await run(program, tmp_path / "fox.log", notes)

    assert "nothing of it counts against" in str(caught.value)
    assert 1 == len(notes)
    why = f"its guard can't be started: {tmp_path / 'gone'}: No such file or directory"
    assert f"which is not its own doing: {why}; it is started again" in notes[0]


async def test_an_arena_without_open_files_blames_nobody(
    tmp_path: Path, notes: list[str]
) -> None:
    """A start for which the arena has no file left is none of the bot's."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
    try:
        with pytest.raises(NotStartedError, match="Too many open files"):
            await run(Program("fox", ("true",)), tmp_path / "fox.log", notes)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


async def test_a_guard_that_is_killed_is_no_end_of_its_program(
    tmp_path: Path, notes: list[str]
) -> None:
    """Who has killed it nobody knows; the program has not ended by itself."""
    program = Program("fox", python("import os; os.kill(os.getppid(), 9)"))
    with pytest.raises(NotStartedError, match="its guard was ended by SIGKILL"):
        await run(program, tmp_path / "fox.log", notes)


async def test_a_guard_that_is_told_to_end_is_no_end_of_its_program(
    tmp_path: Path, notes: list[str]
) -> None:
    """A signal to all that runs is not the arena's way to end a program."""
    code = "import os, time; os.kill(os.getppid(), 15); time.sleep(600)"
    with pytest.raises(NotStartedError, match="its guard was told to end by a signal"):
        await run(Program("fox", python(code)), tmp_path / "fox.log", notes)


async def test_what_the_program_lacks_is_its_own(
    tmp_path: Path, notes: list[str]
) -> None:
    """A file that is no program is a failure of the bot's."""
    (tmp_path / "fox").write_text("text")
    failure = await run(
        Program("fox", (str(tmp_path / "fox"),), restarts_max=1),
        tmp_path / "fox.log",
        notes,
    )

    assert (2, 127, []) == (failure.start_count, failure.exit_code, notes)


@needs_sandboxes
async def test_a_sandbox_that_is_not_made_is_no_end_of_its_program(
    tmp_path: Path, notes: list[str]
) -> None:
    """What bubblewrap says is told; no program has run."""
    with open_sandboxes(["fox"]) as sandboxes:
        sandboxes.socket_of("fox").touch()
        (sandboxes.folder / "passwd").unlink()
        with pytest.raises(NotStartedError, match="no sandbox was made for it: bwrap"):
            await keep_running(
                Program("fox", ("true",), folder=tmp_path, view=View(tmp_path)),
                address="",
                tokens=StartedTokens(),
                log=tmp_path / "fox.log",
                sandboxes=sandboxes,
            )


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.ENOMEM, errno.ENFILE])
@pytest.mark.parametrize("call", ["fork", "execvp"])
def test_a_gate_tells_what_the_machine_would_not_start(call: str, number: int) -> None:
    """It is ready and then fails, in whatever step; without that it is only ready."""
    code = (
        "import os, sys\n"
        "from leagues.programs import gate\n"
        "gate.refuse_homeless_memory = lambda: None\n"
        f"def refuse(*_): raise OSError({number}, 'no room')\n"
        f"os.{call} = refuse\n"
        "os.waitpid(gate.start(['true'], int(sys.argv[1])), 0)"
    )
    told, told_end = os.pipe()
    done = subprocess.run(
        [sys.executable, "-c", code, str(told_end)],
        pass_fds=(told_end,),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(told_end)
    with open(told, "rb") as file:
        said = file.read()

    assert guard.READY + guard.FAILED == said
    assert "cannot start 'true': no room\n" == done.stderr


async def test_the_block_of_all_programs_ends_with_the_error(
    tmp_path: Path, notes: list[str]
) -> None:
    """What is done meanwhile is cancelled, and no failure is told of."""
    failures: list[ProgramFailure] = []
    with pytest.raises(NotStartedError):
        async with open_programs(
            [Program("fox", ("true",), folder=tmp_path / "gone")],
            address="",
            tokens=StartedTokens(),
            logs=tmp_path,
            on_failure=failures.append,
        ):
            await trio.sleep_forever()

    assert [] == failures


async def test_a_machine_without_memory_ends_programs_before_the_arena(
    tmp_path: Path, notes: list[str]
) -> None:
    """The kernel is told whom to take first, and who inherits it."""
    code = "print(open('/proc/self/oom_score_adj').read())"
    program = Program("fox", python(code), restarts_max=0)
    failure = await run(program, tmp_path / "fox.log", notes)

    assert "\n    500\n" in failure.log_excerpt


def test_what_the_kernel_has_ended_is_counted(tmp_path: Path) -> None:
    """The count is read from the kernel's own; where there is none it stays 0."""
    (tmp_path / "vmstat").write_text("nr_free_pages 7\noom_kill 12\nballoon 3\n")

    assert 12 == guard.ended_for_memory(str(tmp_path / "vmstat"))
    assert 0 == guard.ended_for_memory(str(tmp_path / "none"))


def guard_with(tweaks: str, limits: str, log: Path, code: str) -> tuple[int, str]:
    """Run a guard that is changed a little; return its exit code and what it told."""
    run = (
        "import sys; from leagues.programs import guard; "
        f"{tweaks}; sys.exit(guard.main())"
    )
    told, told_end = os.pipe()
    arguments = (str(told_end), str(log), "10", "1", limits, "0", "--", *python(code))
    done = subprocess.run(
        [sys.executable, "-c", run, *arguments], pass_fds=(told_end,), check=False
    )
    os.close(told_end)
    with open(told) as file:
        return done.returncode, file.read()


@pytest.mark.parametrize(("memory_mb", "word"), [(100, "trouble"), (0, "ended")])
def test_who_is_ended_for_want_of_memory_is_not_to_blame(
    tmp_path: Path, memory_mb: int, word: str
) -> None:
    """Not a program that has kept to its limit; without one it may have eaten all."""
    exit_code, told = guard_with(
        "counts = iter((3, 4)); guard.ended_for_memory = lambda: next(counts)",
        f"memory_mb={memory_mb}",
        tmp_path / "fox.log",
        "import os; os.kill(os.getpid(), 9)",
    )

    assert 137 == exit_code
    assert told.startswith(word)


def test_who_floods_its_log_pays_for_it(tmp_path: Path) -> None:
    """What it costs to read what a program prints is the program's time."""
    exit_code, _ = guard_with(
        "spent = iter(range(0, 999, 3)); guard.time.thread_time = lambda: next(spent)",
        "cores=0.5",
        tmp_path / "fox.log",
        "import time; print(7, flush=True); time.sleep(0.8)",
    )

    assert 0 == exit_code
    assert "cores = 0.5 has held it back for" in (tmp_path / "fox.log").read_text()


def test_troubles_are_counted_in_a_row() -> None:
    """All pauses together are shorter than a bot may be away; a good minute ends it."""
    troubles = Troubles()
    pauses = [troubles.pause(0.1) for _ in range(6)]
    after = troubles.pause(60.0)

    assert pauses[-1] is None
    assert sum(pause for pause in pauses if pause) < 10
    assert pauses[0] == after
