"""A small real arena that says what its script says, to test clients with.

A script is a list of conversations, one for each connection in turn; a
conversation is a list of steps. The arena keeps what it was told, and a request
that is not the one expected ends the script with a failure that shows both.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio

from hearts.arena.v1 import play_pb2, play_pb2_grpc

# Generated without types.
_add_to_server: Any = play_pb2_grpc.add_BotServiceServicer_to_server

SECONDS_MAX = 20.0
"""How long a script may take; what fails only hangs this long."""


@dataclass(frozen=True, slots=True)
class Say:
    """Send a frame."""

    frame: play_pb2.PlayResponse


@dataclass(frozen=True, slots=True)
class Expect:
    """Wait for a request equal to this one; thinking times are not compared."""

    request: play_pb2.PlayRequest


@dataclass(frozen=True, slots=True)
class ExpectEnd:
    """Wait until the client ends its side."""


@dataclass(frozen=True, slots=True)
class End:
    """End the call with a status."""

    code: grpc.StatusCode
    details: str = ""
    metadata: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Meet:
    """Set one event of the test and wait for another."""

    reached: asyncio.Event
    go_on: asyncio.Event


Step = Say | Expect | ExpectEnd | End | Meet


@dataclass
class ScriptedArena(play_pb2_grpc.BotServiceServicer):
    """The conversations to hold and what was heard in them."""

    script: Sequence[Sequence[Step]]
    hellos: list[play_pb2.Hello] = field(default_factory=list)
    leaves: list[play_pb2.Leave] = field(default_factory=list)
    """What stood beside each `Hello`."""
    tokens: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def Play(self, requests: Any, context: Any) -> None:  # noqa: N802
        """Hold the next conversation."""
        number = len(self.hellos)
        metadata = dict(context.invocation_metadata())
        self.tokens.append(metadata.get("authorization", ""))
        first = await context.read()
        if first is grpc.aio.EOF or number >= len(self.script):
            self._fail(f"connection {number + 1} is not in the script")
            return
        self.hellos.append(first.hello)
        self.leaves.append(first.leave)
        for step in self.script[number]:
            await self._do(step, context)
            if self.failures:
                return
        if number + 1 == len(self.script):
            self.done.set()

    async def _do(self, step: Step, context: Any) -> None:
        match step:
            case Say():
                await context.write(step.frame)
            case Expect():
                request = await context.read()
                if request is not grpc.aio.EOF:
                    for answer in request.answers:
                        # What a client measures depends on the machine.
                        answer.think_ms = answer.paused_ms = 0
                if request != step.request:
                    self._fail(f"expected {step.request}, got {request}")
            case ExpectEnd():
                request = await context.read()
                if request is not grpc.aio.EOF:
                    self._fail(f"expected the end, got {request}")
            case End():
                if self.script[-1][-1] is step:
                    self.done.set()
                await context.abort(step.code, step.details, step.metadata)
            case Meet():
                step.reached.set()
                await step.go_on.wait()

    def _fail(self, text: str) -> None:
        self.failures.append(text)
        self.done.set()
        for conversation in self.script:
            for step in conversation:
                if isinstance(step, Meet):
                    step.reached.set()


@asynccontextmanager
async def open_arena(arena: ScriptedArena, *, port: int = 0) -> AsyncIterator[str]:
    """Serve a script on this machine; give its address."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    _add_to_server(arena, server)
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)
