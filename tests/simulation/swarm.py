"""One seeded simulation: a small arena with a different mix of faults each time.

Run one again with `python -m tests.simulation.swarm SEED`.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from arena.chronicle import record_of
from arena.notation import read_notation, write_notation
from arena.record import read_record, write_record
from arena.rules import RuleSet, preset
from arena.spec import TimeControl
from arena.stand_in import careful_1
from arena.substitution import substitute
from arena.verify import verify
from arena.view import StandIn
from tests.differential import wild_rules
from tests.sample_records import PRESET_SEATS
from tests.simulation.simulator import Behaviour, Simulator

GAMES = 4
NAMES = [f"bot-{number}" for number in range(12)]
"""One bot more than the largest table has seats."""
VIRTUAL_SECONDS_MAX = 3600.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulation came to."""

    finished: int
    void: int
    faults: int
    text: str
    """All records, one a line, to compare two runs with."""


def drawn_behaviour(rng: random.Random) -> Behaviour:
    """Draw a bot; about half of all bots are well behaved."""
    behaviour = Behaviour(
        think_seconds=rng.choice([0.0001, 0.001, 0.02, 0.3]),
        workers=rng.choice([1, 1, 1, 2, 4]),
        max_games=rng.choice([4, 8, 64]),
        moon_choice=rng.random() < 0.8,
        latency=rng.choice([0.0001, 0.001, 0.03]),
    )
    if rng.random() < 0.5:
        return behaviour
    for name in rng.sample(["illegal", "silent", "duplicate", "foreign", "drop"], 2):
        setattr(behaviour, name, rng.choice([0.002, 0.02, 0.3]))
    behaviour.back_after = rng.choice([0.01, 0.5, 20.0, -1])
    if rng.random() < 0.2:
        behaviour.hang_at = 1000 + rng.uniform(0, 30)
        behaviour.hang_seconds = rng.choice([1, 6, 20, 1e9])
    if rng.random() < 0.2:
        behaviour.freeze_at = 1000 + rng.uniform(0, 30)
        behaviour.freeze_seconds = rng.choice([0.3, 1, 6, 20])
    behaviour.crashes = rng.random() < 0.5
    behaviour.takeover = rng.choice([0.0, 0.0, 0.002, 0.02])
    behaviour.echoes_early = rng.random() < 0.3
    if rng.random() < 0.15:
        behaviour.leave_at = 1000 + rng.uniform(0, 30)
    # Drawn apart, so that the seeds from before it draw what they always drew.
    apart = random.Random(repr(behaviour))
    if apart.random() < 0.15:
        behaviour.deaf_at = 1000 + apart.uniform(0, 30)
        behaviour.deaf_seconds = apart.choice([0.1, 1, 6, float("inf")])
    if apart.random() < 0.15:
        behaviour.finish_at = 1000 + apart.uniform(0, 30)
    return behaviour


def drawn_rules(rng: random.Random) -> RuleSet:
    """Draw the rules of a game: a preset at any of its tables, or any options."""
    if rng.random() < 0.3:
        return wild_rules(rng)
    name, players = rng.choice(PRESET_SEATS)
    target = {"target": rng.choice([30, 60])} if rng.random() < 0.5 else {}
    return preset(name, players=players, **target)


def simulate(seed: int) -> Outcome:
    """Run one simulation and check its laws.

    Raises:
        AssertionError: A law does not hold; the text says which.
    """
    rng = random.Random(seed)
    stand_in = rng.choice([substitute, careful_1])
    simulator = Simulator(seed, stand_ins={"careful-1": stand_in})
    rules = [drawn_rules(rng) for _ in range(GAMES)]
    seats_max = max(rule_set.players for rule_set in rules)
    names = NAMES[: seats_max + 1]
    for name in names:
        simulator.add_bot(name, drawn_behaviour(rng))
    control = TimeControl(
        bank_ms=rng.choice([2_000, 30_000]),
        increment_ms=100,
        turn_limit_ms=rng.choice([500, 5_000]),
        away_ms=rng.choice([1_000, 30_000]),
    )
    for number, rule_set in enumerate(rules):
        bots = rng.sample(names, rule_set.players)
        absent = rng.sample(range(len(bots)), rng.choice([0] * 6 + [1, 2]))
        simulator.play(
            f"g-{number}",
            bots,
            time_control=control,
            rules=rule_set,
            given_up=frozenset(absent),
        )
    disturb(simulator, seed)
    simulator.run(until=simulator.now + VIRTUAL_SECONDS_MAX)
    return _checked(simulator, stand_in)


def disturb(simulator: Simulator, seed: int) -> None:
    """Draw what disturbs the arena: it stands still, sleeps, or loses all its bots."""
    rng = random.Random(f"disturb {seed}")
    if rng.random() < 0.5:
        return

    def lose_all() -> None:
        for bot in simulator.bots.values():
            if bot.stream >= 0:
                simulator.lose(bot)

    for _ in range(rng.choice([1, 2, 5])):
        seconds = rng.choice([0.1, 0.3, 1.0, 7.0, 40.0])
        events: list[Callable[[], None]] = [
            partial(simulator.stand_still, seconds),
            partial(simulator.stand_still, seconds),
            partial(simulator.sleep, seconds),
            lose_all,
        ]
        simulator.after(rng.uniform(0, 30), rng.choice(events))


def _checked(simulator: Simulator, stand_in: StandIn) -> Outcome:
    assert simulator.failures == [], simulator.failures[0]
    assert not simulator.host.tables, "a game did not end in bounded virtual time"
    assert len(simulator.finished) == GAMES, "a game ended twice or never"
    for session in simulator.host.sessions.values():
        # One whose client reads nothing has a frame that never leaves.
        assert not (session.is_done and session.is_connected), "done and not ended"
    lines = []
    for table in simulator.finished:
        record = record_of(table, started="", ended="")
        text = write_record(record)
        lines.append(text)
        assert read_record(text) == record, "a record does not read as written"
        if table.void_reason:
            assert not record.places
            continue
        verify(record, stand_in)
        assert [record] == read_notation(write_notation(record))
        for seat, wanted in enumerate(table.spec.seats):
            _check_seat(simulator, table.fault_counts[seat], wanted.bot)
    return Outcome(
        finished=sum(not table.void_reason for table in simulator.finished),
        void=sum(bool(table.void_reason) for table in simulator.finished),
        faults=sum(len(table.faults) for table in simulator.finished),
        text="\n".join(lines),
    )


def _check_seat(simulator: Simulator, fault_count: int, bot: str) -> None:
    """A well-behaved bot that thinks less than the increment has no fault."""
    behaviour = simulator.bots[bot].behaviour
    strange = (
        behaviour.illegal,
        behaviour.silent,
        behaviour.drop,
        behaviour.foreign,  # Too many end the session.
    )
    is_quick = behaviour.think_seconds + 2 * behaviour.latency < 0.1
    is_awake = behaviour.hang_seconds == behaviour.freeze_seconds == 0
    if is_quick and is_awake and not any(strange):
        assert fault_count == 0, f"{bot} behaves, and has {fault_count} faults"


if __name__ == "__main__":
    print(simulate(int(sys.argv[1])))
