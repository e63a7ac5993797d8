"""What clients may open and send: every limit of the edge, and what a breach costs.

A breach ends the call at hand with a typed error that says when to come back, and
touches nobody else. So limits go by bot wherever a token tells who is calling;
whoever shows none is counted by the address that the call comes from.
"""

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from arena.bucket import Bucket
from arena.host import Host
from arena.introduction import Introduction
from arena.status import CallError

RECEIVE_MAX_BYTES = 64 * 1024
"""The most bytes of one message."""
ANSWERS_MAX = 256
"""The most answers in one request."""
HELLO_SECONDS = 10.0
"""How long a call may take to introduce its bot."""
HELLOS_DUE_MAX = 64
"""The most calls of one bot that have not introduced it yet."""
HELLOS_DUE_IN_ALL_MAX = 2048
"""The same for all bots together."""
SESSIONS_MAX = 64
"""The most sessions of one bot."""
SESSIONS_IN_ALL_MAX = 4096
"""The most sessions of all bots together."""
CALLS_BURST, CALLS_A_MINUTE = 600, 600
"""New calls of one bot: so many at once, and so many a minute from then on."""
UNKNOWN_TOKENS_BURST, UNKNOWN_TOKENS_A_MINUTE = 60, 60
"""Calls with unknown tokens from one address, likewise."""
IDLE_REQUESTS_BURST, IDLE_REQUESTS_A_SECOND = 500, 20
"""Requests of one call without an answer: heartbeats and empty ones, likewise.

An echo a second and one for each late turn is all that is asked for. Requests with
answers need no such limit: there is a turn behind each, or they are refused.
"""
CONNECTIONS_MAX = 4096
"""The most connections at a time."""
PROGRAM_CONNECTIONS_MAX, PROGRAM_CONNECTIONS_LEAST = 64, 8
"""The same for each program in a sandbox, and where few files may be open."""
STREAMS_MAX = 4096
"""The most calls on one connection: behind a proxy all bots may share one."""
METADATA_SOFT_BYTES, METADATA_HARD_BYTES = 8 * 1024, 16 * 1024
"""Where metadata of a call may be, and where it is certainly, too much."""
HANDSHAKE_SECONDS = 10
"""How long a connection may take to speak HTTP/2, and TLS where that is on."""
IDLE_CONNECTION_SECONDS = 300
"""How long a connection may stay open without any call."""
PING_MIN_MS = 10_000
"""How often clients may ping without traffic."""
WATCHES_MAX, WATCHES_IN_ALL_MAX = 16, 512
"""Calls of `Health.Watch` at a time, from one address and in all."""
REFLECTIONS_MAX, REFLECTIONS_IN_ALL_MAX = 8, 64
"""Calls of reflection at a time, likewise."""
REFLECTION_SECONDS = 60.0
"""How long one of them may take."""
QUERIES_MAX, QUERIES_IN_ALL_MAX = 32, 256
"""Calls of `LeagueService` at a time but downloads, and of `StatusService`."""
DOWNLOADS_MAX, DOWNLOADS_IN_ALL_MAX = 4, 64
"""Calls of `LeagueService.DownloadGames` at a time, likewise."""
DOWNLOAD_STALL_SECONDS = 60.0
"""How long a download may wait for a client that does not read."""
PAGE_MAX, PAGE_DEFAULT = 1000, 100
"""Games on one page."""
KEYS_MAX = 4096
"""How many bots or addresses are told apart by a limit of rates."""

OPTIONS: dict[str, int] = {
    "grpc.so_reuseport": 0,
    "grpc.max_receive_message_length": RECEIVE_MAX_BYTES,
    "grpc.http2.min_recv_ping_interval_without_data_ms": PING_MIN_MS,
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.keepalive_time_ms": 10_000,
    # The time-out of a keepalive ping; without the second it is a minute.
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.http2.ping_timeout_ms": 5_000,
    "grpc.http2.max_pings_without_data": 0,
    "grpc.max_concurrent_streams": STREAMS_MAX,
    "grpc.max_metadata_size": METADATA_SOFT_BYTES,
    "grpc.absolute_max_metadata_size": METADATA_HARD_BYTES,
    "grpc.server_handshake_timeout_ms": 1000 * HANDSHAKE_SECONDS,
    "grpc.max_connection_idle_ms": 1000 * IDLE_CONNECTION_SECONDS,
}


def server_options(*, connections_max: int) -> tuple[tuple[str, int], ...]:
    """Return the options of gRPC's server.

    Args:
        connections_max: The most connections at a time.
    """
    most = ("grpc.max_allowed_incoming_connections", connections_max)
    return (*OPTIONS.items(), most)


def peer_address(peer: str) -> str:
    """Return whom a call is counted for: an address, or half of one.

    Args:
        peer: As gRPC writes it, `ipv4:192.0.2.1:5000`. One customer of an IPv6
            network has all addresses with the same first half.
    """
    host = peer.partition(":")[2].rpartition(":")[0]
    host = host.replace("%5B", "").replace("%5D", "").strip("[]")
    try:
        address = ipaddress.ip_address(host.partition("%25")[0])
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        mapped = address.ipv4_mapped
        network = ipaddress.ip_network((address, 64), strict=False)
        return str(mapped or network)
    return str(address)


class Rates:
    """A bucket for each of many keys; keys beyond the limit share one."""

    def __init__(self, *, burst: float, a_minute: float) -> None:
        self._burst = burst
        self._per_second = a_minute / 60
        self._buckets: dict[str, Bucket] = {}
        self._swept = float("-inf")

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, key: str, now: float) -> float:
        """Count something; return 0, or the seconds to wait if it is too much."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= KEYS_MAX:
                self._sweep(now)
            if len(self._buckets) >= KEYS_MAX:
                key = ""
            bucket = self._buckets.setdefault(
                key, Bucket(burst=self._burst, per_second=self._per_second)
            )
        return bucket.add(now)

    def _sweep(self, now: float) -> None:
        """Forget what is as good as new, at most once a second."""
        if now < self._swept + 1.0:
            return
        self._swept = now
        self._buckets = {
            key: bucket
            for key, bucket in self._buckets.items()
            if not bucket.is_empty(now)
        }


class Slots:
    """How many calls of a kind are open, for each of many keys and in all."""

    def __init__(self, what: str, *, each: int, in_all: int) -> None:
        self._what = what
        self._each = each
        self._in_all = in_all
        self._taken: Counter[str] = Counter()
        self._total = 0

    @contextmanager
    def taken(self, key: str) -> Iterator[None]:
        """Take a slot while the block lasts.

        Raises:
            CallError: There is none.
        """
        if self._taken[key] >= self._each or self._total >= self._in_all:
            self._refuse(key)
        self._taken[key] += 1
        self._total += 1
        try:
            yield
        finally:
            self._total -= 1
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]

    def _refuse(self, key: str) -> None:
        count = self._taken[key]
        if not count:
            del self._taken[key]
        if count >= self._each:
            raise CallError(
                "TOO_MANY_CALLS", f"{self._what}: {count} at a time are the most"
            )
        raise CallError("ARENA_FULL", f"{self._what}: the arena has no more room")


class Door:
    """Decides whether one more call is let in.

    Args:
        refused: Counts calls without a bot's token that end badly, by reason.
    """

    def __init__(self, refused: Counter[str] | None = None) -> None:
        self.refused: Counter[str] = Counter() if refused is None else refused
        self._calls = Rates(burst=CALLS_BURST, a_minute=CALLS_A_MINUTE)
        self._unknown = Rates(
            burst=UNKNOWN_TOKENS_BURST, a_minute=UNKNOWN_TOKENS_A_MINUTE
        )
        self._hellos_due = Slots(
            "calls without a Hello", each=HELLOS_DUE_MAX, in_all=HELLOS_DUE_IN_ALL_MAX
        )
        self.watches = Slots(
            "watches of health", each=WATCHES_MAX, in_all=WATCHES_IN_ALL_MAX
        )
        self.reflections = Slots(
            "calls of reflection", each=REFLECTIONS_MAX, in_all=REFLECTIONS_IN_ALL_MAX
        )
        self.queries = Slots("queries", each=QUERIES_MAX, in_all=QUERIES_IN_ALL_MAX)
        self.downloads = Slots(
            "downloads", each=DOWNLOADS_MAX, in_all=DOWNLOADS_IN_ALL_MAX
        )

    def count_unknown(self, peer: str, now: float) -> None:
        """Count a call with a token that nobody has.

        Right tokens are not counted and always looked at: many bots may share an
        address, and a guesser must not lock them out.

        Raises:
            CallError: There were too many from there.
        """
        if wait := self._unknown.add(peer_address(peer), now):
            raise CallError(
                "TOO_MANY_UNKNOWN_TOKENS",
                f"more than {UNKNOWN_TOKENS_A_MINUTE} calls a minute with unknown "
                "tokens come from this address",
                retry_seconds=wait,
            )

    def count_call(self, bot: str, now: float) -> None:
        """Count a call of a bot.

        Raises:
            CallError: There were too many of late.
        """
        if wait := self._calls.add(bot, now):
            raise CallError(
                "TOO_MANY_CALLS",
                f"{bot} calls more than {CALLS_A_MINUTE} times a minute",
                retry_seconds=wait,
            )

    @contextmanager
    def hello_due(self, bot: str) -> Iterator[None]:
        """Let a call wait for its `Hello` while the block lasts.

        Raises:
            CallError: Too many do.
        """
        with self._hellos_due.taken(bot):
            yield

    def check_room(self, host: Host, introduction: Introduction) -> None:
        """Refuse a session that would be one too many; taking one over is none.

        Raises:
            CallError: The bot, or the arena, has as many as there may be.
        """
        if introduction.key in host.sessions:
            return
        count = len(host.bots.get(introduction.bot, ()))
        if count >= SESSIONS_MAX:
            raise CallError(
                "TOO_MANY_SESSIONS",
                f"{introduction.bot} has {count} sessions, the most there may be; end "
                "one, or use the same instance name to take it over",
            )
        if len(host.sessions) >= SESSIONS_IN_ALL_MAX:
            raise CallError(
                "ARENA_FULL", f"the arena has {SESSIONS_IN_ALL_MAX} sessions, its most"
            )


class IdleRequests:
    """The requests of one call that hold no answer."""

    __slots__ = ("_bucket",)

    def __init__(self) -> None:
        self._bucket = Bucket(
            burst=IDLE_REQUESTS_BURST, per_second=IDLE_REQUESTS_A_SECOND
        )

    def count(self, now: float) -> None:
        """Count one.

        Raises:
            CallError: There were too many of late.
        """
        if self._bucket.add(now):
            raise CallError(
                "TOO_MANY_REQUESTS",
                f"more than {IDLE_REQUESTS_A_SECOND} requests a second hold no answer",
            )
