"""What the engine alone does: random deals by `legal` and `play`."""

from __future__ import annotations

import random
import time

from arena.cards import CardSet, card_set, cards_in
from arena.deal import Deal, PassDirection
from arena.rules import RuleSet, preset

DEALT_COUNT = 500
"""How many sets of hands are dealt beforehand, to be played in turn."""


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


def engine_deals_per_s(seconds: float) -> float:
    """Measure how many deals a second one process plays out."""
    chance = random.Random(1)
    rules = preset("arena")
    dealt = [_dealt(chance) for _ in range(DEALT_COUNT)]
    count = 0
    start = now = time.perf_counter()
    while now < start + seconds:
        for hands in dealt[:50]:
            play_at_random(rules, hands, chance)
        dealt = dealt[50:] + dealt[:50]
        count += 50
        now = time.perf_counter()
    return count / (now - start)
