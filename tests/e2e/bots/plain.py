"""A bot on plain grpcio, written from the `.proto` files alone, for one league.

It knows no rules: it answers any turn with the first choices. It ends after as
many games as its argument says.
"""

import os
import queue
import sys
from collections.abc import Iterator

import grpc

from hearts.arena.v1 import play_pb2, play_pb2_grpc

REQUESTS: "queue.Queue[play_pb2.PlayRequest | None]" = queue.Queue()


def requests() -> Iterator[play_pb2.PlayRequest]:
    """Yield what is to be sent, until there is nothing more."""
    yield play_pb2.PlayRequest(hello=play_pb2.Hello(bot_version="7", max_games=4))
    while (request := REQUESTS.get()) is not None:
        yield request


def main() -> None:
    """Play until enough games have ended, then leave."""
    games_left = int(sys.argv[1])
    options = [("grpc.enable_http_proxy", 0)]
    with grpc.insecure_channel(os.environ["HEARTS_ARENA"], options) as channel:
        metadata = [("authorization", f"Bearer {os.environ['HEARTS_TOKEN']}")]
        stub = play_pb2_grpc.BotServiceStub(channel)  # type: ignore[no-untyped-call]
        for response in stub.Play(requests(), metadata=metadata):
            answer = play_pb2.PlayRequest()
            for turn in response.turns:
                cards = turn.choices[: turn.answer_count]
                choice = turn.moon_choices[0] if turn.moon_choices else 0
                answer.answers.add(
                    turn_id=turn.turn_id, cards=cards, moon_choice=choice
                )
            if response.HasField("heartbeat"):
                answer.heartbeat.CopyFrom(response.heartbeat)
            REQUESTS.put(answer)
            games_left -= sum(n.HasField("game_ended") for n in response.notices)
            if games_left == 0:
                REQUESTS.put(play_pb2.PlayRequest(leave=play_pb2.Leave()))
                REQUESTS.put(None)


main()
