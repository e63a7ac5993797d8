"""What authors and hosts read of games: views in print, lines of practice."""

import pytest

from hearts.arena.v1 import game_pb2, play_pb2
from hearts.game import DealEnded, GameEnded, GameStart
from hearts.news import ended_text
from hearts.profile import Profile
from hearts.session import Session
from tests.sdk_frames import begun, game_ended
from tests.sdk_peer import Lowest


def test_news_can_be_printed() -> None:
    """What a bot is told says in one line what it is about."""
    start = game_pb2.GameStart(game_id="demo-1", seat=2, seat_names=["a", "b"])
    deal = game_pb2.DealEnded(
        game_id="demo-1", deal_number=3, points=[1, 25], totals=[9, 40]
    )
    void = game_pb2.GameEnded(
        game_id="demo-1", ending=game_pb2.GAME_ENDING_VOID, message="stopped"
    )
    game = game_pb2.GameEnded(
        game_id="demo-1",
        ending=game_pb2.GAME_ENDING_FINISHED,
        totals=[9, 40],
        places=[1, 2],
    )

    assert "<GameStart demo-1: seat 2 of ['a', 'b']>" == repr(GameStart(start))
    assert "<DealEnded 3 of demo-1: points [1, 25], totals [9, 40]>" == repr(
        DealEnded(deal)
    )
    assert "<GameEnded demo-1, void: stopped>" == repr(GameEnded(void))
    assert "<GameEnded demo-1, finished: totals [9, 40], places [1, 2]>" == repr(
        GameEnded(game)
    )


@pytest.mark.parametrize("practice", [True, False])
def test_in_practice_each_game_ends_with_a_line(practice: bool) -> None:
    """Practice has no standings, so the author reads how each game went."""
    reports: list[str] = []
    profile = Profile(practice=practice)
    session = Session(Lowest, profile, clock=float, report=reports.append)
    session.hello()
    session.receive(begun())
    ended = game_ended()
    ended.game_ended.faults.add(kind=game_pb2.FAULT_KIND_LATE)
    session.receive(play_pb2.PlayResponse(notices=[ended]))
    line = "game demo-1: place 1 of 4, points 0, 1 fault"

    assert ([line] if practice else []) == reports


def test_a_void_game_of_practice_says_why() -> None:
    """A game that does not count has no places to tell."""
    end = game_pb2.GameEnded(
        game_id="practice-3",
        ending=game_pb2.GAME_ENDING_VOID,
        message="the arena was stopped",
    )

    assert "game practice-3: void, the arena was stopped" == ended_text(
        GameEnded(end), seat=0
    )
