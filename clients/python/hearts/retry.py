"""
Why an arena ended a call and when it wants to be called again: the details of an
error, `google.rpc.ErrorInfo` and `google.rpc.RetryInfo`.

They are read from the bytes, since the package that has these messages is not one
that a bot should need.
"""

from collections.abc import Iterator
from typing import Final

import grpc
import grpc.aio

DETAILS_KEY: Final = "grpc-status-details-bin"
SECONDS_MAX: Final = 600.0
"""The longest wait that is believed."""


def retry_seconds(error: grpc.aio.AioRpcError | None) -> float:
    """
    How long to wait at least before the next call; 0 when the error does not say.
    """
    try:
        return min(_seconds(_detail(error, b"RetryInfo")), SECONDS_MAX)
    except (IndexError, ValueError):
        return 0.0


def is_draining(error: grpc.aio.AioRpcError | None) -> bool:
    """
    Whether an arena says that it goes away, and so takes no call.
    """
    try:
        return dict(_fields(_detail(error, b"ErrorInfo"))).get(1) == b"DRAINING"
    except (IndexError, ValueError):
        return False


def _detail(error: grpc.aio.AioRpcError | None, name: bytes) -> bytes:
    """
    The bytes of a detail; none when the error has no such one.
    """
    for key, value in (error.trailing_metadata() or ()) if error else ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            for number, detail in _fields(value):
                if number != 3 or not isinstance(detail, bytes):
                    continue
                fields = dict(_fields(detail))
                if fields.get(1) == b"type.googleapis.com/google.rpc." + name:
                    found = fields.get(2, b"")
                    return found if isinstance(found, bytes) else b""
    return b""


def _seconds(retry_info: bytes) -> float:
    delay = dict(_fields(retry_info)).get(1, b"")
    parts = dict(_fields(delay)) if isinstance(delay, bytes) else {}
    seconds, nanos = parts.get(1, 0), parts.get(2, 0)
    if isinstance(seconds, int) and isinstance(nanos, int):
        return seconds + nanos / 1e9
    return 0.0


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """
    The numbers and values of a message; numbers and texts are all that is needed.

    Raises:
        ValueError: It holds something else.
        IndexError: It ends too soon.
    """
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        value, at = _varint(message, at)
        if tag & 7 == 2:
            if at + value > len(message):
                raise IndexError("a text is cut off")
            yield tag >> 3, message[at : at + value]
            at += value
        elif tag & 7 == 0:
            yield tag >> 3, value
        else:
            raise ValueError("a field of another kind")


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
