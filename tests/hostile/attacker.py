"""One attacker, as a program: `python -m tests.hostile.attacker ADDRESS SEED FORCE`.

It runs all attacks in an order that its seed decides, again and again, until its
input ends. It is as nice as can be, since attackers have machines of their own.
"""

import os
import random
import sys
import threading
from contextlib import suppress
from itertools import count

from tests.benchmarks.programs import announce
from tests.hostile.attacks import ATTACKS
from tests.hostile.victim import victim_of


def main(address: str, seed: int, force: int) -> None:
    """Attack until the input ends."""
    os.nice(19)
    is_over = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        is_over.set()

    threading.Thread(target=wait, daemon=True).start()
    announce("ready")
    chance = random.Random(seed)
    for number in count(seed * 100):
        for name in chance.sample(list(ATTACKS), len(ATTACKS)):
            if is_over.is_set():
                return
            # A connection that is refused is what the attacker deserves.
            with suppress(OSError):
                ATTACKS[name](victim_of(address, number, force=force))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
