"""
What a bot is: a class with `choose_card`.

One object is made for each game, without arguments, so whatever it keeps in
itself is that game's. Inheriting from `Bot` is a convenience: every other method
has a default that is used when a bot lacks it.
"""

from collections.abc import Iterable
from typing import Protocol

from hearts.cards import Card
from hearts.game import DealEnded, GameEnded, GameStart
from hearts.turn import Turn


class ChoosesCards(Protocol):
    """
    The least that a bot must have.
    """

    def choose_card(self, turn: Turn, /) -> int:
        """
        Choose one of `turn.choices` to play.
        """
        ...


class Bot:
    """
    A bot to inherit from.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose one of `turn.choices` to play.
        """
        raise NotImplementedError(f"{type(self).__name__} lacks choose_card")

    def choose_pass(self, turn: Turn) -> Iterable[Card]:
        """
        Choose `turn.answer_count` of `turn.choices` to pass on: here, the highest.

        A card that stands twice in the choices may be passed twice.
        """
        return highest_cards(turn.choices, turn.answer_count)

    def choose_moon(self, turn: Turn) -> str:
        """
        Choose one of `turn.moon_choices` after shooting the moon or the sun: here,
        `add`. `turn.kind` says which it is, `turn.moon_points` what it is worth.
        """
        ways = turn.moon_choices
        return "add" if "add" in ways else ways[0]

    def game_started(self, start: GameStart) -> None:
        """
        Take note that the game of this object begins, or goes on after a restart.
        """

    def deal_ended(self, end: DealEnded) -> None:
        """
        Take note of how a deal ended.
        """

    def game_ended(self, end: GameEnded) -> None:
        """
        Take note of how the game ended; the object is not used again.
        """


def highest_cards(cards: list[Card], count: int) -> list[Card]:
    """
    The `count` highest cards by rank, equal ranks in the order S H D C.

    A card that is there twice counts twice.
    """
    # Card numbers order the suits C D H S, so the larger number goes first.
    return sorted(cards, key=lambda card: (card.rank, card), reverse=True)[:count]
