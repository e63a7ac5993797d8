"""What a seed decides before a simulated league begins: the swarm.

Which faults are on at all is drawn first, then how often each of them comes, so that
rare faults meet each other undisturbed as well as in a crowd.
"""

import random
from dataclasses import dataclass, replace

from arena.rules import RulesError, RuleSet, preset
from arena.spec import TimeControl
from leagues.blocks import NONE, ROTATE
from leagues.config import (
    Entrant,
    EntrantKind,
    LeagueConfig,
    Sandboxing,
    SuspensionRules,
)
from leagues.match_config import Side, match_config
from tests.sample_records import PRESET_SEATS
from tests.simulation.kinds import LADDER, NAMES, ROSTER, TIMED, Kind, drawn_kind
from tests.simulation.programs import Habits

COSTLESS = ("duplicate", "stray", "drop", "half_open", "takeover", "stand")
"""Faults that cost no answer where there is time enough."""
COSTLY = ("illegal", "silent", "hasty", "flood", "hang", "leave", "unread")
ROTATED = (2, 3)
"""The seeds of seven whose leagues share deals, the first of them secretly. None was
kept before there were such leagues, so all others draw what they always drew."""
ARRANGED = (2, 3)
"""Of these the seeds of twenty-one that play a match instead, at small tables."""
ARRANGED_SEATS_MAX = 4


@dataclass(frozen=True)
class Plan:
    """One league and what happens to it."""

    seed: int
    config: LeagueConfig
    secret: bytes
    """The league's secret where its deals are not open."""
    habits: tuple[tuple[str, str, Habits], ...]
    """The programs: bot, instance, habits."""
    faults: tuple[str, ...]
    """The kinds of faults that are on."""
    calm_after: float
    """When all faults are over, in seconds."""
    crashes_max: int
    crash_a_step: float
    """The chance that the arena crashes at a step of bots or clocks."""
    crash_a_write: float
    """The chance that it crashes around a call of the store."""
    down_seconds: float
    """How long a crashed arena is down."""
    disk_seconds: float
    """How long a call of the store takes at most."""
    drain_after: float
    """When the operator drains the first run; infinite for never."""
    lost_after: float
    """When a bot is given up by the host of the first run."""
    breakdown_every: float
    """After how many seconds a running game breaks down again; infinite for never."""
    decide_every: float
    """After how many seconds the host decides something again; infinite for never."""
    check_every: int
    """After how many steps the laws of the host are checked."""
    kind: Kind
    """What the league has beside: entrants that come and go, a time, no end."""

    @property
    def is_costless(self) -> bool:
        """Whether nothing that happens may cost an answer."""
        return not set(self.faults) & {*COSTLY, "lost", "visits"}

    def quiet(self) -> "Plan":
        """Return the same league without a fault."""
        calm = tuple((bot, name, habits.calmed()) for bot, name, habits in self.habits)
        never = float("inf")
        return replace(
            self,
            habits=calm,
            faults=(),
            crashes_max=0,
            disk_seconds=0.0,
            drain_after=never,
            lost_after=never,
            breakdown_every=never,
            decide_every=never,
            check_every=1000,
            kind=Kind(guests=self.kind.bots),
        )

    @property
    def is_repeated(self) -> bool:
        """Whether it would play the same games without a fault."""
        return self.kind.name not in {TIMED, LADDER}

    @property
    def owners(self) -> dict[str, str]:
        """Whose each bot is."""
        bots = (*self.config.entrants, *self.kind.bots)
        return {one.name: one.owner for one in bots}


def drawn_plan(seed: int) -> Plan:
    """Draw the league of a seed, and its faults."""
    rng = random.Random(seed)
    kinds: tuple[str, ...] = (*COSTLESS, "crash", "slow disk", "drain", "breakdown")
    if rng.random() < 0.65:
        kinds += (*COSTLY, "lost")
    share = rng.choice([0.15, 0.3, 0.6])
    faults = tuple(kind for kind in kinds if rng.random() < share)
    has = faults.__contains__
    config = _config(rng, is_strict=bool({*COSTLY, "lost"} & set(faults)))
    kind, config = drawn_kind(seed, config)
    config = _shared(config, seed, may_be_match=not kind.name)
    if config.luck != NONE:
        kind = replace(kind, joining=tuple(map(_started, kind.joining)))
    never = float("inf")
    # Drawn apart, so that all else is as it would be without.
    host = random.Random(f"host {seed}")
    is_judged = host.random() < 0.5 or kind.name in {ROSTER, LADDER}
    decide_every = host.choice([0.7, 3.0, 15.0]) if is_judged else never
    plan = Plan(
        seed=seed,
        config=config,
        secret=rng.randbytes(32),
        habits=_finishing(seed, _programs(rng, (*config.entrants, *kind.bots), faults)),
        faults=faults if decide_every == never else (*faults, "decisions"),
        calm_after=rng.choice([20.0, 100.0, 400.0]),
        crashes_max=rng.choice([1, 3, 6]) if has("crash") else 0,
        crash_a_step=rng.choice([0.0, 0.0003, 0.002]),
        crash_a_write=rng.choice([0.05, 0.3]),
        down_seconds=rng.choice([0.0, 0.7, 30.0]),
        disk_seconds=rng.choice([0.02, 1.0]) if has("slow disk") else 0.0,
        drain_after=rng.uniform(0.1, 20) if has("drain") else never,
        lost_after=rng.uniform(0.1, 20) if has("lost") else never,
        breakdown_every=rng.choice([0.5, 5.0]) if has("breakdown") else never,
        decide_every=decide_every,
        check_every=rng.choice([1, 3, 10]),
        kind=kind,
    )
    return _with_kind(plan) if kind.name else plan


def _with_kind(plan: Plan) -> Plan:
    """Give a league the time and the faults that belong to its kind."""
    kind = plan.kind
    found = {
        kind.name: True,
        "joins": bool(kind.joining),
        "visits": kind.visits_every < float("inf"),
        "end": kind.end_after < float("inf"),
    }
    drain_after = plan.drain_after
    if kind.joining and drain_after == float("inf"):
        # Whoever joins does so between two runs.
        drain_after = random.Random(f"drain {plan.seed}").uniform(0.1, 6)
    habits = tuple(
        (
            bot,
            name,
            replace(one, think_seconds=max(one.think_seconds, kind.think_seconds)),
        )
        for bot, name, one in plan.habits
    )
    return replace(
        plan,
        habits=habits,
        faults=(*plan.faults, *(name for name, is_on in found.items() if is_on)),
        drain_after=drain_after,
    )


def _finishing(
    seed: int, programs: tuple[tuple[str, str, Habits], ...]
) -> tuple[tuple[str, str, Habits], ...]:
    """Let programs want no new games now and then; drawn apart from all else."""
    rng = random.Random(f"finish {seed}")
    if rng.random() < 0.6:
        return programs
    return tuple(
        (bot, name, replace(habits, finish=rng.choice([0.0, 0.01, 0.1])))
        for bot, name, habits in programs
    )


def _config(rng: random.Random, *, is_strict: bool) -> LeagueConfig:
    names = NAMES[: rng.randint(3, 8)]
    rules = _rules(rng, len(names))
    control = TimeControl(bank_ms=600_000, increment_ms=200, away_ms=600_000)
    if is_strict:
        control = TimeControl(
            bank_ms=rng.choice([500, 5_000, 30_000]),
            increment_ms=100,
            turn_limit_ms=rng.choice([300, 2_000, 5_000, 0]),
            away_ms=rng.choice([0, 1_000, 30_000]),
        )
    return LeagueConfig(
        "sim",
        entrants=tuple(Entrant(name, EntrantKind.BOT) for name in names),
        rules=rules,
        games=rng.randint(2, 8),
        practice_seed=rng.choice(["open", "open", "other", None]),
        time_control=control,
        faults_max=rng.choice([3, 3, 1, 0]) if is_strict else 3,
        tables_max=rng.choice([1, 2, 4, 0]),
        suspension=SuspensionRules(after=rng.choice([0, 0, 2]) if is_strict else 0),
    )


def _shared(config: LeagueConfig, seed: int, *, may_be_match: bool) -> LeagueConfig:
    """Return a league whose games share their deals, where the seed is one of these."""
    if seed % 7 not in ROTATED or config.ladder is not None:
        return config
    config = _rotated(config, is_secret=seed % 7 == ROTATED[0])
    is_small = config.rules.players <= ARRANGED_SEATS_MAX
    if seed % 21 in ARRANGED and is_small and may_be_match:
        config = _arranged(config)
    return config


def _rotated(config: LeagueConfig, *, is_secret: bool) -> LeagueConfig:
    """Return a league of whole blocks, whose programs the arena starts."""
    seats = config.rules.players
    return replace(
        config,
        entrants=tuple(map(_started, config.entrants)),
        games=-(-config.games // seats) * seats,
        luck=ROTATE,
        practice_seed=None if is_secret else config.practice_seed,
    )


def _started(entrant: Entrant) -> Entrant:
    """Return an entrant that the arena starts, as it may be in a rotated league."""
    return replace(entrant, kind=EntrantKind.COMMAND, sandbox=Sandboxing.BWRAP)


def _arranged(config: LeagueConfig) -> LeagueConfig:
    """Return a match of one or two blocks, else like a rotated league."""
    one, other = (Side(name, command=("program",)) for name in NAMES[:2])
    blocks = 1 + config.games % 2
    match = match_config(config.name, (one, other), rules=config.rules, blocks=blocks)
    return replace(
        config,
        entrants=match.entrants,
        games=match.games,
        luck=match.luck,
        match=match.match,
    )


def _rules(rng: random.Random, entrants: int) -> RuleSet:
    """Draw the rules of short games."""
    fitting = [(name, seats) for name, seats in PRESET_SEATS if seats <= entrants]
    while True:
        name, players = rng.choice(fitting)
        try:
            return preset(name, players=players, max_deals=rng.choice([1, 1, 2]))
        except RulesError:
            continue


def _programs(
    rng: random.Random, entrants: tuple[Entrant, ...], faults: tuple[str, ...]
) -> tuple[tuple[str, str, Habits], ...]:
    found = []
    for entrant in entrants:
        instances = ["", "b"] if rng.random() < 0.1 else [""]
        found += [(entrant.name, name, _habits(rng, faults)) for name in instances]
    return tuple(found)


def _habits(rng: random.Random, faults: tuple[str, ...]) -> Habits:
    habits = Habits(
        think_seconds=rng.choice([0.0001, 0.001, 0.02, 0.15]),
        latency=rng.choice([0.0001, 0.001, 0.02]),
        workers=rng.choice([1, 1, 1, 2, 4]),
        max_games=rng.choice([1, 4, 8, 64]),
        moon_choice=rng.random() < 0.8,
        batches=rng.random() < 0.3,
        back_after=rng.choice([0.01, 0.5]),
        stand_seconds=rng.choice([0.05, 0.5]),
        hang_seconds=rng.choice([1.0, 10.0, 100.0]),
    )
    if rng.random() < 0.3:
        return habits
    if set(faults) & set(COSTLY):
        habits = replace(habits, back_after=rng.choice([0.01, 0.5, 5.0, 60.0]))
    chances = {
        kind: rng.choice([0.003, 0.02, 0.1])
        for kind in faults
        if kind in COSTLESS or kind in COSTLY
    }
    if "half_open" in chances:
        chances["half_open"] = 0.5
    return replace(habits, **chances)  # type: ignore[arg-type]
