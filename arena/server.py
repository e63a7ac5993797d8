"""The server: an arena for trio programs.

    async with open_server(tokens=tokens) as server:
        record = await server.play(spec)

It starts the edge, hands games to it and waits for their records. The two
threads meet twice a game: once to start it, once when it ends.
"""

import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from importlib.metadata import version as distribution_version
from tempfile import TemporaryDirectory
from types import MappingProxyType

import trio

from arena.bindings import BotIdentity, Library, Tokens, token_digest
from arena.chronicle import record_of
from arena.edge import Edge
from arena.edge_ports import PortTakenError
from arena.edge_watch import Clocks, machine_clocks
from arena.floor import BROKEN_REASON
from arena.host import Host
from arena.listen import Listen, Tls, address_text
from arena.logs import Event
from arena.observation import Observation
from arena.presence import Move, Presence
from arena.record import Fault, Record
from arena.spec import GameSpec
from arena.spread import Spread
from arena.stand_in import STAND_INS
from arena.table import Loss, Table
from arena.view import StandIn

__all__ = [
    "BotIdentity",
    "Library",
    "PortTakenError",
    "Presence",
    "Server",
    "Tokens",
    "VoidGame",
    "open_server",
    "token_digest",
]

log = logging.getLogger("arena.server")

SOCKET_PATH_MAX = 100
"""The most bytes of a socket's path; systems differ, from 103 on."""


class VoidGame(Exception):  # noqa: N818
    """A game that does not count.

    Attributes:
        reason: why, for people.
        record: what was played of it; nothing when not even that can be told.
        losses: the bots whose loss made it void.
    """

    def __init__(
        self, reason: str, record: Record | None, losses: Iterable[Loss] = ()
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.record = record
        self.losses = tuple(losses)


class Server:
    """A running arena; made by `open_server`."""

    def __init__(self, edge: Edge, listen: Listen) -> None:
        self._edge = edge
        self._listen = listen
        self._trio_token = trio.lowlevel.current_trio_token()
        self._waiting: dict[str, tuple[trio.Event, list[Table]]] = {}
        self._presence: dict[str, Presence] = {}
        self._practice: dict[str, Presence] = {}
        self._pause = ""
        self._changed = trio.Event()
        self.games_finished = 0
        self._is_idle = trio.Event()
        self._is_idle.set()
        self.games_cut_off = 0
        """Games that nobody waited for to the end, those of practice left out."""
        self.practice_cut_off = 0
        """Those of practice."""

    @property
    def port(self) -> int:
        """The port that the arena listens on."""
        return self._edge.port

    @property
    def address(self) -> str:
        """Where programs that the arena starts dial in, as `host:port`; no TLS."""
        return self._edge.near_address or self.bot_address

    @property
    def socket(self) -> str:
        """Where they may dial in instead, which is quicker; empty for nowhere."""
        return self._listen.socket

    @property
    def bot_address(self) -> str:
        """Where bots of this machine dial in, as `host:port`."""
        return address_text(self._listen.near_host, self._edge.port)

    @property
    def listen_address(self) -> str:
        """What the arena listens on, as `host:port`."""
        return address_text(self._listen.host, self._edge.port)

    @property
    def has_tls(self) -> bool:
        """Whether bots that dial in must use TLS."""
        return self._listen.tls is not None

    @property
    def wants_certificate(self) -> bool:
        """Whether they must show a certificate of their own."""
        return self._listen.tls is not None and bool(self._listen.tls.client_ca)

    @property
    def turns_answered(self) -> int:
        """How many answers have been taken since the start."""
        return self._edge.host.turns_answered

    @property
    def running_games(self) -> int:
        """How many games wait for their end."""
        return len(self._waiting)

    def observe(self) -> "Future[Observation]":
        """Look at the arena, from any thread; when it ends, nothing comes any more."""
        return self._edge.observe()

    async def play(self, spec: GameSpec) -> Record:
        """Play one game and return its record.

        Raises:
            VoidGame: The game does not count; play it again.
            ValueError: A game of this id is running.
        """
        if spec.game_id in self._waiting:
            raise ValueError(f"game {spec.game_id} is running already")
        ended = trio.Event()
        tables: list[Table] = []
        self._waiting[spec.game_id] = (ended, tables)
        if self._is_idle.is_set():
            self._is_idle = trio.Event()
        host = self._edge.host
        started = _utc_now()
        try:
            self._edge.submit(lambda now: host.start_game(spec, now=now))
            await ended.wait()
        except BaseException:
            self.games_cut_off += not spec.practice
            self.practice_cut_off += spec.practice
            self._edge.submit(
                lambda now: host.void_game(spec.game_id, "stopped", now=now)
            )
            raise
        finally:
            del self._waiting[spec.game_id]
            if not self._waiting:
                self._is_idle.set()
        if not tables:
            raise VoidGame(BROKEN_REASON, None)
        (table,) = tables
        try:
            record = record_of(table, started=started, ended=_utc_now())
        except Exception as error:
            log.error(Event("a record broke", game=spec.game_id), exc_info=error)
            raise VoidGame(table.void_reason or BROKEN_REASON, None) from None
        if table.void_reason:
            raise VoidGame(table.void_reason, record, table.losses)
        self.games_finished += 1
        return record

    def pause(self) -> str:
        """Say why no new games should start now; empty when they may."""
        return self._pause

    async def lag(self) -> Spread:
        """Return by how much the arena's own timer was late, since the start."""
        found: list[Spread] = []
        seen = trio.Event()

        def look(_: float) -> None:
            found.append(self._edge.host.counts.lag.copy())
            self._call_soon(seen.set)

        self._edge.submit(look)
        await seen.wait()
        return found[0]

    def presence(self) -> Mapping[str, Presence]:
        """Return the connected bots that play in leagues, by name.

        It is a view, which the next change changes.
        """
        return MappingProxyType(self._presence)

    def practice_presence(self) -> Mapping[str, Presence]:
        """Return the connected bots that asked for practice, by name; a view too."""
        return MappingProxyType(self._practice)

    async def presence_changed(self) -> None:
        """Wait until a bot comes, goes, or has a place free, or a pause changes."""
        await self._changed.wait()

    async def wait_until_idle(self) -> None:
        """Wait until no game is running."""
        while self._waiting:
            await self._is_idle.wait()

    async def faults_of(self, bot: str) -> tuple[Fault, ...]:
        """Return the faults that a bot has had so far in running games."""
        found: list[Fault] = []
        seen = trio.Event()

        def look(now: float) -> None:
            for running in self._edge.host.tables.values():
                seats = running.table.spec.seats
                found.extend(
                    fault
                    for fault in running.table.faults
                    if seats[fault.seat].bot == bot
                )
            self._call_soon(seen.set)

        self._edge.submit(look)
        await seen.wait()
        return tuple(found)

    def give_up(self, bot: str, *, cause: str = "start") -> None:
        """Give up all seats of a bot that will not come back."""
        host = self._edge.host
        self._edge.submit(lambda now: host.give_up(bot, cause, now=now))

    def tell(
        self,
        bot: str,
        message: str,
        waiting_for: tuple[str, ...] = (),
        *,
        version: str = "",
    ) -> None:
        """Tell an idle bot what it waits for.

        Args:
            bot: Its name.
            message: What it is told.
            waiting_for: The bots that it waits for.
            version: Which of its versions is told; by default all are.
        """
        host = self._edge.host
        self._edge.submit(
            lambda _: host.tell(bot, message, waiting_for, version=version)
        )

    def drain(self, *, reconnect_after_ms: int, message: str) -> None:
        """Take no more bots but those with open games; tell all when to come back.

        Health is told as not serving from now on. Running games go on; whoever
        plays them starts no more.

        Args:
            reconnect_after_ms: How long after the end of their calls.
            message: The reason, for people.
        """
        self._edge.drain(reconnect_after_ms=reconnect_after_ms, message=message)

    # Called on the edge's thread.

    def on_finished(self, table: Table) -> None:
        """Pass an ended table on to the task that waits for it."""
        moves, pause = self._edge.host.take_moves(), self._edge.pause
        self._call_soon(lambda: self._finish(table, moves, pause))

    def on_unplayed(self, game_id: str) -> None:
        """Tell the task that waits for a game that nothing will come of it."""
        self._call_soon(lambda: self._break(game_id))

    def on_presence(self) -> None:
        """Pass on who has come, gone, or has a place free again."""
        moves, pause = self._edge.host.take_moves(), self._edge.pause
        self._call_soon(lambda: self._see(moves, pause))

    def _call_soon(self, call: Callable[[], None]) -> None:
        try:
            self._trio_token.run_sync_soon(call)
        except trio.RunFinishedError:
            log.debug("the trio side has ended")

    # Called on the trio side.

    def _finish(self, table: Table, moves: Iterable[Move], pause: str) -> None:
        waiting = self._waiting.get(table.spec.game_id)
        if waiting is not None:
            ended, tables = waiting
            tables.append(table)
            ended.set()
        self._see(moves, pause)

    def _break(self, game_id: str) -> None:
        if waiting := self._waiting.get(game_id):
            waiting[0].set()

    def _see(self, moves: Iterable[Move], pause: str) -> None:
        self._pause = pause
        for move in moves:
            _update(self._presence, move.bot, move.league)
            _update(self._practice, move.bot, move.practice)
        self._changed.set()
        self._changed = trio.Event()


def _update(present: dict[str, Presence], bot: str, presence: Presence | None) -> None:
    if presence is None:
        present.pop(bot, None)
    else:
        present[bot] = presence


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@asynccontextmanager
async def open_server(
    *,
    tokens: Tokens,
    host: str = "127.0.0.1",
    port: int = 0,
    tls: Tls | None = None,
    program_sockets: Sequence[str] = (),
    library: Library | None = None,
    operator_token: str = "",
    stand_ins: Mapping[str, StandIn] = STAND_INS,
    clocks: Clocks = machine_clocks,
) -> AsyncIterator[Server]:
    """Serve until the block is left; all streams are then ended.

    Args:
        tokens: Finds bots by their tokens; called on the edge's thread.
        host: The address to listen on.
        port: The port; 0 takes a free one.
        tls: The arena's certificate; without one nothing is encrypted.
        program_sockets: Paths to listen on too, one for each program in a sandbox;
            one for all other programs is made, where that is possible.
        library: Serves `LeagueService`; without it there are no leagues.
        operator_token: What `StatusService` asks for; without it nobody is served.
        stand_ins: The policies that play for given-up seats.
        clocks: Reads the clocks of the machine; called on the edge's thread.

    Raises:
        PortTakenError: The address is in use.
    """
    started = trio.Event()
    errors: list[BaseException] = []
    trio_token = trio.lowlevel.current_trio_token()

    def on_started(error: BaseException | None) -> None:
        if error is not None:
            errors.append(error)
        trio_token.run_sync_soon(started.set)

    servers: list[Server] = []
    edge = Edge(
        Host(stand_ins),
        tokens=tokens,
        library=library,
        operator_token=operator_token,
        arena=f"hearts-arena {distribution_version('hearts-arena')}",
        on_finished=lambda table: servers[0].on_finished(table),
        on_presence=lambda: servers[0].on_presence(),
        on_unplayed=lambda game_id: servers[0].on_unplayed(game_id),
        clocks=clocks,
    )
    folders = ExitStack()
    listen = Listen(
        host, port, tls, _made_socket(folders), program_sockets=tuple(program_sockets)
    )
    servers.append(Server(edge, listen))
    edge.start(listen, on_started)
    # Cancelled here, the thread would go on without anybody to stop it.
    with trio.CancelScope(shield=True):
        await started.wait()
    with folders:
        if errors:
            edge.join()
            raise errors[0]
        try:
            yield servers[0]
        finally:
            edge.stop()
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(edge.join)


def _made_socket(folders: ExitStack) -> str:
    """Return a path for a socket that only this user can reach; empty for none."""
    try:
        # Not in the data directory: such a path may have about 100 characters.
        folder = folders.enter_context(TemporaryDirectory(prefix="hearts-"))
    except OSError:
        return ""
    path = os.path.join(folder, "arena.sock")
    return path if len(os.fsencode(path)) <= SOCKET_PATH_MAX else ""
