"""
What is at stake under the rules in force, in the units in which `careful` thinks.

Its weights were found in the standard game. All other rules are brought to the same
scale, on which the hearts of one pack and its dearest spade cost 26 points: of the
scales that were tried, by tricks, by hearts or by all points, it lost the fewest.
"""

from typing import Final

from hearts.cards import CARDS, Card
from hearts.house.odds import odds_of
from hearts.house.pack import (
    BIT,
    NO_CARD,
    PACK,
    SPADES,
    SUIT_CARDS,
    both,
    double_set,
)
from hearts.rules import Rules, read_rules
from hearts.turn import Turn

POINT: Final = 1000
"""A point of the standard game, in the unit of all costs."""


class Stakes:
    """
    The pack, what its cards cost, and what else the rules mean for a policy.

    All of it follows from the rules, and nothing is changed afterwards.
    """

    __slots__ = (
        "bans_points",
        "bonus",
        "bonus_worth",
        "cancels",
        "cost",
        "dear",
        "from_queen",
        "has_kitty",
        "has_low_queen",
        "heart",
        "heart_cost",
        "is_double",
        "is_standard",
        "kitty_cost",
        "moon",
        "odds",
        "pack",
        "points",
        "points_feared",
        "queen",
        "queen_cost",
        "size",
        "total",
    )

    def __init__(self, rules: Rules) -> None:
        self.is_standard = is_standard(rules)
        """Whether four play with one whole pack for the usual points. Such games are
        played as ever, whatever else their rules say."""

        self.pack = double_set(rules.pack)
        """The set of all cards in play."""

        self.is_double = self.pack > PACK
        """Whether a card may be there twice."""

        self.size = rules.hand_size
        """How many cards a hand is dealt."""

        self.odds = odds_of(2 if self.is_double else 1)
        """The tables of chances."""

        scale = self._weigh_cards(rules)
        self._weigh_spades()
        self._weigh_bonus(rules, round(scale * rules.bonus_points))
        self.moon = self._moon_cost(rules, scale)
        """What the moon of another costs; 0 where there is none."""

        self.points_feared = -(-8 * self.total // 26)
        """From how many points on no heart is thrown to a seat that may shoot."""

        left_over = len(rules.pack) - rules.hand_size * rules.players
        self.has_kitty = left_over > 0
        self.kitty_cost = round(scale * self.total * left_over / len(rules.pack))
        """What is hidden in the kitty, on the average."""

        self.cancels = rules.has_cancellation
        """Whether equal cards in a trick cancel each other."""

        ban = rules.options.get("first_trick_ban", "penalties")
        self.bans_points = self.is_standard or ban == "penalties"
        """Whether nobody may throw points on the first trick."""

    def _weigh_cards(self, rules: Rules) -> float:
        """
        Find what each card costs; give the cost of one point.
        """
        self.points = [rules.points(card) for card in CARDS]
        self.points.insert(0, 0)
        """The penalty points of each card by its number, as the rules have them."""

        self.total = rules.total_points
        """The penalty points of one deal."""

        spades = [rules.points(card) for card in CARDS if card.suit == "S"]
        hearts = [rules.points(card) for card in CARDS if card.suit == "H"]
        scale = POINT * 26 / (sum(hearts) + max(spades))
        self.cost = [round(scale * points) for points in (*self.points, 0)]
        """What taking each card costs; below 0 for the bonus card."""

        self.heart_cost = round(scale * sum(hearts) / 13)
        """What a heart costs on the average."""

        return scale

    def _weigh_spades(self) -> None:
        spades = [card for card in CARDS if card.suit == "S" and self.cost[card]]
        self.queen = max(spades, key=self.cost.__getitem__, default=NO_CARD)
        """The spade that costs most, the queen nearly always."""

        self.queen_cost = self.cost[self.queen]
        self.has_low_queen = self.queen < Card("8S")
        """Whether it is so low that whoever wins a trick of spades may get it."""

        self.dear = both(sum([BIT[card] for card in spades]))
        """All spades that cost something."""

        self.from_queen = SUIT_CARDS[SPADES] & ~both(BIT[self.queen] - 1)
        """The queen and the spades above her."""

    def _weigh_bonus(self, rules: Rules, worth: int) -> None:
        self.bonus = int(rules.bonus_card or NO_CARD)
        """The card that is worth taking."""

        self.cost[self.bonus] += worth
        self.bonus_worth = -worth
        """What it is worth; 0 without one."""

    def _moon_cost(self, rules: Rules, scale: float) -> int:
        if self.is_standard:
            return 26 * POINT
        if rules.has_moon:
            return round(scale * rules.moon_points)
        # A sun alone is rarer than a moon.
        return round(scale * rules.sun_points) // 2 if rules.has_sun else 0


def is_standard(rules: Rules) -> bool:
    """
    Whether four play with one whole pack for the usual points and no bonus.
    """
    return (
        rules.players == 4
        and rules.pack == [*CARDS]
        and all(rules.points(card) == card.points for card in CARDS)
        and rules.bonus_card is None
    )


STANDARD: Final = Stakes(
    Rules(
        preset="arena",
        players=4,
        overrides={},
        hash="",
        pack=[*CARDS],
        card_points={card: card.points for card in CARDS},
        hand_size=13,
    )
)
"""Those of the standard game."""

_known: Final[dict[str, Stakes]] = {}


def stakes_of(turn: Turn) -> Stakes:
    """
    The stakes under the rules of a turn; the standard ones if it tells no pack.
    """
    rules = turn.start.rules
    stakes = _known.get(rules.hash)
    if stakes is None:
        if not rules.pack:
            return STANDARD
        stakes = Stakes(read_rules(rules))
        if stakes.is_standard:
            stakes = STANDARD
        # Equal hashes are equal rules, so this is worked out once.
        if rules.hash:
            _known[rules.hash] = stakes
    return stakes
