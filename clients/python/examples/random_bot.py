"""A bot that passes and plays at random.

HEARTS_TOKEN=… python random_bot.py
"""

import sys

import hearts


class RandomBot(hearts.Bot):
    """Any legal card will do."""

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Choose any card."""
        # The turn's own numbers: a rerun of the game plays the same way.
        return turn.random.choice(turn.choices)

    def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
        """Choose any cards."""
        return turn.random.sample(turn.choices, turn.answer_count)


if __name__ == "__main__":
    hearts.run(RandomBot, practice="--practice" in sys.argv)
