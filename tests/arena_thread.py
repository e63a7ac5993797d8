"""An arena in a thread, for tests that talk to it with plain gRPC."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import grpc
import trio

from arena.bindings import BotIdentity, token_digest
from arena.listen import Tls
from arena.record import Record
from arena.server import Library, Server, open_server
from arena.spec import GameSpec
from hearts.arena.v1 import play_pb2, play_pb2_grpc

WAIT_SECONDS = 30.0
"""How long a test waits for something that ought to happen at once."""
NAMES = ("ada", "bob", "cat", "dot", "eve")


class NamedTokens:
    """Tokens that are the names of the bots; `once-NAME` may be used once."""

    def __init__(self, names: Sequence[str] = NAMES) -> None:
        self.exchanged: dict[bytes, str] = {}
        self._known: Mapping[bytes, BotIdentity] = {
            token_digest(name): BotIdentity(name) for name in names
        }
        self._once = {
            token_digest(f"once-{name}"): BotIdentity(
                name, one_use=True, is_started=True
            )
            for name in names
        }

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return the bot whose name the token is."""
        return self._known.get(digest) or self._once.get(digest)

    def exchange(self, digest: bytes) -> str:
        """Return the plain name for a `once-` token, once."""
        return self._once.pop(digest).name


class RunningArena:
    """The arena of a test: its address, and a way into its trio thread."""

    def __init__(self, server: Server, token: trio.lowlevel.TrioToken) -> None:
        self.server = server
        self.address = server.address
        self._token = token

    def play(self, spec: GameSpec) -> Record:
        """Play a game; blocks until it ends."""
        return trio.from_thread.run(self.server.play, spec, trio_token=self._token)

    def play_all(self, specs: Sequence[GameSpec]) -> list[Record]:
        """Play games at the same time; blocks until the last one ends."""
        records: dict[str, Record] = {}

        async def play(spec: GameSpec) -> None:
            records[spec.game_id] = await self.server.play(spec)

        async def play_them() -> None:
            async with trio.open_nursery() as nursery:
                for spec in specs:
                    nursery.start_soon(play, spec)

        trio.from_thread.run(play_them, trio_token=self._token)
        return [records[spec.game_id] for spec in specs]

    def wait_for(self, condition: Callable[[Server], bool]) -> None:
        """Wait until a condition on the connected bots holds."""

        async def wait() -> None:
            with trio.fail_after(WAIT_SECONDS):
                while not condition(self.server):
                    await self.server.presence_changed()

        trio.from_thread.run(wait, trio_token=self._token)

    @contextmanager
    def bot(
        self, token: str, **hello: object
    ) -> "Iterator[tuple[Callable[..., None], Iterator[play_pb2.PlayResponse]]]":
        """Dial in; yields a function that sends a request, and the responses."""
        with dialled(self.address, token, **hello) as dialogue:
            yield dialogue


@contextmanager
def dialled(
    address: str, token: str, **hello: object
) -> "Iterator[tuple[Callable[..., None], Iterator[play_pb2.PlayResponse]]]":
    """Dial in as a bot; yields a function that sends a request, and the responses."""
    outgoing: list[play_pb2.PlayRequest | None] = []
    ready = threading.Semaphore(0)

    def requests() -> Iterator[play_pb2.PlayRequest]:
        while True:
            ready.acquire()
            request = outgoing.pop(0)
            if request is None:
                return
            yield request

    def send(request: play_pb2.PlayRequest | None = None) -> None:
        outgoing.append(request)
        ready.release()

    with open_channel(address) as channel:
        stub = play_pb2_grpc.BotServiceStub(channel)  # type: ignore[no-untyped-call]
        metadata = (("authorization", f"Bearer {token}"),)
        call = stub.Play(requests(), metadata=metadata, timeout=WAIT_SECONDS)
        if "hello" not in hello:
            send(play_pb2.PlayRequest(hello=play_pb2.Hello(**hello)))  # type: ignore[arg-type]
        try:
            yield send, call
        finally:
            send()
            call.cancel()


def open_channel(address: str) -> grpc.Channel:
    """Open a channel of its own to a local arena."""
    options = [
        ("grpc.enable_http_proxy", 0),
        ("grpc.use_local_subchannel_pool", 1),
    ]
    return grpc.insecure_channel(address, options=options)


@contextmanager
def running_arena(
    *,
    names: Sequence[str] = NAMES,
    library: Library | None = None,
    host: str = "127.0.0.1",
    tls: Tls | None = None,
    program_sockets: Sequence[str] = (),
    operator_token: str = "",
) -> Iterator[RunningArena]:
    """Run an arena on a free port of the loopback until the block is left."""
    started: list[RunningArena] = []
    is_started = threading.Event()
    ends: list[trio.Event] = []

    async def serve() -> None:
        async with open_server(
            tokens=NamedTokens(names),
            library=library,
            host=host,
            tls=tls,
            program_sockets=program_sockets,
            operator_token=operator_token,
        ) as server:
            ends.append(trio.Event())
            token = trio.lowlevel.current_trio_token()
            started.append(RunningArena(server, token))
            is_started.set()
            await ends[0].wait()

    thread = threading.Thread(target=trio.run, args=(serve,), daemon=True)
    thread.start()
    assert is_started.wait(WAIT_SECONDS)
    token = started[0]._token
    try:
        yield started[0]
    finally:
        token.run_sync_soon(ends[0].set)
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive(), "the arena did not end"
