"""Requests that come alone: what is no message is refused as any other bad one.

The library would parse them before our code runs: whoever sends it junk would get an
error with the names of our classes, and have a trace written to the log, without a
token and as often as he likes. So junk reaches a method as `MALFORMED`, which asks for
the caller's token, counts him, and only then looks at the request.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from arena.status import CallError

__all__ = ["MALFORMED", "NO_MESSAGE", "CarefulServer", "wellformed"]

MALFORMED: Final = object()
"""Stands for a request that is no message of its method."""

NO_MESSAGE: Final = "a request is no message of the protocol"


def wellformed(request: Any) -> Any:
    """Return a request that is a message.

    Raises:
        CallError: It is none.
    """
    if request is MALFORMED:
        raise CallError("BAD_FIELD", NO_MESSAGE)
    return request


def _carefully(parse: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def parsed(data: bytes) -> Any:
        try:
            return parse(data)
        except DecodeError:
            return MALFORMED

    return parsed


class _CarefulMethods(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Serves what another handler serves, and parses requests carefully."""

    def __init__(self, handler: grpc.GenericRpcHandler) -> None:
        self._handler = handler

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Find the handler of a method."""
        found: Any = self._handler.service(handler_call_details)
        # What comes as a stream is parsed when a method reads it.
        if found is None or found.request_streaming or not found.request_deserializer:
            return found
        parse = _carefully(found.request_deserializer)
        return found._replace(request_deserializer=parse)


class CarefulServer:
    """What generated code adds services to, in place of the server itself."""

    def __init__(self, server: Any) -> None:
        self._server = server

    def add_generic_rpc_handlers(
        self, handlers: Iterable[grpc.GenericRpcHandler]
    ) -> None:
        """Serve what the handlers know."""
        careful = tuple(_CarefulMethods(handler) for handler in handlers)
        self._server.add_generic_rpc_handlers(careful)

    def add_registered_method_handlers(self, service: str, handlers: Any) -> None:
        """Do nothing: the same methods are among the generic handlers."""
