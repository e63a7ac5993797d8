"""Idle bots, as a program: `idle_bots ADDRESS FIRST COUNT`.

Each has a connection of its own, introduces itself and answers heartbeats; none of
them is ever seated. It is the bare protocol without the SDK, so that two thousand
of them cost little. Ready when every one has been welcomed.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc

from hearts.arena.v1 import play_pb2
from hearts.arena.v1.play_pb2_grpc import BotServiceStub
from tests.benchmarks.dialled import dialled_name
from tests.benchmarks.programs import announce, input_ended

OPTIONS = [
    ("grpc.use_local_subchannel_pool", 1),
    # With a proxy set in the environment, gRPC would not even reach localhost.
    ("grpc.enable_http_proxy", 0),
]
DIALLING_MAX = 32
"""How many dial in at the same time."""

# `Any` stands for grpc's call and stub types, which carry no annotations.
_open_stub: Any = BotServiceStub


class IdleBot:
    """One bot and its connection."""

    def __init__(self, address: str, name: str) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._metadata = (("authorization", f"Bearer {name}"),)
        self._call: Any = None

    async def introduce(self) -> None:
        """Connect, say hello and wait for the welcome."""
        self._call = _open_stub(self._channel).Play(metadata=self._metadata)
        hello = play_pb2.Hello(bot_version="1", max_games=1, workers=1)
        await self._call.write(play_pb2.PlayRequest(hello=hello))
        welcome = await self._call.read()
        assert welcome.HasField("welcome"), f"no welcome but {welcome!r}"
        await self._echo(welcome)

    async def stay(self) -> None:
        """Answer heartbeats until the call ends."""
        while (frame := await self._call.read()) is not grpc.aio.EOF:
            await self._echo(frame)

    async def _echo(self, frame: Any) -> None:
        if frame.HasField("heartbeat"):
            await self._call.write(play_pb2.PlayRequest(heartbeat=frame.heartbeat))

    async def close(self) -> None:
        """End the call and the connection."""
        self._call.cancel()
        await self._channel.close()


async def main(address: str, first: int, count: int) -> None:
    """Be there until the input ends."""
    names = map(dialled_name, range(first, first + count))
    bots = [IdleBot(address, name) for name in names]
    dialling = asyncio.Semaphore(DIALLING_MAX)

    async def dial(bot: IdleBot) -> None:
        async with dialling:
            await bot.introduce()

    await asyncio.gather(*map(dial, bots))
    staying = [asyncio.create_task(bot.stay()) for bot in bots]
    announce("ready")
    await input_ended()
    await asyncio.gather(*(bot.close() for bot in bots))
    await asyncio.gather(*staying, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
