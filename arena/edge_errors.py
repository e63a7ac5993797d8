"""How calls end badly: errors become statuses, and ours stay opaque."""

import asyncio
import logging
import secrets
from collections import Counter
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena.edge_requests import NO_MESSAGE
from arena.logs import Event
from arena.status import CallError

log = logging.getLogger("arena.edge")

LOST = (
    grpc.RpcError,
    asyncio.InvalidStateError,
    grpc.aio.UsageError,
    grpc.aio.InternalError,
)
"""What reading and writing raise when the other side is gone."""


_GOSSIP = ("Invalid encoding", "ExecuteBatchError raised in core")
"""What gRPC's library writes whenever a client likes: metadata that is no text, with
the tokens in it, and a trace for each client that is gone before its answer."""


def is_news(record: logging.LogRecord) -> bool:
    """Tell whether a line of gRPC's library is to be logged."""
    return not str(record.msg).startswith(_GOSSIP)


def hush_library() -> None:
    """Keep clients from writing into the log by way of gRPC's library."""
    logging.getLogger("grpc._cython.cygrpc").addFilter(is_news)


def internal_error(error: BaseException) -> CallError:
    """Log the exception under an id, and tell the client only the id."""
    error_id = secrets.token_hex(4)
    log.error(Event("internal error", id=error_id), exc_info=error)
    return CallError("INTERNAL", f"a fault of the arena, in its log as {error_id}")


def forget_path(error: BaseException) -> None:
    """Have an error no longer hold the frames that it has passed through.

    Some of them hold the error too, and with it a call, its session and games. Only a
    search for such circles would free them, and there is next to none.
    """
    error.__traceback__ = None


async def guarded(context: Any, call: Any, refused: Counter[str] | None = None) -> Any:
    """Run a call; turn errors into statuses. The one wrapper of all RPCs.

    Args:
        refused: Counts calls that end badly, by reason.
    """
    try:
        return await call
    except CallError as error:
        failure = error
        forget_path(error)
    except DecodeError:
        failure = CallError("BAD_FIELD", NO_MESSAGE)
    except (grpc.aio.AbortError, asyncio.CancelledError):
        raise
    except LOST:
        # There is nobody left to tell.
        raise asyncio.CancelledError from None
    except Exception as error:
        failure = internal_error(error)
    if refused is not None:
        refused[failure.reason] += 1
    try:
        await context.abort(failure.code, str(failure), failure.trailing_metadata())
    except grpc.aio.AbortError as error:
        # gRPC keeps it with the call; it needs no path once it has arrived there.
        asyncio.get_running_loop().call_soon(forget_path, error)
        raise
