"""A TCP proxy with a bad line: it delays what passes, or cuts its connections."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """Passes connections on to an address, in a thread of its own.

    Args:
        target: `HOST:PORT` of the arena.
        delay: how long each direction takes, in seconds.
        cuts: how many of the first connections are cut.
        after: after how many pieces from the arena that is done.
    """

    def __init__(
        self, target: str, *, delay: float = 0.0, cuts: int = 0, after: int = 0
    ) -> None:
        self.address = ""
        self.connections = 0
        self.was_cut = 0
        self._host, _, self._port = target.rpartition(":")
        self._delay = delay
        self._cuts = cuts
        self._after = after
        self._transports: list[asyncio.WriteTransport] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def serve(self, is_ready: threading.Event, stop: asyncio.Event) -> None:
        """Listen on a free port of the loopback until told to stop."""
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        is_ready.set()
        await stop.wait()
        server.close()
        for transport in self._transports:
            transport.abort()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.append(task)
        self._transports.append(writer.transport)
        pieces_max = self._after if self.connections <= self._cuts else 0
        try:
            far = await asyncio.open_connection(self._host, int(self._port))
        except OSError:
            writer.close()
            return
        self._transports.append(far[1].transport)
        back = asyncio.create_task(self._relay(far[0], writer, pieces_max))
        await self._relay(reader, far[1], 0)
        await back

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int
    ) -> None:
        """Pass pieces on, to the end or until enough have passed."""
        loop = asyncio.get_running_loop()
        count = 0
        with suppress(OSError):
            while piece := await reader.read(65536):
                count += 1
                if count == most:
                    writer.transport.abort()
                    self.was_cut += 1
                    return
                loop.call_later(self._delay, writer.write, piece)
        loop.call_later(self._delay, writer.close)


@contextmanager
def proxy(
    target: str, *, delay: float = 0.0, cuts: int = 0, after: int = 0
) -> Iterator[Proxy]:
    """Run a proxy until the block is left."""
    found = Proxy(target, delay=delay, cuts=cuts, after=after)
    is_ready, stop = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        await found.serve(is_ready, stop)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert is_ready.wait(30)
    try:
        yield found
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join()
