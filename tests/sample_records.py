"""Records of games that a seed decides, with faults and given-up seats."""

import random
from typing import Any

from arena.cards import cards_in
from arena.chronicle import record_of
from arena.game import MoonChoice, Phase
from arena.record import Record
from arena.rules import preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Table

STARTED = "2026-01-01T12:00:00.000Z"
ENDED = "2026-01-01T12:00:01.000Z"
UNSTEADY = 1
"""The seat whose bot is sometimes late and sometimes answers nonsense."""


def sample_record(
    seed: int, *, deals_max: int = 1000, answers_max: int = 100_000, **rules: Any
) -> Record:
    """
    Return the record of a random game.

    Args:
        seed: decides everything; 0 to 255.
        deals_max: breaks the game off before the deal after this one.
        answers_max: breaks the game off after so many answers.
        rules: options that differ from the preset.
    """
    names = ("careful", "fox", "lowest", "dares")
    spec = GameSpec(
        game_id="demo-17",
        league="demo",
        block=17,
        rules=preset("arena", **rules),
        seats=(SeatSpec(names[0], owner="ann"), *map(SeatSpec, names[1:])),
        sequence_seed=bytes([seed]) * 32,
    )
    table = Table(spec, substitute)
    table.start()
    chance = random.Random(seed)
    count = 0
    while not table.is_over and table.deal_number <= deals_max:
        if table.is_unfinished:
            table.go_on()
        for seat in table.take_asked():
            if seat in table.wanted and count < answers_max:
                count += 1
                _answer(table, seat, chance)
        if count == answers_max:
            break
    return record_of(table, started=STARTED, ended=ENDED)


def _answer(table: Table, seat: int, chance: random.Random) -> None:
    luck = chance.random()
    view = table.view(seat)
    if seat == UNSTEADY and luck < 0.04:
        table.miss(seat, "late")
    elif seat == UNSTEADY and luck < 0.08:
        table.answer(seat, [chance.randint(1, 52)], note="what now?")
    elif seat == UNSTEADY and luck < 0.1:
        table.answer(seat, [])
    elif view.kind == Phase.MOON:
        table.answer(seat, [], MoonChoice.SUBTRACT)
    else:
        table.answer(seat, chance.sample(cards_in(view.choices), view.answer_count))
