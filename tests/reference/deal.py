"""One deal of Hearts: the pass, the tricks, and who took what."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference import play_rules
from tests.reference.cards import in_order, is_heart, suit
from tests.reference.options import Options
from tests.reference.values import points_of


class IllegalMove(ValueError):  # noqa: N818 - it is the name of the thing.
    """A pass or a play that the rules do not allow."""


@dataclass(frozen=True)
class Trick:
    """A complete trick."""

    leader: int
    cards: tuple[str, ...]
    """In the order of play."""
    winner: int | None
    """The seat whose card won; None when all cards of the suit led were cancelled."""
    taker: int | None
    """The seat that took the cards when the trick ended; None when it was cancelled
    and the cards stayed on the table, or went to nobody."""


class ReferenceDeal:
    """One deal, played card by card.

    `hands` lists a card twice when a seat holds both copies of it. A deal may also
    begin in the middle: hands smaller than a full deal, the number of the first
    trick to be played, its leader, and whether hearts are broken. From
    `trick_number` 2 on the rules of the first trick are over.
    """

    def __init__(
        self,
        options: Options,
        hands: Sequence[Sequence[str]],
        *,
        dealer: int,
        direction: str = "hold",
        kitty: Sequence[str] = (),
        trick_number: int = 1,
        leader: int | None = None,
        broken: bool = False,
    ) -> None:
        if len(hands) != options.players or len({len(hand) for hand in hands}) != 1:
            raise ValueError(f"not {options.players} equal hands")
        if (trick_number == 1) != (leader is None):
            raise ValueError("a leader is given for later tricks than the first only")
        self.options = options
        self.dealer = dealer
        self.direction = direction
        self.dealt = [in_order(hand) for hand in hands]
        self.hands = [in_order(hand) for hand in hands]
        self.passed: list[list[str] | None] = [None for _ in hands]
        self.kitty = list(kitty)
        """What lies aside; empty once it is taken, or gone to nobody."""
        self.kitty_taker: int | None = None
        self.trick_number = trick_number
        """The number of the trick that is open or comes next."""
        self.leader = -1 if leader is None else leader
        self.turn = -1
        """The seat that plays next; -1 while passing and when the deal is over."""
        self.trick: list[str] = []
        """What has been played to the open trick."""
        self.carried: list[str] = []
        """The cards of cancelled tricks that wait on the table."""
        self.carried_tricks = 0
        self.tricks: list[Trick] = []
        self.plays: list[str] = []
        self.forced: list[int] = []
        """The announced plays, as places in `plays`, from 0."""
        self.hearts_broken = broken
        self.opening: str | None = None
        self.taken: list[list[str]] = [[] for _ in hands]
        self.tricks_won = [0 for _ in hands]
        self.is_passing = direction != "hold" and options.pass_count > 0
        self.is_over = False
        if not self.is_passing:
            self._begin_play()

    # The pass.

    def pass_cards(self, seat: int, cards: Sequence[str]) -> None:
        """Lay the cards aside that a seat passes; all move when all have passed."""
        if not self.is_passing or self.passed[seat] is not None:
            raise IllegalMove(f"seat {seat} has nothing to pass")
        if len(cards) != self.options.pass_count:
            raise IllegalMove(f"{len(cards)} cards passed")
        if Counter(cards) - Counter(self.hands[seat]):
            raise IllegalMove(f"seat {seat} does not hold all of {cards}")
        self.passed[seat] = in_order(cards)
        if None not in self.passed:
            self._exchange()

    def receiver(self, seat: int) -> int:
        """Return the seat that gets what a seat passes."""
        players = self.options.players
        steps = {"left": 1, "right": players - 1, "across": players // 2}
        return (seat + steps[self.direction]) % players

    def _exchange(self) -> None:
        for seat, cards in enumerate(self.passed):
            for card in cards or []:
                self.hands[seat].remove(card)
        for seat, cards in enumerate(self.passed):
            self.hands[self.receiver(seat)].extend(cards or [])
        self.hands = [in_order(hand) for hand in self.hands]
        self.is_passing = False
        self._begin_play()

    # The tricks.

    def _begin_play(self) -> None:
        if self.trick_number == 1:
            self.opening = play_rules.opening_card(self.options, self.hands)
            self.leader = self._opening_leader()
        self.turn = self.leader

    def _opening_leader(self) -> int:
        players = self.options.players
        eldest = (self.dealer + 1) % players
        if self.options.opening_leader == "holder" and self.opening is not None:
            for step in range(players):
                seat = (eldest + step) % players
                if self.opening in self.hands[seat]:
                    return seat
        return eldest

    def _legal_and_forced(self) -> tuple[list[str], bool]:
        if self.turn < 0:
            return [], False
        return play_rules.legal_cards(
            self.options,
            self.hands[self.turn],
            self.trick,
            is_first=self.trick_number == 1,
            broken=self.hearts_broken,
            opening=self.opening,
        )

    def legal(self) -> list[str]:
        """List the cards that the seat on turn may play, each once, in order."""
        return self._legal_and_forced()[0]

    def play(self, card: str) -> None:
        """Play a card for the seat on turn."""
        legal, is_forced = self._legal_and_forced()
        if card not in legal:
            raise IllegalMove(f"{card} is not one of {legal}")
        if is_forced and self.options.announce_forced:
            self.forced.append(len(self.plays))
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        self.plays.append(card)
        if play_rules.breaks_hearts(self.options, card, suit(self.trick[0])):
            self.hearts_broken = True
        self.turn = (self.turn + 1) % self.options.players
        if len(self.trick) == self.options.players:
            self._end_trick()

    def _end_trick(self) -> None:
        is_last = not any(self.hands)
        place = play_rules.winning_place(self.options, self.trick)
        if place is not None:
            winner = self._seat_at(place)
            self._record(winner=winner, taker=winner)
            self._sweep(winner)
            self.leader = winner
        elif is_last:
            taker = self._taker_of_cancelled_last_trick()
            self._record(winner=None, taker=taker)
            self._sweep(taker)
        else:
            self._record(winner=None, taker=None)
            self._carry()
        self.trick = []
        self.trick_number += 1
        self.is_over = is_last
        self.turn = -1 if is_last else self.leader

    def _seat_at(self, place: int) -> int:
        return (self.leader + place) % self.options.players

    def _record(self, *, winner: int | None, taker: int | None) -> None:
        self.tricks.append(Trick(self.leader, tuple(self.trick), winner, taker))

    def _carry(self) -> None:
        self.carried += self.trick
        self.carried_tricks += 1
        if self.options.cancel_next_leader == "next_seat":
            self.leader = (self.leader + 1) % self.options.players

    def _taker_of_cancelled_last_trick(self) -> int | None:
        rule = self.options.cancel_last_trick
        if rule == "nobody":
            return None
        standing = play_rules.standing_cards(self.options, self.trick)
        if rule == "leader" or not standing:
            return self.leader
        return self._seat_at(play_rules.highest_place(self.trick, standing))

    def _sweep(self, taker: int | None) -> None:
        """Give the trick, all that was carried and maybe the kitty to a seat."""
        cards = self.carried + self.trick
        kitty = self.kitty if self._kitty_goes_with(cards) else []
        if taker is not None:
            self.taken[taker] += cards + kitty
            self.tricks_won[taker] += self.carried_tricks + 1
        if kitty:
            self.kitty = []
            self.kitty_taker = taker
        self.carried = []
        self.carried_tricks = 0

    def _kitty_goes_with(self, cards: Sequence[str]) -> bool:
        if self.options.leftover == "kitty_first_heart":
            return any(is_heart(card) for card in cards)
        return True

    # What can be told about it.

    @property
    def points(self) -> list[int]:
        """The penalty points that each seat has taken, with the kitty."""
        return [points_of(self.options, cards) for cards in self.taken]

    @property
    def is_forced(self) -> bool:
        """Whether all that the seat on turn could play is banned."""
        return self._legal_and_forced()[1]

    def copy(self) -> "ReferenceDeal":
        """Return a deal that goes on from here without touching this one."""
        twin = ReferenceDeal.__new__(ReferenceDeal)
        twin.__dict__.update(self.__dict__)
        for name in ("hands", "taken"):
            setattr(twin, name, [list(cards) for cards in getattr(self, name)])
        for name in ("trick", "carried", "tricks", "plays", "forced", "tricks_won"):
            setattr(twin, name, list(getattr(self, name)))
        twin.passed = list(self.passed)
        twin.kitty = list(self.kitty)
        return twin
