"""
Every preset at every number of seats, through everything above the engine.

Whole games of house bots go through the table and the wire, in this process and
through gRPC; their records are verified, replayed, told and written as text.
"""

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import cycle, islice

import pytest

from arena.chronicle import record_of
from arena.game import Phase
from arena.notation import read_notation, write_notation
from arena.position import position_text, position_value
from arena.record import Record, read_record, write_record
from arena.replay import replay
from arena.rules import PRESETS, RuleSet, preset
from arena.spec import GameSpec, SeatSpec, TimeControl
from arena.stand_in import careful_1
from arena.table import Table
from arena.transcript import compact, transcript
from arena.verify import verify
from hearts import local
from hearts.client import Client
from hearts.house import BOTS
from hearts.profile import Profile
from hearts.program import open_client
from hearts.session import Session
from tests.arena_thread import WAIT_SECONDS, RunningArena, running_arena
from tests.differential import wild_rules
from tests.every_value import rules_of_every_value

PAIRS = [(name, players) for name in PRESETS for players in PRESETS[name].seats]
"""Every preset with every number of seats that it is made for."""

NAMES = tuple(f"{name}-{index}" for index, name in enumerate(islice(cycle(BOTS), 11)))
"""Eleven house bots, some of a kind."""

every_pair = pytest.mark.parametrize(("name", "players"), PAIRS)


def seated(players: int, number: int) -> list[str]:
    """Return which bots play a game; they move on by a seat from game to game."""
    return list(
        islice(cycle(NAMES), number % len(NAMES), number % len(NAMES) + players)
    )


@cache
def local_record(name: str, players: int) -> Record:
    """Return the record of a game in this process."""
    number = PAIRS.index((name, players))
    bots = [bot.partition("-")[0] for bot in seated(players, number)]
    rules = {"preset": name, "players": players}
    [result] = local.play(bots, seed=number, rules=rules)
    return read_record(result.record)


def check(record: Record, rules: RuleSet) -> None:
    """Assert that a whole game is right, and the same in every form."""
    game = replay(record)
    names = [seat.bot for seat in record.seats]
    text = write_notation(record)

    verify(record, careful_1)
    assert rules == game.rules
    assert (rules.hash, rules.players) == (record.rules.hash, len(names))
    assert Phase.OVER == game.phase
    assert (record.ending, record.places) == (game.ending, game.places())
    assert ((), ()) == (record.faults, record.given_up)
    assert write_record(record) == write_record(read_record(write_record(record)))
    assert [record] == read_notation(text)
    assert text == write_notation(read_notation(text)[0])
    assert all(name in transcript(record) for name in names)
    assert len(record.deals) <= len(compact(record).splitlines())
    assert "places" in position_text(game, names=names)
    assert list(game.places()) == position_value(game, names=names)["places"]


@every_pair
def test_house_bots_play_in_this_process(name: str, players: int) -> None:
    """A game without a network is whole, right, and the same in every form."""
    check(local_record(name, players), preset(name, players=players))


@every_pair
def test_a_game_may_be_broken_off_anywhere(name: str, players: int) -> None:
    """A record that stops in mid-deal verifies, replays, and shows its position."""
    rules = preset(name, players=players)
    number = PAIRS.index((name, players))
    spec = spec_of(name, players, number)
    for count in (1, players, players + 1 + number % 40):
        table = Table(spec, careful_1)
        table.start()
        for _ in range(count):
            cards = careful_1(table.view(min(table.wanted)))
            assert isinstance(cards, list)
            assert table.answer(min(table.wanted), cards) is None
        record = record_of(table, started="", ended="")
        names = [seat.bot for seat in record.seats]
        game = replay(record)

        verify(record, careful_1)
        assert rules == game.rules
        assert [record] == read_notation(write_notation(record))
        assert transcript(record).endswith("The game is unfinished.\n")
        assert position_text(game, names=names).count("\nto act") == len(table.wanted)


@every_pair
def test_a_stand_in_plays_by_any_rules(name: str, players: int) -> None:
    """Seats that never started are played to the end, and the record says so."""
    absent = frozenset(range(players))
    table = Table(spec_of(name, players, 0, given_up=absent), careful_1)
    table.start()
    while table.is_unfinished:
        table.go_on()
    record = record_of(table, started="", ended="")

    assert table.is_over
    assert (1,) * players == record.places
    verify(record, careful_1)
    assert [record] == read_notation(write_notation(record))


@pytest.mark.parametrize("seed", range(30))
def test_house_bots_and_stand_ins_play_by_any_options(seed: int) -> None:
    """Rules whose options are drawn at random are played to the end as well."""
    rules = wild_rules(random.Random(seed))
    bots = [*islice(cycle(BOTS), seed, seed + rules.players)]
    [result] = local.play(bots, seed=seed, rules=rules.options)
    check(read_record(result.record), rules)
    spec = GameSpec(
        game_id="wild",
        rules=rules,
        seats=tuple(SeatSpec(f"bot-{seat}") for seat in range(rules.players)),
        sequence_seed=seed.to_bytes(32, "big"),
        given_up=frozenset(range(rules.players)),
    )
    table = Table(spec, careful_1)
    table.start()
    while table.is_unfinished:
        table.go_on()

    verify(record_of(table, started="", ended=""), careful_1)


def spec_of(name: str, players: int, number: int, **options: object) -> GameSpec:
    """Return a game of the house bots under a preset."""
    return game_of(preset(name, players=players), number, **options)


def game_of(rules: RuleSet, number: int, **options: object) -> GameSpec:
    """Return a game of the house bots."""
    return GameSpec(
        game_id=f"{rules.preset}-{rules.players}-{number}",
        rules=rules,
        seats=tuple(SeatSpec(bot) for bot in seated(rules.players, number)),
        sequence_seed=number.to_bytes(32, "big"),
        **options,  # type: ignore[arg-type]
    )


@contextmanager
def connected(arena: RunningArena) -> Iterator[None]:
    """Connect every house bot, each with a place in every game, in one thread."""
    sessions = [
        Session(
            BOTS[name.partition("-")[0]],
            Profile(max_games=256),
            clock=float,
            report=print,
        )
        for name in NAMES
    ]

    async def play() -> None:
        loops.append(asyncio.get_running_loop())
        clients.extend(
            open_client(session, address=arena.address, token=name)
            for session, name in zip(sessions, NAMES, strict=True)
        )
        await asyncio.gather(*(client.run() for client in clients))

    loops: list[asyncio.AbstractEventLoop] = []
    clients: list[Client] = []
    thread = threading.Thread(target=asyncio.run, args=(play(),), daemon=True)
    thread.start()
    try:
        arena.wait_for(lambda server: len(server.presence()) == len(NAMES))
        yield
    finally:
        for client in clients:
            loops[0].call_soon_threadsafe(client.stop)
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()


@pytest.mark.slow
@pytest.mark.parametrize(
    "tables",
    [
        pytest.param([preset(name, players=n) for name, n in PAIRS], id="presets"),
        pytest.param([*rules_of_every_value()], id="values"),
    ],
)
def test_house_bots_play_over_the_network(tables: list[RuleSet]) -> None:
    """All presets, and all values of all options, through gRPC and without a fault."""
    clock = TimeControl(bank_ms=120_000, turn_limit_ms=60_000)
    specs = [
        game_of(rules, number, time_control=clock)
        for number, rules in enumerate(tables)
    ]
    with running_arena(names=NAMES) as arena, connected(arena):
        records = arena.play_all(specs)

    for spec, record in zip(specs, records, strict=True):
        check(record, spec.rules)
