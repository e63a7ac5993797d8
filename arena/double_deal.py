"""
A deal with two packs: hands are multisets, and equal cards may cancel each other.

Which copy of a card it is makes no difference anywhere. Without cancellation, the
first of two equal highest cards takes the trick.
"""

from collections.abc import Sequence

from arena.cards import FULL_PACK, PACK_SIZE, Card, CardSet, both, rank, without
from arena.deal import BITS, SUIT_OF, SUIT_TABLES, Deal
from arena.rules import PassDirection, RuleSet


def start_deal(
    rules: RuleSet,
    hands: Sequence[CardSet],
    *,
    dealer: int,
    direction: PassDirection,
    kitty: CardSet = 0,
) -> Deal:
    """Return a deal of as many packs as the rules say; see `Deal`."""
    kind = DoubleDeal if rules.packs == 2 else Deal
    return kind(rules, hands, dealer=dealer, direction=direction, kitty=kitty)


class DoubleDeal(Deal):
    """The position of one deal with two packs; see `Deal`."""

    __slots__ = ("_alive", "_carried_count", "_takers", "_winners")

    _alive: CardSet
    """The cards of the open trick that are not cancelled."""

    def __init__(
        self,
        rules: RuleSet,
        hands: Sequence[CardSet],
        *,
        dealer: int,
        direction: PassDirection,
        kitty: CardSet = 0,
    ) -> None:
        self._carried_count = 0
        """How many cancelled tricks lie on the table."""
        self._takers: list[int | None] = []
        self._winners: list[int | None] = []
        super().__init__(rules, hands, dealer=dealer, direction=direction, kitty=kitty)

    def _check_hands(self, hands: Sequence[CardSet], kitty: CardSet) -> None:
        size = hands[0].bit_count()
        dealt = kitty
        for hand in hands:
            assert hand >> PACK_SIZE & FULL_PACK & ~hand == 0, "a second copy alone"
            assert hand.bit_count() == size, "hands differ in size"
            dealt = both(dealt, hand)

    def _exchange(self) -> None:
        for seat, hand in enumerate(self.hands):
            kept = without(hand, self.passed[seat])
            self.hands[seat] = both(kept, self.received[seat])

    def play(self, card: Card) -> None:
        """
        Play a card for the seat on turn, no matter which of two equal ones.

        Raises:
            IllegalPlay: The rules forbid the card, or nobody is on turn.
        """
        bit = self._legal & BITS.get(card, 0)
        if not bit:
            self._refuse(card)
        seat = self.turn
        self.hands[seat] = without(self.hands[seat], bit)
        self.plays.append(card)
        if led := self._led:
            # A card that comes again cancels, since no third one can come.
            self._alive ^= bit
            self._trick |= bit
            if bit & led > self._best:
                self._best = bit
                self._winner = seat
        else:
            led = self._led = SUIT_OF[card]
            self._suit_cards, self._suit_shift = SUIT_TABLES[card]
            self._trick = self._best = self._alive = bit
        self.turn = seat = self._next_seat[seat]
        if seat == self._leader:
            self._end_trick(led)
            return
        hand = self.hands[seat] & FULL_PACK
        legal = hand & led or hand
        self._legal = (
            legal if self.trick_count else self._first_trick_legal(hand, legal)
        )

    def _end_trick(self, led: CardSet) -> None:
        """Give the trick, and those carried, to its winner, if it has one."""
        winner = self._trick_winner(led)
        self.trick_count += 1
        self._winners.append(winner)
        self._takers.append(None)
        if not self._is_broken:
            self._is_broken = self._breaks(self._trick, led)
        is_last = not self.hands[self._leader]
        taker = self._last_taker() if winner is None and is_last else winner
        # The kitty waits with the cards of a cancelled trick.
        moves_kitty = self._kitty_waits and self._pile_moves_kitty()
        self._carried_count += 1
        if taker is not None:
            self._sweep(taker)
            if moves_kitty:
                self._take_kitty(taker)
        if is_last:
            self._end()
        elif winner is not None:
            self._lead(winner, self.hands[winner])
        else:
            self._lead_after_cancelled()

    def _trick_winner(self, led: CardSet) -> int | None:
        if not self.rules.cancellation:
            return self._winner
        alive = self._alive & led
        return self._seat_of(alive.bit_length() - 1) if alive else None

    def _seat_of(self, card: Card) -> int:
        """Return who played a card first in the trick that is complete now."""
        place = self.plays[-self.players :].index(card)
        return (self._leader + place) % self.players

    def _last_taker(self) -> int | None:
        """Return who takes the last trick though it is cancelled."""
        rule = self.rules.cancel_last_trick
        if rule == "nobody":
            return None
        cards = self.plays[-self.players :]
        alive = [card for card in cards if cards.count(card) == 1]
        if rule == "leader" or not alive:
            return self._leader
        return self._seat_of(max(alive, key=rank))

    def _sweep(self, taker: int) -> None:
        """Give a seat all tricks on the table."""
        count = self._carried_count
        self._takers[-count:] = [taker] * count
        values = self.rules.card_points
        cards = self.plays[-count * self.players :]
        self.points[taker] += sum([values[card] for card in cards])
        self._carried_count = 0

    def _pile_moves_kitty(self) -> bool:
        """Tell whether any trick on the table takes the kitty with it."""
        count = self._carried_count + 1
        pile = self.plays[-count * self.players :]
        return self._moves_kitty(sum({BITS[card] for card in pile}), count)

    def _lead(self, seat: int, hand: CardSet) -> None:
        super()._lead(seat, hand & FULL_PACK)

    def _lead_after_cancelled(self) -> None:
        seat = self._leader
        if self.rules.cancel_next_leader == "next_seat":
            seat = self._next_seat[seat]
        self._lead(seat, self.hands[seat])

    @property
    def winners(self) -> list[int | None]:
        """The seat that won each complete trick, None for a cancelled one."""
        return self._winners

    @property
    def takers(self) -> list[int | None]:
        """The seat that has the cards of each complete trick, None for none yet."""
        return self._takers

    @property
    def cancelled_tricks(self) -> list[int]:
        """The numbers of the complete tricks that nobody won."""
        first = self.trick_count - len(self._winners) + 1
        return [
            first + index
            for index, winner in enumerate(self._winners)
            if winner is None
        ]

    @property
    def carried(self) -> list[Card]:
        """The cards of cancelled tricks that lie on the table, as played."""
        count = len(self.plays) - len(self.trick)
        return self.plays[count - self._carried_count * self.players : count]

    def _slots(self) -> tuple[str, ...]:
        return (*Deal.__slots__, *DoubleDeal.__slots__)
