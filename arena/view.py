"""
A view: all of a game that one seat may know.

It is the only way out for cards: what goes to a seat is built from its view, so
hidden cards can't leak by accident. A view shares its lists with the game, which
makes it cheap and true only until the next call to the game.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from arena.cards import Card, CardSet
from arena.game import Game, Phase
from arena.rules import MoonChoice, PassDirection, RuleSet

MOON_CHOICES = tuple(MoonChoice)


class View(NamedTuple):
    """
    What a seat sees. Its lists belong to the game: read, never change or keep.

    A tuple, because making a frozen dataclass takes four times as long and a view
    is made for every turn.
    """

    kind: Phase
    """What the game waits for."""
    seat: int
    players: int
    rules: RuleSet
    deal_number: int
    """From 1."""
    dealer: int
    direction: PassDirection
    hand: CardSet
    choices: CardSet
    """The cards to choose from; empty for a moon choice or when not asked."""
    answer_count: int
    """How many of the choices an answer names; 0 when the seat is not asked."""
    plays: list[Card]
    """All cards played in the deal, in the order of play."""
    leaders: list[int]
    """The leader of each trick begun, the open one included."""
    passed: CardSet
    """What the seat passed on; empty before all have passed."""
    received: CardSet
    points: list[int]
    """The penalty points taken in the deal so far, by seat."""
    totals: list[int]
    """The totals before the deal, by seat."""
    hearts_broken: bool
    moon_choices: tuple[MoonChoice, ...]
    """The ways to score the moon; empty unless the seat is to choose one."""


Answer: TypeAlias = list[Card] | MoonChoice
"""What a seat answers: cards to pass or play, or how the moon scores."""

StandIn: TypeAlias = Callable[[View], Answer]
"""Answers for a seat that is given up: a pure function of what the seat sees."""


def view_of(game: Game, seat: int) -> View:
    """Return what a seat sees now."""
    deal = game.deal
    phase = game.phase
    hand = deal.hands[seat]
    choices = answer_count = 0
    moon_choices: tuple[MoonChoice, ...] = ()
    passed = deal.passed[seat]
    if phase is Phase.PLAY:
        if deal.turn == seat:
            choices = deal.legal()
            answer_count = 1
    elif phase is Phase.PASS:
        if not passed:
            choices = hand
            answer_count = game.rules.pass_count
        passed = 0
    elif phase is Phase.MOON and seat == game.moon_seat:
        answer_count = 1
        moon_choices = MOON_CHOICES
    return View(
        phase,
        seat,
        deal.players,
        deal.rules,
        game.deal_number,
        deal.dealer,
        deal.direction,
        hand,
        choices,
        answer_count,
        deal.plays,
        deal.leaders,
        passed,
        deal.received[seat],
        deal.points,
        game.totals,
        deal.hearts_broken,
        moon_choices,
    )
