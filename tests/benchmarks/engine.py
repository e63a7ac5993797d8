"""What the engine alone does, beside OpenSpiel's Hearts driven from Python too."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from arena.cards import Card, CardSet
from arena.deal import Deal, PassDirection
from arena.record import read_record
from arena.rules import RuleSet, preset
from arena.stand_in import STAND_INS
from arena.verify import verify
from hearts.house.dodger import Dodger
from hearts.local import play as play_games

DEALT_COUNT = 300
"""How many packs are shuffled beforehand, and how many deals make a batch."""
VERIFIED_COUNT = 20
"""How many records are verified in turn."""

_BITS: Sequence[CardSet] = [1 << card for card in range(53)]
_PACK = range(1, 53)

Play = Callable[[int], object]
"""Plays the deal of this number in the batch."""


def hands_of(pack: Sequence[Card]) -> list[CardSet]:
    """Deal a shuffled pack round four seats."""
    bits = [_BITS[card] for card in pack]
    return [sum(bits[seat::4]) for seat in range(4)]


def play_at_random(
    rules: RuleSet, hands: Sequence[CardSet], chance: Callable[[], float]
) -> list[int]:
    """Play one deal without a pass, each card drawn from the legal ones."""
    deal = Deal(rules, hands, dealer=0, direction=PassDirection.HOLD)
    legal_cards, play = deal.legal_cards, deal.play
    while not deal.is_over:
        legal = legal_cards()
        play(legal[int(chance() * len(legal))])
    return deal.points


def _engine_plays(chance: random.Random, packs: Sequence[list[Card]]) -> list[Play]:
    """Return how the engine plays whole deals, shuffled packs and ready hands."""
    rules = preset("arena")
    draw = chance.random
    ready = [hands_of(pack) for pack in packs]

    def whole(_: int) -> object:
        pack = sorted(_PACK, key=lambda _: draw())
        return play_at_random(rules, hands_of(pack), draw)

    return [
        whole,
        lambda index: play_at_random(rules, hands_of(packs[index]), draw),
        lambda index: play_at_random(rules, ready[index], draw),
    ]


def _openspiel_plays(chance: random.Random, packs: Sequence[list[Card]]) -> list[Play]:
    """Return the same three for OpenSpiel, whose chance nodes deal card by card."""
    import pyspiel

    game = pyspiel.load_game("hearts(pass_cards=False)")
    draw = chance.random
    # Its numbers of cards go by rank, then by suit.
    packs = [[4 * ((card - 1) % 13) + (card - 1) // 13 for card in p] for p in packs]

    def dealt(pack: Sequence[int]) -> Any:
        state = game.new_initial_state()
        for action in pack:
            state.apply_action(action)
        return state

    def finish(state: Any) -> object:
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
        return state.returns()

    ready = [dealt(pack) for pack in packs]
    return [
        lambda _: finish(game.new_initial_state()),
        lambda index: finish(dealt(packs[index])),
        lambda index: finish(ready[index].clone()),
    ]


def _cpu_seconds(play: Play) -> float:
    """Measure a batch, in seconds that the processor worked for this process."""
    start = time.process_time()
    for index in range(DEALT_COUNT):
        play(index)
    return time.process_time() - start


def deals_per_s(seconds: float) -> dict[str, float | None]:
    """
    Measure how many deals a second engine and OpenSpiel play out.

    The batches of both alternate, and a ratio is the median of those of neighbours.
    """
    chance = random.Random(1)
    packs = [chance.sample(_PACK, 52) for _ in range(DEALT_COUNT)]
    own = _engine_plays(chance, packs)
    try:
        other = _openspiel_plays(chance, packs)
    except ImportError:
        other = []
    times: list[list[tuple[float, float]]] = [[], [], []]
    end = time.perf_counter() + 3 * seconds
    while not times[-1] or time.perf_counter() < end:
        for kind in range(3):
            taken = _cpu_seconds(own[kind])
            times[kind].append((taken, _cpu_seconds(other[kind]) if other else 0.0))
    whole = times[0]
    figures: dict[str, float | None] = {
        "engine_deals_per_s": DEALT_COUNT / median(own for own, _ in whole)
    }
    names = ("ratio_openspiel", "ratio_openspiel_dealt", "ratio_openspiel_ready")
    figures["openspiel_deals_per_s"] = (
        DEALT_COUNT / median(other for _, other in whole) if other else None
    )
    for name, pairs in zip(names, times, strict=True):
        ratios = [theirs / ours for ours, theirs in pairs]
        figures[name] = median(ratios) if other else None
    return figures


def verify_games_per_s(seconds: float) -> float:
    """Measure how many games a second are read from text and verified."""
    lines = [game.record for game in play_games([Dodger] * 4, games=VERIFIED_COUNT)]
    count = 0
    start = now = time.process_time()
    while now < start + seconds:
        for line in lines:
            record = read_record(line)
            verify(record, STAND_INS[record.stand_in])
        count += len(lines)
        now = time.process_time()
    return count / (now - start)
