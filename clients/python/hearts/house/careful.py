"""The house bot `careful`."""

from hearts.bot import Bot
from hearts.cards import Card
from hearts.turn import Turn

VERSION = "careful-1"


def choose_card(turn: Turn) -> Card:
    """Return the lowest legal card by rank."""
    return min(turn.choices, key=lambda card: card.rank)


def choose_pass(turn: Turn) -> list[Card]:
    """Return the highest cards by rank."""
    ordered = sorted(turn.choices, key=lambda card: card.rank)
    return ordered[-turn.answer_count :]


def choose_moon(turn: Turn) -> str:
    """Return how the moon scores."""
    return "add"


class Careful(Bot):
    """Plays by the functions above."""

    def choose_card(self, turn: Turn) -> Card:
        """Choose the card to play."""
        return choose_card(turn)
