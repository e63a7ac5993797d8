"""A bot with one way to lose time, which its first argument names.

It plays its first legal cards. In its first pass of all it is late: `sleeps`,
`stops` its own process for a while, stops it and is `killed`, or `arena`, which
stops the arena itself for a second, whose process id is in the file `arena.pid`.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import hearts

MODE = sys.argv[1]
MEMORY = Path(f"{MODE}.memory")


def stop(pid: int, *, seconds: float, then: str) -> None:
    """Stop a process, and have it sent another signal some time later."""
    subprocess.Popen(["sh", "-c", f"sleep {seconds}; kill -{then} {pid}"])
    os.kill(pid, signal.SIGSTOP)


class Late(hearts.Bot):
    """Plays its first legal card."""

    def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
        """Lose time, once in a league."""
        if MODE != "plain" and not MEMORY.exists():
            MEMORY.touch()
            self.lose_time()
        return turn.choices[:3]

    def lose_time(self) -> None:
        """Do what the program's argument says."""
        if MODE == "sleeps":
            time.sleep(0.8)
        elif MODE == "arena":
            # The arena knows by then that the turns have left, and clocks run.
            time.sleep(0.15)
            stop(int(Path("arena.pid").read_text()), seconds=1.0, then="CONT")
        else:
            then = "CONT" if MODE == "stops" else "KILL"
            stop(os.getpid(), seconds=0.8, then=then)

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play the first legal card."""
        return turn.choices[0]


hearts.run(Late)
