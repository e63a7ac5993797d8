"""What a bot without an SDK does with the frames of an arena of another process."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import grpc

from hearts.arena.v1 import play_pb2

Frames = Iterator[play_pb2.PlayResponse]
Send = Callable[[play_pb2.PlayRequest], None]


def hands_of(frames: Frames, count: int) -> dict[str, list[int]]:
    """Read until so many games have asked something; return the hand in each."""
    hands: dict[str, list[int]] = {}
    while len(hands) < count:
        hands.update({turn.game_id: list(turn.hand) for turn in next(frames).turns})
    return hands


def play(send: Send, frames: Frames, game_id: str, *, cards_left: int = 0) -> list[str]:
    """Play one game and leave the others alone; return how games end meanwhile.

    It ends with the call, or before a turn with so few cards in hand.
    """
    endings = []
    with suppress(grpc.RpcError):
        for frame in frames:
            mine = [turn for turn in frame.turns if turn.game_id == game_id]
            if any(len(turn.hand) <= cards_left for turn in mine):
                break
            answers = [
                play_pb2.Answer(
                    turn_id=turn.turn_id, cards=turn.choices[: turn.answer_count]
                )
                for turn in mine
            ]
            if answers:
                send(play_pb2.PlayRequest(answers=answers))
            for notice in frame.notices:
                if notice.HasField("game_ended"):
                    ended = notice.game_ended
                    endings.append(f"{ended.game_id} {ended.ending}")
    return endings
