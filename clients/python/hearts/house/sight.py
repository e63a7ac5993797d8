"""
What a seat can tell from one turn: where cards are, and who has run out of what.
"""

from typing import Final

from hearts.cards import Card
from hearts.house.pack import (
    BIT,
    HEARTS,
    PACK,
    SECOND,
    SPADES,
    SUIT,
    SUIT_CARDS,
    card_set,
    double_set,
    without,
)
from hearts.house.stakes import Stakes, stakes_of
from hearts.turn import Turn

_PASS_STEPS: Final = {"left": 1, "right": -1, "hold": 0}


def unseen_cards(turn: Turn, stakes: Stakes) -> int:
    """
    The cards that other hands or the kitty may hold.
    """
    seen = turn.hand + turn.plays
    if stakes.is_standard:
        return PACK & ~card_set(seen)
    return without(stakes.pack, double_set(seen + turn.kitty))


class Sight:
    """
    A turn to play a card, counted. Sets of cards are bit masks.
    """

    __slots__ = (
        "after",
        "best",
        "hand",
        "hearts_are_out",
        "holders",
        "is_first_trick",
        "led",
        "limit",
        "out",
        "players",
        "queen_seats",
        "seat",
        "stakes",
        "trick",
        "trick_cost",
        "trick_points",
        "unseen",
        "voids",
        "winner",
    )

    def __init__(self, turn: Turn) -> None:
        plays = turn.plays
        leaders = turn.leaders
        self.stakes = stakes = stakes_of(turn)
        """What costs how much."""

        self.players = players = turn.players
        self.seat = seat = turn.seat
        if stakes.is_standard:
            self.hand = hand = card_set(turn.hand)
            self.unseen = unseen = PACK & ~(hand | card_set(plays))
        else:
            self.hand = double_set(turn.hand)
            self.unseen = unseen = unseen_cards(turn, stakes)
        self.out = [unseen & cards for cards in SUIT_CARDS]
        """The cards in other hands, by suit."""

        self.hearts_are_out = self.out[HEARTS] != 0
        self.voids = voids = _voids(plays, leaders, players)
        """By seat, the suits that it has run out of: bit `1 << suit`."""

        self.is_first_trick = len(plays) < players
        self.trick = trick = plays[len(plays) - len(plays) % players :]
        self._weigh(trick, leaders[-1] if leaders else seat)
        if not stakes.is_standard:
            self._weigh_variant(turn)

        steps = range(1, players - len(trick))
        # The seats still to play to the open trick.
        self.after = [(seat + step) % players for step in steps]
        others = [other for other in range(players) if other != seat]
        self.holders = [
            _holder_count(voids, others, suit) if cards else 0
            for suit, cards in enumerate(self.out)
        ]
        """How many other seats may hold cards of a suit."""

        is_out = unseen & BIT[stakes.queen]
        self.queen_seats = self._queen_seats(turn, others) if is_out else []
        """The other seats that may hold the queen of spades."""

    def hearts_taken(self) -> int:
        """
        How many of 13 hearts lie in tricks; of two packs, on the average.
        """
        hearts = SUIT_CARDS[HEARTS]
        known = self.out[HEARTS].bit_count() + (self.hand & hearts).bit_count()
        known += sum([SUIT[card] == HEARTS for card in self.trick])
        return (26 - known) // 2 if self.stakes.is_double else 13 - known

    def _weigh(self, trick: list[Card], leader: int) -> None:
        """
        Find who wins the open trick so far, with which card, and for how much.
        """
        points = self.stakes.points
        cost = self.stakes.cost
        self.led = SUIT[trick[0]] if trick else -1
        self.best = 0
        self.winner = leader
        self.trick_points = 0
        self.trick_cost = 0
        for index, card in enumerate(trick):
            self.trick_points += points[card]
            self.trick_cost += cost[card]
            if card > self.best and SUIT[card] == self.led:
                self.best = card
                self.winner = (leader + index) % self.players
        self.limit = self.best
        """The lowest card of the suit led that wins the trick so far."""

    def _weigh_variant(self, turn: Turn) -> None:
        """
        Put right what two packs and a kitty change in the open trick.
        """
        stakes = self.stakes
        trick = self.trick
        if stakes.cancels and trick:
            self.best = 0
            for index, card in enumerate(trick):
                is_higher = card > self.best and SUIT[card] == self.led
                if is_higher and trick.count(card) == 1:
                    self.best = card
                    self.winner = (turn.leaders[-1] + index) % self.players
        # Whoever plays an equal card later does not win.
        self.limit = self.best + stakes.is_double
        for card in turn.carried:
            self.trick_points += stakes.points[card]
            self.trick_cost += stakes.cost[card]
        if stakes.has_kitty and self.is_first_trick:
            self.trick_cost += stakes.kitty_cost

    def _queen_seats(self, turn: Turn, others: list[int]) -> list[int]:
        queen = self.stakes.queen
        if queen in turn.passed and not self.unseen >> SECOND >> queen & 1:
            direction = turn.pass_direction
            step = _PASS_STEPS.get(direction, self.players // 2)
            return [(self.seat + step) % self.players]
        voids = self.voids
        return [other for other in others if not voids[other] >> SPADES & 1] or others


def _holder_count(voids: list[int], seats: list[int], suit: int) -> int:
    # The cards are somewhere, and be it in the kitty when all seem to be void.
    return sum([not voids[seat] >> suit & 1 for seat in seats]) or 1


def _voids(plays: list[Card], leaders: list[int], players: int) -> list[int]:
    voids = [0] * players
    start = 0
    for leader in leaders:
        cards = plays[start : start + players]
        start += players
        if not cards:
            break
        led = SUIT[cards[0]]
        for step, card in enumerate(cards):
            if SUIT[card] != led:
                voids[(leader + step) % players] |= 1 << led
    return voids
