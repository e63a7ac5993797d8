"""How a session hands answers out: at once, until its bot has proved quick."""

from collections.abc import Callable

import pytest

from arena.edge_limits import RECEIVE_MAX_BYTES
from hearts.arena.v1 import cards_pb2, play_pb2
from hearts.cards import Card
from hearts.profile import Profile
from hearts.session import ANSWERS_MAX, Session
from hearts.turn import NOTE_LENGTH_MAX, Turn
from tests.sdk_frames import begun, play_turn, start, welcome
from tests.sdk_peer import Lowest, Peer, answered


def timed(seconds: Callable[[Turn], float]) -> Peer:
    """A peer whose bot takes so many seconds for a turn."""
    peer = Peer()

    class Timed(Lowest):
        def choose_card(self, turn: Turn) -> Card:
            peer.now += seconds(turn)
            return super().choose_card(turn)

    peer.session = Session(Timed, Profile(), clock=lambda: peer.now, report=print)
    peer.session.hello()
    return peer


def counts(peer: Peer, *, turn_count: int) -> list[int]:
    """How many answers each request holds when so many turns come at once."""
    frame = begun(*(play_turn(number) for number in range(1, turn_count + 1)))
    return [len(request.answers) for request in peer.tell(frame)]


def test_all_turns_of_a_frame_are_answered_in_one() -> None:
    """A trusted bot's answers go out with one frame, in the order of the turns."""
    frame = begun(play_turn(1), play_turn(2, game_id="demo-2", choices="2C 3C"))
    frame.starts.append(start("demo-2"))
    peer = Peer()
    peer.become_trusted()
    requests = peer.tell(frame)

    assert 1 == len(requests)
    assert [(1, "QS"), (2, "2C")] == answered(requests)


def test_answers_are_flushed_after_a_millisecond_of_computing() -> None:
    """A bot that needs time does not hold back the answers that it has."""
    peer = timed(lambda turn: 0.0006)
    peer.become_trusted()

    assert [2, 2, 1] == counts(peer, turn_count=5)


def test_a_slow_turn_of_a_new_bot_keeps_no_answer_waiting() -> None:
    """While nothing is known of a bot, each answer is out before the next turn."""
    out: list[int] = []
    seen: list[list[int]] = []

    class Watching(Lowest):
        def choose_card(self, turn: Turn) -> Card:
            seen.append(list(out))
            return super().choose_card(turn)

    peer = Peer(Watching)
    peer.session.receive(begun(play_turn(1), play_turn(2), play_turn(3)))
    while (request := peer.session.answer()) is not None:
        out.extend(answer.turn_id for answer in request.answers)

    assert [[], [1], [1, 2]] == seen
    assert [1, 2, 3] == out


def test_a_repeated_answer_does_not_wait_for_the_next_turn() -> None:
    """What was answered before a reconnect is out before a new turn begins."""
    peer = Peer()
    peer.tell(begun(play_turn(1)))
    peer.session.hello()
    again = welcome(games_resumed=1)
    again.starts.extend([start(), start("demo-2")])
    again.turns.extend([play_turn(1), play_turn(2, game_id="demo-2")])

    assert [1, 1] == [len(request.answers) for request in peer.tell(again)]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.0, [3]), (0.0049, [1, 1, 1]), (0.02, [1, 1, 1]), (0.021, [1, 1, 1])],
)
def test_an_answer_never_waits_longer_than_a_millisecond_by_choice(
    seconds: float, expected: list[int]
) -> None:
    """A trusted bot that takes its time sends each answer by itself."""
    peer = timed(lambda turn: seconds if turn.game_id == "demo-1" else 0.0)
    peer.become_trusted()

    assert expected == counts(peer, turn_count=3)


def test_trust_is_lost_by_one_slow_turn() -> None:
    """After a turn of more than 20 ms, a thousand turns are answered one by one."""
    peer = timed(lambda turn: 0.021 if turn.id == 1 else 0.0)
    peer.become_trusted()

    assert [1] * 1000 + [64] * 6 + [16] == counts(peer, turn_count=1400)


def test_trust_needs_quick_turns_in_a_row() -> None:
    """A turn of 5 ms starts the count again, and is no reason to lose trust."""
    peer = timed(lambda turn: 0.005 if turn.id in (150, 360) else 0.0)

    assert [1] * 349 + [11, 40] == counts(peer, turn_count=400)


def test_a_frame_holds_at_most_64_answers() -> None:
    """What is more goes into the next request."""
    peer = Peer()
    peer.become_trusted()

    assert [64, 64, 2] == counts(peer, turn_count=130)


def test_a_full_frame_of_the_longest_answers_is_taken() -> None:
    """With remarks that fill all their room it stays within what a request may be."""
    big = 2**32 - 1
    answer = play_pb2.Answer(
        turn_id=big,
        cards=map(cards_pb2.Card.Name, range(1, 53)),
        note="\U0001f0a1" * NOTE_LENGTH_MAX,
        think_ms=big,
        paused_ms=big,
    )
    request = play_pb2.PlayRequest(answers=[answer] * ANSWERS_MAX)

    assert RECEIVE_MAX_BYTES >= request.ByteSize()
