"""What a run keeps an eye on while its games are played."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import trio

from arena.spread import Spread
from leagues.throttle import Throttle

__all__ = ["watch_changes", "watch_lag", "watch_time"]

_LOOK_SECONDS: Final = 5.0
"""How often the arena is asked whether it keeps up."""


class LaggingServer(Protocol):
    """What it takes of the arena."""

    async def lag(self) -> Spread:
        """Return how late its timer was."""


async def watch_changes(
    changed: Callable[[], Awaitable[None]], look_again: Callable[[], None]
) -> None:
    """Look again whenever something has changed."""
    while True:
        await changed()
        look_again()


async def watch_time(seconds: float, look_again: Callable[[], None]) -> None:
    """Look again every so many seconds, which may be never."""
    while True:
        await trio.sleep(seconds)
        look_again()


async def watch_lag(
    server: LaggingServer,
    throttle: Throttle,
    *,
    running: Callable[[], int],
    warn: Callable[[str], None],
) -> None:
    """Let fewer tables run while the arena does not keep up with its clock.

    Args:
        server: The arena.
        throttle: Says how many tables may run.
        running: Returns how many do.
        warn: Called with what has changed.
    """
    while True:
        lag, now = await server.lag(), trio.current_time()
        change = throttle.look(lag, running=running(), now=now)
        if change is not None:
            warn(str(change))
        await trio.sleep(_LOOK_SECONDS)
