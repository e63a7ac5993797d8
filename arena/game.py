"""
A game: deals one after another until the rules end it.

`Game` scores each deal, moon included, starts the next one by itself, and knows
places when it is over. Seats that are given up stay at the table, but out of the
running. Read the attributes, never change them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self, TypeAlias

from arena.cards import Card, CardSet, both, without
from arena.deal import Deal
from arena.double_deal import start_deal
from arena.rules import MoonChoice, RuleSet
from arena.scoring import Shot, after_exact_hit, best_choice, deal_points, shot_of
from arena.seeds import deal_hands, first_dealer

__all__ = ["DealResult", "Deals", "Game", "MoonChoice", "Phase"]

Deals: TypeAlias = Callable[[int, int], Sequence[CardSet]]
"""Returns the hands of a deal, given its index from 0 and its dealer."""


class Phase(IntEnum):
    """What a game waits for; the first four have the wire's turn kinds."""

    PASS = 1
    PLAY = 2
    MOON = 3
    SUN = 4
    OVER = 5


@dataclass(frozen=True, slots=True)
class DealResult:
    """What a deal came to."""

    points: tuple[int, ...]
    """The score of each seat: moon, sun, bonus card and given-up seats included."""
    totals: tuple[int, ...]
    """The totals after the deal, those that hit the target exactly changed."""
    shooter: int | None
    """The seat that shot the moon or the sun, where the rules have one."""
    moon_choice: MoonChoice | None
    """How the moon or the sun scored, None without one."""
    is_sun: bool = False
    """Whether it was the sun."""


class Game:
    """
    The position of one game.

    Args:
        rules: The rules in force.
        deals: Returns the hands of each deal.
        first_dealer: The seat that deals first; the deal then passes left.
    """

    __slots__ = (
        "_deal_hands",
        "_is_tie_break",
        "deal",
        "deal_number",
        "deals",
        "ending",
        "first_dealer",
        "given_up",
        "phase",
        "results",
        "rules",
        "shot",
        "totals",
    )

    deal: Deal
    """The current deal; a new object for every deal, the last one at the end."""
    phase: Phase

    def __init__(self, rules: RuleSet, deals: Deals, *, first_dealer: int) -> None:
        assert 0 <= first_dealer < rules.players
        self.rules = rules
        self.first_dealer = first_dealer
        self.deal_number = 0
        """The number of the current deal, from 1."""
        self.totals = [0] * rules.players
        """The totals before the current deal, the final ones at the end."""
        self.deals: list[Deal] = []
        """All deals so far, the current one last."""
        self.results: list[DealResult] = []
        """The results of the deals that are over."""
        self.shot: Shot | None = None
        """The moon or sun that the shooter is to score, None in other phases."""
        self.given_up: set[int] = set()
        self.ending: str | None = None
        """`finished` or `max_deals` when over, None before."""
        self._deal_hands = deals
        self._is_tie_break = False
        self._start_deal()

    @classmethod
    def from_seed(cls, rules: RuleSet, sequence_seed: bytes) -> Self:
        """Return the game whose dealer and hands come from a sequence seed."""

        def deals(deal_index: int, dealer: int) -> tuple[CardSet, ...]:
            return deal_hands(sequence_seed, deal_index, rules, dealer)

        return cls(rules, deals, first_dealer=first_dealer(sequence_seed, rules))

    def _start_deal(self) -> None:
        deal_index = self.deal_number
        dealer = (self.first_dealer + deal_index) % self.rules.players
        hands = self._deal_hands(deal_index, dealer)
        self.deal = start_deal(
            self.rules,
            hands,
            dealer=dealer,
            direction=self.rules.direction(deal_index),
            kitty=kitty_of(self.rules, hands),
        )
        self.deals.append(self.deal)
        self.deal_number += 1
        self.phase = Phase.PASS if self.deal.is_passing else Phase.PLAY

    def pass_cards(self, seat: int, cards: CardSet) -> bool:
        """
        Commit what a seat passes.

        Returns:
            Whether this completed the exchange, so that play begins.

        Raises:
            IllegalPass: The seat may not pass these cards.
        """
        if not self.deal.pass_cards(seat, cards):
            return False
        self.phase = Phase.PLAY
        return True

    def play(self, card: Card) -> bool:
        """
        Play a card for the seat on turn.

        Returns:
            Whether the deal is over and scored; the game then has its next deal
            or is over itself. False after the last card of a deal means that the
            shooter is to choose (`Phase.MOON` or `Phase.SUN`).

        Raises:
            IllegalPlay: The rules forbid the card, or nobody is on turn.
        """
        deal = self.deal
        deal.play(card)
        if not deal.is_over:
            return False
        shot = shot_of(deal)
        if shot is None:
            self._end_deal(None, None)
        elif shot.mode == "choice":
            self.phase = Phase.SUN if shot.is_sun else Phase.MOON
            self.shot = shot
            return False
        elif shot.mode == "auto":
            self._end_deal(shot, best_choice(shot.value, shot.seat, self.totals))
        else:
            self._end_deal(shot, MoonChoice[shot.mode.upper()])
        return True

    @property
    def moon_seat(self) -> int:
        """The seat that chooses how the moon or sun scores, -1 in other phases."""
        return self.shot.seat if self.shot else -1

    @property
    def is_choosing(self) -> bool:
        """Whether the game waits for how a moon or a sun scores."""
        return self.shot is not None

    def choose_moon(self, choice: MoonChoice) -> None:
        """Score the moon or sun as `moon_seat` wishes, which ends the deal."""
        assert self.shot is not None, "no moon is to be chosen"
        shot = self.shot
        self.shot = None
        self._end_deal(shot, choice)

    def give_up(self, seat: int) -> None:
        """
        Take a seat out of the running for the rest of the game.

        Its deals that are not over yet count as the worst points at the table in
        each, so that leaving never pays, and it is placed last. It goes on being
        asked; who answers for it is not the game's business.
        """
        assert self.phase != Phase.OVER
        self.given_up.add(seat)

    def _end_deal(self, shot: Shot | None, choice: MoonChoice | None) -> None:
        rules = self.rules
        points = deal_points(
            self.deal, self.totals, shot=shot, choice=choice, given_up=self.given_up
        )
        self.totals = [
            after_exact_hit(rules, total + change)
            for total, change in zip(self.totals, points, strict=True)
        ]
        result = DealResult(
            tuple(points),
            tuple(self.totals),
            None if shot is None else shot.seat,
            choice,
            shot is not None and shot.is_sun,
        )
        self.results.append(result)
        self.ending = self._ending()
        if self.ending:
            self.phase = Phase.OVER
        else:
            self._start_deal()

    def _ending(self) -> str | None:
        """Tell how the game ended with the deal just scored, None if it goes on."""
        rules = self.rules
        if self._exact_winners():
            return "finished"
        highest = max(self.totals)
        is_met = (
            highest >= rules.target
            if rules.end_when == "reach"
            else highest > rules.target
        )
        if self._is_tie_break and rules.tie_recheck == "tie_only":
            is_met = True
        if is_met:
            if rules.tie != "further_deals" or not self._is_tied():
                return "finished"
            self._is_tie_break = True
        if rules.max_deals is not None and self.deal_number >= rules.max_deals:
            return "max_deals"
        return None

    def _is_tied(self) -> bool:
        """Tell whether several seats in the running share the lowest total."""
        running = self._running_totals()
        return bool(running) and running.count(min(running)) > 1

    def _running_totals(self) -> list[int]:
        return [
            total for seat, total in enumerate(self.totals) if seat not in self.given_up
        ]

    def _exact_winners(self) -> set[int]:
        """Return the seats that win by hitting the target, where the rules say so."""
        if self.rules.exact_hit != "wins":
            return set()
        return {
            seat
            for seat, total in enumerate(self.totals)
            if total == self.rules.target and seat not in self.given_up
        }

    def places(self) -> tuple[int, ...]:
        """
        Return the place of each seat, from 1, once the game is over.

        Equal totals share a place and leave the next ones out, as in 1, 2, 2, 4.
        All given-up seats share the last place.
        """
        assert self.phase == Phase.OVER, "the game is not over"
        winners = self._exact_winners()
        ranks = [
            (seat in self.given_up, seat not in winners, total)
            for seat, total in enumerate(self.totals)
        ]
        for seat in self.given_up:
            ranks[seat] = (True, True, 0)
        return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def kitty_of(rules: RuleSet, hands: Sequence[CardSet]) -> CardSet:
    """
    Return the cards that are left over when these hands are dealt.

    Raises:
        AssertionError: The hands are not dealt from the pack of the rules.
    """
    dealt = 0
    for hand in hands:
        dealt = both(dealt, hand) if rules.packs == 2 else dealt | hand
    assert not dealt & ~rules.pack, "the hands are not dealt from the pack"
    kitty = without(rules.pack, dealt)
    assert kitty.bit_count() == rules.kitty_size, "the hands are not the pack"
    return kitty
