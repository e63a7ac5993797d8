"""
The history of a deal: what follows from its plays.

All of it is worked out when it is asked for, so that playing a card costs nothing
for it. `arena.deal` has the position itself.
"""

from arena.cards import SUIT_SETS, Card, CardSet, both, card_set, cards_in, without
from arena.rules import RuleSet


class History:
    """The part of a deal that looks back; `Deal` has its attributes."""

    __slots__ = ()

    rules: RuleSet
    players: int
    dealt: tuple[CardSet, ...]
    passed: list[CardSet]
    received: list[CardSet]
    plays: list[Card]
    leaders: list[int]
    trick_count: int
    kitty: CardSet
    kitty_taker: int | None
    is_over: bool
    _winner: int

    @property
    def trick(self) -> list[Card]:
        """The cards of the open trick, from its leader on."""
        plays = self.plays
        return plays[len(plays) - len(plays) % self.players :]

    @property
    def winners(self) -> list[int | None]:
        """The seat that won each complete trick, None for a cancelled one."""
        return [*self.leaders[1:], *([self._winner] if self.is_over else [])]

    @property
    def takers(self) -> list[int | None]:
        """The seat that has the cards of each complete trick, None for none yet."""
        return self.winners

    @property
    def cancelled_tricks(self) -> list[int]:
        """The numbers of the complete tricks that nobody won."""
        return []

    @property
    def carried(self) -> list[Card]:
        """The cards of cancelled tricks that lie on the table, as played."""
        return []

    @property
    def taken(self) -> list[CardSet]:
        """The cards that each seat has taken in tricks, with the kitty."""
        cards: list[list[Card]] = [[] for _ in range(self.players)]
        players = self.players
        for index, seat in enumerate(self.takers):
            if seat is not None:
                cards[seat] += self.plays[index * players : (index + 1) * players]
        if self.kitty_taker is not None:
            cards[self.kitty_taker] += cards_in(self.kitty)
        return [card_set(seat_cards) for seat_cards in cards]

    @property
    def tricks_won(self) -> list[int]:
        """How many tricks each seat has taken, cancelled ones that it swept too."""
        takers = self.takers
        return [takers.count(seat) for seat in range(self.players)]

    @property
    def forced_plays(self) -> list[int]:
        """
        The places in `plays` of cards that a hand of banned cards only played.

        Empty unless the rules have it announced. The opening lead is not among
        them where the rules lay it down.
        """
        rules = self.rules
        is_ending = self.trick_count > len(self.plays) // self.players
        if is_ending or not rules.announce_forced:
            return []
        forced = []
        hands = [self._hand_after_pass(seat) for seat in range(self.players)]
        for place, card in enumerate(self.plays[: self.players]):
            if place == 0 and rules.opening_play == "that_card":
                continue
            hand = hands[(self.leaders[0] + place) % self.players]
            banned = rules.banned if hand & SUIT_SETS[0] else rules.banned_void
            if banned >> card & 1:
                forced.append(place)
        return forced

    def _hand_after_pass(self, seat: int) -> CardSet:
        """Return what a seat held when play began."""
        if not any(self.received):
            return self.dealt[seat]
        return both(without(self.dealt[seat], self.passed[seat]), self.received[seat])
