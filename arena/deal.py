"""
A deal: one pack, dealt, passed and played out under a rule set.

`Deal` is driven by `pass_cards`, `legal` and `play`, and its attributes show the
position. It checks every pass and play, knows nothing of totals, and is built to
be fast: simulations and bulk verification live on it. Read the attributes, never
change them.
"""

from collections.abc import Sequence

from arena.cards import (
    FULL_PACK,
    HEARTS,
    QUEEN_OF_SPADES,
    SUIT_SETS,
    Card,
    CardSet,
    card_name,
    card_names,
    cards_in,
)
from arena.rules import PassDirection, RuleSet

__all__ = ["Deal", "IllegalPass", "IllegalPlay", "PassDirection"]


class IllegalPass(ValueError):  # noqa: N818
    """
    A pass that the rules forbid; the deal is unchanged.

    Attributes:
        cards: The refused cards.
        reason: What is wrong with them, in words.
    """

    def __init__(self, *, cards: CardSet, reason: str) -> None:
        super().__init__(f"can't pass {card_names(cards_in(cards))!r}: {reason}")
        self.cards = cards
        self.reason = reason


class IllegalPlay(ValueError):  # noqa: N818
    """
    A play that the rules forbid; the deal is unchanged.

    Attributes:
        card: The refused card, which may be no card at all.
        reason: What is wrong with it, in words.
        legal: The cards that may be played instead.
    """

    def __init__(self, *, card: Card, reason: str, legal: CardSet) -> None:
        name = card_name(card) if 1 <= card <= 104 else f"card {card}"
        expected = card_names(cards_in(legal)) or "nothing"
        super().__init__(f"can't play {name}: {reason}; legal: {expected}")
        self.card = card
        self.reason = reason
        self.legal = legal


# The suit of every card as a set, and all cards but one suit.
_SUIT_OF: tuple[CardSet, ...] = (
    0,
    *(SUIT_SETS[(card - 1) // 13] & FULL_PACK for card in range(1, 53)),
)

_BITS: dict[Card, CardSet] = {card: 1 << card for card in range(1, 105)}
"""The set of each card alone: looking it up is cheaper than shifting."""

_NEXT_SEATS: tuple[tuple[int, ...], ...] = tuple(
    tuple((seat + 1) % players for seat in range(players)) for players in range(9)
)


class Deal:
    """
    The position of one deal.

    Args:
        rules: The rules in force.
        hands: The cards dealt to each seat, disjoint and of equal number. They
            need not be a whole pack, so that endings can be set up.
        dealer: The seat that dealt.
        direction: Where passed cards go.
    """

    __slots__ = (
        "_leader",
        "_led",
        "_legal",
        "_next_seat",
        "_penalties",
        "_trick",
        "_watched",
        "dealer",
        "dealt",
        "direction",
        "hands",
        "hearts_broken",
        "is_over",
        "is_passing",
        "leaders",
        "passed",
        "players",
        "plays",
        "points",
        "received",
        "rules",
        "taken",
        "trick_count",
        "tricks_won",
        "turn",
    )

    _leader: int
    """The leader of the open trick, once play has begun."""
    _trick: CardSet
    """The cards of the open trick, once it has any."""

    def __init__(
        self,
        rules: RuleSet,
        hands: Sequence[CardSet],
        *,
        dealer: int,
        direction: PassDirection,
    ) -> None:
        players = rules.players
        assert players == len(hands)
        assert 0 <= dealer < players
        _check_hands(hands)
        self.rules = rules
        self.players = players
        self.dealer = dealer
        self.direction = direction
        self.dealt = tuple(hands)
        """The hands as dealt, before the pass."""
        self.hands = list(hands)
        self.passed: list[CardSet] = [0] * players
        """What each seat has committed to pass, 0 as long as it has not."""
        self.received: list[CardSet] = [0] * players
        """What each seat received, 0 until all have passed."""
        self.plays: list[Card] = []
        self.leaders: list[int] = []
        """The leader of each trick begun; the last one leads the open trick."""
        self.turn = -1
        """The seat to play, -1 while passing and when the deal is over."""
        self.points = [0] * players
        """The penalty points that each seat has taken so far."""
        self.taken: list[CardSet] = [0] * players
        """The cards that each seat has taken in tricks."""
        self.tricks_won = [0] * players
        self.trick_count = 0
        """How many tricks are complete."""
        self.hearts_broken = False
        self.is_passing = direction != PassDirection.HOLD
        self.is_over = False
        self._legal: CardSet = 0
        """The legal cards where they are known already, else 0."""
        self._led: CardSet = 0
        """The suit led, 0 while the trick is empty."""
        self._watched = rules.breakers | rules.discard_breakers
        """The cards that may break hearts, none once they are broken."""
        self._penalties = rules.penalties
        self._next_seat = _NEXT_SEATS[players]
        if not self.is_passing:
            self._open()

    def pass_cards(self, seat: int, cards: CardSet) -> bool:
        """
        Commit what a seat passes; cards travel when all have committed.

        Returns:
            Whether this completed the exchange.

        Raises:
            IllegalPass: The seat may not pass these cards.
        """
        if not self.is_passing:
            raise IllegalPass(cards=cards, reason="no pass is due")
        if self.passed[seat]:
            raise IllegalPass(cards=cards, reason="the seat has passed already")
        if cards & ~self.hands[seat]:
            raise IllegalPass(cards=cards, reason="the seat does not hold them all")
        count = self.rules.pass_count
        if cards.bit_count() != count:
            raise IllegalPass(cards=cards, reason=f"{count} cards are to be passed")
        self.passed[seat] = cards
        if not all(self.passed):
            return False
        self._exchange()
        return True

    def _exchange(self) -> None:
        steps = self.direction.steps(self.players)
        for seat, cards in enumerate(self.passed):
            target = (seat + steps) % self.players
            self.hands[seat] ^= cards
            self.received[target] = cards
        for seat, cards in enumerate(self.received):
            self.hands[seat] |= cards
        self.is_passing = False
        self._open()

    def _open(self) -> None:
        """Find the first leader: the opening card is sought after the pass."""
        if self.rules.opening_leader == "holder":
            opening = 1 << self.rules.opening
            holders = [seat for seat, hand in enumerate(self.hands) if hand & opening]
            assert holders, "nobody holds the opening card"
            self.turn = holders[0]
        else:
            self.turn = (self.dealer + 1) % self.players
        self._leader = self.turn
        self.leaders.append(self.turn)

    def legal(self) -> CardSet:
        """
        Return the cards that the seat on turn may play; empty if none is.

        The order of evaluation: the opening card; follow suit, or on lead no
        heart until they are broken; the ban of trick one; its escape.
        """
        return self._legal or self._find_legal()

    def _find_legal(self) -> CardSet:
        """Find the legal cards of a leader, and those of trick one."""
        if self.turn < 0:
            return 0
        hand = self.hands[self.turn]
        if not self.trick_count:
            legal = self._first_trick_legal(hand)
        elif self.hearts_broken:
            legal = hand
        else:
            legal = hand & self.rules.lead_until_broken or hand
            if self.rules.unbroken_lead_exception == "only_penalties":
                # The queen of spades need not be led before the last hearts.
                legal = legal if hand & ~self._penalties else hand
        self._legal = legal
        return legal

    def _first_trick_legal(self, hand: CardSet) -> CardSet:
        rules = self.rules
        if self._led:
            base = hand & self._led or hand
        else:
            base = hand & rules.lead_until_broken or hand
            opening = 1 << rules.opening
            if rules.opening_play == "that_card":
                return opening
            if rules.opening_play == "any_of_suit":
                base = hand & _SUIT_OF[rules.opening] or base
        free = base & ~self._banned(hand)
        if free:
            return free
        escape = {
            "any": base,
            "hearts": base & HEARTS,
            "queen": base & 1 << QUEEN_OF_SPADES,
        }
        return escape[rules.first_trick_escape] or base

    def _banned(self, hand: CardSet) -> CardSet:
        """Return what may not be played to trick one from a hand."""
        match self.rules.first_trick_ban:
            case "penalties":
                return self._penalties
            case "hearts":
                return HEARTS
            case "unless_no_clubs":
                return self._penalties if hand & SUIT_SETS[0] else 0
            case _:
                return 0

    def is_legal(self, card: Card) -> bool:
        """Tell whether the seat on turn may play a card; any number may be asked."""
        return card > 0 and self.legal() >> card & 1 == 1

    def play(self, card: Card) -> None:
        """
        Play a card for the seat on turn.

        Raises:
            IllegalPlay: The rules forbid the card, or nobody is on turn.
        """
        legal = self._legal or self._find_legal()
        try:
            bit = legal & _BITS[card]
        except KeyError:
            bit = 0
        if not bit:
            self._refuse(card, legal)
        seat = self.turn
        hands = self.hands
        hands[seat] ^= bit
        self.plays.append(card)
        if led := self._led:
            self._trick |= bit
        else:
            led = self._led = _SUIT_OF[card]
            self._trick = bit
        if bit & self._watched:
            self._watch(bit, led)
        seat = self._next_seat[seat]
        if seat == self._leader:
            self._end_trick(led)
            return
        self.turn = seat
        # All but the first trick: follow suit if possible. Worked out here, where
        # everything is at hand.
        if self.trick_count:
            hand = hands[seat]
            self._legal = hand & led or hand
        else:
            self._legal = 0

    def _watch(self, bit: CardSet, led: CardSet) -> None:
        """Break hearts with a card that does so played, or that does so discarded."""
        if bit & self.rules.breakers or not bit & led:
            self.hearts_broken = True
            self._watched = 0

    def _end_trick(self, led: CardSet) -> None:
        """Give the trick to its winner: the highest card of the suit led."""
        trick = self._trick
        start = self.trick_count * self.players
        self.trick_count += 1
        best = (trick & led).bit_length() - 1
        steps = self.plays.index(best, start) - start
        winner = (self._leader + steps) % self.players
        if penalties := trick & self._penalties:
            if penalties & self.rules.dear_penalties:
                values = self.rules.card_points
                self.points[winner] += sum([values[c] for c in self.plays[start:]])
            else:
                self.points[winner] += penalties.bit_count()
        self.taken[winner] |= trick
        self.tricks_won[winner] += 1
        self._legal = self._led = 0
        if self.hands[winner]:
            self.turn = self._leader = winner
            self.leaders.append(winner)
        else:
            self.turn = -1
            self.is_over = True

    def _refuse(self, card: Card, legal: CardSet) -> None:
        if self.turn < 0:
            reason = "nobody is on turn"
        elif card < 1 or not self.hands[self.turn] >> card & 1:
            reason = f"seat {self.turn} does not hold it"
        elif self._led & legal and not 1 << card & self._led:
            reason = "the suit led must be followed"
        elif not self.plays and self.rules.opening_play != "any":
            reason = "the opening lead is laid down by the rules"
        elif self._led or not 1 << card & HEARTS:
            reason = "it may not be played to the first trick"
        else:
            reason = "hearts are not broken"
        raise IllegalPlay(card=card, reason=reason, legal=legal)

    @property
    def trick(self) -> list[Card]:
        """The cards of the open trick, from its leader on."""
        return self.plays[self.trick_count * self.players :]

    def shooter(self) -> int | None:
        """
        Return who took every penalty card, once the deal is over.

        The cards decide, not the points: 16 points are no moon, whatever a
        bonus takes off.
        """
        if not self.is_over:
            return None
        for seat, taken in enumerate(self.taken):
            if taken & self._penalties == self._penalties:
                return seat
        return None


def _check_hands(hands: Sequence[CardSet]) -> None:
    """Assert that no card is dealt twice and that all hands have one size."""
    dealt = 0
    for hand in hands:
        assert not hand & dealt, "a card is dealt twice"
        assert hand.bit_count() == hands[0].bit_count(), "hands differ in size"
        dealt |= hand
