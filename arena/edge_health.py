"""Health: whether the arena takes bots, for those who watch and for balancers.

The library has a servicer for it too. That one writes to whoever watches while it
holds a lock, so a client that reads nothing could keep an arena from stopping.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.edge_errors import guarded
from arena.edge_limits import Door, peer_address
from arena.edge_requests import wellformed
from arena.status import CallError

_Status = health_pb2.HealthCheckResponse


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """Serves `grpc.health.v1`; all services are as well as the arena is.

    Args:
        names: The services that it knows; an empty one stands for all.
        door: Has slots for calls that last.
    """

    def __init__(self, names: Iterable[str], door: Door) -> None:
        self._names = frozenset(names)
        self._door = door
        self._status = _Status.SERVING
        self._changed = asyncio.Event()

    def end(self) -> None:
        """Say from now on that nothing is served."""
        self._status = _Status.NOT_SERVING
        self._changed.set()

    async def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Tell how a service is."""
        return await guarded(context, self._check(request), self._door.refused)

    async def List(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Tell how all services are."""
        return await guarded(context, self._list(request), self._door.refused)

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802
        """Tell how a service is, and again when that changes."""
        await guarded(context, self._watch(request, context), self._door.refused)

    async def _check(self, request: Any) -> Any:
        if wellformed(request).service not in self._names:
            raise CallError("NO_SERVICE", "the arena has no such service")
        return _Status(status=self._status)

    async def _list(self, request: Any) -> Any:
        wellformed(request)
        statuses = {name: _Status(status=self._status) for name in self._names}
        return health_pb2.HealthListResponse(statuses=statuses)

    async def _watch(self, request: Any, context: Any) -> None:
        with self._door.watches.taken(peer_address(context.peer())):
            if wellformed(request).service not in self._names:
                await context.write(_Status(status=_Status.SERVICE_UNKNOWN))
            else:
                told = self._status
                await context.write(_Status(status=told))
                await self._changed.wait()
                if told != self._status:
                    await context.write(_Status(status=self._status))
            # The protocol wants the call to go on for as long as the client likes.
            await asyncio.Event().wait()
