"""
A view: all of a game that one seat may know.

It is the only way out for cards: what goes to a seat is built from its view, so
hidden cards can't leak by accident. A view shares its lists with the game, which
makes it cheap and true only until the next call to the game.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from arena.cards import Card, CardSet
from arena.game import Game, Phase
from arena.rules import MoonChoice, PassDirection, RuleSet

MOON_CHOICES = tuple(MoonChoice)
_NONE: Final = ()
_PLAY: Final = Phase.PLAY
_new = tuple.__new__


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
    """The ways to score the moon or sun; empty unless the seat is to choose one."""
    moon_points: int
    """What the moon or sun to be chosen for is worth; 0 otherwise."""
    cancelled_tricks: Sequence[int]
    """The numbers of the tricks so far that nobody won."""
    forced_plays: Sequence[int]
    """The places in `plays` of cards that were announced as forced."""
    kitty: CardSet
    """The cards left over when the pack was dealt, once a trick has taken them."""


Answer: TypeAlias = list[Card] | MoonChoice
"""What a seat answers: cards to pass or play, or how the moon scores."""

StandIn: TypeAlias = Callable[[View], Answer]
"""Answers for a seat that is given up: a pure function of what the seat sees."""


def view_of(game: Game, seat: int) -> View:
    """Return what a seat sees now."""
    deal, phase = game.deal, game.phase
    hand = deal.hands[seat]
    choices = answer_count = moon_points = 0
    moon_choices: tuple[MoonChoice, ...] = ()
    passed = deal.passed[seat]
    if phase is _PLAY:
        if deal.turn == seat:
            choices, answer_count = deal.legal(), 1
    elif phase is Phase.PASS:
        if not passed:
            choices, answer_count = hand, deal.rules.pass_count
        passed = 0
    elif game.shot is not None and seat == game.shot.seat:
        answer_count, moon_choices, moon_points = 1, MOON_CHOICES, game.shot.value
    rules = deal.rules
    fields = (
        phase,
        seat,
        deal.players,
        rules,
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
        moon_points,
        deal.cancelled_tricks if rules.cancellation else _NONE,
        deal.forced_plays if rules.announce_forced else _NONE,
        deal.kitty if deal.kitty_taker is not None else 0,
    )
    return _new(View, fields)  # Half the time of `View(...)`.
