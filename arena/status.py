"""Errors that end a call: canonical codes with `google.rpc` details.

A bad answer is a message in the stream and never comes here.
"""

import math

import grpc
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "hearts.arena"

_CODES = {
    "NO_TOKEN": grpc.StatusCode.UNAUTHENTICATED,
    "UNKNOWN_TOKEN": grpc.StatusCode.UNAUTHENTICATED,
    "TLS_EXPECTED": grpc.StatusCode.PERMISSION_DENIED,
    "HELLO_EXPECTED": grpc.StatusCode.FAILED_PRECONDITION,
    "BAD_FIELD": grpc.StatusCode.INVALID_ARGUMENT,
    "TAKEN_OVER": grpc.StatusCode.ABORTED,
    "STALLED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "UNKNOWN_TURNS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_REJECTIONS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_SESSIONS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_CALLS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_REQUESTS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TOO_MANY_UNKNOWN_TOKENS": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "ARENA_FULL": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "DRAINING": grpc.StatusCode.UNAVAILABLE,
    "WITHHELD": grpc.StatusCode.PERMISSION_DENIED,
    "NO_LEAGUE": grpc.StatusCode.NOT_FOUND,
    "NO_SERVICE": grpc.StatusCode.NOT_FOUND,
    "BAD_PAGE": grpc.StatusCode.INVALID_ARGUMENT,
    "INTERNAL": grpc.StatusCode.INTERNAL,
}
_RETRY_SECONDS = {
    "STALLED": 5.0,
    "UNKNOWN_TURNS": 60.0,
    "TOO_MANY_REJECTIONS": 10.0,
    "TOO_MANY_SESSIONS": 10.0,
    "TOO_MANY_CALLS": 5.0,
    "TOO_MANY_REQUESTS": 10.0,
    "TOO_MANY_UNKNOWN_TOKENS": 10.0,
    "ARENA_FULL": 30.0,
    "DRAINING": 5.0,
}
"""When to call again after an error that time can change."""


class CallError(Exception):
    """Ends a call; `reason` is stable, the text is for people and may change.

    Args:
        field: The field of the request that is wrong, as a path: `hello.instance`.
        retry_seconds: When to call again, if not as always for the reason.
    """

    def __init__(
        self, reason: str, message: str, *, field: str = "", retry_seconds: float = 0.0
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = _CODES[reason]
        self.field = field
        self.retry_seconds = retry_seconds or _RETRY_SECONDS.get(reason, 0.0)

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """Return the metadata with `ErrorInfo`, `RetryInfo` and `BadRequest`."""
        status = status_pb2.Status(code=self.code.value[0], message=str(self))
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN)
        status.details.add().Pack(info)
        if self.retry_seconds:
            delay = duration_pb2.Duration()
            delay.FromMilliseconds(math.ceil(1000 * self.retry_seconds))
            status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=delay))
        if self.field:
            bad = error_details_pb2.BadRequest()
            bad.field_violations.add(field=self.field, description=str(self))
            status.details.add().Pack(bad)
        return (("grpc-status-details-bin", status.SerializeToString()),)
