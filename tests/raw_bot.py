"""A bot from the .proto files alone: plain grpcio, no SDK and no rules of Hearts.

It answers every turn with the first `answer_count` of its choices. A program of
its own, for tests: `python tests/raw_bot.py --arena HOST:PORT --token TOKEN`.
"""

from __future__ import annotations

import argparse
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator

import grpc

from hearts.arena.v1 import game_pb2, play_pb2, play_pb2_grpc

OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_http_proxy", 0),
)
FINAL_CODES = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ABORTED,
)
REDIAL_SECONDS = 0.2


def answer(turn: game_pb2.Turn) -> play_pb2.Answer:
    """Return an answer that any turn accepts, whatever its kind."""
    count = turn.answer_count
    if turn.choices:
        return play_pb2.Answer(turn_id=turn.turn_id, cards=turn.choices[:count])
    return play_pb2.Answer(turn_id=turn.turn_id, moon_choice=turn.moon_choices[0])


class Connection:
    """One stream: what is to be sent waits in a queue, None ends it."""

    def __init__(self, hello: play_pb2.Hello) -> None:
        self.requests: queue.SimpleQueue[play_pb2.PlayRequest | None]
        self.requests = queue.SimpleQueue()
        self.requests.put(play_pb2.PlayRequest(hello=hello))

    def leave(self) -> None:
        """End the session for good."""
        leave = play_pb2.Leave(message="told to stop")
        self.requests.put(play_pb2.PlayRequest(leave=leave))
        self.requests.put(None)

    def play(self, stub: play_pb2_grpc.BotServiceStub, token: str) -> str:
        """Play until the stream ends; return the token to use from then on."""
        metadata = (("authorization", f"Bearer {token}"),)
        requests: Iterator[play_pb2.PlayRequest] = iter(self.requests.get, None)
        for frame in stub.Play(requests, metadata=metadata):
            token = frame.welcome.token or token
            request = play_pb2.PlayRequest(
                answers=[answer(turn) for turn in frame.turns],
                heartbeat=frame.heartbeat if frame.HasField("heartbeat") else None,
            )
            if request.answers or request.HasField("heartbeat"):
                self.requests.put(request)
        return token


def run(address: str, token: str, hello: play_pb2.Hello) -> int:
    """Play until a signal says stop or the arena refuses; return the exit code."""
    stopping = threading.Event()
    connection = Connection(hello)

    def stop(_number: int, _frame: object) -> None:
        stopping.set()
        connection.leave()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while not stopping.is_set():
        connection = Connection(hello)
        with grpc.insecure_channel(address, options=OPTIONS) as channel:
            try:
                # Generated code has no types.
                stub = play_pb2_grpc.BotServiceStub(channel)  # type: ignore[no-untyped-call]
                token = connection.play(stub, token)
            except grpc.RpcError as error:
                if error.code() in FINAL_CODES:
                    print(f"{error.code().name}: {error.details()}", file=sys.stderr)
                    return 2
            finally:
                # Lets gRPC's reader of the queue go.
                connection.requests.put(None)
        if not stopping.is_set():
            time.sleep(REDIAL_SECONDS)
    return 0


def main() -> int:
    """Play with what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arena", required=True, metavar="HOST:PORT")
    parser.add_argument("--token", required=True)
    parser.add_argument("--max-games", type=int, default=4, metavar="N")
    arguments = parser.parse_args()
    hello = play_pb2.Hello(
        sdk="none, plain grpcio",
        max_games=arguments.max_games,
        # Whoever takes the first of the choices plays anything.
        capabilities=play_pb2.Capabilities(
            presets=["*"], players=range(3, 12), two_packs=True, moon_choice=True
        ),
    )
    return run(arguments.arena, arguments.token, hello)


if __name__ == "__main__":
    sys.exit(main())
