"""A bot that plays its first legal card, and takes its time for it."""

import time

import hearts


class Steady(hearts.Bot):
    """Thinks for as long every time."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play a card after a while."""
        time.sleep(0.02)
        return turn.choices[0]


hearts.run(Steady)
