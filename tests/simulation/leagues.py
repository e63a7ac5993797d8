"""One seeded simulation of a whole league, and what must be true of its end.

Repeat one with `make sim SEED=n`, which tells what happened.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from trio._core import _run as trio_run

from arena.record import read_record
from arena.stand_in import careful_1
from arena.substitution import substitute
from arena.verify import verify
from arena.view import StandIn
from leagues.appeals import Appeals
from leagues.results import result_of
from leagues.storage.store import League, Store
from tests.simulation.ladders import check_standings, recent
from tests.simulation.plans import Plan, drawn_plan
from tests.simulation.world import World

FAST_DISK = Path("/dev/shm")
"""Where simulated disks lie, if there is such a place: in memory."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulated league came to."""

    plan: Plan
    games: int
    left_out: int
    """Planned games that the host would not have played."""
    decisions: int
    """What the host has decided."""
    faults: int
    """Faults in the records."""
    given_up: int
    voids: int
    lives: int
    crashes: int
    virtual_seconds: float
    happened: Mapping[str, int]
    """What bots and networks did, by kind."""
    compared: int
    """How many records were compared with those of a quiet league."""
    records: tuple[str, ...]
    timeline: tuple[tuple[float, str], ...]


def simulate(seed: int, *, is_compared: bool = True) -> Outcome:
    """Play the league of a seed and check its laws.

    Raises:
        AssertionError: A law does not hold; the text says which.
    """
    plan = drawn_plan(seed)
    stand_ins: Mapping[str, StandIn] = {
        "careful-1": careful_1 if seed % 2 else substitute
    }
    with TemporaryDirectory(dir=_disk()) as folder:
        world = _played(plan, Path(folder), stand_ins)
        records = _checked(world)
    quiet: list[str] = []
    is_open = plan.config.practice_seed is not None
    if is_compared and is_open and plan.is_repeated:
        with TemporaryDirectory(dir=_disk()) as folder:
            calm = _played(plan.quiet(), Path(folder), stand_ins)
            quiet = _checked(calm)
    return Outcome(
        plan=plan,
        games=len(records),
        left_out=max(0, plan.config.games - len(records)),
        decisions=world.judge.count,
        faults=sum(len(read_record(text).faults) for text in records),
        given_up=sum(len(read_record(text).given_up) for text in records),
        voids=world.voids,
        lives=world.lives,
        crashes=world.crashes,
        virtual_seconds=world.virtual_seconds,
        happened=_happened(world),
        compared=_compare(plan, records, quiet),
        records=tuple(records),
        timeline=tuple(world.clockwork.timeline),
    )


class LawBroken(AssertionError):  # noqa: N818
    """A simulation in which a law does not hold, with what happened until then."""

    def __init__(self, error: BaseException, world: World) -> None:
        super().__init__(f"seed {world.plan.seed}: {error!r}")
        self.timeline = tuple(world.clockwork.timeline)


def _disk() -> Path | None:
    return FAST_DISK if FAST_DISK.is_dir() else None


def _played(plan: Plan, folder: Path, stand_ins: Mapping[str, StandIn]) -> World:
    with _steady_tasks(plan.seed):
        world = World(plan, folder, stand_ins=stand_ins)
        try:
            world.run()
        except Exception as error:
            raise LawBroken(error, world) from error
    return world


@contextmanager
def _steady_tasks(seed: int) -> Iterator[None]:
    """Let tasks that can go on do so in an order that the seed decides."""
    before = trio_run._ALLOW_DETERMINISTIC_SCHEDULING
    state = trio_run._r.getstate()
    trio_run._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[misc]
    trio_run._r.seed(seed)
    try:
        yield
    finally:
        trio_run._ALLOW_DETERMINISTIC_SCHEDULING = before  # type: ignore[misc]
        trio_run._r.setstate(state)


def _checked(world: World) -> list[str]:
    """Check what the store holds at the end, and return the records in order."""
    name = world.plan.config.name
    with world.open_store() as store:
        league = store.league(name)
        records = dict(store.records(name))
        assert league.state == "finished", f"the league is {league.state}"
        assert league.run <= world.lives, f"{league.run} runs in {world.lives} lives"
        world.judge.check(store)
        appeals = store.agenda(name).appeals
        wanted = _wanted(world, league, appeals)
        # Games with excluded bots may have been played before.
        assert wanted <= records.keys(), f"games {[*records]} of {wanted}"
        assert not records.keys() & appeals.dropped, f"{appeals.dropped} are played"
        assert records == world.committed, "the store holds what it never confirmed"
        world.watch.check_records(records)
        world.roster.check(store, records)
        world.time.check(league, records)
        check_standings(world, store, records)
        for number, text in records.items():
            record = read_record(text)
            assert _least(record.times.turns) >= 0, f"game {number}: {record.times}"
            verify(record, world.stand_ins[record.stand_in])
            seats = tuple(seat.bot for seat in record.seats)
            assert league.seats(number) == seats, f"game {number} seats {seats}"
        _check_results(world, store, records)
    return [*records.values()]


def _wanted(world: World, league: League, appeals: Appeals) -> set[int]:
    """Return the games that must have been played by the end."""
    if world.judge.ended is not None or world.time.is_timed or league.ladder:
        return set()
    out = frozenset(appeals.excluded)
    if not league.is_open:
        # Once its secret is out, nobody's games are played who comes back.
        out |= world.judge.out_at_end
    # Games of those who have withdrawn were given to others.
    return {
        number
        for number in range(1, len(league.seatings) + 1)
        if number not in appeals.dropped and out.isdisjoint(league.seats(number))
    }


def _least(times: Any) -> int:
    """Return the least number in nested rows of times; 0 where there is none."""
    if isinstance(times, int):
        return times
    return min((_least(row) for row in times), default=0)


def _check_results(world: World, store: Store, records: Mapping[int, str]) -> None:
    """Results are those of the records, and the standings count each game once."""
    name = world.plan.config.name
    expected = [result_of(read_record(text)) for text in records.values()]
    assert expected == store.results(name), "results differ from the records"
    within = recent(world, expected)
    counting = store.agenda(name).appeals.counting(within)
    counted = Counter(seat.entrant for result in counting for seat in result.seats)
    standings = store.standings(name)
    rows = {row.entrant: row.games for row in standings.rows if row.games}
    assert standings.games_finished == len(expected), "finished games are not counted"
    assert dict(counted) == rows, f"{rows} games are counted, {counted} played"


def _compare(plan: Plan, records: list[str], quiet: list[str]) -> int:
    """A game without a fault is the one that a quiet arena would have seen."""
    compared = 0
    calm = {record.game: record for record in map(read_record, quiet)}
    for record in map(read_record, records if calm else []):
        wanted = calm[record.game]
        if [seat.bot for seat in wanted.seats] != [seat.bot for seat in record.seats]:
            # Planned anew, since somebody came or went.
            continue
        assert not wanted.faults, f"{wanted.game} has faults in a quiet arena"
        if plan.is_costless:
            assert not record.faults, f"{record.game}: {record.faults} for nothing"
        if not record.faults and not record.given_up:
            assert wanted.hash == record.hash, f"{record.game} was played otherwise"
            compared += 1
    return compared


def _happened(world: World) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for program in world.programs:
        counts.update(program.faults)
    counts.update(f"ended {reason}" for reason in world.ended)
    counts["crash"] = world.crashes
    counts["decision"] = world.judge.count
    counts["killed command"] = world.judge.killed
    counts["new plan"] = world.roster.plans - 1
    counts["joined"] = world.roster.joined
    counts["ended by time"] = world.time.end is not None
    return dict(counts)


def told(outcome: Outcome) -> str:
    """Tell what happened, for people."""
    plan, control = outcome.plan, outcome.plan.config.time_control
    lines = [
        f"seed {plan.seed}: {len(plan.config.entrants)} bots, {outcome.games} games of "
        f"{plan.config.rules.preset} at {plan.config.rules.players} seats, "
        f"{'open' if plan.config.is_open else 'secret'} deals, tables_max "
        f"{plan.config.tables_limit}, {control}",
        f"faults: {', '.join(plan.faults) or 'none'}",
        *(f"  {bot}{instance}: {habits}" for bot, instance, habits in plan.habits),
        *(f"{when:12.3f}  {text}" for when, text in outcome.timeline),
        f"{outcome.games} games, {outcome.faults} faults, {outcome.given_up} given up, "
        f"{outcome.voids} void, {outcome.decisions} decisions, {outcome.lives} lives, "
        f"{outcome.crashes} crashes, "
        f"{outcome.virtual_seconds:.1f} virtual seconds; {outcome.compared} compared",
    ]
    return "\n".join(lines)
