"""Entrants' programs: environment, logs, restarts, and that nothing is left over."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from arena.server import token_digest
from leagues.programs import guard, processes
from leagues.programs.capped_log import CappedLog
from leagues.programs.processes import (
    Program,
    ProgramFailure,
    keep_running,
    open_programs,
)
from leagues.running.failures import limit_of
from leagues.running.started import StartedTokens, TokensUnion


def _python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", code)


async def _run_to_failure(program: Program, log: Path) -> ProgramFailure:
    return await keep_running(
        program,
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        log=log,
    )


class TestStartedTokens:
    """One-use secrets and what they are exchanged for."""

    def test_a_secret_is_good_once(self) -> None:
        """A secret names its bot until it is exchanged, and never again."""
        tokens = StartedTokens()
        secret = token_digest(tokens.issue("fox", owner="ann"))
        found = tokens.find(secret)
        session = token_digest(tokens.exchange(secret))

        assert found is not None
        assert ("fox", "ann", True) == (found.name, found.owner, found.one_use)
        assert tokens.find(secret) is None
        identity = tokens.find(session)
        assert identity is not None
        assert ("fox", False) == (identity.name, identity.one_use)
        with pytest.raises(KeyError):
            tokens.exchange(secret)

    def test_a_start_that_ended_has_no_tokens(self) -> None:
        """Voiding a start voids its secret and its session, and no other start's."""
        tokens = StartedTokens()
        first, second = tokens.issue("fox"), tokens.issue("fox")
        before = tokens.has_connected(first)
        session = token_digest(tokens.exchange(token_digest(first)))
        after = tokens.has_connected(first)
        tokens.void(first)
        unspent = tokens.issue("owl")
        tokens.void(unspent)

        assert (False, True) == (before, after)
        assert tokens.find(session) is None
        assert tokens.find(token_digest(unspent)) is None
        assert tokens.find(token_digest(second)) is not None

    def test_a_union_asks_each_registry(self) -> None:
        """A union finds and exchanges tokens of all its registries."""
        one, two = StartedTokens(), StartedTokens()
        union = TokensUnion(one, two)
        secret = token_digest(two.issue("fox"))
        found = union.find(secret)

        assert found is not None
        assert "fox" == found.name
        assert two.find(token_digest(union.exchange(secret))) is not None
        assert union.find(b"unknown") is None
        with pytest.raises(KeyError):
            union.exchange(secret)


class TestCommands:
    """Which program a command line means."""

    def test_a_command_is_split_like_in_a_shell(self) -> None:
        """Quotations hold words together; nothing is expanded."""
        expected = ("python", "my bot.py", "$HOME")

        assert expected == processes.command_of("python 'my bot.py' $HOME")

    @pytest.mark.parametrize(
        ("command", "problem"),
        [
            ("./no-such-bot", "'./no-such-bot' is no program that can be started in"),
            ("./text", "'./text' is not executable; `chmod +x ./text` makes it so"),
            ("text", "'text' is not executable; `chmod +x text` makes it so"),
            ("bot", "'bot' is no program on the search path; expected './bot'"),
            ("./bot", ""),
        ],
    )
    def test_why_a_command_can_not_be_started(
        self, tmp_path: Path, command: str, problem: str
    ) -> None:
        """Missing files, files that are not executable and bare names are told."""
        (tmp_path / "text").touch()
        (tmp_path / "bot").touch(mode=0o755)
        found = processes.start_problem([command], folder=tmp_path)

        assert found.startswith(problem)
        assert bool(problem) == bool(found)

    @pytest.mark.parametrize("text", ["", "   ", "python 'bot.py"])
    def test_a_broken_command_is_refused(self, text: str) -> None:
        """An empty command or an open quotation is an error."""
        with pytest.raises(ValueError, match=r"empty|quotation"):
            processes.command_of(text)

    def test_python_is_the_running_one(self, tmp_path: Path) -> None:
        """The directory of the running Python is searched first."""
        name = Path(sys.executable).name

        assert sys.executable == processes.find_program([name])
        assert processes.find_program(["no-such-program"]) is None
        assert processes.find_program(["./no-such-program"], folder=tmp_path) is None


class TestGuard:
    """The guard itself, run as the arena runs it."""

    def test_an_overlong_log_keeps_its_head_and_its_end(self, tmp_path: Path) -> None:
        """A full log says so, counts what is left out and shows the last lines."""
        log = CappedLog(str(tmp_path / "log"), bytes_max=10)
        log.write(b"0123456")
        log.write(b"789abcdef\n")
        log.write(b"z" * 9000 + b"\nthe end")
        log.close("ended")
        text = (tmp_path / "log").read_text()

        assert text.startswith("0123456789\n[")
        assert "log full at 10 bytes: more is left out]" in text
        assert "9015 bytes left out; the end of them:]\nzzz" in text
        assert len(text) < 4096 + 300
        assert text.splitlines()[-2] == "the end"
        assert text.endswith(" ended]\n")


async def test_a_program_gets_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Address, secret, name and search path are in the environment; no input."""
    monkeypatch.setenv("HEARTS_PRACTICE", "1")
    code = (
        "import os, sys; e = os.environ; print(e['HEARTS_ARENA'], e['HEARTS_BOT'],"
        " repr(e['HEARTS_PRACTICE']), len(e['HEARTS_TOKEN']),"
        " e['PATH'].split(':')[0], e['MORE'],"
        " repr(sys.stdin.read()), os.getcwd())"
    )
    program = Program(
        "fox",
        _python(code),
        folder=tmp_path,
        environment={"MORE": "x"},
        restarts_max=0,
    )
    failure = await _run_to_failure(program, tmp_path / "fox.log")
    here = Path(sys.executable).parent

    assert f"127.0.0.1:1 fox '' 32 {here} x '' {tmp_path}" in failure.log_excerpt


async def test_a_program_steps_back_behind_the_arena(tmp_path: Path) -> None:
    """A program is nicer than the arena, which must be on time for all of them."""
    code = "import os; print('niceness', os.nice(0))"
    program = Program("fox", _python(code), restarts_max=0)
    failure = await _run_to_failure(program, tmp_path / "fox.log")

    assert f"niceness {min(os.nice(0) + 5, 19)}\n" in failure.log_excerpt


async def test_a_program_that_ends_is_restarted_and_then_given_up(
    tmp_path: Path,
) -> None:
    """A program is started `restarts_max` times more; the failure shows its log."""
    code = "raise ValueError('no model file')"
    log = tmp_path / "fox.log"
    program = Program("fox", _python(code), restarts_max=1)
    failure = await _run_to_failure(program, log)

    assert 2 == log.read_text().count("ValueError: no model file\n")
    assert (2, 1) == (failure.start_count, failure.exit_code)
    assert "bot 'fox'" in str(failure)
    assert "was started 2 times, never connected and ended with exit code 1" in str(
        failure
    )
    assert "ValueError: no model file" in str(failure)


async def test_a_program_that_had_connected_is_told_from_one_that_never_did(
    tmp_path: Path,
) -> None:
    """Spending the secret of any start is what counts; else there is a hint."""

    class Spent(StartedTokens):
        def issue(self, name: str, *, owner: str = "") -> str:
            secret = super().issue(name, owner=owner)
            self.exchange(token_digest(secret))
            return secret

    program = Program("fox", ("true",), restarts_max=0)
    failures = [
        await keep_running(
            program, address="127.0.0.1:1", tokens=tokens, log=tmp_path / "fox.log"
        )
        for tokens in (Spent(), StartedTokens())
    ]

    assert [True, False] == [failure.has_connected for failure in failures]
    assert ["hearts.run()" in str(failure) for failure in failures] == [False, True]


async def test_later_restarts_follow_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first restart is at once, then they wait longer and longer."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        if seconds == processes.START_SECONDS:
            await trio.sleep_forever()
        slept.append(seconds)

    monkeypatch.setattr("leagues.programs.processes.trio.sleep", sleep)
    program = Program("fox", ("true",), restarts_max=4)
    await _run_to_failure(program, tmp_path / "fox.log")

    assert [0.0, 0.5, 2.0, 8.0] == slept


def test_a_log_can_do_nothing_to_the_terminal_that_shows_it(tmp_path: Path) -> None:
    """What a program wrote to clear a screen, or worse, is told as plain text."""
    log = tmp_path / "fox.log"
    log.write_text(
        "[2026-01-01T00:00:00Z start: ./fox]\n\x1b[2J\x1b]0;title\x07bye\n"
        "[2026-01-01T00:00:01Z limit: \x1b[2J]\n"
    )

    assert " [2J ]0;title bye" in processes.log_excerpt(log)
    assert all(map(str.isprintable, processes.log_excerpt(log).splitlines()))
    assert " [2J" == limit_of(log)


def test_a_log_shows_its_first_traceback(tmp_path: Path) -> None:
    """What came first is the cause; without a traceback the last lines are shown."""
    log = tmp_path / "fox.log"
    calls = "".join(f'  File "bot.py", line {n}\n' for n in range(40))
    first = f"Traceback (most recent call last):\n{calls}KeyError: 'QS'\n"
    start = "[2026-01-01T00:00:00Z start: python bot.py]\n"
    log.write_text(f"{start}{first}{start}hello\n{first}more\n{first}bye\n")
    lines = processes.log_excerpt(log).splitlines()
    log.write_text(f"{start}{first}{start}" + "hello\n" * 20 + "bye\n")
    tail = processes.log_excerpt(log).splitlines()

    assert [f"its log {log} has a traceback:", "    " + first[:34]] == lines[:2]
    assert (16, "    KeyError: 'QS'") == (len(lines), lines[-1])
    assert [f"its log {log} ends:", "    hello"] == tail[:2]
    assert (13, "    bye") == (len(tail), tail[-1])
    assert "" == processes.log_excerpt(tmp_path / "none.log")


async def test_a_program_that_is_missing_is_a_failure(tmp_path: Path) -> None:
    """A command that does not exist is named in the failure."""
    program = Program("fox", ("no-such-program",), restarts_max=0)
    failure = await _run_to_failure(program, tmp_path / "fox.log")

    assert guard.CANNOT_START == failure.exit_code
    assert "cannot start 'no-such-program': No such file" in failure.log_excerpt


async def test_a_log_that_cannot_be_written_is_found_first(tmp_path: Path) -> None:
    """No program is started whose log is in the way of something else."""
    (tmp_path / "fox.log").mkdir()
    programs = open_programs(
        [Program("fox", ("true",))],
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        logs=tmp_path,
        on_failure=lambda failure: None,
    )
    with pytest.raises(IsADirectoryError, match=r"fox\.log"):
        async with programs:
            pass


async def test_a_program_that_never_connects_is_ended(tmp_path: Path) -> None:
    """A program that runs without ever coming to the arena is given up in time."""
    program = Program("fox", ("sleep", "600"), restarts_max=1)
    failure = await keep_running(
        program,
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        log=tmp_path / "fox.log",
        start_seconds=0.05,
    )

    assert (2, None) == (failure.start_count, failure.exit_code)
    assert "did not connect to the arena in time" in str(failure)


async def test_leaving_the_block_ends_programs_and_their_children(
    tmp_path: Path,
) -> None:
    """Shell, grandchild and a daemon in a session of its own are all ended."""
    os.mkfifo(tmp_path / "line")
    script = f"exec > {tmp_path}/line; setsid sleep 600 & sleep 600 & echo up; wait"
    failures: list[ProgramFailure] = []
    async with open_programs(
        [Program("fox", ("sh", "-c", script))],
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        logs=tmp_path,
        on_failure=failures.append,
    ):
        line = await trio.open_file(tmp_path / "line")
        first = await line.readline()
    # All three hold the other end, so it ends when the last of them has.
    rest = await line.read()
    await line.aclose()

    assert ("up\n", "") == (first, rest)
    assert [] == failures
    assert "ended by SIGTERM" in (tmp_path / "fox.log").read_text()


ARENA = (
    "import sys, trio; from pathlib import Path;"
    "from leagues.running.started import StartedTokens;"
    "from leagues.programs.processes import Program, keep_running;"
    "fox = Program('fox', tuple(sys.argv[3:]), restarts_max=0,"
    " is_attached=sys.argv[2] == 'attached');"
    "trio.run(lambda: keep_running(fox,"
    " address='', tokens=StartedTokens(), log=Path(sys.argv[1])))"
)
"""An arena that does nothing but run one program."""


@pytest.mark.e2e
def test_an_attached_program_has_the_terminal(tmp_path: Path) -> None:
    """An attached program reads what the arena could, and prints beside it."""
    log = tmp_path / "log"
    bot = _python("print('heard', input())")
    done = subprocess.run(
        [sys.executable, "-c", ARENA, str(log), "attached", *bot],
        input="hello\n",
        capture_output=True,
        text=True,
        check=True,
    )

    assert "heard hello\n" == done.stdout
    assert not log.exists()


@pytest.mark.e2e
@pytest.mark.parametrize("is_guard_killed", [False, True])
def test_nothing_survives_a_kill(tmp_path: Path, is_guard_killed: bool) -> None:
    """After `kill -9` of the arena, or of a guard, the program is gone."""
    os.mkfifo(tmp_path / "line")
    bot = (
        f"import os, time; f = open({str(tmp_path / 'line')!r}, 'w');"
        "print(os.getppid(), file=f, flush=True); time.sleep(600)"
    )
    log = str(tmp_path / "log")
    arena = (sys.executable, "-c", ARENA, log, "logged")
    process = subprocess.Popen([*arena, *_python(bot)])
    try:
        with open(tmp_path / "line") as line:
            guard_pid = int(line.readline())
            os.kill(guard_pid if is_guard_killed else process.pid, signal.SIGKILL)
            rest = line.read()
    finally:
        process.kill()
        process.wait()

    assert "" == rest
