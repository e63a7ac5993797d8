"""A bot of the soak, as a program: `bot INSTANCE`; it plays the first choice.

Address and token come from the environment.
"""

import sys

import hearts


class First(hearts.Bot):
    """Plays the first choice in notation order."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play the lowest card."""
        return turn.choices[0]


if __name__ == "__main__":
    hearts.run(First, max_games=64, instance=sys.argv[1])
