"""Health: whether the arena takes bots, for those who watch and for balancers.

The library has a servicer for it too. That one writes to whoever watches while it
holds a lock, so a client that reads nothing could keep an arena from stopping.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.edge_errors import guarded
from arena.edge_limits import Slots, peer_address
from arena.status import CallError

_Status = health_pb2.HealthCheckResponse


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """Serves `grpc.health.v1`; all services are as well as the arena is.

    Args:
        names: The services that it knows; an empty one stands for all.
        watches: Slots for calls that last.
    """

    def __init__(self, names: Iterable[str], watches: Slots) -> None:
        self._names = frozenset(names)
        self._watches = watches
        self._status = _Status.SERVING
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Say from now on that nothing is served."""
        self._status = _Status.NOT_SERVING
        self._changed.set()

    async def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Tell how a service is."""
        return await guarded(context, self._check(request.service))

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802
        """Tell how a service is, and again when that changes."""
        await guarded(context, self._watch(request.service, context))

    async def _check(self, name: str) -> Any:
        if name not in self._names:
            raise CallError("NO_SERVICE", "the arena has no such service")
        return _Status(status=self._status)

    async def _watch(self, name: str, context: Any) -> None:
        with self._watches.taken(peer_address(context.peer())):
            if name not in self._names:
                await context.write(_Status(status=_Status.SERVICE_UNKNOWN))
            else:
                told = self._status
                await context.write(_Status(status=told))
                await self._changed.wait()
                if told != self._status:
                    await context.write(_Status(status=self._status))
            # The protocol wants the call to go on for as long as the client likes.
            await asyncio.Event().wait()
