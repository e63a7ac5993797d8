"""
The house bot `daring`: `careful`, until a hand is strong enough for the moon.
"""

from typing import Final

from hearts.bot import Bot
from hearts.cards import Card
from hearts.house import careful
from hearts.house.moon import odds, pass_for_moon, play_for_moon
from hearts.house.sight import Sight
from hearts.house.stakes import stakes_of
from hearts.turn import Turn

DARE: Final = 400
"""From which odds the moon is tried, as their logarithm in thousandths: 3 to 2."""

DARE_PER_POINT: Final = 180
"""How much less will do for each point of 26 that has been taken already."""

DARE_PASS: Final = -490
"""From which odds cards are passed for the moon: 3 to 5. What comes in return may
help, and giving up early costs little."""


class Daring(Bot):
    """
    Plays like `careful`, but shoots the moon with a strong hand.
    """

    def choose_card(self, turn: Turn) -> Card:
        """
        Choose a card for the moon as long as it is possible and likely.
        """
        choices = turn.choices
        if len(choices) == 1:
            return choices[0]
        points = turn.points
        taken = points[turn.seat]
        if sum(points) == taken and not stakes_of(turn).is_double:
            sight = Sight(turn)
            taken = taken * 26 // sight.stakes.total
            if odds(sight, taken) > DARE - DARE_PER_POINT * taken and _pays(turn):
                return play_for_moon(sight, choices)
        return careful.choose_card(turn)

    def choose_pass(self, turn: Turn) -> list[Card]:
        """
        Choose the losers of a hand that is strong without them.
        """
        stakes = stakes_of(turn)
        if not stakes.is_double:
            chosen, odds_after = pass_for_moon(turn, stakes)
            if odds_after > DARE_PASS and _pays(turn):
                return chosen
        return careful.choose_pass(turn)

    def choose_moon(self, turn: Turn) -> str:
        """
        Add, unless that loses the game.
        """
        return careful.choose_moon(turn)


def _pays(turn: Turn) -> bool:
    """
    Whether taking all penalty cards is worth something under the rules in force, and
    takes nothing else.
    """
    options = turn.start.rules.options
    needs_bonus = options.get("moon_needs_bonus") == "true"
    return options.get("moon") != "off" and not needs_bonus
