"""
The rules in force, as a bot is told them: the pack, what costs, every option.

A bot that asks these instead of knowing one game by heart plays all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hearts.arena.v1 import game_pb2
from hearts.cards import CARD_BY_NUMBER, Card


@dataclass(frozen=True, slots=True)
class Rules:
    """
    The rules in force: a preset and what differs from it, and what follows from it.
    """

    preset: str
    """The name the rules came under; what they are stands in `options`."""

    players: int
    """How many seats they are for."""

    overrides: dict[str, str]
    """The options that differ from the preset, by name."""

    hash: str
    """The same for equal rules, whatever their names."""

    options: dict[str, str] = field(default_factory=dict)
    """Every option by name, as in a league file: `options["moon"]`."""

    pack: list[Card] = field(default_factory=list)
    """All cards in play, in notation order; one that is there twice stands twice."""

    card_points: Mapping[Card, int] = field(default_factory=dict)
    """The penalty points of each card in play, without the bonus."""

    hand_size: int = 0
    """How many cards each seat is dealt, and so how many tricks a deal has."""

    bonus_card: Card | None = None
    """The card that is worth `bonus_points` to whoever takes it."""

    bonus_points: int = 0
    """What the bonus card scores, below 0; 0 in rules without one."""

    moon_points: int = 0
    """
    What the moon is worth; 0 in rules without one. A bonus card that the rules fold
    in is left out: what is really at stake is `turn.moon_points`, when it is chosen.
    """

    sun_points: int = 0
    """What the sun is worth, likewise; 0 in rules without one."""

    def points(self, card: Card) -> int:
        """
        The penalty points of a card, without the bonus.
        """
        return self.card_points.get(card, 0)

    @property
    def total_points(self) -> int:
        """The penalty points of one deal."""
        return sum(map(self.points, self.pack))

    @property
    def target(self) -> int:
        """The total at which the game ends."""
        return int(self.options.get("target", 100))

    @property
    def packs(self) -> int:
        """How many packs are in play, 1 or 2."""
        return int(self.options.get("packs", 1))

    @property
    def has_moon(self) -> bool:
        """Whether it is worth something to take all penalty cards."""
        return self.options.get("moon", "off") != "off"

    @property
    def has_sun(self) -> bool:
        """Whether it is worth something to take all tricks."""
        return self.options.get("sun", "off") != "off"

    @property
    def has_cancellation(self) -> bool:
        """Whether equal cards in one trick cancel each other."""
        return self.options.get("cancellation") == "true"


def read_rules(message: game_pb2.Rules) -> Rules:
    """
    Read the rules out of their message.
    """
    pack = [CARD_BY_NUMBER[number] for number in message.pack]
    return Rules(
        preset=message.preset,
        players=message.players,
        overrides=dict(message.overrides),
        hash=message.hash,
        options=dict(message.options),
        pack=pack,
        card_points=dict(zip(pack, message.card_points, strict=False)),
        hand_size=message.hand_size,
        bonus_card=CARD_BY_NUMBER.get(message.bonus_card),
        bonus_points=message.bonus_points,
        moon_points=message.moon_points,
        sun_points=message.sun_points,
    )
