"""
The bridge: puts a bot that reads and writes lines on the wire.

    python -m hearts.bridge -- ./mybot

It runs the command, writes a line for each turn to its standard input and reads
a line for each answer from its standard output; `hearts.lines` says what they
hold. Standard error passes through. The command leads a process group of its
own; the end of its input means that it should end, and what is left of the group
`GRACE_SECONDS` later is killed. When the command ends by itself the bridge ends
with its exit code, and the games stay open for the next one.
"""

import argparse
import asyncio
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from hearts.answer import AnswerError
from hearts.arena.v1 import play_pb2
from hearts.bot import Bot
from hearts.game import GameStart
from hearts.lines import (
    LINE_BYTES_MAX,
    StrayLineError,
    read_answer,
    rules_json,
    turn_line,
)
from hearts.profile import Profile
from hearts.program import (
    open_client,
    report,
    run_until_done,
    sdk_name,
    stop_signals,
    wants_practice,
)
from hearts.pulse import Pulse, PulseThread
from hearts.session import Asked, Session
from hearts.turn import Turn

GRACE_SECONDS: Final = 5.0
"""How long a command may take to end after the end of its input."""

SETTLE_SECONDS: Final = 0.5
"""How long a command must have lived before the bridge connects."""

HINT_SECONDS: Final = 3.0
"""After how long the bridge wonders why a command's first line does not come."""

NOT_STARTED: Final = 127
"""The exit code when the command cannot be started, as in a shell."""


class LineGame(Bot):
    """
    What the bridge keeps of a game; it is never asked, for the command is.
    """

    rules = ""
    """The rules as JSON, the same for all turns."""

    def game_started(self, start: GameStart) -> None:
        """
        Write the rules once for all turns.
        """
        self.rules = rules_json(start.rules)


class Command:
    """
    The running command: one question at a time, one line for each.

    Args:
        text: The command as its author wrote it.
        report: Is called with texts for people, without a line end.
        hint_seconds: After how long without a first line to say what may be wrong.
        pulse: Measures how long this process stood still, if anything does.
    """

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        text: str,
        report: Callable[[str], None],
        hint_seconds: float = HINT_SECONDS,
        pulse: Pulse | None = None,
    ) -> None:
        self._process = process
        self._text = text
        self._report = report
        self._hint_seconds = hint_seconds
        self._pulse = pulse
        self._has_written = False
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._is_asked = False
        self._ending: asyncio.Task[None] | None = None

    async def choose(self, asked: Asked) -> play_pb2.Answer:
        """
        Put a turn to the command and wait for its line.
        """
        turn, game = asked
        began = time.monotonic()
        assert self._process.stdin is not None
        assert isinstance(game.bot, LineGame)
        line_text = turn_line(turn, game.bot.rules)
        self._process.stdin.write(line_text.encode() + b"\n")
        self._is_asked = True
        line = await self._next_line(turn)
        while (answer := self._read(line, turn)) is None:
            line = await self._lines.get()
        self._is_asked = False
        while not self._lines.empty():
            self._refuse(self._lines.get_nowait())
        answer.think_ms = int((time.monotonic() - began) * 1000)
        if self._pulse is not None:
            answer.paused_ms = self._pulse.take_ms()
        return answer

    async def _next_line(self, turn: Turn) -> bytes:
        """
        Wait for a line; while it is the first one, wonder aloud if it takes long.
        """
        if self._has_written:
            return await self._lines.get()
        hint = asyncio.get_running_loop().call_later(
            self._hint_seconds,
            self._report,
            f"bridge: no line yet in answer to turn {turn.id}; does the program"
            " flush its output?",
        )
        try:
            line = await self._lines.get()
        finally:
            hint.cancel()
        self._has_written = True
        return line

    async def listen(self) -> int:
        """
        Hand on what the command writes; give its exit code once it ends.
        """
        output = self._process.stdout
        assert output is not None
        while line := await _read_line(output):
            if self._is_asked:
                self._lines.put_nowait(line)
            else:
                self._refuse(line)
        # Without its output the command is of no more use.
        await self.end()
        code = await self._process.wait()
        return code if code >= 0 else 128 - code

    async def end(self) -> None:
        """
        End the command's input, and kill its group if that does not help.
        """
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await self._ending

    async def _end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        waiting = asyncio.create_task(self._process.wait())
        await asyncio.wait({waiting}, timeout=GRACE_SECONDS)
        # What the command has started is in the same group, and may be left.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await waiting

    def _refuse(self, line: bytes) -> None:
        shown = repr(line[:80].decode(errors="replace").rstrip())
        self._report(f"`{self._text}` wrote without being asked: {shown}")

    def _read(self, line: bytes, turn: Turn) -> play_pb2.Answer | None:
        """
        Read an answer; None when the line answers another turn.
        """
        try:
            if len(line) > LINE_BYTES_MAX:
                raise AnswerError(f"the line is longer than {LINE_BYTES_MAX} bytes")
            return read_answer(line.decode(errors="replace"), turn)
        except StrayLineError as error:
            self._report(str(error))
            return None
        except AnswerError as error:
            expected = " ".join(c.name for c in turn.choices) or "add subtract"
            self._report(
                f"turn {turn.id} of {turn.game_id}: {error}; expected"
                f" {turn.answer_count} of {expected}"
            )
            # An answer without cards: the arena plays for the seat at once.
            return play_pb2.Answer(turn_id=turn.id)


async def _read_line(output: asyncio.StreamReader) -> bytes:
    """
    Read a line; of one that is too long, its beginning, one byte too many.
    """
    line = b""
    while True:
        try:
            part = await output.readuntil(b"\n")
        except asyncio.LimitOverrunError as overrun:
            part = await output.readexactly(overrun.consumed)
        except asyncio.IncompleteReadError as end:
            # The last line may lack its end; then there is nothing more.
            return (line + end.partial)[: LINE_BYTES_MAX + 1]
        line = (line + part)[: LINE_BYTES_MAX + 1]
        if part.endswith(b"\n"):
            return line


async def _bridge(arguments: argparse.Namespace, codes: list[int]) -> None:
    """
    Play with the command until either ends; note the command's exit code.
    """
    profile = Profile(
        version=arguments.bot_version,
        sdk=f"{sdk_name()} bridge",
        max_games=arguments.max_games,
        practice=arguments.practice or wants_practice(),
    )
    pulse = PulseThread(time.monotonic)
    session = Session(
        LineGame, profile, clock=time.monotonic, report=report, pulse=pulse
    )
    # Before any gRPC, so that the command inherits nothing of it.
    process = await asyncio.create_subprocess_exec(
        *arguments.command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE_BYTES_MAX,
        process_group=0,
    )
    text = shlex.join(arguments.command)
    command = Command(process, text=text, report=report, pulse=pulse)
    listening = asyncio.create_task(command.listen())
    try:
        # A command that cannot even start must not be seated in any game.
        await asyncio.wait({listening}, timeout=SETTLE_SECONDS)
        if listening.done():
            codes.append(listening.result())
            report(f"`{text}` ended with exit code {codes[0]}, before any game")
            return
        client = open_client(session, address=None, token=None, chooser=command.choose)
        listening.add_done_callback(lambda _: client.stop(leave=False))
        with stop_signals(client):
            await client.run()
            if listening.done():
                codes.append(listening.result())
                report(f"`{text}` ended with exit code {codes[0]}")
    finally:
        await command.end()
        await listening


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the bridge; give the exit code.
    """
    parser = argparse.ArgumentParser(
        prog="python -m hearts.bridge",
        usage="%(prog)s [options] -- COMMAND…",
        description="Connect a bot that reads and writes lines of text.",
        epilog="HEARTS_ARENA and HEARTS_TOKEN say where the arena is and who plays.",
    )
    parser.add_argument(
        "--bot-version", default="1", help="the version of the bot; '' means 1"
    )
    parser.add_argument(
        "--max-games", type=int, default=8, help="the most games at once"
    )
    parser.add_argument(
        "--practice", action="store_true", help="play unrated games, at once"
    )
    parser.add_argument("command", nargs="+", help="the bot and its arguments")
    arguments = parser.parse_args(argv)
    codes: list[int] = []
    try:
        run_until_done(lambda: _bridge(arguments, codes), with_children=True)
    except OSError as error:
        report(f"cannot start {arguments.command[0]!r}: {error.strerror}")
        return NOT_STARTED
    return codes[0] if codes else 0


if __name__ == "__main__":
    sys.exit(main())
