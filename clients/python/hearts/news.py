"""
Texts for people about what an arena says of its own accord.
"""

from typing import Final

from hearts.arena.v1 import play_pb2
from hearts.game import GameEnded

_CLOSED_CAUSES: Final = {
    play_pb2.CLOSED_REASON_LATE: "no answer in time, the arena has answered",
    play_pb2.CLOSED_REASON_GIVEN_UP: "the seat is given up, a stand-in plays on",
}


def rejected_text(rejected: play_pb2.Rejected) -> str:
    """
    Why an answer was refused; empty for a late one, which is told when its turn
    is closed.
    """
    if rejected.reason == play_pb2.REJECTION_REASON_TOO_LATE:
        return ""
    # The message says too what was expected and what was taken instead.
    return f"turn {rejected.turn_id} of {rejected.game_id}: {rejected.message}"


def closed_text(closed: play_pb2.TurnClosed) -> str:
    """
    Why the arena waits for an answer no more; empty when that is no news.
    """
    cause = _CLOSED_CAUSES.get(closed.reason)
    return f"turn {closed.turn_id} of {closed.game_id}: {cause}" if cause else ""


def ended_text(end: GameEnded, *, seat: int) -> str:
    """
    What a game came to for the bot's own seat.
    """
    if seat >= min(len(end.places), len(end.totals)):
        return f"game {end.game_id}: {end.ending}, {end.message}"
    fault_count = len(end.faults)
    return (
        f"game {end.game_id}: place {end.places[seat]} of {len(end.places)},"
        f" points {end.totals[seat]},"
        f" {fault_count} fault{'' if fault_count == 1 else 's'}"
    )
