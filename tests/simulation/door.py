"""The edge without a network: the same calls to the same host, on a virtual clock.

`Door` is the arena's end of all streams, `Link` one stream between the two ends. A
link keeps the order of what it carries, as TCP does; it can stand still, break
for both ends, or for one of them first.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from arena import wire
from arena.bindings import BotIdentity
from arena.edge import Edge
from arena.host import Host
from arena.session import Session
from arena.spread import Spread
from arena.table import Table
from arena.view import StandIn
from hearts.arena.v1 import play_pb2
from tests.simulation.clockwork import Call, Clockwork

HOP_SECONDS = 0.00005
"""From one thread of the arena to the other."""
WRITE_SECONDS = 0.0001
TICK_SECONDS = 0.5
"""How often the arena looks whether a pause is over."""


class Listener(Protocol):
    """The bot's end of a link."""

    name: str
    owner: str

    def hear(self, link: "Link", message: play_pb2.PlayResponse) -> None:
        """Take a message."""

    def lose(self, link: "Link", reason: str) -> None:
        """Learn that the stream has ended; the reason is empty if it just broke."""


class Link:
    """One stream, from its `Hello` to its end."""

    def __init__(
        self, clockwork: Clockwork, listener: Listener, latency: float
    ) -> None:
        self.clockwork = clockwork
        self.listener = listener
        self.latency = latency
        self.door: Door | None = None
        self.session: Session | None = None
        self.number = 0
        self.is_writing = False
        self.is_open_here = True
        """Whether the arena still serves it."""
        self.is_ended = False
        """Whether the arena writes no more to it, and is about to close it."""
        self.is_open_there = True
        """Whether the bot still reads it."""
        self.is_read = True
        """Whether the bot takes what is sent; else the arena's writes never end."""
        self.stands_until = 0.0
        self._down = self._up = 0.0

    def stand(self, seconds: float) -> None:
        """Carry nothing for a while; what is sent meanwhile arrives after it."""
        self.stands_until = self.clockwork.now + seconds

    def to_bot(self, message: bytes) -> None:
        """Carry a message of the arena."""
        self._down = self._arrival(self._down)
        self.clockwork.at(self._down, lambda: self._hear(message))

    def to_arena(self, request: play_pb2.PlayRequest) -> None:
        """Carry a message of the bot."""
        self._up = self._arrival(self._up)
        message = request.SerializeToString()
        self.clockwork.at(self._up, lambda: self._read(message))

    def end(self, reason: str, *, seconds: float = 0.0) -> None:
        """Let the bot learn of the end, after all that was sent before."""
        self._down = max(self._arrival(self._down), self.clockwork.now + seconds)
        self.clockwork.at(self._down, lambda: self._lose(reason))

    def hang_up(self, *, seconds: float = 0.0) -> None:
        """Let the arena learn of the end; the bot knows it."""
        self.is_open_there = False
        self._up = max(self._arrival(self._up), self.clockwork.now + seconds)
        self.clockwork.at(self._up, self.close)

    def _arrival(self, after: float) -> float:
        clear = max(self.clockwork.now, self.stands_until)
        return max(after, clear + self.latency)

    def _hear(self, message: bytes) -> None:
        if self.is_open_there and self.is_read:
            self.listener.hear(self, play_pb2.PlayResponse.FromString(message))

    def _read(self, message: bytes) -> None:
        if self.is_open_here and self.door is not None:
            self.door.read(self, play_pb2.PlayRequest.FromString(message))

    def _lose(self, reason: str) -> None:
        if self.is_open_there:
            self.is_open_there = False
            self.listener.lose(self, reason)

    def close(self) -> None:
        """Let the arena learn of the end now."""
        if self.is_open_here and self.door is not None:
            self.door.close(self)


class Ledger(Spread):
    """What a session was charged, passed on to where the host counts it."""

    __slots__ = ("all_bots", "busy")

    def __init__(self, all_bots: Spread) -> None:
        super().__init__()
        self.all_bots = all_bots
        self.busy = 0.0
        """For how many seconds something lay on the desk."""

    def add(self, seconds: float, count: int = 1) -> None:
        """Count a charge, or so many of the same length."""
        assert seconds >= 0, f"a turn was charged {seconds} s"
        super().add(seconds, count)
        self.all_bots.add(seconds, count)


class _NoTokens:
    """Links say whose they are."""

    def find(self, digest: bytes) -> BotIdentity | None:
        return None

    def exchange(self, digest: bytes) -> str:
        raise KeyError


class Door(Edge):
    """The edge of one life of the arena; after `die` nothing reaches it any more."""

    def __init__(
        self,
        clockwork: Clockwork,
        stand_ins: Mapping[str, StandIn],
        *,
        on_finished: Callable[[Table], None],
        on_presence: Callable[[], None],
        on_unplayed: Callable[[str], None],
    ) -> None:
        super().__init__(
            Host(stand_ins),
            tokens=_NoTokens(),
            library=None,
            arena="simulated",
            on_finished=on_finished,
            on_presence=on_presence,
            on_unplayed=on_unplayed,
        )
        self.clockwork = clockwork
        self.is_alive = True
        self.links: dict[Session, Link] = {}
        self.failures: list[str] = []
        self.ended: list[str] = []
        """Why the arena has ended streams."""

    def submit(self, call: Callable[[float], object]) -> None:
        """Have the edge's thread call; here, a moment later."""

        def called() -> None:
            call(self.clockwork.now)
            self.settle()

        self._later(HOP_SECONDS, called)

    def die(self) -> None:
        """Be gone at once, with all that is in memory."""
        self.is_alive = False
        for link in self.links.values():
            link.is_open_here = False

    def ending(self) -> set[Session]:
        """Return the sessions whose streams are about to be closed."""
        return {session for session, link in self.links.items() if link.is_ended}

    def next_at(self) -> float:
        """Return when `expire` is due."""
        return self.host.next_deadline()

    def expire(self) -> None:
        """Act on what is late."""
        self.host.expire(now=self.clockwork.now)
        self.settle()

    def accept(self, link: Link, hello: play_pb2.Hello) -> None:
        """Serve a new stream."""
        bot, owner = link.listener.name, link.listener.owner
        introduction = wire.decode_hello(hello, bot=bot, owner=owner)
        session = self.host.connect(introduction, now=self.clockwork.now)
        if not isinstance(session.desk.charges, Ledger):
            session.desk.charges = Ledger(session.desk.charges)
        self.settle()  # Ends the stream that this one takes over.
        link.door, link.session, link.number = self, session, session.stream
        self.links[session] = link
        self.on_presence()
        self._write(link)
        self.settle()
        if not link.is_open_there:
            self._later(0.0, lambda: self.close(link))

    def read(self, link: Link, request: play_pb2.PlayRequest) -> None:
        """Take a request of a stream, as the edge's reader does."""
        session, now = link.session, self.clockwork.now
        if session is None or session.stream != link.number:
            return
        if request.answers:
            self.host.receive(session, request.answers, now=now)
        if request.HasField("heartbeat"):
            self.host.heard(session, request.heartbeat.id, now=now)
        if request.HasField("leave"):
            if request.leave.finish_games:
                self.host.finish(session, link.number, now=now)
                self.on_presence()
            else:
                self.host.leave(session, link.number, now=now)
                self.close(link)
        self.settle()

    def close(self, link: Link) -> None:
        """Note that a stream is over."""
        session = link.session
        if not link.is_open_here or session is None:
            return
        link.is_open_here = False
        if self.links.get(session) is link:
            del self.links[session]
        self.host.disconnect(session, link.number, now=self.clockwork.now)
        self.settle()
        self.on_presence()

    def settle(self) -> None:
        """Do what the host asks for after a call."""
        for ended in self.host.take_ended():
            over = self.links.get(ended.session)
            if over is not None and over.number == ended.stream:
                self.ended.append(ended.reason)
                over.is_ended = True
                over.end(ended.reason)
                self._later(0.0, lambda link=over: self.close(link))  # type: ignore[misc]
        for game_id in self.host.take_unplayed():
            self.on_unplayed(game_id)
        for table in self.host.take_finished():
            self.on_finished(table)
        self.failures += self.host.take_failures()
        for disturbance in self.host.take_disturbances():
            self.clockwork.note(f"disturbed: {disturbance}")
            self.see_pause()
        for session in self.host.take_ready():
            if link := self.links.get(session):
                self._write(link)

    def see_pause(self) -> None:
        """Tell when new games should wait, and when no longer."""
        pause = self.host.pause(now=self.clockwork.now)
        if pause:
            self._later(TICK_SECONDS, self.see_pause)
        if pause != self.pause:
            self.pause = pause
            self.on_presence()

    def _write(self, link: Link) -> None:
        """Send a frame if there is one, as a stream's writer does."""
        can_write = link.is_open_here and not (link.is_writing or link.is_ended)
        if not can_write or link.session is None:
            return
        frame = self.host.take(link.session, now=self.clockwork.now)
        if frame is None:
            return
        link.is_writing = True
        link.to_bot(wire.encode_frame(frame, arena=self.arena))

        def sent() -> None:
            link.is_writing = False
            if link.is_open_here and link.session is not None:
                self.host.sent(link.session, link.number, frame, now=self.clockwork.now)
                self._write(link)
                self.settle()

        if link.is_read:
            self._later(WRITE_SECONDS, sent)

    def _later(self, seconds: float, call: Call) -> None:
        self.clockwork.after(seconds, lambda: self.is_alive and call())
