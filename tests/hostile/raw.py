"""A connection that says what it likes: HTTP/2 frames by hand, over a blocking socket.

`h2` keeps the tables of headers and reads what comes; nothing that is sent is
checked. Every wait has an end, and an arena that hangs up raises `Gone`.
"""

import select
import socket
import time
from collections.abc import Iterable
from typing import Any

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    DataReceived,
    Event,
    ResponseReceived,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import H2Error
from hyperframe.frame import Frame

SOCKET_SECONDS = 5.0
PLAY = "/hearts.arena.v1.BotService/Play"
DOWNLOAD = "/hearts.arena.v1.LeagueService/DownloadGames"
LEAGUES = "/hearts.arena.v1.LeagueService/ListLeagues"
CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

Headers = list[tuple[bytes, bytes]]


class Gone(Exception):  # noqa: N818
    """The arena has ended the connection, or takes no more for now."""


def message(body: bytes, *, compressed: int = 0, length: int | None = None) -> bytes:
    """Put a message behind its prefix, which may lie."""
    size = len(body) if length is None else length
    return bytes([compressed]) + size.to_bytes(4, "big") + body


def packed(headers: Headers) -> bytes:
    """Write a block of headers without tables: all names and values as they are."""
    return b"".join(
        b"\x00" + _length(name) + name + _length(value) + value
        for name, value in headers
    )


def _length(data: bytes) -> bytes:
    """Write a length as HPACK does, seven bits first."""
    size = len(data)
    if size < 127:
        return bytes([size])
    size -= 127
    found = [127]
    while size >= 128:
        found.append(size % 128 + 128)
        size //= 128
    return bytes([*found, size])


class Raw:
    """One connection to an arena."""

    def __init__(self, address: str, *, greets: bool = True) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), SOCKET_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.h2 = H2Connection(
            H2Configuration(
                client_side=True,
                header_encoding=None,
                validate_outbound_headers=False,
                normalize_outbound_headers=False,
                validate_inbound_headers=False,
            )
        )
        self.events: list[Event] = []
        if greets:
            self.h2.initiate_connection()
            self.flush()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone(str(error)) from None

    def frame(self, frame: Frame) -> None:
        """Send a frame as it is."""
        self.send(frame.serialize())

    def flush(self) -> None:
        """Send what `h2` has to say."""
        self.send(self.h2.data_to_send())

    def headers(
        self, path: str = PLAY, *more: tuple[str, str | bytes], token: str = ""
    ) -> Headers:
        """Return the headers of a call; what comes later stands for what came first."""
        said: dict[str, str | bytes] = {
            ":method": "POST",
            ":scheme": "http",
            ":path": path,
            ":authority": "arena",
            "te": "trailers",
            "content-type": "application/grpc",
        }
        if token:
            said["authorization"] = f"Bearer {token}"
        said.update(more)
        return [
            (name.encode(), value if isinstance(value, bytes) else value.encode())
            for name, value in said.items()
        ]

    def open(
        self,
        path: str = PLAY,
        *more: tuple[str, str | bytes],
        token: str = "",
        ends: bool = False,
    ) -> int:
        """Open a stream; return its number."""
        stream = self.h2.get_next_available_stream_id()
        headers: Any = self.headers(path, *more, token=token)
        self.h2.send_headers(stream, headers, end_stream=ends)
        self.flush()
        return stream

    def data(self, stream: int, data: bytes, *, ends: bool = False) -> None:
        """Send data of a stream, in frames of any window's size."""
        from hyperframe.frame import DataFrame

        pieces = [data[at : at + 16_384] for at in range(0, len(data), 16_384)] or [b""]
        for number, piece in enumerate(pieces, start=1):
            frame = DataFrame(stream, piece)
            if ends and number == len(pieces):
                frame.flags.add("END_STREAM")
            self.frame(frame)

    def read(self, seconds: float = 0.0) -> list[Event]:
        """Read what has come, waiting so long for the first of it."""
        found: list[Event] = []
        while select.select([self.socket], [], [], seconds)[0]:
            try:
                data = self.socket.recv(65_536)
                if not data:
                    raise Gone("the arena has closed the connection")
                found += self.h2.receive_data(data)
                self.flush()
            except (OSError, H2Error) as error:
                raise Gone(str(error)) from None
            seconds = 0.0
        self.events += found
        return found

    def rest(self, seconds: float) -> None:
        """Stay for a while and read what comes, so that the arena gets to it all."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def ending(self, stream: int) -> str:
        """Return how a stream ended: its gRPC status, `reset`, or nothing."""
        for _ in range(50):
            for event in self.events:
                if getattr(event, "stream_id", None) != stream:
                    continue
                if isinstance(event, StreamReset):
                    return "reset"
                if isinstance(event, ResponseReceived | TrailersReceived):
                    for name, value in event.headers or ():
                        if name == b"grpc-status":
                            return bytes(value).decode()
            self.read(0.1)
        return ""

    def received(self, stream: int) -> bytes:
        """Return the data of a stream so far."""
        return b"".join(
            event.data
            for event in self.events
            if isinstance(event, DataReceived) and event.stream_id == stream
        )


def all_of(raws: Iterable[Raw]) -> None:
    """Close connections."""
    for raw in raws:
        raw.socket.close()
