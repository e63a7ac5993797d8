"""Renewal: programs are ended with all that they started, and begin afresh."""

import os
from collections.abc import Sequence
from pathlib import Path

import trio
from trio.testing import MockClock

from leagues.programs.processes import Program, ProgramFailure, open_programs
from leagues.running.renewal import Renewal, Renewals
from leagues.running.started import StartedTokens

TIMES = 3


async def test_renewed_programs_leave_nothing_and_have_not_failed(
    tmp_path: Path,
) -> None:
    """A daemon of the program ends with it; no renewal is one of its restarts."""
    path = tmp_path / "line"
    os.mkfifo(path)
    script = f"exec > {path}; setsid sleep 600 & echo $HEARTS_TOKEN; sleep 600"
    failures: list[ProgramFailure] = []
    secrets: list[str] = []
    async with open_programs(
        [Program("fox", ("sh", "-c", script), restarts_max=0)],
        address="127.0.0.1:1",
        tokens=StartedTokens(),
        logs=tmp_path,
        on_failure=failures.append,
    ) as renewals:
        for _ in range(TIMES):
            line = await trio.open_file(path)
            secrets.append(await line.readline())
            async with renewals.ended(["fox"]):
                # All of them hold the other end, so it ends when the last one has.
                rest = await line.read()
            await line.aclose()

            assert "" == rest
        line = await trio.open_file(path)
        secrets.append(await line.readline())
        await line.aclose()

    assert TIMES + 1 == len(set(secrets)) == len(secrets)
    assert [] == failures


async def _live(renewal: Renewal, lives: list[float]) -> None:
    """Be a program that lives until it is ended, again and again."""
    while True:
        await renewal.wait_for_start()
        lives.append(trio.current_time())
        with trio.CancelScope() as scope, renewal.life(scope):
            await trio.sleep_forever()


async def test_nothing_starts_before_all_have_ended(autojump_clock: MockClock) -> None:
    """What ends its programs may wait for something else before they begin anew."""
    lives: dict[str, list[float]] = {"fox": [], "owl": [], "elk": []}
    renewal = {name: Renewal() for name in lives}
    start = trio.current_time()

    async def renewed(names: Sequence[str]) -> None:
        async with Renewals(renewal).ended(names):
            await trio.sleep(5)

    async with trio.open_nursery() as nursery:
        for name in lives:
            nursery.start_soon(_live, renewal[name], lives[name])
        await trio.sleep(10)
        await renewed(["fox", "owl"])
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    since = {name: [at - start for at in times] for name, times in lives.items()}

    assert {"fox": [0.0, 15.0], "owl": [0.0, 15.0], "elk": [0.0]} == since


async def test_resting_programs_start_once_they_are_called(
    autojump_clock: MockClock,
) -> None:
    """Who has withdrawn has no program, also where all others are renewed."""
    lives: dict[str, list[float]] = {"fox": [], "owl": []}
    renewal = {name: Renewal() for name in lives}
    renewals = Renewals(renewal, resting=("owl", "somebody else"))
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        for name in lives:
            nursery.start_soon(_live, renewal[name], lives[name])
        await trio.sleep(10)
        async with renewals.ended(["fox", "owl"]):
            await trio.sleep(1)
        await trio.sleep(1)
        rested = renewals.resting
        renewals.call(["owl"])
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    since = {name: [at - start for at in times] for name, times in lives.items()}

    assert {"fox": [0.0, 11.0], "owl": [12.0]} == since
    assert (frozenset({"owl"}), frozenset()) == (rested, renewals.resting)


async def test_a_program_that_does_not_run_is_renewed_at_once() -> None:
    """There is nothing to end, as while it waits for its next start."""
    renewal = Renewal()
    await renewal.end()

    assert not renewal.was_asked
