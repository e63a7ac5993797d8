"""Programs that run and answer nothing: ended, told, and started so often only."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from leagues.running.failures import ProgramFailure
from leagues.running.renewal import Renewal, Renewals
from leagues.running.silence import (
    RETURN_SECONDS,
    RETURN_SECONDS_AGAIN,
    watch_silence,
)
from tests.league_server import FakeServer

START_SECONDS = 0.5
LOST = "bot 'fox' answers nothing: its connection was lost {} s ago and its program "


class Watched:
    """A program and its bot, and when what has happened to them."""

    def __init__(self) -> None:
        self.server = FakeServer()
        self.renewal = Renewal()
        self.renewals = Renewals({"fox": self.renewal})
        self.ended: list[float] = []
        self.notes: list[str] = []
        self.has_connected = False

    async def live(self) -> None:
        """Be a program that comes after its start and lives until it is ended."""
        while True:
            await self.renewal.wait_for_start()
            self.has_connected = False
            with (
                trio.CancelScope() as scope,
                self.renewal.life(scope, was_here=lambda: self.has_connected),
            ):
                await trio.sleep(START_SECONDS)
                self.has_connected = True
                self.server.come(["fox"])
                await trio.sleep_forever()
            self.ended.append(trio.current_time())
            if "fox" in self.server.places:
                self.server.go("fox")

    async def lose(self, *, back_after: float) -> None:
        """Lose the connection, and come back after a while."""
        self.server.go("fox")
        await trio.sleep(back_after)
        self.server.come(["fox"])


@asynccontextmanager
async def watched() -> AsyncIterator[Watched]:
    """A program that runs, and is watched."""
    one = Watched()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.live)
        nursery.start_soon(
            lambda: watch_silence(one.server, one.renewals, say=one.notes.append)
        )
        await trio.sleep(1)
        yield one
        nursery.cancel_scope.cancel()


async def test_a_program_that_hangs_is_ended(autojump_clock: MockClock) -> None:
    """The host is told whose it is, and it has failed: this is no renewal."""
    async with watched() as one:
        lost = trio.current_time()
        one.server.go("fox")
        await trio.sleep(RETURN_SECONDS + 0.1)

        assert (2, True) == (one.renewal.lives, not one.renewal.was_asked)
        await trio.sleep(60)

    assert [lost + RETURN_SECONDS] == pytest.approx(one.ended)
    assert [LOST.format(10) + "still runs, so that is ended"] == one.notes


async def test_who_comes_back_in_time_is_let_be(autojump_clock: MockClock) -> None:
    """A connection may be lost."""
    async with watched() as one:
        await one.lose(back_after=RETURN_SECONDS - 0.1)
        await trio.sleep(60)

    assert ([], []) == (one.ended, one.notes)


async def test_who_is_lost_again_is_ended_soon(autojump_clock: MockClock) -> None:
    """A program whose bot hangs may come back by itself, which proves nothing."""
    async with watched() as one:
        await one.lose(back_after=5.0)
        await trio.sleep(1)
        lost = trio.current_time()
        await one.lose(back_after=5.0)
        # In its next life it has all its time again.
        await trio.sleep(60)
        await one.lose(back_after=5.0)

    assert [lost + RETURN_SECONDS_AGAIN] == pytest.approx(one.ended)


async def test_a_program_that_starts_has_its_time(autojump_clock: MockClock) -> None:
    """It ends and is started again, which takes longer than it may be silent."""
    async with watched() as one:
        one.has_connected = False
        one.server.go("fox")
        await trio.sleep(60)

    assert ([], []) == (one.ended, one.notes)


async def test_a_renewal_is_no_silence(autojump_clock: MockClock) -> None:
    """Between two lives a program is away, and nobody is told."""
    async with watched() as one:
        async with one.renewals.ended(["fox"]):
            await trio.sleep(60)
        await trio.sleep(60)

    assert (1, [], 2) == (len(one.ended), one.notes, one.renewal.lives)


def test_who_has_ended_can_not_be_cut() -> None:
    """There is nothing to end, so nobody is told that something was."""
    assert not Renewal().cut()


@pytest.mark.parametrize(
    ("is_silent", "has_connected", "exit_code", "ending", "text"),
    [
        (True, True, None, "answered nothing", "times and answered nothing, so the"),
        (False, True, 1, "would not stay alive", "times and ended with exit code 1"),
        (False, False, None, "never connected", "and did not connect to the arena"),
    ],
)
def test_what_the_host_is_told(
    is_silent: bool, has_connected: bool, exit_code: int | None, ending: str, text: str
) -> None:
    """Each way in which a program fails has words of its own."""
    failure = ProgramFailure(
        bot="fox",
        command=("fox",),
        start_count=4,
        exit_code=exit_code,
        has_connected=has_connected,
        log=Path("fox.log"),
        log_excerpt="",
        is_silent=is_silent,
    )

    assert ending == failure.ending
    assert text in str(failure)
