"""Leagues for tests: small configurations and genuine records of random play.

`played` plays a game through the real table with seeded bots.
"""

import random

from arena.cards import cards_in
from arena.chronicle import record_of
from arena.game import MoonChoice, Phase
from arena.record import Record
from arena.seeds import sequence_seed, table_key
from arena.spec import GameSpec, SeatSpec
from arena.substitution import substitute
from arena.table import Table
from leagues.config import LeagueConfig, parse_league
from leagues.seeds import attempt_number
from leagues.storage.league import League
from leagues.storage.store import Store

STARTED = "2026-01-01T12:00:00.000Z"
ENDED = "2026-01-01T12:00:01.000Z"

NAMES = ("careful", "fox", "lowest", "dares", "ducker", "random")


def league_config(
    *,
    name: str = "demo",
    games: int = 10,
    entrants: int = 5,
    seed: str | None = "1",
    luck: str = "none",
) -> LeagueConfig:
    """A league of house bots, open unless the seed is `None`."""
    parts = [f"name = '{name}'", f"games = {games}", f"luck = '{luck}'"]
    parts += [] if seed is None else [f"practice_seed = '{seed}'"]
    parts += [f"[[entrant]]\nhouse = '{house}'" for house in NAMES[:entrants]]
    # A short game is as good as a long one here.
    parts += ["[rules]\ntarget = 10"]
    return parse_league("\n".join(parts), file=f"{name}.toml")


def league_spec(
    config: LeagueConfig, league: League, number: int, *, run: int = 1, retry: int = 0
) -> GameSpec:
    """The game of a league as the arena would be asked for it."""
    attempt = attempt_number(is_open=config.is_open, run=run, retry=retry)
    block, owners = league.blocks.block(number), league.owners
    return GameSpec(
        game_id=f"{league.name}-{number}",
        rules=config.rules,
        seats=tuple(SeatSpec(bot, owner=owners[bot]) for bot in league.seats(number)),
        sequence_seed=sequence_seed(league.secret, block=block, attempt=attempt),
        table_key=table_key(league.name, number),
        league=league.name,
        block=block,
        attempt=attempt,
        time_control=config.time_control,
        open_deals=config.is_open,
    )


def played(
    spec: GameSpec,
    *,
    answers_max: int = 100_000,
    unsteady: frozenset[str] = frozenset(),
    void: str = "",
) -> Record:
    """Play a game with bots whose answers follow from its table key.

    Args:
        spec: The game.
        answers_max: After so many answers the game is void.
        unsteady: The bots that are late now and then.
        void: Why the game is void then.
    """
    table = Table(spec, substitute)
    table.start()
    chance = random.Random(spec.table_key)
    count = 0
    while not table.is_over:
        if table.is_unfinished:
            table.go_on()
        for seat in table.take_asked():
            if seat in table.wanted and count < answers_max:
                count += 1
                _answer(table, seat, chance, unsteady)
        if count >= answers_max:
            table.void(void or "stopped")
            break
    return record_of(table, started=STARTED, ended=ENDED)


def play_run(
    store: Store,
    config: LeagueConfig,
    *,
    finished: int,
    unsteady: frozenset[str] = frozenset(),
) -> League:
    """Store a league, and a run of it that ends after so many games.

    Args:
        store: The store, which the test owns.
        config: The league.
        finished: How many games are finished, the first ones.
        unsteady: The bots that make faults.
    """
    league = store.open_league(config)
    run = store.start_run(league.name)
    for number in range(1, finished + 1):
        spec = league_spec(config, league, number, run=run)
        assert store.finish_game(league.name, played(spec, unsteady=unsteady))
    return store.stop_run(league.name)


def _answer(
    table: Table, seat: int, chance: random.Random, unsteady: frozenset[str]
) -> None:
    view = table.view(seat)
    if table.spec.seats[seat].bot in unsteady and chance.random() < 0.15:
        table.miss(seat, "late")
    elif view.kind == Phase.MOON:
        table.answer(seat, [], MoonChoice.ADD)
    else:
        table.answer(seat, chance.sample(cards_in(view.choices), view.answer_count))
