"""Turns for the tests of house bots: positions as text, and whole deals of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import hearts.local
from arena.rules import RuleSet, preset
from arena.wire import rules_message
from hearts import Bot, Card, Turn, card_names
from hearts.arena.v1 import game_pb2
from hearts.house import careful

KINDS = {
    "pass": game_pb2.TURN_KIND_PASS,
    "play": game_pb2.TURN_KIND_PLAY,
    "moon": game_pb2.TURN_KIND_MOON,
    "sun": game_pb2.TURN_KIND_SUN,
}
DIRECTIONS = {
    "left": game_pb2.PASS_DIRECTION_LEFT,
    "right": game_pb2.PASS_DIRECTION_RIGHT,
    "across": game_pb2.PASS_DIRECTION_ACROSS,
    "hold": game_pb2.PASS_DIRECTION_HOLD,
}
ARENA = preset("arena")
MOON_CHOICES = (game_pb2.MOON_CHOICE_ADD, game_pb2.MOON_CHOICE_SUBTRACT)


def make_turn(
    *,
    kind: str = "play",
    hand: str = "",
    choices: str | None = None,
    plays: str = "",
    leaders: Sequence[int] = (0,),
    seat: int = 0,
    answer_count: int = 1,
    direction: str = "hold",
    passed: str = "",
    points: Sequence[int] = (),
    totals: Sequence[int] = (),
    cancelled: Sequence[int] = (),
    moon_points: int = 26,
    rules: RuleSet = ARENA,
) -> Turn:
    """Return a turn; cards are names with spaces between them."""
    players = rules.players
    start = game_pb2.GameStart(
        game_id="g",
        seat=seat,
        players=players,
        rules=rules_message(rules),
        table_key=b"12345678",
    )
    message = game_pb2.Turn(
        turn_id=1,
        game_id="g",
        kind=KINDS[kind],
        deal_number=1,
        hand=_cards(hand),
        choices=_cards(hand if choices is None else choices),
        moon_choices=MOON_CHOICES if kind in ("moon", "sun") else (),
        moon_points=moon_points if kind in ("moon", "sun") else 0,
        answer_count=answer_count,
        plays=_cards(plays),
        leaders=leaders,
        pass_direction=DIRECTIONS[direction],
        passed=_cards(passed),
        points=points or [0] * players,
        totals=totals or [0] * players,
        cancelled_tricks=cancelled,
    )
    return Turn(message, start)


def _cards(names: str) -> Any:
    # The stubs want their own class of the name Card.
    return [Card(name) for name in names.split()]


def decision_text(turn: Turn, cards: Sequence[Card]) -> str:
    """Write a turn on a line, and after the arrow what was chosen."""
    place = f"pass {turn.pass_direction:6}"
    if turn.kind == "play":
        trick = card_names(turn.trick) or "leads"
        place = f"trick {len(turn.leaders):2} | points {turn.points} | {trick}"
    hand = card_names(turn.hand)
    choices = "" if turn.choices == turn.hand else f" | may {card_names(turn.choices)}"
    return f"seat {turn.seat} | {place} | {hand}{choices} -> {card_names(cards)}"


def careful_decisions(*, deals: int) -> list[str]:
    """Write down all that careful decides at a table of its own and at a wild one.

    The wild table plays at random, which leads to positions that careful bots
    alone would never reach.
    """
    chance = random.Random(1)
    lines: list[str] = []

    class Writer(Bot):
        """Plays as careful and writes it down."""

        def choose_card(self, turn: Turn) -> Card:
            """Choose as careful does."""
            card = careful.choose_card(turn)
            lines.append(decision_text(turn, [card]))
            return card

        def choose_pass(self, turn: Turn) -> list[Card]:
            """Choose as careful does."""
            cards = careful.choose_pass(turn)
            lines.append(decision_text(turn, cards))
            return cards

    class Wild(Writer):
        """Writes down what careful would do, and does anything else."""

        def choose_card(self, turn: Turn) -> Card:
            """Choose at random."""
            super().choose_card(turn)
            return turn.choices[int(chance.random() * len(turn.choices))]

    hearts.local.play([Writer] * 4, deals=deals, seed=1)
    hearts.local.play([Wild] * 4, deals=deals, seed=2)
    return lines


def points_per_deal(
    bots: tuple[Callable[[], Bot], Callable[[], Bot]], *, deals: int, seed: int
) -> tuple[float, float]:
    """Return what two bots lose a deal, two of each at a table, in both seatings."""
    first, second = bots
    sums = [0, 0]
    for turned, seats in enumerate(([first, second] * 2, [second, first] * 2)):
        for result in hearts.local.play(seats, deals=deals, seed=seed):
            for points in result.points:
                for seat, taken in enumerate(points):
                    sums[(seat + turned) % 2] += taken
    return sums[0] / (4 * deals), sums[1] / (4 * deals)
