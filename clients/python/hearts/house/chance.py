"""
The house bot `random`: the weakest opponent, and the one that finds every corner.
"""

from hearts.bot import Bot
from hearts.cards import Card
from hearts.turn import Turn


class Random(Bot):
    """
    Passes and plays at random.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose any legal card.
        """
        choices = turn.choices
        if len(choices) == 1:
            return choices[0]
        return choices[int(turn.random.random() * len(choices))]

    def choose_pass(self, turn: Turn) -> list[Card]:
        """
        Choose any cards.
        """
        return turn.random.sample(turn.choices, turn.answer_count)

    def choose_moon(self, turn: Turn) -> str:
        """
        Choose any way to score the moon.
        """
        return turn.random.choice(turn.moon_choices)
