"""Errors that end a call: canonical codes with `google.rpc` details.

A bad answer is a message in the stream and never comes here.
"""

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
    "DRAINING": grpc.StatusCode.UNAVAILABLE,
    "NO_LEAGUE": grpc.StatusCode.NOT_FOUND,
    "BAD_PAGE": grpc.StatusCode.INVALID_ARGUMENT,
    "INTERNAL": grpc.StatusCode.INTERNAL,
}
_RETRY_SECONDS = {"STALLED": 5, "UNKNOWN_TURNS": 60, "TOO_MANY_REJECTIONS": 10}


class CallError(Exception):
    """Ends a call; `reason` is stable, the text is for people and may change."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = _CODES[reason]

    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """Return the metadata that carries `ErrorInfo` and `RetryInfo`."""
        status = status_pb2.Status(code=self.code.value[0], message=str(self))
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN)
        status.details.add().Pack(info)
        if seconds := _RETRY_SECONDS.get(self.reason):
            retry = error_details_pb2.RetryInfo(
                retry_delay=duration_pb2.Duration(seconds=seconds)
            )
            status.details.add().Pack(retry)
        return (("grpc-status-details-bin", status.SerializeToString()),)
