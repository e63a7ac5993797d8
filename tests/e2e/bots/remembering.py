"""A bot that plays, and tries to leave word of the cards to its next life."""

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import hearts
from hearts.league import LeagueError, download_games

(LEAGUE,) = sys.argv[1:]
NAME = "\0hearts-memory"
"""A socket without a file, where whatever outlives this process listens."""
KEEPER = f"""
import socket, time
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind({NAME!r})
    listener.listen()
    time.sleep(600)
"""
PLACES = [
    Path(folder) / "memory"
    for folder in (os.environ["HOME"], "/tmp", "/var/tmp", "/dev/shm", ".", "/run")
]


def remembered() -> list[str]:
    """Say what an earlier life has left."""
    found = [str(place) for place in PLACES if place.exists()]
    with suppress(OSError), socket.socket(socket.AF_UNIX) as keeper:
        keeper.connect(NAME)
        found.append("a process")
    return found


def remember(cards: str) -> None:
    """Leave word wherever that may last."""
    for place in PLACES:
        with suppress(OSError), place.open("a") as file:
            file.write(cards + "\n")


def say(text: str) -> None:
    """Write a line into the log."""
    print(text, file=sys.stderr, flush=True)


class Remembering(hearts.Bot):
    """Plays its first legal card, and notes its cards before the first trick."""

    def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
        """Note the hand."""
        remember(" ".join(map(str, turn.hand)))
        return list(turn.hand[:3])

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play the first card."""
        return turn.choices[0]

    def game_ended(self, end: hearts.GameEnded) -> None:
        """Say what a later game of this life would find."""
        say(f"noted: {remembered()}")


say(f"remembered: {remembered()}")
subprocess.Popen([sys.executable, "-c", KEEPER], start_new_session=True)
try:
    say(f"downloaded: {len(list(download_games(LEAGUE)))}")
except LeagueError as error:
    say(f"refused: {error}")
hearts.run(Remembering)
