"""Silence: programs of this machine that run on and answer nothing.

A program that ends is started again by whoever runs it. One that hangs does not end:
the arena ends its stream for its silence, and then the program is there, its bot is
not, and its games would wait for ever. No network lies between, so whoever has lost
its connection and does not come back is ended, which counts as if it had ended itself.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

import trio

from arena.presence import Presence
from leagues.running.renewal import Renewal, Renewals

__all__ = ["RETURN_SECONDS", "PresentServer", "watch_silence"]

RETURN_SECONDS: Final = 10.0
"""How long a program may be without a connection while it runs."""
RETURN_SECONDS_AGAIN: Final = 1.0
"""And how long in the same life once it has come back: its connection may be served by
a part of it that is well, while the one that plays hangs."""


class PresentServer(Protocol):
    """What it takes of the arena."""

    def presence(self) -> Mapping[str, Presence]:
        """Return the bots that are connected."""

    async def presence_changed(self) -> None:
        """Wait until one comes or goes."""


async def watch_silence(
    server: PresentServer, renewals: Renewals, *, say: Callable[[str], None]
) -> None:
    """End programs that have lost their connection and run on, until cancelled.

    Args:
        server: Knows who is connected.
        renewals: The programs.
        say: Is told of each that is ended, in a line for the host.
    """
    async with trio.open_nursery() as nursery:
        for bot, renewal in renewals.of.items():
            nursery.start_soon(_watch, server, bot, renewal, say)


async def _watch(
    server: PresentServer, bot: str, renewal: Renewal, say: Callable[[str], None]
) -> None:
    life, patience = 0, RETURN_SECONDS
    while True:
        await _until(server, bot, is_here=True)
        await _until(server, bot, is_here=False)
        if renewal.lives != life:
            life, patience = renewal.lives, RETURN_SECONDS
        with trio.move_on_after(patience) as waiting:
            await _until(server, bot, is_here=True)
        if waiting.cancelled_caught and renewal.lives == life and renewal.cut():
            say(
                f"bot {bot!r} answers nothing: its connection was lost {patience:g} s "
                "ago and its program still runs, so that is ended"
            )
        patience = RETURN_SECONDS_AGAIN


async def _until(server: PresentServer, bot: str, *, is_here: bool) -> None:
    while (bot in server.presence()) != is_here:
        await server.presence_changed()
