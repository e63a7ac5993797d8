"""A bare gRPC server, as a program: `bare_server echo` or `bare_server ring`.

Raw bytes on one bidirectional stream a client, nothing else: what gRPC costs.
`echo` sends every message back where it came from. `ring` waits for four clients
and hands one message round them for ever.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc

from tests.benchmarks.programs import announce, input_ended

METHOD = "/hearts.benchmark.Bare/Talk"
CLIENT_COUNT = 4
MESSAGE = bytes(120)

# `Any` stands for grpc's call and handler types, which carry no annotations.


async def echo(_: Any, context: Any) -> None:
    """Send every message back."""
    while (message := await context.read()) is not grpc.aio.EOF:
        await context.write(message)


class Ring:
    """Four clients in a circle, and the one message that goes round."""

    def __init__(self) -> None:
        self._contexts: list[Any] = []

    async def pass_on(self, _: Any, context: Any) -> None:
        """Take a client in, and give what it sends to its neighbour."""
        own = len(self._contexts)
        self._contexts.append(context)
        await context.send_initial_metadata(())
        if len(self._contexts) == CLIENT_COUNT:
            await self._contexts[0].write(MESSAGE)
        while (message := await context.read()) is not grpc.aio.EOF:
            await self._contexts[(own + 1) % CLIENT_COUNT].write(message)


class BareService(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Serves one method, by whatever name it is called."""

    def __init__(self, talk: Any) -> None:
        self._talk = grpc.stream_stream_rpc_method_handler(talk)

    def service(self, handler_call_details: Any) -> Any:
        """Return the one method there is."""
        return self._talk


async def serve(talk: Any) -> None:
    """Serve on a free port of this machine until the input ends."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers([BareService(talk)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    announce(f"127.0.0.1:{port}")
    await input_ended()
    await server.stop(grace=None)


if __name__ == "__main__":
    asyncio.run(serve({"echo": echo, "ring": Ring().pass_on}[sys.argv[1]]))
