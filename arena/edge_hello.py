"""The first request of a call: its `Hello`, or the end of the call."""

import asyncio
from dataclasses import replace
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena import wire
from arena.bindings import BotIdentity
from arena.edge_limits import HELLO_SECONDS, Door
from arena.edge_requests import NO_MESSAGE
from arena.introduction import Introduction
from arena.status import CallError
from hearts.arena.v1 import play_pb2


async def read_hello(
    context: Any, identity: BotIdentity, door: Door
) -> Introduction | None:
    """Read what a bot says of itself; None when the client left without a word.

    Raises:
        CallError: It is something else, says what it may not, or takes too long.
    """
    with door.hello_due(identity.name):
        request = await _first_request(context)
    if request is None:
        return None
    try:
        said = wire.decode_hello(request.hello, bot=identity.name, owner=identity.owner)
        return replace(
            said,
            is_started=identity.is_started,
            is_finishing=request.leave.finish_games,
        )
    except wire.WireError as error:
        raise CallError("BAD_FIELD", str(error), field=error.field) from None


async def _first_request(context: Any) -> play_pb2.PlayRequest | None:
    """Read the first request.

    A read that is given up kills its call, which is what is wanted here.
    """
    reading = asyncio.ensure_future(context.read())
    reading.add_done_callback(_forget)
    await asyncio.wait({reading}, timeout=HELLO_SECONDS)
    if not reading.done():
        raise CallError("HELLO_EXPECTED", f"no Hello within {HELLO_SECONDS:g} s")
    try:
        request = reading.result()
    except DecodeError:
        raise CallError("BAD_FIELD", NO_MESSAGE) from None
    if request is grpc.aio.EOF:
        return None
    if not request.HasField("hello"):
        raise CallError("HELLO_EXPECTED", "the first request must be a Hello")
    found: play_pb2.PlayRequest = request
    return found


def _forget(task: "asyncio.Future[Any]") -> None:
    """Mark an exception as seen; whoever waits for the task gets it too."""
    if not task.cancelled():
        task.exception()
