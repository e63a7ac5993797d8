"""
What a seat can tell from one turn: where cards are, and who has run out of what.

Works for any number of seats. Of a double pack it sees one copy, which makes it
less sharp and never wrong about what is legal.
"""

from hearts.cards import Card
from hearts.house.pack import (
    BIT,
    HEARTS,
    PACK,
    POINTS,
    QUEEN,
    SPADES,
    SUIT,
    SUIT_CARDS,
    card_set,
)
from hearts.turn import Turn

_PASS_STEPS = {"left": 1, "right": -1, "hold": 0}


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
        "out",
        "players",
        "queen_is_taken",
        "queen_seats",
        "seat",
        "trick",
        "trick_points",
        "voids",
        "winner",
    )

    def __init__(self, turn: Turn) -> None:
        players = turn.players
        plays = turn.plays
        leaders = turn.leaders
        self.players = players
        self.seat = seat = turn.seat

        self.hand = hand = card_set(turn.hand)
        """The cards in hand."""

        unseen = PACK & ~(hand | card_set(plays))
        self.out = [unseen & cards for cards in SUIT_CARDS]
        """The cards in other hands, by suit."""

        self.hearts_are_out = self.out[HEARTS] != 0
        self.voids = voids = _voids(plays, leaders, players)
        """By seat, the suits that it has run out of: bit `1 << suit`."""

        self.is_first_trick = len(plays) < players
        self.trick = trick = plays[len(plays) - len(plays) % players :]
        self._weigh(trick, leaders[-1] if leaders else seat)

        # The seats still to play to the open trick.
        self.after = [
            (seat + step) % players for step in range(1, players - len(trick))
        ]

        others = [other for other in range(players) if other != seat]
        self.holders = [
            _holder_count(voids, others, suit) if cards else 0
            for suit, cards in enumerate(self.out)
        ]
        """How many other seats may hold cards of a suit."""

        is_unseen = bool(unseen & BIT[QUEEN])
        self.queen_seats = self._queen_seats(turn, others) if is_unseen else []
        """The other seats that may hold the queen of spades."""

        is_gone = not is_unseen and not hand & BIT[QUEEN]
        self.queen_is_taken = is_gone and QUEEN not in trick

    def _weigh(self, trick: list[Card], leader: int) -> None:
        """
        Find who wins the open trick so far, with which card, and for how much.
        """
        self.led = SUIT[trick[0]] if trick else -1
        self.best = 0
        self.winner = leader
        self.trick_points = 0
        for index, card in enumerate(trick):
            self.trick_points += POINTS[card]
            if card > self.best and SUIT[card] == self.led:
                self.best = card
                self.winner = (leader + index) % self.players

    def _queen_seats(self, turn: Turn, others: list[int]) -> list[int]:
        if QUEEN in turn.passed:
            direction = turn.pass_direction
            step = _PASS_STEPS.get(direction, self.players // 2)
            return [(self.seat + step) % self.players]
        voids = self.voids
        return [other for other in others if not voids[other] >> SPADES & 1] or others


def _holder_count(voids: list[int], seats: list[int], suit: int) -> int:
    # The cards are somewhere, even if a double pack makes all seem to be void.
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
