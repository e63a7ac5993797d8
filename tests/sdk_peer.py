"""A session of the SDK with a scripted peer and a clock that stands still."""

from collections.abc import Callable, Iterable

from hearts.arena.v1 import play_pb2
from hearts.bot import Bot
from hearts.cards import Card
from hearts.pace import QUICK_TURNS
from hearts.profile import Profile
from hearts.session import Session
from hearts.turn import Turn
from tests.sdk_frames import begun, game_ended, play_turn, start


class Lowest(Bot):
    """Plays the first of its choices and counts how often it was asked."""

    asked = 0

    def choose_card(self, turn: Turn) -> Card:
        self.asked += 1
        turn.remark = f"asked {self.asked}"
        return turn.choices[0]


class Peer:
    """A session with a clock that stands still until `now` is set."""

    def __init__(self, bot_class: Callable[[], Bot] = Lowest) -> None:
        self.now = 0.0
        self.reports: list[str] = []
        self.session = Session(
            bot_class,
            Profile(),
            clock=lambda: self.now,
            report=self.reports.append,
        )
        self.session.hello()

    def tell(self, frame: play_pb2.PlayResponse) -> list[play_pb2.PlayRequest]:
        """Hand a frame over, as it would come from the wire; give the requests."""
        copy = play_pb2.PlayResponse.FromString(frame.SerializeToString())
        self.session.receive(copy)
        return list(iter(self.session.answer, None))

    def become_trusted(self) -> None:
        """Play as many quick turns of another game as it takes, to its end."""
        numbers = range(9000, 9000 + QUICK_TURNS)
        frame = begun(*(play_turn(number, game_id="quick") for number in numbers))
        frame.starts.append(start("quick"))
        self.tell(frame)
        end = game_ended(game_id="quick")
        self.tell(play_pb2.PlayResponse(notices=[end]))


def answered(requests: Iterable[play_pb2.PlayRequest]) -> list[tuple[int, str]]:
    """Turn ids and cards of all answers, in order."""
    return [
        (answer.turn_id, " ".join(Card(number).name for number in answer.cards))
        for request in requests
        for answer in request.answers
    ]
