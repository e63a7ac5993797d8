"""One open call of a bot, as the edge sees it: how it writes, and how it is to end."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError

from arena.edge_errors import LOST, internal_error
from arena.edge_limits import IdleRequests
from arena.session import Session
from arena.status import CallError


class Stream:
    """One open call of a bot.

    `context` is gRPC's, `digest` that of the token it goes by, `token` the one that
    the welcome is to carry.
    """

    __slots__ = (
        "context",
        "digest",
        "ended",
        "has_left",
        "idle",
        "number",
        "session",
        "token",
    )

    def __init__(
        self, session: Session, context: Any, *, digest: bytes, token: str
    ) -> None:
        self.session = session
        self.number = session.stream
        self.context = context
        self.digest = digest
        self.token = token
        self.has_left = False
        self.idle = IdleRequests()
        self.ended: asyncio.Future[CallError | None] = (
            asyncio.get_running_loop().create_future()
        )

    @property
    def is_open(self) -> bool:
        """Whether it is still its session's own, and not to be ended."""
        return self.session.stream == self.number and not self.ended.done()

    def end(self, error: CallError | None) -> None:
        """End the call, with an error or without."""
        if not self.ended.done():
            self.ended.set_result(error)

    def fail(self, error: BaseException) -> None:
        """End the call, since reading or writing did not work."""
        if self.ended.done():
            return  # What a read or a write says of a call that is over is no news.
        if isinstance(error, LOST):
            self.end(None)
        elif isinstance(error, CallError):
            self.end(error)
        elif isinstance(error, DecodeError):
            self.end(CallError("BAD_FIELD", "a request is no message of the protocol"))
        else:
            self.end(internal_error(error))

    def watch(self, task: "asyncio.Task[None]") -> None:
        """End the call when its reader is done, and say why."""
        error = None if task.cancelled() else task.exception()
        if error is None:
            self.end(None)
        else:
            self.fail(error)

    def write(
        self, encode: Callable[[], bytes], on_written: Callable[[], None]
    ) -> None:
        """Begin to send a message; at most one at a time.

        The write is a coroutine without a task of its own: it runs up to its only
        wait at once, and what that waits for wakes it. So a message leaves without
        a turn of the loop, which every turn of a game would have to wait for.
        """
        self._go_on(self._write(encode), on_written)

    async def _write(self, encode: Callable[[], bytes]) -> None:
        await self.context.write(encode())

    def _go_on(
        self, writing: Coroutine[Any, Any, None], on_written: Callable[[], None]
    ) -> None:
        try:
            future = writing.send(None)
        except StopIteration:
            on_written()
        except Exception as error:
            self.fail(error)
        else:
            # What a task does with a future that its coroutine waits for.
            future._asyncio_future_blocking = False
            future.add_done_callback(partial(self._on_done, writing, on_written))

    def _on_done(
        self,
        writing: Coroutine[Any, Any, None],
        on_written: Callable[[], None],
        _: "asyncio.Future[Any]",
    ) -> None:
        self._go_on(writing, on_written)
