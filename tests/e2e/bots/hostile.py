"""A bot that plays, and meanwhile does what its first argument names."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import hearts

MODE, *ARGUMENTS = sys.argv[1:]


def eat_memory() -> None:
    """Take memory until there is none."""
    eaten = []
    while True:
        eaten.append(b"x" * (4 << 20))


def multiply() -> None:
    """Start processes until there can be no more."""
    while True:
        subprocess.Popen(["sleep", "600"])


def fill_disk() -> None:
    """Write files until the disk is full."""
    for number in range(1000):
        Path(f"{os.environ['HOME']}/{number}").write_bytes(bytes(1 << 20))


def look_around() -> None:
    """Say on standard error what of the host's it could get at."""
    data, port, pid = ARGUMENTS
    found = [str(path) for path in Path(data).rglob("*")]
    found += [f"process {pid}"] if Path(f"/proc/{pid}").exists() else []
    try:
        socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
        found.append(f"port {port}")
    except OSError:
        pass
    others = Path.cwd().parent
    found += [str(path) for path in others.rglob("*.py") if path.parent != Path.cwd()]
    print(f"found: {found}", file=sys.stderr, flush=True)


DEEDS = {"memory": eat_memory, "processes": multiply, "disk": fill_disk}


class Hostile(hearts.Bot):
    """Plays its first legal card, and is hostile in the middle of each game."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Do its deed in the middle of the first deal."""
        if turn.deal_number == 1 and len(turn.leaders) == 5:
            try:
                DEEDS.get(MODE, look_around)()
            except OSError as error:
                print(f"failed: {error.strerror}", file=sys.stderr, flush=True)
        return turn.choices[0]


hearts.run(Hostile)
