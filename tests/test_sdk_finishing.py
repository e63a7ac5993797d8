"""What SIGINT and SIGTERM make of the open games of a bot."""

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path

import grpc
import pytest

from hearts.arena.v1 import play_pb2
from tests.scripted_arena import (
    End,
    Expect,
    ExpectEnd,
    Meet,
    Say,
    ScriptedArena,
    Step,
    open_arena,
)
from tests.sdk_frames import game_ended, play_turn, start, welcome
from tests.sdk_programs import Program, started, write_bot
from tests.test_sdk_program import HUNG, LEAVE, answer

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

TOLD = "the program was told to stop"
FINISH = Expect(
    play_pb2.PlayRequest(leave=play_pb2.Leave(message=TOLD, finish_games=True))
)
FINISHING = "finishing 1 open game; ctrl-c again leaves at once and gives them up"
LEAVING = "leaving at once: 1 open game given up"
OVER = "no game is open any more; leaving"


def connected(games_resumed: int = 0) -> Say:
    """Let a bot in that has a game, and ask it for a card."""
    frame = welcome(protocol_minor=1, games_resumed=games_resumed)
    frame.starts.append(start())
    frame.turns.append(play_turn(1))
    return Say(frame)


def told(bot: Program) -> list[str]:
    """What the bot said after it was connected."""
    return [line.removeprefix("ann: ") for line in bot.lines if "connect" not in line]


async def play(
    script: Sequence[Sequence[Step]],
    path: str,
    signals: Sequence[tuple[asyncio.Event, int]],
) -> tuple[Program, int, ScriptedArena]:
    """Run a bot against a script and send it signals when it gets so far."""
    arena = ScriptedArena(script)
    async with open_arena(arena) as address, started(path, address=address) as bot:
        for reached, number in signals:
            await reached.wait()
            bot.interrupt(number)
        code = await bot.exit_code()
    assert [] == arena.failures
    return bot, code, arena


def meeting() -> tuple[Meet, asyncio.Event]:
    """A step that goes on by itself, and what it sets."""
    reached, go_on = asyncio.Event(), asyncio.Event()
    go_on.set()
    return Meet(reached, go_on), reached


def ended() -> Say:
    """Tell that the game is over."""
    return Say(play_pb2.PlayResponse(notices=[game_ended()]))


def test_the_first_interrupt_finishes_the_open_games(tmp_path: Path) -> None:
    """The bot asks for no more, answers on, and ends when the arena ends the call."""

    async def main() -> None:
        meet, reached = meeting()
        script: list[Step] = [
            connected(),
            answer(1, "QS"),
            meet,
            FINISH,
            Say(play_pb2.PlayResponse(turns=[play_turn(2)])),
            answer(2, "QS"),
            ended(),
        ]
        bot, code, _ = await play(
            [script], write_bot(tmp_path), [(reached, signal.SIGINT)]
        )

        assert (0, [FINISHING, OVER]) == (code, told(bot))

    asyncio.run(main())


def test_the_second_interrupt_gives_them_up(tmp_path: Path) -> None:
    """After the wish to finish comes a plain `Leave`, and the process ends."""

    async def main() -> None:
        (first, one), (second, two) = meeting(), meeting()
        script = [connected(), answer(1, "QS"), first, FINISH, second, *LEAVE]
        signals = [(one, signal.SIGINT), (two, signal.SIGINT)]
        bot, code, _ = await play([script], write_bot(tmp_path), signals)

        assert (0, [FINISHING, LEAVING]) == (code, told(bot))

    asyncio.run(main())


def test_the_third_interrupt_ends_a_bot_in_thought(tmp_path: Path) -> None:
    """Each of the three is told at once, though the bot never answers."""

    async def main() -> None:
        arena = ScriptedArena([[connected(), ExpectEnd()]])
        async with (
            open_arena(arena) as address,
            started(write_bot(tmp_path, HUNG), address=address) as bot,
        ):
            await bot.line("thinking")
            for line in (FINISHING, LEAVING):
                bot.interrupt(signal.SIGINT)
                await bot.line(line)
            bot.interrupt(signal.SIGINT)

            assert 130 == await bot.exit_code()

    asyncio.run(main())


def test_a_termination_leaves_at_once(tmp_path: Path) -> None:
    """SIGTERM is for machines, which wait for nobody's games."""

    async def main() -> None:
        meet, reached = meeting()
        script = [connected(), answer(1, "QS"), meet, *LEAVE]
        bot, code, _ = await play(
            [script], write_bot(tmp_path), [(reached, signal.SIGTERM)]
        )

        assert (0, [LEAVING]) == (code, told(bot))

    asyncio.run(main())


def test_a_bot_without_a_game_ends_at_once(tmp_path: Path) -> None:
    """There is nothing to finish, so ctrl-c is a plain `Leave`."""

    async def main() -> None:
        meet, reached = meeting()
        script = [Say(welcome(protocol_minor=1)), meet, *LEAVE]
        bot, code, _ = await play(
            [script], write_bot(tmp_path), [(reached, signal.SIGINT)]
        )

        assert (0, []) == (code, told(bot))

    asyncio.run(main())


def test_a_lost_connection_is_taken_up_to_finish(tmp_path: Path) -> None:
    """The bot calls again for its open game, with its wish beside the `Hello`."""

    async def main() -> None:
        meet, reached = meeting()
        script: list[list[Step]] = [
            [connected(), answer(1, "QS"), meet, FINISH, End(LOST, "gone")],
            [connected(1), answer(1, "QS"), ended()],
        ]
        bot, code, arena = await play(
            script, write_bot(tmp_path), [(reached, signal.SIGINT)]
        )

        assert (0, [FINISHING, OVER]) == (code, told(bot))
        assert [False, True] == [leave.finish_games for leave in arena.leaves]

    asyncio.run(main())


def test_a_finished_bot_does_not_come_back(tmp_path: Path) -> None:
    """Whatever ends the call after its last game, there is nothing to call for."""

    async def main() -> None:
        meet, reached = meeting()
        script: list[Step] = [
            *(connected(), answer(1, "QS"), meet, FINISH, ended()),
            End(LOST, "gone"),
        ]
        bot, code, _ = await play(
            [script], write_bot(tmp_path), [(reached, signal.SIGINT)]
        )

        assert (0, [FINISHING, OVER]) == (code, told(bot))

    asyncio.run(main())


LOST = grpc.StatusCode.UNAVAILABLE
