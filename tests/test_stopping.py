"""Signals that stop an arena: the first drains it, a second one ends it at once."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVarTuple

import pytest
import trio
import trio.testing

from leagues.commands.process import orderly_termination
from leagues.commands.running import run_arena
from leagues.commands.stopping import (
    StoppedError,
    Stopping,
    end_on_signals,
    stopping_signals,
)

Arguments = TypeVarTuple("Arguments")


class StoppedServer:
    """An arena with three games, which notes when it tells bots to come back."""

    def __init__(self) -> None:
        self.running_games = 3
        self.games_finished = 7
        self.games_cut_off = 0
        self.practice_cut_off = 0
        self.told: list[int] = []

    def drain(self, *, reconnect_after_ms: int, message: str) -> None:
        """Note what bots are told."""
        self.told.append(reconnect_after_ms)


@asynccontextmanager
async def listening(
    wait: Callable[[*Arguments], Awaitable[object]], *arguments: *Arguments
) -> AsyncIterator[trio.Nursery]:
    """Wait for signals while the block lasts, and from its beginning."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait, *arguments)
        await trio.testing.wait_all_tasks_blocked()
        yield nursery


class TestSignals:
    """SIGINT and SIGTERM."""

    def test_the_first_drains_and_the_second_stops(self) -> None:
        """The first signal only says that it is over; the second one ends it."""
        said: list[str] = []
        server = StoppedServer()

        async def main() -> None:
            stopping = Stopping(seconds=60.0, say=said.append)
            async with listening(stopping.wait_for_signals, server):
                signal.raise_signal(signal.SIGTERM)
                await stopping.drain.wait()
                signal.raise_signal(signal.SIGINT)

        with pytest.raises(StoppedError, match="were running are played again"):
            run_arena(main)

        assert [
            "Stopping: 3 running games may end within 60 s; once more stops at once."
        ] == said
        assert [2000] == server.told

    def test_a_closed_terminal_drains_once(self) -> None:
        """It may send two signals by itself: only another kind of one is a second."""
        said: list[str] = []
        server = StoppedServer()

        async def main() -> None:
            stopping = Stopping(seconds=60.0, say=said.append)
            async with listening(stopping.wait_for_signals, server):
                signal.raise_signal(signal.SIGHUP)
                await stopping.drain.wait()
                signal.raise_signal(signal.SIGHUP)
                await trio.testing.wait_all_tasks_blocked(cushion=0.01)
                said.append("still there")
                signal.raise_signal(signal.SIGTERM)

        with pytest.raises(StoppedError, match="were running are played again"):
            run_arena(main)

        assert ["Stopping: 3", "still there"] == [line[:11] for line in said]

    def test_a_terminal_may_be_outlived(self) -> None:
        """Where whoever started the arena ignores SIGHUP it stays ignored."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            ignored = stopping_signals()
        finally:
            signal.signal(signal.SIGHUP, before)

        assert (signal.SIGINT, signal.SIGTERM) == ignored
        assert (*ignored, signal.SIGHUP) == stopping_signals()

    def test_a_stop_tells_how_far_it_is_and_how_it_ended(self) -> None:
        """Now and then it says what still runs, and at the end what became of it."""
        said: list[str] = []
        server = StoppedServer()

        async def main() -> None:
            stopping = Stopping(seconds=12.0, say=said.append)
            stopping.tell_end(server)
            async with listening(stopping.wait_for_signals, server) as nursery:
                signal.raise_signal(signal.SIGINT)
                await trio.sleep(7.0)
                server.running_games, server.games_finished = 1, 9
                await trio.sleep(7.0)
                nursery.cancel_scope.cancel()
            server.games_cut_off = 1
            stopping.tell_end(server)
            server.practice_cut_off = 1
            stopping.tell_end(server)
            server.practice_cut_off = 8
            stopping.tell_end(server)

        trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.01))

        assert [
            "Stopping: 3 games still running, 7 s left.",
            "Stopping: 1 game still running, 2 s left.",
            "Stopped: 2 games ended meanwhile, 1 is to be played again.",
            "Stopped: 2 games ended meanwhile, 1 is to be played again; "
            "1 practice game was cut off.",
            "Stopped: 2 games ended meanwhile, 1 is to be played again; "
            "8 practice games were cut off.",
        ] == said[1:]

    def test_a_signal_ends_what_can_not_be_drained(self) -> None:
        """Where nothing has to be kept the first signal is enough."""

        async def main() -> None:
            async with listening(end_on_signals):
                signal.raise_signal(signal.SIGINT)

        with pytest.raises(StoppedError, match=r"^stopped$"):
            run_arena(main)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_writes_a_file_cleans_up(number: signal.Signals) -> None:
    """Whoever is asked to end leaves its block, and later signals are as before."""
    before = signal.getsignal(number)
    with pytest.raises(SystemExit) as ended, orderly_termination():
        signal.raise_signal(number)

    assert 128 + number == ended.value.code
    assert before == signal.getsignal(number)


def test_a_command_may_outlive_its_terminal() -> None:
    """Where SIGHUP is ignored it stays ignored."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with orderly_termination():
            signal.raise_signal(signal.SIGHUP)
    finally:
        ignored = signal.signal(signal.SIGHUP, before)

    assert signal.SIG_IGN == ignored
