"""Records of games that a seed decides, with faults and given-up seats."""

import random
from typing import Any

from arena.cards import cards_in, rank
from arena.chronicle import record_of
from arena.game import MoonChoice, Phase
from arena.record import Record
from arena.rules import PRESETS, preset
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Table

STARTED = "2026-01-01T12:00:00.000Z"
ENDED = "2026-01-01T12:00:01.000Z"
UNSTEADY = 1
"""The seat whose bot is sometimes late and sometimes answers nonsense."""


NAMES = ("careful", "fox", "lowest", "dares", *"efghijk")
"""The bots by seat; those of the first one have an owner."""
PRESET_SEATS = [(name, players) for name in PRESETS for players in PRESETS[name].seats]
"""Every preset with every number of seats that it is made for."""


def sample_record(
    seed: int,
    *,
    preset_name: str = "arena",
    deals_max: int = 1000,
    answers_max: int = 100_000,
    shooter: int | None = None,
    **rules: Any,
) -> Record:
    """
    Return the record of a random game.

    Args:
        seed: decides everything; 0 to 255.
        preset_name: the preset.
        deals_max: breaks the game off before the deal after this one.
        answers_max: breaks the game off after so many answers.
        shooter: the seat that all others help to take every trick.
        rules: options that differ from the preset, `players` among them.
    """
    rule_set = preset(preset_name, **rules)
    names = NAMES[: rule_set.players]
    spec = GameSpec(
        game_id="demo-17",
        league="demo",
        block=17,
        rules=rule_set,
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
                if shooter is None:
                    _answer(table, seat, chance)
                else:
                    _help(table, seat, shooter, chance)
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
    elif view.moon_choices:
        table.answer(seat, [], MoonChoice.SUBTRACT)
    else:
        table.answer(seat, chance.sample(cards_in(view.choices), view.answer_count))


def _help(table: Table, seat: int, shooter: int, chance: random.Random) -> None:
    """Let one seat win: it passes low and plays high, the others do the contrary."""
    view = table.view(seat)
    if view.moon_choices:
        table.answer(seat, [], chance.choice(view.moon_choices))
        return
    cards = sorted(cards_in(view.choices), key=rank)
    is_high = (seat == shooter) != (view.kind == Phase.PASS)
    count = view.answer_count
    table.answer(seat, cards[-count:] if is_high else cards[:count])
