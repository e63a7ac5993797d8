"""
The network side of a bot: it connects, plays, and connects again when it must.

One thread and one asyncio loop carry everything. The task that reads the stream
asks the bots itself and writes what they answer, as long as that is done with one
request; what takes longer is left to another task, so that the stream is read
meanwhile. There is never more than one write at a time. A bot with one worker is
asked right there; for more workers or a bot elsewhere a `Chooser` takes turns out
of the loop.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import grpc
import grpc.aio

from hearts.arena.v1 import play_pb2
from hearts.arena.v1.play_pb2_grpc import BotServiceStub
from hearts.channel import (
    Address,
    ArenaRefusedError,
    absence_text,
    channel_options,
    check_refusal,
    draining_text,
)
from hearts.retry import is_draining, retry_seconds
from hearts.session import Asked, Session
from hearts.tls import Tls, handshake_problem

_open_stub: Any = BotServiceStub  # Generated without types.

_TOLD: Final = "the program was told to stop"

_OVER: Final = (grpc.aio.AioRpcError, asyncio.InvalidStateError)
"""What a write says of a call that is over; what ended it is the reader's to say."""

Chooser = Callable[[Asked], Awaitable[play_pb2.Answer]]
"""Gives the answer to a turn some time later. It must not raise."""

PAUSE_SECONDS_MIN: Final = 0.1
"""The pause before the first attempt to connect again; it doubles each time."""

PAUSE_SECONDS_MAX: Final = 1.0
"""The longest pause while there is no arena, so that a late one is soon found."""

FAILURE_PAUSE_SECONDS_MAX: Final = 5.0
"""The longest pause while the arena itself fails or has no room."""

STEADY_SECONDS: Final = 2.0
"""How long a connection must last for the pauses to start from the shortest."""

LEAVE_SECONDS: Final = 2.0
"""How long the arena may take to end the stream after a `Leave`."""

FINISH_MINOR: Final = 1
"""The protocol's minor version from which on an arena lets games be finished."""


class Client:
    """
    The connections of one session, one after the other.

    Args:
        token: The bot's token, until the arena gives another one.
        chooser: Takes the turns; by default they are put to the session's bots
            where they arrive.
        report: Is called with texts for people, without a line end.
        tls: What it takes to reach an arena that speaks TLS.
        shares_connection: Whether it may use one connection with others of this
            process that do too, as is best for many bots in one process.
    """

    def __init__(
        self,
        session: Session,
        *,
        address: Address,
        token: str,
        report: Callable[[str], None],
        chooser: Chooser | None = None,
        tls: Tls | None = None,
        shares_connection: bool = False,
    ) -> None:
        self._session = session
        self._address = address
        self._token = token
        self._report = report
        self._chooser = chooser
        self._tls = tls
        self._shares_connection = shares_connection
        self._wake = asyncio.Event()
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._stop = asyncio.Event()
        self._will_leave = True
        self._is_finishing = False
        self._has_told_finish = False
        self._choosing: set[asyncio.Task[None]] = set()
        self._failure_count = 0
        self._told = ""

    def stop(self, *, leave: bool = True) -> None:
        """
        End soon, with or without giving up the open games for good.

        Without, the next process of the bot may go on with them.
        """
        self._will_leave = leave
        self._stop.set()
        self._wake.set()

    @property
    def open_games(self) -> int:
        """
        How many games would be given up by stopping now.
        """
        return self._session.game_count

    @property
    def can_finish(self) -> bool:
        """
        Whether there are open games, and an arena that lets them be finished.
        """
        return self.open_games > 0 and self._session.protocol_minor >= FINISH_MINOR

    def finish(self) -> None:
        """
        Take no new games, and end when those that are open are over.
        """
        self._is_finishing = True
        self._wake.set()

    async def run(self) -> None:
        """
        Play until told to stop or to finish, or until the arena closes for good.

        Raises:
            ArenaRefusedError: The arena does not want this bot.
        """
        loop = asyncio.get_running_loop()
        while not self._stop.is_set():
            began = loop.time()
            error = await self._connect()
            welcome = self._session.welcome
            if welcome and loop.time() - began > STEADY_SECONDS:
                self._failure_count = 0
            draining = self._session.draining
            if draining and not draining.reconnect_after_ms:
                self._report(f"the arena has closed: {draining.message}")
                return
            if self._is_finished(error):
                self._report("no game is open any more; leaving")
                return
            if not self._stop.is_set():
                await self._check_handshake(error)
                await self._pause(self._judge(error))

    async def _connect(self) -> grpc.aio.AioRpcError | None:
        """
        Hold one connection; give the status it ended with, None for a plain end.
        """
        token = self._session.token or self._token
        credentials = (("authorization", f"Bearer {token}"),) if token else ()
        async with self._open_channel() as channel:
            call = _open_stub(channel).Play(metadata=credentials)
            reading = asyncio.create_task(self._read(call))
            try:
                await self._write(call, reading)
                if self._stop.is_set():
                    await self._leave(call, reading)
            except _OVER:
                pass
            finally:
                if self._stop.is_set():
                    call.cancel()
            return await reading

    def _is_finished(self, error: grpc.aio.AioRpcError | None) -> bool:
        """
        Whether no game is left to come back for, now that a connection is over.
        """
        if not self._is_finishing or self._stop.is_set():
            return False
        return error is None or not self.open_games or bool(self._session.draining)

    def _open_channel(self) -> Any:
        target = str(self._address)
        options = channel_options(self._address, shared=self._shares_connection)
        if self._tls is None:
            return grpc.aio.insecure_channel(target, options)
        return grpc.aio.secure_channel(target, self._tls.credentials(), options)

    async def _check_handshake(self, error: grpc.aio.AioRpcError | None) -> None:
        """
        Return when it is worth while to connect again.

        Raises:
            ArenaRefusedError: The two sides can't agree on TLS.
        """
        is_absent = error is not None and error.code() == grpc.StatusCode.UNAVAILABLE
        if not is_absent or self._session.welcome:
            return
        found = await asyncio.to_thread(handshake_problem, self._address, self._tls)
        if found:
            raise ArenaRefusedError(found)

    async def _read(self, call: Any) -> grpc.aio.AioRpcError | None:
        # gRPC for asyncio has no types.
        session = self._session
        wake = self._wake
        try:
            while (frame := await call.read()) is not grpc.aio.EOF:
                session.receive(frame)
                if frame.HasField("welcome"):
                    self._told = ""
                    self._report(self._connected_text(frame.welcome))
                if self._chooser is None and self._may_write.is_set():
                    await self._write_next(call)
                if self._chooser is not None or session.has_more:
                    wake.set()
        except grpc.aio.AioRpcError as error:
            return error
        except asyncio.CancelledError:
            # The end of a call that was cancelled here, not of this task.
            return None
        finally:
            wake.set()
        return None

    async def _write_next(self, call: Any) -> None:
        """
        Ask the bots and send what they answer right here, without another task.
        """
        if self._stop.is_set() or (request := self._session.answer()) is None:
            return
        self._may_write.clear()
        try:
            await call.write(request)
        except _OVER:
            pass
        finally:
            self._may_write.set()

    @contextlib.asynccontextmanager
    async def _own_writing(self) -> AsyncIterator[None]:
        """
        Wait until nobody writes; then nobody else does while the block lasts.
        """
        while not self._may_write.is_set():
            await self._may_write.wait()
        self._may_write.clear()
        try:
            yield
        finally:
            self._may_write.set()

    async def _write(self, call: Any, reading: asyncio.Task[Any]) -> None:
        wake = self._wake
        next_request = self._session.answer
        if self._chooser is not None:
            next_request = self._next_chosen
        hello = self._session.hello()
        self._has_told_finish = self._is_finishing
        if self._is_finishing:
            hello.MergeFrom(_finish())
        await call.write(hello)
        while not reading.done() and not self._stop.is_set():
            await wake.wait()
            wake.clear()
            async with self._own_writing():
                if self._is_finishing and not self._has_told_finish:
                    self._has_told_finish = True
                    await call.write(_finish())
                while (request := next_request()) is not None:
                    await call.write(request)
                    if self._stop.is_set():
                        break

    def _next_chosen(self) -> play_pb2.PlayRequest | None:
        workers = self._session.profile.workers
        while len(self._choosing) < workers:
            asked = self._session.take()
            if asked is None:
                break
            task = asyncio.create_task(self._choose(asked))
            self._choosing.add(task)
            task.add_done_callback(self._choosing.discard)
        return self._session.request()

    async def _choose(self, asked: Asked) -> None:
        assert self._chooser is not None
        answer = await self._chooser(asked)
        self._session.settle(asked, answer)
        self._wake.set()

    async def _leave(self, call: Any, reading: asyncio.Task[Any]) -> None:
        if self._will_leave:
            leave = play_pb2.Leave(message=_TOLD)
            async with self._own_writing():
                await call.write(play_pb2.PlayRequest(leave=leave))
            await call.done_writing()
            await asyncio.wait({reading}, timeout=LEAVE_SECONDS)

    def _judge(self, error: grpc.aio.AioRpcError | None) -> float:
        """
        Tell people what has happened and give the pause before the next attempt.
        """
        draining = self._session.draining
        if draining:
            self._tell(f"the arena will be back soon: {draining.message}")
            return draining.reconnect_after_ms / 1000 * random.uniform(1.0, 1.2)
        seconds_max = PAUSE_SECONDS_MAX
        code, details = grpc.StatusCode.UNAVAILABLE, ""
        if error is not None:
            code, details = error.code(), error.details() or ""
        check_refusal(code, details, address=self._address, has_token=bool(self._token))
        if code != grpc.StatusCode.UNAVAILABLE:
            self._tell(
                f"the arena at {self._address} ended the call ({code.name}:"
                f" {details}); trying again"
            )
            seconds_max = FAILURE_PAUSE_SECONDS_MAX
        elif is_draining(error):
            was_connected = self._session.welcome is not None
            self._tell(
                draining_text(self._address, details, was_connected=was_connected)
            )
        elif self._session.welcome:
            self._tell(f"lost the arena at {self._address}; connecting again")
        elif not self._told:
            self._tell(absence_text(self._address, details))
        seconds = PAUSE_SECONDS_MIN * 2.0 ** min(self._failure_count, 10)
        self._failure_count += 1
        if wanted := retry_seconds(error):
            return max(wanted, min(seconds, seconds_max)) * random.uniform(1.0, 1.2)
        return min(seconds, seconds_max) * random.uniform(0.5, 1.0)

    def _tell(self, text: str) -> None:
        """
        Report what was not the last thing said about the connection.
        """
        if text != self._told:
            self._told = text
            self._report(text)

    async def _pause(self, seconds: float) -> None:
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait({stopping}, timeout=seconds)
        stopping.cancel()

    def _connected_text(self, welcome: play_pb2.Welcome) -> str:
        text = f"connected to the arena at {self._address} as {welcome.bot_name}"
        if welcome.games_resumed:
            return f"{text}; {welcome.games_resumed} open games go on"
        return f"{text}, up to {welcome.max_games} games at once"


def _finish() -> play_pb2.PlayRequest:
    """
    What asks for no new games, and for the end of the call after the last one.
    """
    leave = play_pb2.Leave(message=_TOLD, finish_games=True)
    return play_pb2.PlayRequest(leave=leave)
