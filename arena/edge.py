"""The edge: one thread with asyncio and grpc.aio, the only one that has either.

It moves bytes and nothing else. The reader of a stream parses a frame and calls
the host at once; what the host has for any stream is sent then and there; the one
timer is the host's next deadline. No call here waits for anything but the
network. Whoever needs the host from another thread uses `Edge.submit`.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

# isort: off
import hearts.grpc_core  # noqa: F401  The core reads it when grpc is imported.
import grpc
# isort: on

from arena import wire
from arena.bindings import Library, Tokens, token_digest
from arena.counters import LastMinute
from arena.disturbance import Disturbance
from arena.edge_frames import without_broken
from arena.edge_hello import read_hello
from arena.edge_limits import ANSWERS_MAX, Door
from arena.edge_loop import run
from arena.edge_ports import check_encryption
from arena.edge_servers import Servers
from arena.edge_services import add_services
from arena.edge_status import encode_status
from arena.edge_stream import Stream
from arena.edge_tokens import authenticate, exchanged, require_operator
from arena.edge_watch import (
    Clocks,
    Watch,
    machine_clocks,
)
from arena.host import Host
from arena.listen import Listen
from arena.logs import Event
from arena.observation import Observation, observe
from arena.reports import LEFT
from arena.session import Frame, Session
from arena.status import CallError
from arena.table import Table
from hearts.arena.v1 import play_pb2, status_pb2

log = logging.getLogger("arena.edge")

_ANSWERS = play_pb2.PlayRequest.ANSWERS_FIELD_NUMBER
TICKS_A_SECOND = 20
"""How many ticks pass between two looks for revoked tokens."""
LAST_WORDS_SECONDS = 0.5
"""How long bots have at the end to read what they were still to be told."""
CROWD = 8
"""With more tables than this all waiting readers go before any frame is made: frames
are then fuller, by a tenth to a fifth, which is worth more than the moment it takes.
"""


class Edge:
    """The thread that serves gRPC.

    The callbacks run on the edge's thread and must not block: `on_finished` is
    given each table that ended, `on_presence` is called when bots come or go.
    """

    def __init__(
        self,
        host: Host,
        *,
        tokens: Tokens,
        library: Library | None,
        arena: str,
        on_finished: Callable[[Table], None],
        on_presence: Callable[[], None],
        on_unplayed: Callable[[str], None],
        operator_token: str = "",
        clocks: Clocks = machine_clocks,
    ) -> None:
        self.host = host
        self.tokens = tokens
        self.library = library
        self.arena = arena
        self.on_finished = on_finished
        self.on_presence = on_presence
        self.on_unplayed = on_unplayed
        self.operator_token = operator_token
        self.port = 0
        self.near_address = ""
        """With TLS, where programs that the arena starts dial in."""
        self._door = Door(host.counts.calls_refused)
        self.pause = ""
        """Why no new games should start now; empty when they may."""
        self._servers: Servers | None = None
        self._streams: dict[Session, Stream] = {}
        self._is_flush_due = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = float("inf")
        self._watch = Watch(host, clocks, now=float("inf"))
        self._clocks = clocks
        self._has_started = False
        self._started_at = 0.0
        self._minute = LastMinute()
        self._stop: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    # Called from other threads.

    def start(
        self, listen: Listen, on_started: Callable[[BaseException | None], None]
    ) -> None:
        """Start the thread; `on_started` is called on it, with what went wrong."""
        self._thread = threading.Thread(
            target=self._run, args=(listen, on_started), name="edge", daemon=True
        )
        self._thread.start()

    def submit(self, call: Callable[[float], object]) -> None:
        """Have the edge's thread call `call(now)` and send what follows from it."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return

        def on_loop() -> None:
            try:
                call(loop.time())
            except Exception as error:
                log.error(Event("a call broke"), exc_info=error)
            self._settle()

        loop.call_soon_threadsafe(on_loop)

    def observe(self) -> "Future[Observation]":
        """Have the edge's thread look at the arena; of one that ends, nothing comes."""
        seen: Future[Observation] = Future()
        self.submit(lambda now: seen.set_result(self._observe(now)))
        return seen

    def drain(self, *, reconnect_after_ms: int, message: str) -> None:
        """Have the edge's thread take no more bots, and tell those that are here."""

        def drain(_: float) -> None:
            if self._servers is not None:
                self._servers.end_health()
            self.host.drain(reconnect_after_ms, message)

        self.submit(drain)

    def stop(self) -> None:
        """Ask the thread to end all calls and return; `join` waits for it."""
        if self._loop is not None and not self._loop.is_closed():
            assert self._stop is not None
            self._loop.call_soon_threadsafe(self._stop.set)

    def join(self) -> None:
        """Wait for the thread's end."""
        if self._thread is not None:
            self._thread.join()

    # On the edge's thread.

    def _run(
        self, listen: Listen, on_started: Callable[[BaseException | None], None]
    ) -> None:
        try:
            run(self._serve(listen, on_started))
        except Exception as error:
            if self._has_started:
                raise
            # Whoever started the thread waits for word of it.
            on_started(error)

    async def _serve(
        self, listen: Listen, tell: Callable[[BaseException | None], None]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        add = partial(
            add_services,
            play=self.play,
            status=self.status,
            library=self.library,
            door=self._door,
        )
        servers = self._servers = Servers(listen, add)
        self.port, self.near_address = servers.port, servers.near_address
        await servers.start()
        self._has_started = True
        tell(None)
        self._started_at = self._loop.time()
        self._minute.note(self.host.counts, 0, now=self._started_at)
        self._watch = Watch(self.host, self._clocks, now=self._started_at)
        tick = self._loop.create_task(self._tick())
        await self._stop.wait()
        tick.cancel()
        servers.end_health()
        await self._say_last_words()
        for stream in list(self._streams.values()):
            stream.end(self._draining_error())
        await servers.stop(1.0)

    async def _say_last_words(self) -> None:
        """Let what bots are to be told go out, if they read it without delay."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + LAST_WORDS_SECONDS
        while (now := loop.time()) < give_up_at and any(
            session.is_writing or session.has_frame(now) for session in self._streams
        ):
            self._settle()
            await asyncio.sleep(LAST_WORDS_SECONDS / 100)

    def _draining_error(self) -> CallError:
        news = self.host.draining
        seconds = 0.0 if news is None else news.reconnect_after_ms / 1000
        return CallError("DRAINING", "the arena is going away", retry_seconds=seconds)

    async def _tick(self) -> None:
        """Measure the loop's own lateness, and hand back what it cost."""
        loop = asyncio.get_running_loop()
        count = 0
        while True:
            await asyncio.sleep(max(0.0, self._watch.due - loop.time()))
            count += 1
            try:
                self._watch.tick(loop.time())
                self._settle()
                self._see_pause(loop.time())
                if count % TICKS_A_SECOND == 0:
                    self._end_revoked()
                    host = self.host
                    self._minute.note(host.counts, host.turns_answered, now=loop.time())
            except Exception as error:
                log.error(Event("a tick broke"), exc_info=error)

    def _see_pause(self, now: float) -> None:
        """Tell when new games should wait, and when no longer."""
        pause = self.host.pause(now=now)
        if pause != self.pause:
            self.pause = pause
            if pause:
                log.warning(Event("no new games", why=pause))
            else:
                log.info(Event("new games may start again"))
            self.on_presence()

    def _settle(self) -> None:
        """Do what the host asks for after a call: send, end, report, set the timer."""
        host = self.host
        if host.has_results:
            self._report()
        if not host.has_ready:
            pass
        elif len(host.tables) <= CROWD:
            self._flush()
        elif not self._is_flush_due:
            self._is_flush_due = True
            assert self._loop is not None
            self._loop.call_soon(self._flush)
        deadline = host.next_deadline()
        if deadline < self._timer_at:
            self._set_timer(deadline)

    def _flush(self) -> None:
        """Send what the host has for every stream that may write."""
        self._is_flush_due = False
        assert self._loop is not None
        now = self._loop.time()
        for session in self.host.take_ready():
            stream = self._streams.get(session)
            if stream is not None:
                self._send(stream, now)

    def _send(self, stream: Stream, now: float) -> None:
        """Send the next frame of a stream, if there is one and the last has left."""
        if stream.is_open:
            frame = self.host.take(stream.session, now=now)
            if frame is not None:
                stream.send(frame, self._encode)

    def _encode(self, stream: Stream, frame: Frame) -> bytes:
        try:
            return wire.encode_frame(frame, self.arena, stream.token)
        except Exception as error:
            log.error(Event("a frame broke", bot=stream.session.bot), exc_info=error)
        now = asyncio.get_running_loop().time()
        frame = without_broken(frame, partial(self.host.break_game, now=now))
        return wire.encode_frame(frame, self.arena, stream.token)

    def _sent(self, stream: Stream, frame: Frame) -> None:
        """Note that a frame has left; what has come meanwhile is next."""
        assert self._loop is not None
        now = self._loop.time()
        if now > self._watch.late_at:
            self._watch.look(now)
        self.host.sent(stream.session, stream.number, frame, now=now)
        self._settle()

    def _report(self) -> None:
        for ended in self.host.take_ended():
            stream = self._streams.get(ended.session)
            if stream is not None and stream.number == ended.stream:
                if ended.reason == LEFT:
                    stream.has_left = True
                    stream.end(None)
                else:
                    stream.end(CallError(ended.reason, ended.message))
        for game_id in self.host.take_unplayed():
            self.on_unplayed(game_id)
        for table in self.host.take_finished():
            try:
                self.on_finished(table)
            except Exception as error:
                game_id = table.spec.game_id
                log.error(Event("a result broke", game=game_id), exc_info=error)
                self.on_unplayed(game_id)
        for failure in self.host.take_failures():
            what, _, trace = failure.partition("\n")
            log.error(Event(what, trace=trace))
        for disturbance in self.host.take_disturbances():
            self._log_disturbance(disturbance)

    def _log_disturbance(self, disturbance: Disturbance) -> None:
        if self._stop is not None and self._stop.is_set():
            return  # It is the arena itself that ends all calls.
        fields = {"bots": ",".join(disturbance.bots)} if disturbance.bots else {}
        seconds = round(disturbance.seconds, 3)
        log.warning(
            Event(str(disturbance), kind=disturbance.kind, seconds=seconds, **fields)
        )
        self._see_pause(asyncio.get_running_loop().time())

    def _set_timer(self, deadline: float) -> None:
        assert self._loop is not None
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self._loop.call_at(deadline, self._on_timer)

    def _on_timer(self) -> None:
        assert self._loop is not None
        now = self._loop.time()
        due, self._timer, self._timer_at = self._timer_at, None, float("inf")
        try:
            self._watch.look(now, due=due)
            if self.host.next_deadline() <= now:
                self.host.expire(now=now)
        except Exception as error:
            log.error(Event("a deadline broke"), exc_info=error)
        self._settle()

    # Streams

    async def play(self, context: Any) -> None:
        """Serve one call of `BotService.Play`, and count how it ends."""
        ended = self.host.counts.streams_ended
        try:
            ended[await self._play(context)] += 1
        except CallError as error:
            ended[error.reason] += 1
            raise

    async def _play(self, context: Any) -> str:
        """Serve a bot; return `LEFT` or `LOST` for how it went."""
        loop = asyncio.get_running_loop()
        identity, digest = authenticate(
            context, self.tokens, self._door, now=loop.time()
        )
        if self.near_address and not identity.is_started:
            check_encryption(context)
        introduction = await read_hello(context, identity, self._door)
        if introduction is None:
            return "LOST"
        if not self.host.is_wanted(introduction):
            raise self._draining_error()
        self._door.check_room(self.host, introduction)
        token = exchanged(self.tokens, digest) if identity.one_use else ""
        session = self.host.connect(introduction, now=loop.time())
        self._settle()  # Ends the stream that this one takes over.
        digest = token_digest(token) if token else digest
        stream = Stream(
            session, context, digest=digest, token=token, on_sent=self._sent
        )
        self._streams[session] = stream
        _log_connected(session)
        self.on_presence()
        self._send(stream, loop.time())
        reader = loop.create_task(self._read(stream, context))
        reader.add_done_callback(stream.watch)
        failure = None
        try:
            failure = await asyncio.shield(stream.ended)
        finally:
            is_ours = failure is not None and failure.reason == "INTERNAL"
            if is_ours and session.stream == stream.number:
                self.host.void_games(session, now=loop.time())
            self._close(stream, loop.time())
        if failure is not None:
            raise failure
        return "LEFT" if stream.has_left else "LOST"

    async def status(self, context: Any) -> status_pb2.GetStatusResponse:
        """Serve one call of `StatusService.GetStatus`."""
        now = asyncio.get_running_loop().time()
        require_operator(context, self.operator_token, self._door, now)
        return encode_status(self._observe(now))

    def _observe(self, now: float) -> Observation:
        uptime = now - self._started_at
        return observe(
            self.host, self._minute, arena=self.arena, uptime=uptime, now=now
        )

    def _end_revoked(self) -> None:
        """End the calls of bots whose token is no longer known."""
        for stream in list(self._streams.values()):
            if self.tokens.find(stream.digest) is None:
                stream.end(CallError("UNKNOWN_TOKEN", "the bot token was revoked"))

    def _close(self, stream: Stream, now: float) -> None:
        session = stream.session
        if self._streams.get(session) is stream:
            del self._streams[session]
        self.host.disconnect(session, stream.number, now=now)
        self._settle()
        self.on_presence()
        log.info(Event("disconnected", session=session.id, bot=session.bot))

    async def _read(self, stream: Stream, context: Any) -> None:
        """Read a stream to its end; never cancelled, since that kills the call."""
        loop = asyncio.get_running_loop()
        session, number, host = stream.session, stream.number, self.host
        while True:
            request = await context.read()
            if request is grpc.aio.EOF or session.stream != number:
                return
            now = loop.time()
            if now > self._watch.late_at:
                # It has waited here while the arena stood still.
                self._watch.look(now)
            host.counts.frames_received += 1
            fields = request.ListFields()
            if fields and fields[0][0].number == _ANSWERS:
                answers = fields[0][1]
                if len(answers) > ANSWERS_MAX:
                    raise _protocol_error(request)
                host.receive(session, answers, now=now)
                if len(fields) == 1:  # Nearly always.
                    self._settle()
                    continue
            else:
                stream.idle.count(now)
            if request.HasField("heartbeat"):
                host.heard(session, request.heartbeat.id, now=now)
            if request.HasField("hello"):
                raise _protocol_error(request)
            if request.HasField("leave"):
                if not request.leave.finish_games:
                    host.leave(session, number, now=now)
                    stream.has_left = True
                    self._settle()
                    return
                host.finish(session, number, now=now)
                self.on_presence()
            self._settle()


def _log_connected(session: Session) -> None:
    introduction = session.introduction
    log.info(
        Event(
            "connected",
            session=session.id,
            bot=session.bot,
            version=introduction.version,
            instance=introduction.instance,
            sdk=introduction.sdk,
        )
    )


def _protocol_error(request: play_pb2.PlayRequest) -> CallError:
    if request.HasField("hello"):
        text = "hello: only the first request may hold it"
        return CallError("BAD_FIELD", text, field="hello")
    text = f"answers: {len(request.answers)}, at most {ANSWERS_MAX} a request"
    return CallError("BAD_FIELD", text, field="answers")
