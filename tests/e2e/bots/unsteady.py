"""A bot with one way to fail, which its first argument names."""

import os
import signal
import sys
import time
from pathlib import Path

import hearts

MODE, MEMORY = sys.argv[1], Path(f"{os.environ['HEARTS_BOT']}.memory")


class Unsteady(hearts.Bot):
    """Plays its first legal card, unless it fails."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Fail in the middle of the first deal of the game."""
        is_middle = turn.deal_number == 1 and len(turn.leaders) == 5
        if is_middle and MODE == "illegal":
            return next(card for card in hearts.CARDS if card not in turn.hand)
        if is_middle and MODE == "sleepy" and not MEMORY.exists():
            MEMORY.touch()
            time.sleep(6)
        if is_middle and MODE == "killed" and not MEMORY.exists():
            MEMORY.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if is_middle and MODE == "gone":
            os._exit(3)
        return turn.choices[0]


# An answer waits a moment for others to share its message: with one game at a time
# it is the sleeper's own turn that is late, and no other that was just answered.
hearts.run(Unsteady, max_games=1 if MODE == "sleepy" else 8)
