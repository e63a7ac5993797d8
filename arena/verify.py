"""
A verdict on a record: whether it is what the arena must have written.

`verify` plays the record through the engine and derives everything that can be
derived: hands, legality, substitutions, the stand-in's answers, scores, places,
the hash. The first thing that is wrong is named with its place.
"""

from collections.abc import Sequence
from typing import Final

from arena.cards import Card, card_names, card_set, parse_cards
from arena.game import Game
from arena.mismatch import VerifyError, mismatch
from arena.record import Fault, GivenUp, Record, record_hash
from arena.replay import Step, check_end, replay, rules_of, set_up, steps
from arena.rules import MoonChoice
from arena.seeds import sequence_seed
from arena.substitution import is_wrong_count, substitute
from arena.view import Answer, StandIn, View, view_of

__all__ = ["SECRET_BYTES", "VerifyError", "check_secret", "replay", "verify"]

SECRET_BYTES: Final = 32
"""How long the secret of a league is."""


def verify(record: Record, stand_in: StandIn, *, as_dealt: bool = False) -> None:
    """
    Check all that a record says.

    The hash comes last, so that a change in the file is named where it is.

    Args:
        record: The record of a game, finished or not.
        stand_in: The policy that the record names as `stand_in`.
        as_dealt: Take the hands and the first dealer from the record, as in games
            that another engine or a person has dealt; they must be the whole pack.

    Raises:
        VerifyError: The first thing that is wrong.
    """
    rules = rules_of(record)
    judge = _Judge(record, stand_in)
    if as_dealt:
        game = set_up(record, rules)
    else:
        game = Game.from_seed(rules, bytes.fromhex(record.sequence_seed))
    for step in steps(record, game):
        judge.check_answer(step, game)
    judge.check_nothing_left()
    check_end(record, game)
    expected = record_hash(record)
    if record.hash != expected:
        reason = mismatch("hash", record.hash, expected)
        raise VerifyError(game=record.game, reason=reason)


def check_secret(record: Record, secret: bytes) -> None:
    """
    Check that a record's deals come from the secret of its league.

    Raises:
        VerifyError: Its sequence seed is not that of its block and attempt.
    """
    expected = sequence_seed(secret, block=record.block, attempt=record.attempt).hex()
    if record.sequence_seed != expected:
        text = mismatch("sequence_seed", record.sequence_seed, expected)
        origin = f"from the secret, block {record.block} and attempt {record.attempt}"
        raise VerifyError(game=record.game, reason=f"{text}, {origin}")


class _Judge:
    """Tells whose answer each one must have been: the seat's, or in its place."""

    def __init__(self, record: Record, stand_in: StandIn) -> None:
        self._record = record
        self._stand_in = stand_in
        self._fault_counts = [0] * len(record.seats)
        self._faults: dict[tuple[int, int, int], Fault] = {}
        self._given_up: dict[int, GivenUp] = {}
        self._unseen: set[int] = set()
        """The seats given up for faults whose place has not come yet."""
        for fault in record.faults:
            place = fault.deal, fault.trick, fault.seat
            if place in self._faults:
                self._fail(place, "two faults stand for one answer")
            self._faults[place] = fault
        for given_up in record.given_up:
            place = given_up.deal, given_up.trick, given_up.seat
            if given_up.seat in self._given_up:
                self._fail(place, "the seat is given up twice")
            self._given_up[given_up.seat] = given_up
            if given_up.cause == "faults":
                self._unseen.add(given_up.seat)

    def check_answer(self, step: Step, game: Game) -> None:
        """Check an answer before the game is given it."""
        place = step.deal, step.trick, step.seat
        fault = self._faults.pop(place, None)
        given_up = self._given_up.get(step.seat)
        if not fault and not given_up:
            return
        view = view_of(game, step.seat)
        is_stood_in = given_up and (given_up.deal, given_up.trick) <= place[:2]
        if fault and fault.kind != "start":
            self._check_fault(fault, step, view)
        elif step.seat in self._unseen and is_stood_in:
            self._fail(place, "the seat is given up for faults, but has none here")
        elif fault and not (given_up and given_up.cause == "start"):
            self._fail(place, "a seat that never started must be given up")
        elif is_stood_in:
            expected = [self._stand_in(view)]
            if view.moon_choices:
                expected.append(substitute(view))
            self._check_same(step, expected, "the stand-in's answer")

    def _check_fault(self, fault: Fault, step: Step, view: View) -> None:
        """Check that a fault was one, that it was substituted and counted."""
        place = step.deal, step.trick, step.seat
        given_up = self._given_up.get(step.seat)
        is_final = bool(
            given_up
            and given_up.cause == "faults"
            and (given_up.deal, given_up.trick) == place[:2]
        )
        if given_up and not is_final and (given_up.deal, given_up.trick) <= place[:2]:
            self._fail(place, "a fault of a seat that is given up")
        self._fault_counts[step.seat] += 1
        count, limit = self._fault_counts[step.seat], self._record.faults_max
        if is_final != (count == limit):
            reason = f"fault {count} of {limit or 'any number'}: the seat is "
            self._fail(place, reason + ("given up" if is_final else "not given up"))
        if is_final:
            self._unseen.discard(step.seat)
        self._check_offer(fault, view)
        self._check_same(step, [substitute(view)], "the substitution")

    def _check_offer(self, fault: Fault, view: View) -> None:
        """Check that no good answer was refused."""
        place = fault.deal, fault.trick, fault.seat
        is_illegal = fault.kind == "illegal"
        if is_illegal != bool(fault.reason) or (fault.offered and not is_illegal):
            self._fail(place, f"a fault {fault.kind} with reason {fault.reason!r}")
        if not is_illegal or fault.reason == "unknown_card":
            # What is no card is not told: the rest may look like a good answer.
            return
        cards = parse_cards(fault.offered)
        is_counted = bool(view.moon_choices) or not is_wrong_count(view, cards)
        expected = "illegal" if is_counted else "wrong_count"
        if fault.reason != expected:
            reason = f"the refused answer {fault.offered!r} is {expected}"
            self._fail(place, f"{reason}, not {fault.reason}")
        if not view.moon_choices and is_counted and not card_set(cards) & ~view.choices:
            self._fail(place, f"the refused answer {fault.offered!r} was legal")

    def _check_same(self, step: Step, expected: Sequence[Answer], what: str) -> None:
        if any(_is_same(step.answer, answer) for answer in expected):
            return
        given, wanted = _answer_text(step.answer), _answer_text(expected[0])
        place = step.deal, step.trick, step.seat
        card = None if isinstance(step.answer, MoonChoice) else step.answer[0]
        self._fail(
            place, f"the answer is {given}, expected {wanted}, {what}", card=card
        )

    def check_nothing_left(self) -> None:
        """Check that every fault and every given-up seat has had its place."""
        for place in self._faults:
            self._fail(place, "a fault stands where the seat gave no answer")
        for seat, given_up in self._given_up.items():
            place = given_up.deal, given_up.trick, seat
            if seat in self._unseen or given_up.deal > len(self._record.deals):
                self._fail(place, "a seat is given up where the game never was")

    def _fail(
        self, place: tuple[int, int, int], reason: str, *, card: Card | None = None
    ) -> None:
        deal, trick, seat = place
        raise VerifyError(
            game=self._record.game,
            deal=deal,
            trick=trick,
            seat=seat,
            card=card,
            reason=reason,
        )


def _is_same(answer: Answer, other: Answer) -> bool:
    """Tell whether two answers are equal; the order of cards has no meaning."""
    if isinstance(answer, MoonChoice) or isinstance(other, MoonChoice):
        return answer == other
    return card_set(answer) == card_set(other)


def _answer_text(answer: Answer) -> str:
    return answer.label if isinstance(answer, MoonChoice) else card_names(answer)
