"""One open call of a bot, as the edge sees it: how it writes, and how it is to end."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from google.protobuf.message import DecodeError

from arena.edge_errors import LOST, forget_path, internal_error
from arena.edge_limits import IdleRequests
from arena.edge_requests import NO_MESSAGE
from arena.session import Frame, Session
from arena.status import CallError

_NOTHING = Frame()


class Stream:
    """One open call of a bot.

    `context` is gRPC's, `digest` that of the token it goes by, `token` the one that
    the welcome is to carry.
    """

    __slots__ = (
        "_frame",
        "_on_sent",
        "_writing",
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
        self,
        session: Session,
        context: Any,
        *,
        digest: bytes,
        token: str,
        on_sent: Callable[["Stream", Frame], None],
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
        self._on_sent = on_sent
        self._frame = _NOTHING
        self._writing: Coroutine[Any, Any, None] | None = None

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
            self.end(CallError("BAD_FIELD", NO_MESSAGE))
        else:
            self.end(internal_error(error))

    def watch(self, task: "asyncio.Task[None]") -> None:
        """End the call when its reader is done, and say why."""
        error = None if task.cancelled() else task.exception()
        if error is None:
            self.end(None)
        else:
            self.fail(error)
            forget_path(error)

    def send(self, frame: Frame, encode: Callable[["Stream", Frame], bytes]) -> None:
        """Begin to send a frame; at most one at a time.

        The write is a coroutine without a task of its own: it runs up to its only
        wait at once, and what that waits for wakes it. So a frame leaves without a
        turn of the loop, which every turn of a game would have to wait for.
        """
        self._frame = frame
        try:
            self._writing = self.context.write(encode(self, frame))
        except Exception as error:
            self.fail(error)
        else:
            self._go_on()

    def _go_on(self, _: "asyncio.Future[Any] | None" = None) -> None:
        assert self._writing is not None
        try:
            future = self._writing.send(None)
        except StopIteration:
            # A bot with nothing to do keeps no games alive.
            frame, self._frame, self._writing = self._frame, _NOTHING, None
            self._on_sent(self, frame)
        except Exception as error:
            self._frame, self._writing = _NOTHING, None
            self.fail(error)
            forget_path(error)
        else:
            # What a task does with a future that its coroutine waits for.
            future._asyncio_future_blocking = False
            future.add_done_callback(self._go_on)
