"""`hearts.run` as a process of its own, against scripted arenas."""

import asyncio
import signal
import socket
from pathlib import Path

import grpc
import pytest

import hearts
from arena.status import CallError
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
from tests.sdk_frames import begun, cards, game_ended, play_turn, start, welcome
from tests.sdk_peer import Lowest
from tests.sdk_programs import started, write_bot

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def answer(turn_id: int, names: str) -> Expect:
    """Expect one answer."""
    return Expect(
        play_pb2.PlayRequest(
            answers=[play_pb2.Answer(turn_id=turn_id, cards=cards(names))]
        )
    )


LEAVE: list[Step] = [
    Expect(
        play_pb2.PlayRequest(
            leave=play_pb2.Leave(message="the program was told to stop")
        )
    ),
    ExpectEnd(),
]


async def play(
    arena: ScriptedArena, path: str, *, stop: bool = True
) -> tuple[int, list[str]]:
    """Run a bot against an arena; give its exit code and its lines."""
    async with open_arena(arena) as address, started(path, address=address) as bot:
        await arena.done.wait()
        if stop:
            bot.interrupt()
        code = await bot.exit_code()
    assert [] == arena.failures
    return code, bot.lines


def stopped_in(conversation: list[Step]) -> tuple[list[Step], asyncio.Event]:
    """End a conversation by a signal, which is due when the event is set."""
    reached, go_on = asyncio.Event(), asyncio.Event()
    go_on.set()
    return [*conversation, Meet(reached, go_on), *LEAVE], reached


def test_a_bot_plays_and_leaves(tmp_path: Path) -> None:
    """A bot takes everything from its environment, answers, and leaves on SIGTERM."""

    async def main() -> None:
        script, reached = stopped_in(
            [
                Say(begun(play_turn(1))),
                answer(1, "QS"),
                Say(play_pb2.PlayResponse(heartbeat=play_pb2.Heartbeat(id=5))),
                Expect(play_pb2.PlayRequest(heartbeat=play_pb2.Heartbeat(id=5))),
            ]
        )
        arena = ScriptedArena([script])
        async with (
            open_arena(arena) as address,
            started(write_bot(tmp_path), address=address) as bot,
        ):
            await reached.wait()
            bot.interrupt(signal.SIGTERM)

            assert 0 == await bot.exit_code()
        assert [] == arena.failures
        assert ["Bearer secret"] == arena.tokens
        hello = arena.hellos[0]
        assert ("1", "", 8, 1, False) == (
            hello.bot_version,
            hello.instance,
            hello.max_games,
            hello.workers,
            hello.practice,
        )
        assert hello.sdk.startswith("hearts-python ")

    asyncio.run(main())


def test_the_environment_may_ask_for_practice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With HEARTS_PRACTICE=1 a bot says so, and tells how each game ended."""
    monkeypatch.setenv("HEARTS_PRACTICE", "1")

    async def main() -> None:
        frame = begun()
        frame.notices.append(game_ended())
        arena = ScriptedArena([[Say(frame), End(grpc.StatusCode.ABORTED)]])
        _, lines = await play(arena, write_bot(tmp_path), stop=False)

        assert arena.hellos[0].practice
        assert "ann: game demo-1: place 1 of 4, points 0, 0 faults" in lines

    asyncio.run(main())


def test_a_lost_arena_is_found_again(tmp_path: Path) -> None:
    """After a lost stream the bot dials again, with the token of its welcome."""

    async def main() -> None:
        first = welcome(token="own")
        first.starts.append(start())
        again = welcome(games_resumed=1)
        again.starts.append(start())
        again.turns.append(play_turn(1))
        script, reached = stopped_in([Say(again), answer(1, "QS")])
        arena = ScriptedArena(
            [[Say(first), End(grpc.StatusCode.UNAVAILABLE, "gone")], script]
        )
        async with (
            open_arena(arena) as address,
            started(write_bot(tmp_path), address=address) as bot,
        ):
            await reached.wait()
            bot.interrupt(signal.SIGINT)

            assert 0 == await bot.exit_code()
        assert [] == arena.failures
        assert ["Bearer secret", "Bearer own"] == arena.tokens
        assert [
            f"ann: connected to the arena at {address} as ann, up to 8 games at once",
            f"ann: lost the arena at {address}; connecting again",
            f"ann: connected to the arena at {address} as ann; 1 open games go on",
            "ann: this arena is too old to let them end; leaving at once: 1 open game"
            " given up",
        ] == bot.lines

    asyncio.run(main())


def test_a_late_arena_is_waited_for(tmp_path: Path) -> None:
    """A bot that finds no arena says so once and waits until there is one."""

    async def main() -> None:
        with socket.socket() as reserved:
            reserved.bind(("127.0.0.1", 0))
            port = reserved.getsockname()[1]
        script, reached = stopped_in([Say(begun(play_turn(1))), answer(1, "QS")])
        arena = ScriptedArena([script])
        address = f"127.0.0.1:{port}"
        async with started(write_bot(tmp_path), address=address) as bot:
            line = await bot.line("no arena")
            async with open_arena(arena, port=port):
                await reached.wait()
                bot.interrupt()

                assert 0 == await bot.exit_code()
        assert [] == arena.failures
        assert (
            f"ann: no arena at {address} yet; waiting (start one with `arena serve`)"
            == line
        )
        assert 3 == len(bot.lines)
        assert "ann: leaving at once: 1 open game given up" == bot.lines[-1]

    asyncio.run(main())


def test_a_bot_waiting_for_an_arena_can_be_stopped(tmp_path: Path) -> None:
    """A signal ends a bot that never found an arena, with exit code 0."""

    async def main() -> None:
        address = "127.0.0.1:9"
        async with started(write_bot(tmp_path), address=address) as bot:
            await bot.line("no arena")
            bot.interrupt(signal.SIGINT)

            assert 0 == await bot.exit_code()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("code", "part"),
    [
        (grpc.StatusCode.ABORTED, "has handed the games to another process"),
        (grpc.StatusCode.UNAUTHENTICATED, "does not know the token"),
        (grpc.StatusCode.PERMISSION_DENIED, "does not admit the bot"),
    ],
)
def test_a_refusal_ends_the_program(
    tmp_path: Path, code: grpc.StatusCode, part: str
) -> None:
    """A status that no retry can change ends the bot with code 2 and a reason."""

    async def main() -> None:
        arena = ScriptedArena([[Say(welcome()), End(code, "because")]])
        exit_code, lines = await play(arena, write_bot(tmp_path), stop=False)

        assert 2 == exit_code
        assert part in lines[-1]
        assert lines[-1].endswith("(because)")

    asyncio.run(main())


def test_an_arena_that_closes_ends_the_program(tmp_path: Path) -> None:
    """A bot does not come back to an arena that said it should not."""

    async def main() -> None:
        frame = welcome()
        frame.notices.add(draining=play_pb2.Draining(message="the league is over"))
        arena = ScriptedArena([[Say(frame), End(grpc.StatusCode.UNAVAILABLE)]])
        exit_code, lines = await play(arena, write_bot(tmp_path), stop=False)

        assert (0, "ann: the arena has closed: the league is over") == (
            exit_code,
            lines[-1],
        )

    asyncio.run(main())


def test_an_arena_that_drains_is_waited_for(tmp_path: Path) -> None:
    """A bot comes back after the pause that the arena asked for."""

    async def main() -> None:
        frame = welcome()
        frame.notices.add(
            draining=play_pb2.Draining(reconnect_after_ms=20, message="update")
        )
        script, reached = stopped_in([Say(begun(play_turn(1))), answer(1, "QS")])
        arena = ScriptedArena([[Say(frame)], script])
        async with (
            open_arena(arena) as address,
            started(write_bot(tmp_path), address=address) as bot,
        ):
            await reached.wait()
            bot.interrupt()

            assert 0 == await bot.exit_code()
        assert [] == arena.failures
        assert "ann: the arena will be back soon: update" in bot.lines

    asyncio.run(main())


def test_an_arena_that_goes_away_is_told_in_its_words(tmp_path: Path) -> None:
    """It is not lost when it says so, nor absent when it takes no bots."""
    leaving = CallError("DRAINING", "the arena is going away", retry_seconds=0.02)
    end = End(leaving.code, str(leaving), leaving.trailing_metadata())

    async def main() -> None:
        script, reached = stopped_in([Say(begun(play_turn(1))), answer(1, "QS")])
        arena = ScriptedArena([[end], [Say(welcome()), end], script])
        async with (
            open_arena(arena) as address,
            started(write_bot(tmp_path), address=address) as bot,
        ):
            await reached.wait()
            bot.interrupt()

            assert 0 == await bot.exit_code()
        assert [] == arena.failures
        connected = (
            f"ann: connected to the arena at {address} as ann, up to 8 games at once"
        )
        assert [
            f"ann: the arena at {address} takes no bots now: the arena is going away;"
            " waiting",
            connected,
            f"ann: the arena at {address} has closed (the arena is going away);"
            " waiting for it to come back",
            connected,
            "ann: leaving at once: 1 open game given up",
        ] == bot.lines

    asyncio.run(main())


THREADED = """
import threading, hearts

both = threading.Barrier(2)

class Meets(hearts.Bot):
    def choose_card(self, turn):
        both.wait()
        return turn.choices[0]

hearts.run(Meets, workers=2)
"""


def test_workers_compute_at_the_same_time(tmp_path: Path) -> None:
    """Two workers are in two turns at once, and both answers arrive."""

    async def main() -> None:
        frame = begun(play_turn(1), play_turn(2, game_id="demo-2"))
        frame.starts.append(start("demo-2"))
        heard: set[int] = set()
        arena = ScriptedArena([[]])

        async def converse(requests: object, context: grpc.aio.ServicerContext) -> None:
            await context.read()
            await context.write(frame)
            while len(heard) < 2:
                request = await context.read()
                heard.update(answer.turn_id for answer in request.answers)
            arena.done.set()
            await context.read()

        arena.Play = converse  # type: ignore[method-assign]
        exit_code, _ = await play(arena, write_bot(tmp_path, THREADED))

        assert (0, {1, 2}) == (exit_code, heard)

    asyncio.run(main())


HUNG = """
import sys, time, hearts

class Hung(hearts.Bot):
    def choose_card(self, turn):
        print("thinking", file=sys.stderr, flush=True)
        while True:
            # A signal that another thread got is noticed after each nap.
            time.sleep(0.01)

hearts.run(Hung)
"""


def test_a_second_signal_ends_a_bot_in_thought(tmp_path: Path) -> None:
    """A bot that never answers can still be stopped by hand."""

    async def main() -> None:
        arena = ScriptedArena([[Say(begun(play_turn(1))), ExpectEnd()]])
        async with (
            open_arena(arena) as address,
            started(write_bot(tmp_path, HUNG), address=address) as bot,
        ):
            await bot.line("thinking")
            bot.interrupt(signal.SIGINT)
            bot.interrupt(signal.SIGTERM)

            assert 130 == await bot.exit_code()

    asyncio.run(main())


def test_run_checks_its_arguments() -> None:
    """What is no bot class, or out of range, is refused with a reason."""
    with pytest.raises(TypeError, match="choose_card"):
        hearts.run(Lowest())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_games is 0"):
        hearts.run(Lowest, max_games=0)
    with pytest.raises(ValueError, match="workers is 65"):
        hearts.run(Lowest, workers=65)
    with pytest.raises(ValueError, match="players is"):
        hearts.run(Lowest, players=[4, 12])


class Misspelt(hearts.Bot):
    """A bot as it is written in a hurry."""

    def chose_card(self, turn: hearts.Turn) -> hearts.Card:
        return turn.choices[0]


class Empty:
    """A class of which nobody thought as a bot."""


@pytest.mark.parametrize(
    ("bot_class", "line"),
    [
        (Misspelt, "Misspelt has no method choose_card(self, turn); it has chose_card"),
        (Empty, "Empty has no method choose_card(self, turn)"),
    ],
)
def test_a_bot_without_choose_card_is_refused(
    bot_class: type[hearts.Bot], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A class that cannot choose a card ends its program at once, with one line."""
    with pytest.raises(SystemExit) as exit_info:
        hearts.run(bot_class)

    assert 2 == exit_info.value.code
    assert f"hearts: {line}\n" == capsys.readouterr().err


def test_a_bad_address_ends_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    """An address without a port is refused with what was expected."""
    with pytest.raises(SystemExit) as exit_info:
        hearts.run(Lowest, address="localhost")

    assert 2 == exit_info.value.code
    assert "expected HOST:PORT" in capsys.readouterr().err
