"""Messages of a scripted arena, as short as a test needs them."""

from collections.abc import Sequence
from typing import Any

from hearts.arena.v1 import game_pb2, play_pb2
from hearts.cards import Card

# Cards are given as names; the stubs want their own class of that name.
_Cards = Any


def cards(names: str) -> _Cards:
    """Read card names with spaces between them."""
    return [Card(name) for name in names.split()]


def welcome(
    *, games_resumed: int = 0, token: str = "", protocol_minor: int = 0
) -> play_pb2.PlayResponse:
    """Accept a session."""
    return play_pb2.PlayResponse(
        welcome=play_pb2.Welcome(
            session_id="s1",
            bot_name="ann",
            max_games=8,
            workers=1,
            token=token,
            protocol_minor=protocol_minor,
            games_resumed=games_resumed,
        )
    )


def start(game_id: str = "demo-1", *, seat: int = 2) -> game_pb2.GameStart:
    """Start a game of four."""
    return game_pb2.GameStart(
        game_id=game_id,
        seat=seat,
        players=4,
        rules=game_pb2.Rules(preset="arena", players=4, hash="abc"),
        seat_names=["ann", "ben", "cat", "dan"],
        time_control=game_pb2.TimeControl(
            bank_ms=30_000, increment_ms=100, turn_limit_ms=5_000
        ),
        table_key=b"12345678",
        league="demo",
        faults_max=3,
    )


def play_turn(
    turn_id: int,
    *,
    game_id: str = "demo-1",
    choices: str = "QS KS",
    plays: str = "",
    leaders: Sequence[int] = (),
    deal_number: int = 1,
) -> game_pb2.Turn:
    """Ask for a card."""
    return game_pb2.Turn(
        turn_id=turn_id,
        game_id=game_id,
        kind=game_pb2.TURN_KIND_PLAY,
        deal_number=deal_number,
        hand=cards(choices),
        choices=cards(choices),
        answer_count=1,
        plays=cards(plays),
        leaders=leaders,
        pass_direction=game_pb2.PASS_DIRECTION_LEFT,
        points=[0, 0, 0, 0],
        totals=[0, 0, 0, 0],
        turn_left_ms=5_000,
        bank_left_ms=30_000,
    )


def pass_turn(turn_id: int, *, choices: str, count: int = 3) -> game_pb2.Turn:
    """Ask for the cards to pass."""
    return game_pb2.Turn(
        turn_id=turn_id,
        game_id="demo-1",
        kind=game_pb2.TURN_KIND_PASS,
        deal_number=1,
        hand=cards(choices),
        choices=cards(choices),
        answer_count=count,
        pass_direction=game_pb2.PASS_DIRECTION_LEFT,
        points=[0, 0, 0, 0],
        totals=[0, 0, 0, 0],
    )


def moon_turn(turn_id: int) -> game_pb2.Turn:
    """Ask how the moon shall score."""
    return game_pb2.Turn(
        turn_id=turn_id,
        game_id="demo-1",
        kind=game_pb2.TURN_KIND_MOON,
        deal_number=1,
        moon_choices=[game_pb2.MOON_CHOICE_ADD, game_pb2.MOON_CHOICE_SUBTRACT],
        answer_count=1,
        points=[0, 0, 26, 0],
        totals=[0, 0, 0, 0],
    )


def turns(*messages: game_pb2.Turn) -> play_pb2.PlayResponse:
    """Put turns into a frame."""
    return play_pb2.PlayResponse(turns=messages)


def begun(*messages: game_pb2.Turn) -> play_pb2.PlayResponse:
    """Accept a session, start game `demo-1` and ask turns, all in one frame."""
    frame = welcome()
    frame.starts.append(start())
    frame.turns.extend(messages)
    return frame


def deal_ended(*, game_id: str = "demo-1", deal_number: int = 1) -> play_pb2.Notice:
    """Tell that a deal ended."""
    return play_pb2.Notice(
        deal_ended=game_pb2.DealEnded(
            game_id=game_id,
            deal_number=deal_number,
            points=[0, 0, 26, 0],
            totals=[26, 26, 0, 26],
            moon_seat=2,
            moon_choice=game_pb2.MOON_CHOICE_ADD,
        )
    )


def game_ended(*, game_id: str = "demo-1") -> play_pb2.Notice:
    """Tell that a game ended."""
    return play_pb2.Notice(
        game_ended=game_pb2.GameEnded(
            game_id=game_id,
            ending=game_pb2.GAME_ENDING_FINISHED,
            totals=[104, 26, 0, 26],
            places=[4, 2, 1, 2],
        )
    )


def closed(
    turn_id: int,
    *,
    game_id: str = "demo-1",
    reason: play_pb2.ClosedReason = play_pb2.CLOSED_REASON_LATE,
) -> play_pb2.PlayResponse:
    """Close a turn."""
    return play_pb2.PlayResponse(
        closed=[play_pb2.TurnClosed(turn_id=turn_id, game_id=game_id, reason=reason)]
    )
