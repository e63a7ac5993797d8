"""What the SDK says of time that constructors and hooks took, apart from turns."""

import pytest

from hearts.arena.v1 import play_pb2
from hearts.cards import Card
from hearts.game import DealEnded
from hearts.turn import Turn
from tests.sdk_frames import begun, deal_ended, play_turn, start, turns, welcome
from tests.sdk_peer import Lowest, Peer


class Sluggish(Lowest):
    """Takes 1.5 seconds to be made, and half a second for each piece of news."""

    peer: Peer

    def __init__(self) -> None:
        self.peer.now += 1.5

    def deal_ended(self, news: DealEnded) -> None:
        self.peer.now += 0.5

    def choose_card(self, turn: Turn) -> Card:
        self.peer.now += 0.0078125
        return super().choose_card(turn)


def sluggish() -> Peer:
    """Return a peer whose bots take their time apart from their turns."""
    peer = Peer(Sluggish)
    Sluggish.peer = peer
    return peer


def thoughts(requests: list[play_pb2.PlayRequest]) -> list[int]:
    """Thinking times of all answers, in order."""
    return [answer.think_ms for request in requests for answer in request.answers]


def test_constructors_and_hooks_count_once_with_the_next_answer() -> None:
    """A turn waits for all that happens in the process, and its answer says so."""
    peer = sluggish()
    ended = turns(play_turn(3))
    ended.notices.append(deal_ended())

    assert [1_507, 7] == thoughts(peer.tell(begun(play_turn(1), play_turn(2))))
    assert [507] == thoughts(peer.tell(ended))
    assert [7] == thoughts(peer.tell(turns(play_turn(4))))


@pytest.mark.parametrize(("idle", "think_ms"), [(0.04, 1_507), (0.06, 7)])
def test_a_turn_that_came_later_did_not_wait(idle: float, think_ms: int) -> None:
    """What was done before, with nothing to do since, delays no turn."""
    peer = sluggish()
    peer.tell(begun())
    peer.now += idle

    assert [think_ms] == thoughts(peer.tell(turns(play_turn(1))))


def test_small_things_do_not_revive_old_ones() -> None:
    """A heartbeat long after a constructor makes no turn wait for that one."""
    peer = sluggish()
    peer.tell(begun())
    peer.now += 60.0
    peer.tell(play_pb2.PlayResponse(heartbeat=play_pb2.Heartbeat(id=9)))

    assert [7] == thoughts(peer.tell(turns(play_turn(1))))


def test_news_after_a_thought_count_with_the_next_turn() -> None:
    """What comes for a game whose turn is with a worker waits, and its time too."""
    peer = sluggish()
    session = peer.session
    session.receive(begun(play_turn(1)))
    first = session.take()
    assert first is not None
    session.receive(play_pb2.PlayResponse(notices=[deal_ended()]))
    session.receive(turns(play_turn(2)))
    answer = session.choose(first)
    session.settle(first, answer)
    second = session.take()
    assert second is not None

    assert [1_507, 507] == [answer.think_ms, session.choose(second).think_ms]


def test_a_new_connection_waits_for_nothing_of_the_last() -> None:
    """No clock ran while the connection was lost."""
    peer = sluggish()
    peer.session.receive(begun())
    peer.session.hello()
    frame = welcome(games_resumed=1)
    frame.starts.append(start())
    frame.turns.append(play_turn(1))

    assert [7] == thoughts(peer.tell(frame))
