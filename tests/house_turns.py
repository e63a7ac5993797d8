"""Turns for the tests of house bots: positions as text, and whole deals of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import hearts.local
from arena.presets import PRESETS
from arena.rules import RuleSet, parse_rules, preset
from arena.wire import rules_message
from hearts import Bot, Card, Turn, card_names
from hearts.arena.v1 import game_pb2
from hearts.house import BOTS, careful

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


TABLES = [
    (name, players) for name, preset_ in PRESETS.items() for players in preset_.seats
]
"""Every preset with every number of seats that it is made for."""

ODD_RULES: list[dict[str, object]] = [
    {"leftover": "kitty_first_trick", "players": 5},
    {"leftover": "kitty_first_heart", "players": 6, "first_trick_ban": "none"},
    {"packs": 2, "players": 11, "leftover": "kitty_first_trick"},
    {"packs": 2, "players": 9, "cancellation": True, "leftover": "kitty_first_heart"},
    {"spade_penalties": "K:13", "bonus_card": "JD", "pass_count": 5},
    {"spade_penalties": "A:4 2:30", "heart_values": "face", "moon": "off"},
    {"moon": "off", "sun": "add", "sun_value": 77, "pass_count": 1},
]
"""Rules without a preset that bots may meet all the same."""

ALL_RULES = [
    *(preset(name, players=players) for name, players in TABLES),
    *(parse_rules(rules) for rules in ODD_RULES),
]


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


def decision_text(turn: Turn, chosen: Sequence[Card] | str) -> str:
    """Write a turn on a line, and after the arrow what was chosen."""
    place = f"pass {turn.pass_direction:6}"
    if turn.kind == "play":
        trick = card_names(turn.trick) or "leads"
        place = f"trick {len(turn.leaders):2} | points {turn.points} | {trick}"
        if turn.carried:
            place += f" over {card_names(turn.carried)}"
    if turn.kind in ("moon", "sun"):
        place = f"{turn.kind} of {turn.moon_points}, totals {turn.totals}"
    hand = card_names(turn.hand)
    choices = "" if turn.choices == turn.hand else f" | may {card_names(turn.choices)}"
    if not isinstance(chosen, str):
        chosen = card_names(chosen)
    return f"seat {turn.seat} | {place} | {hand}{choices} -> {chosen}"


def careful_decisions(*, deals: int, rules: RuleSet = ARENA) -> list[str]:
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

        def choose_moon(self, turn: Turn) -> str:
            """Choose as careful does."""
            choice = careful.choose_moon(turn)
            lines.append(decision_text(turn, choice))
            return choice

    class Wild(Writer):
        """Writes down what careful would do, and does anything else."""

        def choose_card(self, turn: Turn) -> Card:
            """Choose at random."""
            super().choose_card(turn)
            return turn.choices[int(chance.random() * len(turn.choices))]

    options = {"preset": rules.preset, "players": rules.players, **rules.overrides}
    for seed, bot in enumerate((Writer, Wild), start=1):
        hearts.local.play([bot] * rules.players, deals=deals, seed=seed, rules=options)
    return lines


def points_per_deal(
    bots: Sequence[Callable[[], Bot]],
    *,
    deals: int,
    seed: int,
    rules: RuleSet = ARENA,
) -> list[float]:
    """Return what bots lose a deal that sit around a table, each in every seat.

    With more seats than bots they begin again from the first.
    """
    options = {"preset": rules.preset, "players": rules.players, **rules.overrides}
    sums = [0] * len(bots)
    counts = [0] * len(bots)
    for turned in range(len(bots)):
        places = [(seat + turned) % len(bots) for seat in range(rules.players)]
        seats = [bots[place] for place in places]
        for result in hearts.local.play(seats, deals=deals, seed=seed, rules=options):
            for points in result.points:
                for place, taken in zip(places, points, strict=True):
                    sums[place] += taken
                    counts[place] += 1
    return [taken / count for taken, count in zip(sums, counts, strict=True)]


def played(turn: Turn, bot: str = "careful") -> str:
    """Return the card that a bot plays."""
    return str(BOTS[bot]().choose_card(turn))


def passed(turn: Turn, bot: str = "careful") -> set[str]:
    """Return the cards that a bot passes."""
    return {str(card) for card in BOTS[bot]().choose_pass(turn)}
