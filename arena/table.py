"""A table: one running game, what it asks of its seats and what they answer.

The law of this file: **everything that changes a game happens here or below**.
A table does no IO and reads no clock. It is called with what a seat answered
and lists the seats that are to be asked next, so equal calls give equal games.
Nothing that a bot answers raises: a wrong answer is substituted and recorded as
a `Fault`. What the caller does wrong is an assertion.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from arena.cards import PACK_SIZE, CardSet, card_names, card_set, cards_in
from arena.evidence import Evidence
from arena.game import Game, MoonChoice, Phase
from arena.record import Fault, GivenUp
from arena.spec import GameSpec
from arena.substitution import is_wrong_count, named_too_often, substitute
from arena.view import Answer, StandIn, View, view_of


class Reason(IntEnum):
    """Why an answer was refused; the numbers are those of the protocol."""

    ILLEGAL = 1
    WRONG_COUNT = 2
    UNKNOWN_CARD = 3
    TOO_LATE = 4
    UNKNOWN_TURN = 5


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was wrong with an answer, and what was played or passed instead."""

    reason: Reason
    message: str
    substituted: tuple[int, ...] = ()


class Timing(NamedTuple):
    """Where the time of one answer went, in whole milliseconds.

    A tuple, because one is made for every turn, and a frozen dataclass takes three
    times as long.
    """

    queued_ms: int = 0
    waited_ms: int = 0
    charged_ms: int = 0
    refunded_ms: int = 0
    think_ms: int = 0
    returned_ms: int = 0
    """What was handed back, since the arena itself had lost it."""


NO_TIME = Timing()


@dataclass(frozen=True, slots=True)
class Loss:
    """A bot that was lost, and when: losses at one time are one incident."""

    bot: str
    at: float
    """Seconds of the host's clock."""


# On the way of every turn, where `Phase.PLAY` would cost as much as a call.
_PLAY = Phase.PLAY
NOTE_MAX = 200
"""The most characters of a note that are kept."""
OFFERED_MAX = 40
"""The most cards of a refused answer that are kept: more than are ever passed."""


def printable(text: str) -> str:
    """Return a text that can do nothing to a terminal: one line, no controls."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


class Table:
    """One running game.

    `wanted` holds the seats whose answer is open. After each call, `take_asked`
    returns the seats that were newly asked. `is_unfinished` is true when only
    stand-ins are left to answer for a while: call `go_on` until it is not, so
    that one table of given-up seats never holds up the others.
    """

    __slots__ = (
        "_asked",
        "_pass_timings",
        "fault_counts",
        "faults",
        "game",
        "given_up",
        "is_over",
        "is_unfinished",
        "losses",
        "missed",
        "notes",
        "spec",
        "stand_in",
        "timings",
        "void_reason",
        "wanted",
    )

    def __init__(
        self, spec: GameSpec, stand_in: StandIn, *, game: Game | None = None
    ) -> None:
        self.spec = spec
        self.stand_in = stand_in
        self.game = game or Game.from_seed(spec.rules, spec.sequence_seed)
        self.wanted: set[int] = set()
        self.faults: list[Fault] = []
        self.fault_counts = [0] * len(spec.seats)
        self.given_up: dict[int, GivenUp] = {}
        self.notes: list[tuple[int, int, int, str]] = []
        self.timings: list[list[Timing]] = [[]]
        # What is known of the faults that were a matter of time.
        self.missed: list[Evidence] = []
        self.void_reason = ""
        self.losses: tuple[Loss, ...] = ()
        """The bots whose loss made the game void."""
        self.is_over = False
        self.is_unfinished = False
        self._asked: list[int] = []
        self._pass_timings: dict[int, Timing] = {}

    def start(self) -> None:
        """Give up the seats that the spec names and ask the first questions."""
        for seat in sorted(self.spec.given_up):
            self.given_up[seat] = GivenUp(seat=seat, deal=1, trick=0, cause="start")
            self.game.give_up(seat)
        self.go_on()

    def take_asked(self) -> list[int]:
        """Return the seats asked since the last call, and forget them."""
        asked = self._asked
        if asked:
            self._asked = []
        return asked

    def view(self, seat: int) -> View:
        """Return all that the seat may know. Nothing else of a deal leaves."""
        return view_of(self.game, seat)

    @property
    def is_choosing(self) -> bool:
        """Whether the game waits for how a moon or a sun scores."""
        return self.game.is_choosing

    @property
    def deal_number(self) -> int:
        """The number of the deal in play, from 1."""
        return self.game.deal_number

    @property
    def trick_number(self) -> int:
        """The place in the deal: 0 the pass, then tricks from 1, then the moon."""
        game = self.game
        if game.phase == Phase.PASS:
            return 0
        return game.deal.trick_count + 1

    # Answers

    def answer(
        self,
        seat: int,
        cards: Sequence[int],
        moon_choice: int = 0,
        *,
        timing: Timing = NO_TIME,
        note: str = "",
    ) -> Refusal | None:
        """Take the answer of a seat that is `wanted`.

        Args:
            seat: The seat, from 0.
            cards: What it named; for a moon choice ignored.
            moon_choice: A `MoonChoice`, or 0.
            timing: Where the time went; kept in the record.
            note: A remark of the bot; kept in the record.

        Returns:
            Nothing when the answer was good. Otherwise what was wrong; the
            answer is substituted, the fault recorded.
        """
        assert seat in self.wanted, f"seat {seat} was not asked"
        if note:
            place = (self.deal_number, self.trick_number, seat)
            self.notes.append((*place, printable(note[:NOTE_MAX])))
        game = self.game
        phase = game.phase
        if phase is _PLAY:
            # A number outside the pack may be anything that fits the wire.
            if (
                len(cards) == 1
                and 0 < (card := cards[0]) <= PACK_SIZE
                and game.deal.legal() >> card & 1
            ):
                self._played(card, timing)
                return None
        elif phase is Phase.PASS:
            if self._is_pass(seat, cards):
                self._passed(seat, card_set(cards), timing)
                return None
        elif moon_choice in (MoonChoice.ADD, MoonChoice.SUBTRACT):
            self._chose(seat, MoonChoice(moon_choice), timing)
            return None
        return self._refuse(seat, cards, timing)

    def miss(self, seat: int, kind: str, *, timing: Timing = NO_TIME) -> Answer:
        """Substitute the answer that a `wanted` seat did not give.

        Args:
            seat: The seat, from 0.
            kind: `late` or `away`.
            timing: Where the time went.

        Returns:
            What was played, passed or chosen instead.
        """
        assert seat in self.wanted, f"seat {seat} was not asked"
        return self._fault(seat, kind, "", "", timing)

    def choose_default(self, seat: int) -> None:
        """Score the moon or sun of a seat that does not choose itself: no fault."""
        assert self.is_choosing, "there is nothing to choose"
        assert seat in self.wanted, f"seat {seat} was not asked"
        self._apply(seat, substitute(self.view(seat)), NO_TIME)
        self.go_on()

    def give_up(self, seat: int, cause: str) -> None:
        """Hand a seat to the stand-in from here to the end of the game."""
        if seat in self.given_up or self.is_over:
            return
        self._mark_given_up(seat, cause)
        if seat in self.wanted:
            self._stand_in_answers(seat)
            self.go_on()

    def void(self, reason: str, *, losses: Sequence[Loss] = ()) -> None:
        """End the game without a result."""
        self.void_reason = reason
        self.losses = tuple(losses)
        self.wanted.clear()
        self.is_over = True
        self.is_unfinished = False

    def go_on(self) -> None:
        """Let stand-ins answer and ask the next seat, for one deal at most."""
        game, given_up = self.game, self.given_up
        deal_number = game.deal_number
        self.is_unfinished = False
        while game.phase != Phase.OVER:
            seats = self._seats_to_act()
            free = [seat for seat in seats if seat not in given_up]
            if free:
                self._ask(free)
            stood_in = [seat for seat in seats if seat in given_up]
            if not stood_in:
                return
            if not free and game.deal_number > deal_number:
                self.is_unfinished = True
                return
            for seat in stood_in:
                self._stand_in_answers(seat)
            if free:
                return
        self.is_over = True

    # The rest is private.

    def _seats_to_act(self) -> tuple[int, ...]:
        game = self.game
        if game.phase == Phase.PLAY:
            return (game.deal.turn,)
        if game.phase == Phase.PASS:
            passed = self._pass_timings
            return tuple(s for s in range(len(self.spec.seats)) if s not in passed)
        return (game.moon_seat,)

    def _ask(self, seats: Sequence[int]) -> None:
        for seat in seats:
            if seat not in self.wanted:
                self.wanted.add(seat)
                self._asked.append(seat)

    def _is_pass(self, seat: int, cards: Sequence[int]) -> bool:
        """Tell whether `cards` are the right number of cards that the seat holds."""
        game = self.game
        if len(cards) != game.rules.pass_count or not _exist(cards):
            return False
        passed = card_set(cards)
        # A set has no third copy of a card.
        is_whole = passed.bit_count() == len(cards)
        return is_whole and not passed & ~game.deal.hands[seat]

    def _played(self, card: int, timing: Timing) -> None:
        self.wanted.clear()
        self.timings[-1].append(timing)
        if self.game.play(card):
            self._deal_ended()
        self._next()

    def _next(self) -> None:
        """Ask the next seat on the short way that nearly every turn takes."""
        game = self.game
        if game.phase is _PLAY and (seat := game.deal.turn) not in self.given_up:
            self.wanted.add(seat)
            self._asked.append(seat)
        else:
            self.go_on()

    def _passed(self, seat: int, cards: CardSet, timing: Timing) -> None:
        self.wanted.discard(seat)
        self._pass_timings[seat] = timing
        if self.game.pass_cards(seat, cards):
            self._pass_ended()
            self._next()

    def _pass_ended(self) -> None:
        ordered = sorted(self._pass_timings.items())
        self.timings[-1].extend(timing for _, timing in ordered)
        self._pass_timings.clear()

    def _chose(self, seat: int, choice: MoonChoice, timing: Timing) -> None:
        self.wanted.clear()
        self.timings[-1].append(timing)
        self.game.choose_moon(choice)
        self._deal_ended()
        self._next()

    def _deal_ended(self) -> None:
        if self.game.phase != Phase.OVER:
            self.timings.append([])

    def _stand_in_answers(self, seat: int) -> None:
        """Let the stand-in answer, without asking anybody else."""
        answer = self.stand_in(self.view(seat))
        self._apply(seat, answer, NO_TIME)

    def _apply(self, seat: int, answer: Answer, timing: Timing) -> None:
        game = self.game
        self.wanted.discard(seat)
        if isinstance(answer, MoonChoice):
            self.timings[-1].append(timing)
            game.choose_moon(answer)
            self._deal_ended()
        elif game.phase == Phase.PASS:
            self._pass_timings[seat] = timing
            if game.pass_cards(seat, card_set(answer)):
                self._pass_ended()
        else:
            self.timings[-1].append(timing)
            if game.play(answer[0]):
                self._deal_ended()

    def _refuse(self, seat: int, cards: Sequence[int], timing: Timing) -> Refusal:
        view = self.view(seat)
        cards = list(cards)
        reason = _reason(view, cards)
        offered = [card for card in cards[:OFFERED_MAX] if 0 < card <= PACK_SIZE]
        expected = _expectation(view)
        answer = self._fault(
            seat, "illegal", card_names(offered), reason.name.lower(), timing
        )
        done = answer.label if isinstance(answer, MoonChoice) else card_names(answer)
        return Refusal(
            reason,
            f"{_fault_text(view, reason, cards)}; expected {expected}; "
            f"{done} was taken instead",
            () if isinstance(answer, MoonChoice) else tuple(answer),
        )

    def _fault(
        self, seat: int, kind: str, offered: str, reason: str, timing: Timing
    ) -> Answer:
        """Record a fault, give the seat up at the limit, and answer for it."""
        self.faults.append(
            Fault(
                deal=self.deal_number,
                kind=kind,
                offered=offered,
                reason=reason,
                seat=seat,
                trick=self.trick_number,
            )
        )
        self.fault_counts[seat] += 1
        answer = substitute(self.view(seat))
        if self.fault_counts[seat] == self.spec.faults_max:
            self._mark_given_up(seat, "faults")
        self._apply(seat, answer, timing)
        self.go_on()
        return answer

    def _mark_given_up(self, seat: int, cause: str) -> None:
        """Note where the stand-in takes over; its deals count as the worst.

        A seat that has answered in this trick already is taken over in the next.
        """
        trick = self.trick_number
        if cause != "faults" and self._has_answered(seat):
            trick += 1
        self.given_up[seat] = GivenUp(
            seat=seat, deal=self.deal_number, trick=trick, cause=cause
        )
        self.game.give_up(seat)

    def _has_answered(self, seat: int) -> bool:
        """Tell whether a seat has its answer in the open pass or trick behind it."""
        game = self.game
        if game.phase == Phase.PASS:
            return seat in self._pass_timings
        if game.is_choosing:
            return seat != game.moon_seat
        deal = game.deal
        return (seat - deal.leaders[-1]) % deal.players < len(deal.trick)


def _exist(cards: Sequence[int]) -> bool:
    """Tell whether numbers that fit the wire are all cards."""
    return all(0 < card <= PACK_SIZE for card in cards)


def _reason(view: View, cards: Sequence[int]) -> Reason:
    if view.moon_choices:
        return Reason.ILLEGAL
    if not _exist(cards):
        return Reason.UNKNOWN_CARD
    if is_wrong_count(view, cards):
        return Reason.WRONG_COUNT
    return Reason.ILLEGAL


def _fault_text(view: View, reason: Reason, cards: Sequence[int]) -> str:
    if view.moon_choices:
        return f"no way to score the {view.kind.name.lower()} was named"
    if reason == Reason.UNKNOWN_CARD:
        return "a card was named that does not exist"
    if reason == Reason.ILLEGAL:
        bad = [card for card in cards if not view.choices >> card & 1]
        return f"{card_names(bad)} is not among the choices"
    if len(cards) == view.answer_count:
        return f"{card_names(named_too_often(view, cards))} was named too often"
    return f"{len(cards)} cards were named"


def _expectation(view: View) -> str:
    if view.moon_choices:
        return "MOON_CHOICE_ADD or MOON_CHOICE_SUBTRACT"
    return f"{view.answer_count} of {card_names(cards_in(view.choices))}"
