"""A bot that gets rid of danger.

It ducks when it can, keeps the queen of spades covered, throws her on others, and
takes a heart to stop a moon. It asks the rules what a card costs, so it makes its way
in every variant; what is special about one it does not know.

    HEARTS_TOKEN=… python careful_bot.py
"""

import sys

from hearts import QS, Bot, Card, Turn, run

MOON_PART = 3
"""Others should beware of a seat that alone has taken points, a third of them all."""

STOP_PART = 6
"""To stop it a trick may cost less than a sixth of them."""


class CarefulBot(Bot):
    """Remembers nothing: each turn shows all that it needs."""

    def choose_pass(self, turn: Turn) -> list[Card]:
        """Pass what is most dangerous in this hand."""
        hand = turn.choices
        points = turn.rules.points
        dangerous = sorted(hand, key=lambda c: -pass_danger(c, hand, points(c)))
        return dangerous[: turn.answer_count]

    def choose_card(self, turn: Turn) -> Card:
        """Lead, follow or discard."""
        choices, trick = turn.choices, turn.trick
        if not trick:
            return lead(turn)
        if choices[0].suit == trick[0].suit:
            return follow(turn)
        return discard(turn)


def pass_danger(card: Card, hand: list[Card], points: int) -> int:
    """Tell how much a card is worth passing on."""
    fellows = [other for other in hand if other.suit == card.suit]
    if card.suit == "S":
        # Four low spades are cover enough for the high ones.
        cover = sum(other.rank < QS.rank for other in fellows)
        return 0 if card.rank < QS.rank else 40 - 10 * cover + points
    # High cards, and more so in suits that are nearly empty.
    return card.rank + 2 * (4 - min(4, len(fellows))) + points


def lead(turn: Turn) -> Card:
    """Lead the card that the fewest cards in other hands are below."""
    out = cards_out(turn)

    def risk(card: Card) -> float:
        others = [other for other in out if other.suit == card.suit]
        if not others:
            return 20
        if card == QS or (QS in others and card > QS):
            return 30
        below = sum(other < card for other in others)
        return 10 * below / len(others) + 2 * (card.suit == "H")

    return min(turn.choices, key=risk)


def follow(turn: Turn) -> Card:
    """Play the highest card that loses; else the highest when last, or the lowest."""
    choices, trick, best = turn.choices, turn.trick, turn.winning_card
    # An equal card that comes later never wins.
    below = [card for card in choices if best is not None and card <= best]
    is_last = len(trick) == turn.players - 1
    taken = sum(map(turn.rules.points, trick + turn.carried))
    is_cheap = 0 < taken * STOP_PART < turn.rules.total_points
    if is_last and is_cheap and shooter(turn) is not None:
        return choices[-1]
    if below:
        return QS if QS in below else below[-1]
    harmless = [card for card in choices if card != QS] or choices
    return harmless[-1 if is_last else 0]


def discard(turn: Turn) -> Card:
    """Throw the queen, then spades above her, then hearts, then high cards."""
    queen_is_out = QS in cards_out(turn)
    is_moon_near = shooter(turn) is not None

    def keep(card: Card) -> int:
        if card == QS:
            return 0 if is_moon_near else -100
        if card.suit == "S" and card > QS and queen_is_out:
            return -50 - card.rank
        if card.suit == "H":
            return card.rank if is_moon_near else -20 - card.rank
        return -card.rank

    return min(turn.choices, key=keep)


def cards_out(turn: Turn) -> list[Card]:
    """List the cards that other hands may hold."""
    gone = {*turn.hand, *turn.plays}
    return [card for card in turn.rules.pack if card not in gone]


def shooter(turn: Turn) -> int | None:
    """Name the other seat that has taken all points so far, many of them."""
    points, rules = turn.points, turn.rules
    most = max(points)
    seat = points.index(most)
    if not rules.has_moon or most * MOON_PART < rules.total_points:
        return None
    is_alone = most == sum(points)
    return seat if is_alone and seat != turn.seat else None


if __name__ == "__main__":
    run(CarefulBot, practice="--practice" in sys.argv)
