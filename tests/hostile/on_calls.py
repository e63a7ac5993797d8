"""Attacks on gRPC: calls that no stub would make, and too many of them."""

import gzip
import time
from contextlib import ExitStack, suppress
from functools import cache

from hyperframe.frame import RstStreamFrame, SettingsFrame

from hearts.arena.v1 import league_pb2, play_pb2
from tests.hostile.raw import (
    CHECK,
    DOWNLOAD,
    LEAGUES,
    PLAY,
    REFLECT,
    WATCH,
    Gone,
    Raw,
    message,
)
from tests.hostile.victim import Victim

HELLO = play_pb2.PlayRequest(hello=play_pb2.Hello(instance="hostile"))
HELLO_BYTES = HELLO.SerializeToString()
BIG = league_pb2.DownloadGamesRequest(league="big").SerializeToString()
INITIAL_WINDOW = 4


def wrong_calls(victim: Victim) -> None:
    """Call what is not there, in ways that are not gRPC's."""
    changes: list[tuple[str, str | bytes]] = [
        (":path", "/"),
        (":path", ""),
        (":path", "/hearts.arena.v1.BotService/Nothing"),
        (":path", "/" + "x" * 6000),
        (":path", "//../../etc/passwd"),
        (":method", "GET"),
        (":method", "PRI"),
        (":method", ""),
        (":scheme", "gopher"),
        (":authority", "\x00\xff"),
        ("content-type", "text/html"),
        ("content-type", ""),
        ("te", "gzip"),
        ("grpc-encoding", "nonsense"),
        ("grpc-accept-encoding", "a," * 2000),
        ("grpc-timeout", "99999999999H"),
        ("grpc-timeout", "-1S"),
        ("grpc-timeout", "1n"),
        ("x-bin", "!!!no base64!!!"),
        ("authorization", "Bearer " + "z" * 7000),
        ("authorization", b"Bearer \xff\xfe\x80"),
        ("Upper-Case", "x"),
        ("connection", "close"),
        ("content-length", "-5"),
    ]
    for change in changes * victim.force:
        with Raw(victim.address) as raw, suppress(Gone):
            stream = raw.open(PLAY, change)
            raw.data(stream, message(HELLO_BYTES), ends=True)
            raw.rest(0.02)


def bad_tokens(victim: Victim) -> None:
    """Try one token after the other."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(300 * victim.force):
            raw.open(token=f"guess-{number}", ends=True)
            raw.read()
        raw.rest(0.15)


def slow_body(victim: Victim) -> None:
    """Send a Hello a byte at a time, on many streams, and stop before its end."""
    with Raw(victim.address) as raw, suppress(Gone):
        streams = [raw.open(token=victim.token) for _ in range(20 * victim.force)]
        for byte in message(HELLO_BYTES)[:-1]:
            for stream in streams:
                raw.data(stream, bytes([byte]))
        raw.rest(0.05)


def lying_lengths(victim: Victim) -> None:
    """Announce messages of gigabytes, or send other lengths than announced."""
    for length in (2**32 - 1, 2**31, 65_537, 65_536, 5, 0):
        with Raw(victim.address) as raw, suppress(Gone):
            stream = raw.open(token=victim.token)
            raw.data(stream, message(b"\x00" * 40_000, length=length), ends=True)
            raw.rest(0.03)


def garbage_messages(victim: Victim) -> None:
    """Send noise where messages are expected, first of all or after a Hello."""
    chance = victim.chance
    nested = b""
    for _ in range(2000):
        nested = b"\x0a" + _varint(len(nested)) + nested
    bodies = [nested, b"\xff" * 1000, b"\x0b" * 30_000, b"\x08" + b"\x80" * 200, b""]
    bodies += [chance.randbytes(chance.randrange(1, 200)) for _ in range(20)]
    with Raw(victim.address) as raw, suppress(Gone):
        for number, body in enumerate(bodies * victim.force):
            stream = raw.open(token=victim.token)
            if number % 2:
                raw.data(stream, message(HELLO_BYTES))
            raw.data(stream, message(body))
            raw.read()
        raw.rest(0.15)


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def gzip_bombs(victim: Victim) -> None:
    """Send messages that are small on the wire and gigabytes when unpacked."""
    bomb = _bomb()
    for encoding in ("gzip", "deflate", "identity"):
        with Raw(victim.address) as raw, suppress(Gone):
            for _ in range(4 * victim.force):
                stream = raw.open(PLAY, ("grpc-encoding", encoding), token=victim.token)
                raw.data(stream, message(bomb, compressed=1))
                raw.read()
            raw.rest(0.15)


@cache
def _bomb() -> bytes:
    """Return what is as large as a message may be, and 60 MB when unpacked."""
    return gzip.compress(bytes(60_000_000), 9)


def half_messages(victim: Victim) -> None:
    """Break off in the middle of messages: by resets, by ends, by silence."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(60 * victim.force):
            stream = raw.open(token=victim.token)
            raw.data(stream, message(HELLO_BYTES)[:7], ends=number % 3 == 0)
            if number % 3 == 1:
                raw.frame(RstStreamFrame(stream, 8))
            raw.read()
        raw.rest(0.15)


def half_closed(victim: Victim) -> None:
    """Close the sending side at once, or just after the Hello."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(40 * victim.force):
            stream = raw.open(token=victim.token, ends=number % 2 == 0)
            if number % 2:
                raw.data(stream, message(HELLO_BYTES), ends=True)
            raw.read()
        raw.rest(0.15)


def hasty_deadlines(victim: Victim) -> None:
    """Make calls whose time is over before they begin."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(200 * victim.force):
            path = (PLAY, DOWNLOAD, LEAGUES, WATCH)[number % 4]
            stream = raw.open(path, ("grpc-timeout", "1m"), token=victim.token)
            raw.data(stream, message(BIG if path == DOWNLOAD else b""))
            raw.read()
        raw.rest(0.15)


def closed_windows(victim: Victim) -> None:
    """Ask for much and open no window for it, on many streams."""
    with Raw(victim.address) as raw, suppress(Gone):
        raw.frame(SettingsFrame(0, settings={INITIAL_WINDOW: 0}))
        for number in range(60 * victim.force):
            path = (DOWNLOAD, LEAGUES, CHECK, WATCH)[number % 4]
            stream = raw.open(path)
            body = BIG if path == DOWNLOAD else b""
            raw.data(stream, message(body), ends=True)
        raw.rest(0.15)


def unread_downloads(victim: Victim) -> None:
    """Open wide windows, ask for all games many times, and read nothing at all."""
    with ExitStack() as stack, suppress(Gone, OSError):
        for _ in range(4 * victim.force):
            raw = stack.enter_context(Raw(victim.address))
            raw.h2.increment_flow_control_window(2**31 - 65_536)
            raw.frame(SettingsFrame(0, settings={INITIAL_WINDOW: 2**31 - 1}))
            for _ in range(20):
                raw.data(raw.open(DOWNLOAD), message(BIG), ends=True)
        time.sleep(0.2)


def call_flood(victim: Victim) -> None:
    """Call the services that need no token as fast as can be."""
    with Raw(victim.address) as raw, suppress(Gone):
        for number in range(300 * victim.force):
            path = (CHECK, LEAGUES, REFLECT, WATCH)[number % 4]
            body = b"\x3a\x01*" if path == REFLECT else b""
            raw.data(raw.open(path), message(body), ends=path != WATCH)
            raw.read()
        raw.rest(0.15)


def reflection_questions(victim: Victim) -> None:
    """Ask the reflection for nonsense in one stream, without ever reading."""
    with Raw(victim.address) as raw, suppress(Gone):
        stream = raw.open(REFLECT)
        question = b"\x22\x40" + b"hearts.arena.v1.Nothing".ljust(64, b"x")
        for _ in range(300 * victim.force):
            raw.data(stream, message(question))
        raw.rest(0.15)


ATTACKS = (
    wrong_calls,
    bad_tokens,
    slow_body,
    lying_lengths,
    garbage_messages,
    gzip_bombs,
    half_messages,
    half_closed,
    hasty_deadlines,
    closed_windows,
    unread_downloads,
    call_flood,
    reflection_questions,
)
