"""A bare gRPC client, as a program: `bare_client ADDRESS OUTSTANDING STAMPS`.

Sends `OUTSTANDING` messages, then one more for each that comes. With 0 it only
sends on what it gets, as the ring needs it. Stamps every message that comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from array import array
from time import monotonic_ns
from typing import Any

import grpc

from tests.benchmarks.bare_server import MESSAGE, METHOD
from tests.benchmarks.programs import announce, input_ended, write_stamps

END_SECONDS_MAX = 2.0
"""How long the end of a cancelled call is waited for."""


async def talk(call: Any, outstanding_count: int, stamps: array[int]) -> None:
    """Answer every message with another, until the call ends."""
    for _ in range(outstanding_count):
        await call.write(MESSAGE)
    while (message := await call.read()) is not grpc.aio.EOF:
        stamps.append(monotonic_ns())
        await call.write(message)


async def main(address: str, outstanding_count: int, path: str) -> None:
    """Talk to the server until the input ends."""
    stamps = array("Q")
    # With a proxy set in the environment, gRPC would not even reach localhost.
    options = [("grpc.enable_http_proxy", 0)]
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call = channel.stream_stream(METHOD)()
        talking = asyncio.create_task(talk(call, outstanding_count, stamps))
        announce("ready")
        await input_ended()
        call.cancel()
        # A read ends with the first two, a write with the third, and now and then
        # one of them never ends.
        ends = (asyncio.CancelledError, grpc.RpcError, asyncio.InvalidStateError)
        with contextlib.suppress(*ends, TimeoutError):
            await asyncio.wait_for(talking, END_SECONDS_MAX)
    write_stamps(path, stamps)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
