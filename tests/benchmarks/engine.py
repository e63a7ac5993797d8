"""What the engine alone does: random deals by `legal` and `play`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from arena.cards import CardSet, card_set, cards_in
from arena.deal import Deal, PassDirection
from arena.rules import RuleSet, preset

DEALT_COUNT = 500
"""How many sets of hands are dealt beforehand, to be played in turn."""
BATCH_COUNT = 50
"""How many deals are played between two looks at the clock."""


def _dealt(chance: random.Random) -> list[CardSet]:
    pack = list(range(1, 53))
    chance.shuffle(pack)
    return [card_set(pack[start : start + 13]) for start in range(0, 52, 13)]


def play_at_random(rules: RuleSet, hands: list[CardSet], chance: random.Random) -> Deal:
    """Play one deal without a pass, each card drawn from the legal ones."""
    deal = Deal(rules, hands, dealer=0, direction=PassDirection.HOLD)
    while not deal.is_over:
        legal = cards_in(deal.legal())
        deal.play(legal[int(chance.random() * len(legal))])
    return deal


def _played_per_s(seconds: float, play: Callable[[int], object]) -> float:
    """Play dealt hands in turn, by their index, for so many seconds."""
    count = 0
    start = now = time.perf_counter()
    while now < start + seconds:
        for _ in range(BATCH_COUNT):
            play(count % DEALT_COUNT)
            count += 1
        now = time.perf_counter()
    return count / (now - start)


def engine_deals_per_s(seconds: float) -> float:
    """Measure how many deals a second one process plays out."""
    chance = random.Random(1)
    rules = preset("arena")
    dealt = [_dealt(chance) for _ in range(DEALT_COUNT)]
    return _played_per_s(
        seconds, lambda index: play_at_random(rules, dealt[index], chance)
    )


def openspiel_deals_per_s(seconds: float) -> float | None:
    """Measure the same with OpenSpiel; `None` where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    chance = random.Random(1)
    game = pyspiel.load_game("hearts(pass_cards=False)")

    def deal() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(chance.choice(state.legal_actions()))
        return state

    def play(state: Any) -> None:
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(chance.random() * len(legal))])

    dealt = [deal() for _ in range(DEALT_COUNT)]
    return _played_per_s(seconds, lambda index: play(dealt[index].clone()))
