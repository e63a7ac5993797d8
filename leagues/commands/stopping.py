"""How a command's arena is stopped: slowly at the first signal, at once at the second.

    stopping = Stopping(seconds=60.0, say=print_note)
    nursery.start_soon(stopping.wait_for_signals, server)

At the first SIGINT, SIGTERM or SIGHUP `drain` is set: nobody starts games any more,
bots are told when to come back, and running games have some time to end. Whoever runs
them sees to that; what is not over by then is played again.
"""

import logging
import signal
from collections.abc import Callable
from typing import Annotated, Final, Protocol

import trio
import typer

from arena.logs import Event
from arena.terminal import CommandError, counted, print_note

__all__ = [
    "DRAIN_SECONDS",
    "MAY_PASS",
    "SECOND_SIGNAL",
    "DrainOption",
    "StoppedError",
    "Stopping",
    "end_on_signals",
    "stopping_signals",
]

log = logging.getLogger("leagues.commands")

DRAIN_SECONDS: Final = 60.0
"""How long running games have to end, unless the command line says otherwise."""
SECOND_SIGNAL: Final = "a second signal ended it at once"
"""What exit code 130 means."""
MAY_PASS: Final = "the disk is full or the data can't be read or written for now"
"""What exit code 75 means."""
_RECONNECT_MS: Final = 2_000
"""How long after the end of their calls bots should come back: an arena that is
started again at once is there by then, and one that is not costs them little."""
_LINE_SECONDS: Final = 5.0
"""How often it is said how far the stopping has come."""

DrainOption = Annotated[
    float,
    typer.Option(
        "--drain",
        metavar="SECONDS",
        min=0,
        help="How long running games have to end once the arena is to stop; the "
        "others are played again later.",
    ),
]


def stopping_signals() -> tuple[signal.Signals, ...]:
    """
    Return the signals that stop an arena.

    A terminal that is closed is one of them, unless whoever started the arena has it
    outlive its terminal, as `nohup` does.
    """
    wanted = (signal.SIGINT, signal.SIGTERM)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return wanted
    return (*wanted, signal.SIGHUP)


class StoppedError(CommandError):
    """A signal that ends everything at once."""

    def __init__(self, message: str) -> None:
        super().__init__(message, exit_code=130)


class StoppableServer(Protocol):
    """What this needs of `arena.server.Server`."""

    games_finished: int
    games_cut_off: int
    practice_cut_off: int

    @property
    def running_games(self) -> int:
        """How many games are running."""

    def drain(self, *, reconnect_after_ms: int, message: str) -> None:
        """Take no more bots, and tell those that are here."""


class Stopping:
    """
    One arena's way to its end.

    Args:
        seconds: How long running games have to end.
        say: Prints a line.
    """

    def __init__(
        self, *, seconds: float, say: Callable[[str], None] = print_note
    ) -> None:
        self.seconds = seconds
        self.drain = trio.Event()
        """Set once the arena is to stop."""
        self.deadline = float("inf")
        """When running games are cut off, as trio tells the time."""
        self._say = say
        self._finished_before = 0

    async def wait_for_signals(self, server: StoppableServer) -> None:
        """
        Stop at the first SIGINT, SIGTERM or SIGHUP; at the second end at once.

        Raises:
            StoppedError: The second signal came.
        """
        with trio.open_signal_receiver(*stopping_signals()) as signals:
            async with trio.open_nursery() as nursery:
                async for number in signals:
                    if not self.drain.is_set():
                        self._begin(server, signal.Signals(number))
                        nursery.start_soon(self._tell_progress, server)
                    elif number != signal.SIGHUP:
                        # That one comes twice by itself: from system and shell.
                        log.warning(Event("stopping at once"))
                        raise StoppedError(
                            "stopped; games that were running are played again"
                        )

    def _begin(self, server: StoppableServer, number: signal.Signals) -> None:
        self.deadline = trio.current_time() + self.seconds
        self._finished_before = server.games_finished
        server.drain(
            reconnect_after_ms=_RECONNECT_MS, message="the arena is stopping for now"
        )
        self.drain.set()
        log.info(
            Event(
                "draining",
                signal=number.name,
                games=server.running_games,
                seconds=self.seconds,
            )
        )
        running = counted(server.running_games, "running game")
        self._say(
            f"Stopping: {running} may end within {self.seconds:g} s; once more stops "
            "at once."
        )

    async def _tell_progress(self, server: StoppableServer) -> None:
        """Say now and then what still runs."""
        while (left := self.deadline - trio.current_time()) > 0:
            await trio.sleep(min(left, _LINE_SECONDS))
            left = max(0.0, self.deadline - trio.current_time())
            if server.running_games and left:
                count = counted(server.running_games, "game")
                self._say(f"Stopping: {count} still running, {left:.0f} s left.")

    def tell_end(self, server: StoppableServer) -> None:
        """Say what has become of the games, if the arena was stopped."""
        if not self.drain.is_set():
            return
        ended = server.games_finished - self._finished_before
        again = server.games_cut_off
        log.info(Event("drained", ended=ended, cut_off=again))
        practice = ""
        if count := server.practice_cut_off:
            were = "was" if count == 1 else "were"
            practice = f"; {counted(count, 'practice game')} {were} cut off"
        self._say(
            f"Stopped: {counted(ended, 'game')} ended meanwhile, "
            f"{again} {'is' if again == 1 else 'are'} to be played again{practice}."
        )


async def end_on_signals() -> None:
    """
    Wait for SIGINT, SIGTERM or SIGHUP.

    Raises:
        StoppedError: One came.
    """
    with trio.open_signal_receiver(*stopping_signals()) as signals:
        async for _ in signals:
            raise StoppedError("stopped")
