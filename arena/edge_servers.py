"""The servers of the edge: one for everybody, and one for programs in sandboxes.

A program in a sandbox has a socket in the file system to itself. gRPC counts the
connections of each socket that it listens on by themselves, so whoever opens one
connection after the other takes none from anybody else; the second server is there
since all sockets of a server have the same limit.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import grpc.aio

from arena.edge_files import room_for_connections
from arena.edge_health import Health
from arena.edge_limits import server_options
from arena.edge_ports import open_near_port, open_port, open_socket
from arena.listen import Listen

__all__ = ["Servers"]


class Servers:
    """What listens for calls.

    Args:
        listen: Where.
        add_services: Adds all services to a server.

    Raises:
        PortTakenError: It can't listen there.
    """

    def __init__(self, listen: Listen, add_services: Callable[[Any], Health]) -> None:
        room = room_for_connections(programs=len(listen.program_sockets))
        self._servers: list[Any] = []
        self._healths: list[Health] = []

        def add(connections_max: int) -> Any:
            options = server_options(connections_max=connections_max)
            server = grpc.aio.server(options=options)
            self._servers.append(server)
            self._healths.append(add_services(server))
            return server

        server = add(room.in_all)
        self.port = open_port(server, listen)
        self.near_address = ""
        """Where programs of the arena's own dial in without TLS, where that is on."""
        if listen.tls is not None:
            self.near_address = open_near_port(server)
        if listen.socket:
            open_socket(server, listen.socket)
        if listen.program_sockets:
            server = add(room.of_program)
            for path in listen.program_sockets:
                open_socket(server, path)

    async def start(self) -> None:
        """Take calls."""
        for server in self._servers:
            await server.start()

    def end_health(self) -> None:
        """Say from now on that nothing is served."""
        for health in self._healths:
            health.end()

    async def stop(self, seconds: float) -> None:
        """End all calls, after some seconds those that have not ended by then."""
        await asyncio.gather(*(server.stop(seconds) for server in self._servers))
