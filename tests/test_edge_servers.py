"""The servers of the edge: programs in sandboxes have connections of their own."""

import socket
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import trio

from arena.edge_limits import PROGRAM_CONNECTIONS_MAX
from arena.server import open_server
from leagues.running.started import StartedTokens


def dialled(path: str, count: int, opened: ExitStack) -> list[socket.socket]:
    """Open connections to a socket in the file system."""
    dialled = []
    for _ in range(count):
        one = opened.enter_context(socket.socket(socket.AF_UNIX))
        one.settimeout(20)
        one.connect(path)
        dialled.append(one)
    return dialled


def served(connections: Iterable[socket.socket]) -> int:
    """Count those on which the arena speaks; the others it has closed."""
    return sum(bool(one.recv(1)) for one in connections)


async def test_a_program_takes_connections_from_nobody_else(tmp_path: Path) -> None:
    """Beyond its limit it gets none, while all others are served."""
    fox, owl = str(tmp_path / "fox"), str(tmp_path / "owl")
    most = PROGRAM_CONNECTIONS_MAX
    with ExitStack() as opened:
        async with open_server(
            tokens=StartedTokens(), program_sockets=[fox, owl]
        ) as server:

            def count(path: str, number: int) -> int:
                return served(dialled(path, number, opened))

            counts = [
                await trio.to_thread.run_sync(count, path, number)
                for path, number in ((fox, most + 9), (owl, 9), (server.socket, 99))
            ]

    assert [most, 9, 99] == counts
