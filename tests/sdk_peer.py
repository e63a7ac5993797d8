"""A session of the SDK with a scripted peer and a clock that stands still."""

from collections.abc import Callable, Iterable

from hearts.arena.v1 import play_pb2
from hearts.bot import Bot
from hearts.cards import Card
from hearts.session import Profile, Session
from hearts.turn import Turn


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


def answered(requests: Iterable[play_pb2.PlayRequest]) -> list[tuple[int, str]]:
    """Turn ids and cards of all answers, in order."""
    return [
        (answer.turn_id, " ".join(Card(number).name for number in answer.cards))
        for request in requests
        for answer in request.answers
    ]
