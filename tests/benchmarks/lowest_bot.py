"""A bot that plays the lowest card, as a program: `lowest_bot STAMPS [GAMES_MAX]`.

It stamps every turn it is asked, with a mark that tells the card's place in its
deal; passes have mark 0. Beside the stamps it writes its process number. Address
and token come from the environment.
"""

from __future__ import annotations

import os
import sys
from array import array
from time import monotonic_ns

import hearts
from tests.benchmarks.programs import pid_path, write_stamps

STAMPS = array("Q")
"""A time and a mark for each turn, one after the other."""


def mark(*, deal_number: int, play_count: int) -> int:
    """Return what tells one card's place in its game: 0 is no card."""
    return deal_number * 64 + play_count + 1


class Lowest(hearts.Bot):
    """Plays the first choice in notation order, and passes the first three."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play the lowest card."""
        STAMPS.append(monotonic_ns())
        message = turn.message
        place = mark(deal_number=message.deal_number, play_count=len(message.plays))
        STAMPS.append(place)
        return turn.choices[0]

    def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
        """Pass the lowest cards."""
        STAMPS.append(monotonic_ns())
        STAMPS.append(0)
        return turn.choices[: turn.answer_count]


if __name__ == "__main__":
    games_max = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    pid_path(sys.argv[1]).write_text(str(os.getpid()))
    try:
        hearts.run(Lowest, max_games=games_max)
    finally:
        write_stamps(sys.argv[1], STAMPS)
