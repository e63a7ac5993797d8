"""Turns in the hands of workers, while the session's conversation goes on."""

from hearts.arena.v1 import play_pb2
from hearts.session import Asked, Session
from tests.sdk_frames import (
    begun,
    closed,
    deal_ended,
    game_ended,
    play_turn,
    start,
    turns,
    welcome,
)
from tests.sdk_peer import Peer, answered


def take(session: Session) -> Asked:
    """Take a turn that must be there."""
    asked = session.take()
    assert asked is not None
    return asked


def test_a_busy_object_is_not_asked_a_second_time() -> None:
    """What arrives for a game in a worker's hands waits until it is settled."""
    peer = Peer()
    session = peer.session
    session.receive(begun(play_turn(1)))
    asked = take(session)
    session.receive(closed(1))
    frame = turns(play_turn(2, deal_number=2))
    frame.notices.append(deal_ended())
    session.receive(frame)

    assert session.take() is None
    session.settle(asked, session.choose(asked))

    assert 2 == take(session)[0].id


def test_a_late_answer_of_a_worker_is_sent_all_the_same() -> None:
    """An answer to a closed turn tells the arena that the bot is back."""
    session = Peer().session
    session.receive(begun(play_turn(1)))
    asked = take(session)
    session.receive(closed(1))
    session.receive(play_pb2.PlayResponse(notices=[game_ended()]))
    session.settle(asked, session.choose(asked))
    request = session.request()

    assert request is not None
    assert [(1, "QS")] == answered([request])
    assert 0 == session.game_count


def test_a_late_turn_is_skipped_with_an_echo_unless_it_is_begun() -> None:
    """A closing's heartbeat goes back at once, or the late answer speaks for it."""
    session = Peer().session
    session.receive(begun(play_turn(1), play_turn(2, game_id="other")))
    asked = take(session)
    for turn_id, echo in ((1, None), (2, play_pb2.Heartbeat(id=8))):
        frame = closed(turn_id)
        frame.heartbeat.id = 8
        session.receive(frame)
        request = session.request()

        assert echo == (request.heartbeat if request is not None else None)
    session.settle(asked, session.choose(asked))
    request = session.request()

    assert request is not None
    assert [(1, "QS")] == answered([request])
    assert not request.HasField("heartbeat")


def test_a_turn_repeated_in_a_workers_hands_is_answered_once() -> None:
    """A reconnect during computing leads to one answer, sent to the new stream."""
    session = Peer().session
    session.receive(begun(play_turn(1)))
    asked = take(session)
    session.hello()
    again = welcome(games_resumed=1)
    again.starts.append(start())
    again.turns.append(play_turn(1))
    session.receive(again)

    assert session.take() is None
    session.settle(asked, session.choose(asked))
    request = session.request()

    assert request is not None
    assert [(1, "QS")] == answered([request])


def test_an_answer_for_an_arena_that_is_gone_is_dropped() -> None:
    """A worker's answer does not reach an arena that does not know the game."""
    session = Peer().session
    session.receive(begun(play_turn(1)))
    asked = take(session)
    session.hello()
    session.receive(welcome())
    session.settle(asked, session.choose(asked))

    assert session.request() is None
