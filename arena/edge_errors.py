"""How calls end badly: errors become statuses, and ours stay opaque."""

import asyncio
import logging
import secrets
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from arena.logs import Event
from arena.status import CallError

log = logging.getLogger("arena.edge")


def internal_error(error: BaseException) -> CallError:
    """Log the exception under an id, and tell the client only the id."""
    error_id = secrets.token_hex(4)
    log.error(Event("internal error", id=error_id), exc_info=error)
    return CallError("INTERNAL", f"a fault of the arena, in its log as {error_id}")


async def guarded(context: Any, call: Any) -> Any:
    """Run a call; turn errors into statuses. The one wrapper of all RPCs."""
    try:
        return await call
    except CallError as error:
        failure = error
    except DecodeError:
        failure = CallError("BAD_FIELD", "a request is no message of the protocol")
    except (grpc.aio.AbortError, asyncio.CancelledError):
        raise
    except Exception as error:
        failure = internal_error(error)
    await context.abort(failure.code, str(failure), failure.trailing_metadata())
