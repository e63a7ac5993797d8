"""
Renewal: a program is ended on purpose and started afresh, so that it forgets.

It is no failure of the program: nothing is said, counted or waited for. One that is
ended since it answers nothing is *cut*, which is a failure like any other end.
"""

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager

import trio

__all__ = ["Renewal", "Renewals"]


class Renewal:
    """The renewals of one program."""

    def __init__(self) -> None:
        self._running: trio.CancelScope | None = None
        self._ended = trio.Event()
        self._may_start = trio.Event()
        self._may_start.set()
        self._is_asked = False
        self._was_here: Callable[[], bool] = lambda: False
        self.lives = 0
        """How often it was started."""
        self.has_connected = False
        """Whether it came to the arena in any life that has ended."""
        self.was_cut = False
        """Whether the last life has ended by `cut`."""

    @contextmanager
    def life(
        self, scope: trio.CancelScope, *, was_here: Callable[[], bool] = lambda: True
    ) -> Iterator[None]:
        """Mark the time from a start to the end of all that it has started.

        Args:
            scope: Ends the program when it is cancelled.
            was_here: Tells whether it has come to the arena in this life.
        """
        self._running, self._ended, self._was_here = scope, trio.Event(), was_here
        self._is_asked = self.was_cut = False
        self.lives += 1
        try:
            yield
        finally:
            self._running = None
            self.has_connected |= was_here()
            self._ended.set()

    @property
    def was_asked(self) -> bool:
        """Whether the last life has ended by a renewal."""
        return self._is_asked

    async def wait_for_start(self) -> None:
        """Wait until the program may be started."""
        await self._may_start.wait()

    def hold(self) -> None:
        """Let the program not be started until `release`."""
        self._may_start = trio.Event()

    def release(self) -> None:
        """Let the program be started."""
        self._may_start.set()

    async def end(self) -> None:
        """End the program and all that it has started, if it runs."""
        if self._running is not None:
            self._is_asked = True
            self._running.cancel()
            await self._ended.wait()

    def cut(self) -> bool:
        """End the program since it answers nothing; tell whether it was to be ended.

        One that has not come to the arena yet, or is ended already, is let be.
        """
        if self._running is None or self._is_asked or not self._was_here():
            return False
        self.was_cut = True
        self._running.cancel()
        return True


class Renewals:
    """The renewals of several programs.

    Args:
        of: That of each program, by its bot.
        resting: The bots whose programs are not started until they are called for;
            those without a program are of no account.
    """

    def __init__(
        self, of: Mapping[str, Renewal], *, resting: Collection[str] = ()
    ) -> None:
        self.of = of
        self._resting = set(resting) & of.keys()
        for bot in self._resting:
            of[bot].hold()

    @property
    def resting(self) -> frozenset[str]:
        """The bots whose programs were not called for."""
        return frozenset(self._resting)

    def call(self, bots: Collection[str]) -> None:
        """Let the programs of some bots start that rest."""
        for bot in self._resting.intersection(bots):
            self.of[bot].release()
        self._resting.difference_update(bots)

    def ended(self, bots: Collection[str]) -> AbstractAsyncContextManager[None]:
        """End programs; they are started afresh when the block has been left."""
        return _ended([self.of[bot] for bot in bots if bot not in self._resting])


@asynccontextmanager
async def _ended(renewals: Collection[Renewal]) -> AsyncIterator[None]:
    for renewal in renewals:
        renewal.hold()
    try:
        async with trio.open_nursery() as nursery:
            for renewal in renewals:
                nursery.start_soon(renewal.end)
        yield
    finally:
        for renewal in renewals:
            renewal.release()
