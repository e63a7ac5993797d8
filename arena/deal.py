"""
A deal: the pack, dealt, passed and played out under a rule set.

`Deal` is driven by `pass_cards`, `legal` and `play`, and its attributes show the
position. It checks every pass and play, knows nothing of totals, and is built to
be fast: simulations and bulk verification live on it. Read the attributes, never
change them. `arena.double_deal` has the same for two packs, and `start_deal`.

The legal cards are found in this order: the opening card; else on lead all that
may be led, and otherwise the suit led, or the whole hand where it has none; from
these the cards that trick one bans are taken away; where nothing is left, what the
rules let such a hand play.
"""

from collections.abc import Sequence
from typing import NoReturn, Self

from arena.cards import (
    CLUB_CARDS,
    DIAMOND_CARDS,
    FULL_PACK,
    HEART_CARDS,
    HEARTS,
    PACK_SIZE,
    QUEEN_OF_SPADES,
    SPADE_CARDS,
    SUIT_SETS,
    Card,
    CardSet,
    cards_in,
)
from arena.history import History
from arena.illegal import IllegalPass, IllegalPlay
from arena.rules import PassDirection, RuleSet

__all__ = ["Deal", "IllegalPass", "IllegalPlay", "PassDirection"]

CLUBS = SUIT_SETS[0]
QUEEN: CardSet = 1 << QUEEN_OF_SPADES

BITS: dict[Card, CardSet] = {card: 1 << card for card in range(1, PACK_SIZE + 1)}
"""The set of each card alone: looking it up is cheaper than shifting."""

SUIT_OF: tuple[CardSet, ...] = (
    0,
    *(SUIT_SETS[(card - 1) // 13] for card in range(1, PACK_SIZE + 1)),
)
"""The suit of each card as a set."""

SUIT_TABLES = (
    (CLUB_CARDS, 1),
    *(
        (table, 13 * index + 1)
        for index, table in enumerate(
            (CLUB_CARDS, DIAMOND_CARDS, HEART_CARDS, SPADE_CARDS)
        )
        for _ in range(13)
    ),
)
"""For each card the cards of every set within its suit, and the suit's first bit."""

_NEXT_SEATS: tuple[tuple[int, ...], ...] = tuple(
    tuple((seat + 1) % players for seat in range(players)) for players in range(12)
)


class Deal(History):
    """
    The position of one deal with one pack.

    Args:
        rules: The rules in force.
        hands: The cards dealt to each seat, of equal number. They need not be a
            whole pack, so that endings can be set up.
        dealer: The seat that dealt.
        direction: Where passed cards go.
        kitty: The cards that were left over, in rules that have a kitty.
    """

    __slots__ = (
        "_best",
        "_is_broken",
        "_kitty_waits",
        "_leader",
        "_leads",
        "_led",
        "_legal",
        "_next_seat",
        "_opening",
        "_penalties",
        "_suit_cards",
        "_suit_shift",
        "_trick",
        "_watched",
        "_winner",
        "dealer",
        "dealt",
        "direction",
        "hands",
        "is_over",
        "is_passing",
        "kitty",
        "kitty_taker",
        "leaders",
        "passed",
        "players",
        "plays",
        "points",
        "received",
        "rules",
        "trick_count",
        "turn",
    )

    _best: CardSet
    """The highest card of the suit led in the open trick."""
    _leader: int
    """The leader of the open trick, once there is one."""
    _opening: CardSet
    """The opening card; empty when nobody holds any card of its suit."""
    _trick: CardSet
    """The cards of the open or else the last trick, equal ones once."""
    _winner: int
    """The seat that wins the open trick so far, or that won the last one."""

    def __init__(
        self,
        rules: RuleSet,
        hands: Sequence[CardSet],
        *,
        dealer: int,
        direction: PassDirection,
        kitty: CardSet = 0,
    ) -> None:
        self.rules = rules
        self.players = players = rules.players
        assert players == len(hands)
        assert 0 <= dealer < players
        self._check_hands(hands, kitty)
        self.dealer = dealer
        self.direction = direction
        self.dealt = tuple(hands)
        """The hands as dealt, before the pass."""
        self.kitty = kitty
        """The cards left over; hidden until a trick takes them."""
        self.kitty_taker: int | None = None
        """The seat that took the kitty, None before and without one."""
        self.hands = [*hands]
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
        self.trick_count = 0
        """How many tricks are complete."""
        self.is_passing = direction != PassDirection.HOLD
        self.is_over = False
        self._legal: CardSet = 0
        """What the seat on turn may play, equal cards once; 0 when nobody is."""
        self._led: CardSet = 0
        """The suit led, 0 while the trick is empty."""
        self._is_broken = False
        """Whether complete tricks have broken hearts."""
        self._kitty_waits = bool(kitty)
        self._prepare(rules)
        if not self.is_passing:
            self._open()

    def _prepare(self, rules: RuleSet) -> None:
        """Lay out what every play needs."""
        self._penalties = rules.penalties
        self._suit_cards, self._suit_shift = CLUB_CARDS, 1
        """The table of the suit led last, and where its bits begin."""
        is_plain = rules.unbroken_lead_exception == "only_hearts"
        self._leads = rules.lead_until_broken if is_plain else 0
        """What may be led until hearts are broken; 0 where an exception says more."""
        self._watched = rules.breakers | rules.discard_breakers
        """The cards that may break hearts."""
        self._next_seat = _NEXT_SEATS[rules.players]

    def _check_hands(self, hands: Sequence[CardSet], kitty: CardSet) -> None:
        """Assert that no card is dealt twice and that all hands have one size."""
        size = hands[0].bit_count()
        dealt = kitty
        for hand in hands:
            assert not hand & dealt, "a card is dealt twice"
            assert hand.bit_count() == size, "hands differ in size"
            dealt |= hand

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
        steps = self.direction.steps(self.players)
        for giver, cards in enumerate(self.passed):
            self.received[(giver + steps) % self.players] = cards
        self._exchange()
        self.is_passing = False
        self._open()
        return True

    def _exchange(self) -> None:
        for seat, hand in enumerate(self.hands):
            self.hands[seat] = hand ^ self.passed[seat] | self.received[seat]

    def start_at(self, trick_number: int, *, leader: int, hearts_broken: bool) -> None:
        """
        Turn a deal without plays into an ending: a later trick is the next one.

        Args:
            trick_number: The number of the trick that is led now, from 2.
            leader: The seat that leads it.
            hearts_broken: Whether hearts are broken.
        """
        assert not self.plays
        assert not self.is_passing
        assert trick_number > 1
        self.trick_count = trick_number - 1
        self._is_broken = hearts_broken
        self.leaders.clear()
        self._lead(leader, self.hands[leader])

    def _open(self) -> None:
        """Find the first leader: the opening card is sought after the pass."""
        rules = self.rules
        first = self._next_seat[self.dealer]
        self._opening = 1 << rules.opening
        leader = first
        if rules.opening_leader == "holder":
            holder = self._holder(first)
            if holder is None:
                # It lies in the kitty, or an ending is set up.
                self._opening = self._lowest_of_suit(SUIT_OF[rules.opening])
                holder = self._holder(first)
            if holder is not None:
                leader = holder
        self.turn = self._leader = self._winner = leader
        self.leaders.append(leader)
        self._legal = self._opening_legal(self.hands[leader] & FULL_PACK)

    def _holder(self, first: int) -> int | None:
        """Return who holds the opening card, the first one from a seat on."""
        for step in range(self.players):
            seat = (first + step) % self.players
            if self.hands[seat] & self._opening:
                return seat
        return None

    def _lowest_of_suit(self, suit: CardSet) -> CardSet:
        held = 0
        for hand in self.hands:
            held |= hand & suit
        return held & -held

    def legal(self) -> CardSet:
        """
        Return the cards that the seat on turn may play; empty if none is.

        A card that the seat holds twice is in it once.
        """
        return self._legal

    def legal_cards(self) -> Sequence[Card]:
        """Return `legal()` as cards in notation order, at the least cost."""
        legal = self._legal
        if legal & self._led == legal:
            return self._suit_cards[legal >> self._suit_shift]
        return (
            CLUB_CARDS[legal >> 1 & 0x1FFF]
            + DIAMOND_CARDS[legal >> 14 & 0x1FFF]
            + HEART_CARDS[legal >> 27 & 0x1FFF]
            + SPADE_CARDS[legal >> 40]
        )

    def is_legal(self, card: Card) -> bool:
        """Tell whether the seat on turn may play a card; any number may be asked."""
        return card > 0 and self._legal >> card & 1 == 1

    def _opening_legal(self, hand: CardSet) -> CardSet:
        """Return what the leader of trick one may play."""
        play = self.rules.opening_play
        if play == "that_card" and hand & self._opening:
            return self._opening
        base = self._lead_legal(hand)
        if play == "any_of_suit":
            base = hand & SUIT_OF[self.rules.opening] or base
        return self._first_trick_legal(hand, base)

    def _first_trick_legal(self, hand: CardSet, base: CardSet) -> CardSet:
        """Return what of `base` a hand may play to trick one."""
        rules = self.rules
        banned = rules.banned if hand & CLUBS else rules.banned_void
        if free := base & ~banned:
            return free
        escape = {"hearts": HEARTS, "queen": QUEEN}
        return base & escape.get(rules.first_trick_escape, base) or base

    def _lead_legal(self, hand: CardSet) -> CardSet:
        """Return what a hand may lead while hearts are not broken."""
        rules = self.rules
        legal = hand & rules.lead_until_broken
        is_excepted = rules.unbroken_lead_exception == "only_penalties"
        if is_excepted and not hand & ~self._penalties:
            # The queen of spades need not be led before the last hearts.
            waits = legal and rules.queen_lead == "after_broken"
            legal = hand & ~QUEEN if waits else hand
        return legal or hand

    def play(self, card: Card) -> None:
        """
        Play a card for the seat on turn.

        Raises:
            IllegalPlay: The rules forbid the card, or nobody is on turn.
        """
        try:
            bit = self._legal & BITS[card]
        except KeyError:
            bit = 0
        if not bit:
            self._refuse(card)
        seat = self.turn
        hands = self.hands
        hands[seat] ^= bit
        self.plays.append(card)
        if led := self._led:
            self._trick |= bit
            if bit & led > self._best:
                self._best = bit
                self._winner = seat
        else:
            led = self._led = SUIT_OF[card]
            self._suit_cards, self._suit_shift = SUIT_TABLES[card]
            self._trick = self._best = bit
        self.turn = seat = self._next_seat[seat]
        if seat == self._leader:
            self._end_trick(led)
        else:
            hand = hands[seat]
            legal = hand & led or hand
            if not self.trick_count:
                legal = self._first_trick_legal(hand, legal)
            self._legal = legal

    def _end_trick(self, led: CardSet) -> None:
        """Give the trick to its winner: the highest card of the suit led."""
        trick = self._trick
        winner = self._winner
        self.trick_count += 1
        if penalties := trick & self._penalties:
            rules = self.rules
            if penalties & rules.dear_penalties:
                values = rules.card_points
                cards = self.plays[-self.players :]
                self.points[winner] += sum([values[card] for card in cards])
            else:
                self.points[winner] += penalties.bit_count()
        if not self._is_broken and trick & self._watched:
            self._is_broken = self._breaks(trick, led)
        if self._kitty_waits and self._moves_kitty(trick, 1):
            self._take_kitty(winner)
        self._led = 0
        # The same as `_lead`, without the cost of a call.
        if hand := self.hands[winner]:
            self.turn = self._leader = winner
            self.leaders.append(winner)
            if self._is_broken:
                self._legal = hand
            elif leads := self._leads:
                self._legal = hand & leads or hand
            else:
                self._legal = self._lead_legal(hand)
        else:
            self._end()

    def _lead(self, seat: int, hand: CardSet) -> None:
        """Let a seat lead a trick after the first."""
        self._led = 0
        self.turn = self._leader = self._winner = seat
        self.leaders.append(seat)
        self._legal = hand if self._is_broken else self._lead_legal(hand)

    def _end(self) -> None:
        self._led = self._legal = 0
        self.turn = -1
        self.is_over = True

    def _breaks(self, trick: CardSet, led: CardSet) -> bool:
        """Tell whether a trick, complete or not, breaks hearts."""
        rules = self.rules
        discards = trick & ~led & rules.discard_breakers
        return bool(trick & rules.breakers or discards)

    def _moves_kitty(self, cards: CardSet, count: int) -> bool:
        """Tell whether the kitty goes with the cards of the last `count` tricks."""
        if self.rules.leftover == "kitty_first_trick":
            return count == self.trick_count
        return bool(cards & HEARTS)

    def _take_kitty(self, seat: int) -> None:
        self._kitty_waits = False
        self.kitty_taker = seat
        values = self.rules.card_points
        self.points[seat] += sum([values[card] for card in cards_in(self.kitty)])

    def _refuse(self, card: Card) -> NoReturn:
        legal = self._legal
        bit = BITS.get(card, 0)
        if self.turn < 0:
            reason = "nobody is on turn"
        elif not self.hands[self.turn] & bit:
            reason = f"seat {self.turn} does not hold it"
        elif self._led & legal and not bit & self._led:
            reason = "the suit led must be followed"
        elif self._led:
            reason = "it may not be played to the first trick"
        elif not self.trick_count and self.rules.opening_play != "any":
            reason = "the opening lead is laid down by the rules"
        elif bit & self.rules.lead_until_broken:
            reason = "it may not be led to the first trick"
        else:
            reason = "hearts are not broken"
        raise IllegalPlay(card=card, reason=reason, legal=legal)

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts are broken, by the open trick too."""
        return self._is_broken or bool(
            self._led and self._breaks(self._trick, self._led)
        )

    def shooter(self) -> int | None:
        """
        Return who took every penalty card, once the deal is over.

        It is a matter of cards: each of them costs at least a point and nothing
        else does, so only who has them all has all the points. A bonus card is
        not in these points.
        """
        if not self.is_over:
            return None
        total = self.rules.total_points
        return self.points.index(total) if total in self.points else None

    def copy(self) -> Self:
        """Return an independent deal in the same position."""
        other = object.__new__(type(self))
        for slot in self._slots():
            if hasattr(self, slot):
                value = getattr(self, slot)
                setattr(other, slot, [*value] if isinstance(value, list) else value)
        return other

    def _slots(self) -> tuple[str, ...]:
        return Deal.__slots__
