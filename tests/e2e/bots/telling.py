"""A bot that tells a file which tokens it was given."""

import os
import sys

import hearts
from hearts.arena.v1 import play_pb2
from hearts.session import Session


class Telling(hearts.Bot):
    """Plays its first legal card."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play the first legal card."""
        return turn.choices[0]


def tell(token: str) -> None:
    """Add a token to the file, if it is one."""
    if token:
        with open(sys.argv[1], "a") as file:
            file.write(f"{token}\n")


receive = Session.receive


def receive_and_tell(session: Session, frame: play_pb2.PlayResponse) -> None:
    """Take a frame in; the session's own token comes with the first one."""
    tell(frame.welcome.token)
    receive(session, frame)


tell(os.environ["HEARTS_TOKEN"])
Session.receive = receive_and_tell  # type: ignore[assignment,method-assign]
hearts.run(Telling)
