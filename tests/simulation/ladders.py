"""Ladders: bots that come and go, and the laws of what is planned for them.

Only who is there is planned for, and the standings follow from the stored games alone.
"""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.record import read_record
from leagues.results import GameResult, result_of
from leagues.scheduling.balance import Seating
from leagues.standings import records_digest
from leagues.storage.counted import read_counted
from leagues.storage.store import Store

if TYPE_CHECKING:
    from tests.simulation.world import World

__all__ = ["LadderWatch", "Visits", "check_standings", "recent"]

SPARE_SECONDS = 0.05
LATE_SHARE = 0.3


class Visits:
    """Lets bots leave without a word, and come back, until all is calm."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._every = world.plan.kind.visits_every
        self._chance = random.Random(f"visits {world.plan.seed}")

    def begin(self) -> None:
        """Let some be late, and others come and go from now on."""
        if self._every == float("inf"):
            return
        for program in self._world.programs:
            program.is_gone = self._chance.random() < LATE_SHARE
        self._world.clockwork.after(self._every, self._visit)

    def _visit(self) -> None:
        if self._world.is_calm:
            return
        program = self._chance.choice(self._world.programs)
        program.is_gone = not program.is_gone
        what = "leaves" if program.is_gone else "comes"
        self._world.clockwork.note(f"{program.name}{program.instance} {what}")
        if program.is_gone:
            program.die()
        else:
            program.dial()
        self._world.clockwork.after(self._every, self._visit)


class LadderWatch:
    """Who is there, and for whom games are planned."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._here: frozenset[str] = frozenset()
        self._left_at: dict[str, float] = {}

    def start_life(self) -> None:
        """Note that nobody is there."""
        self._here = frozenset()
        self._left_at.clear()

    def see(self) -> None:
        """Note who is there now."""
        door = self._world.door
        sessions = door.host.sessions.values() if door else ()
        here = frozenset(one.bot for one in sessions if one.is_connected)
        now = self._world.clockwork.now
        self._left_at |= dict.fromkeys(self._here - here, now)
        self._here = here

    def begin(self, bots: tuple[str, ...]) -> None:
        """Check a game that is about to begin."""
        if self._world.plan.config.ladder is not None:
            self._check_table(bots, within=SPARE_SECONDS)

    def plan(self, games: Mapping[int, Seating], joining: Mapping[str, str]) -> None:
        """Check games that are planned."""
        world, league = self._world, self._world.roster.league
        assert league is not None
        names = (*league.entrants, *joining)
        assert len({*names}) == len(names), f"{[*joining]} join, and had joined"
        first = len(league.seatings) + 1
        new = sorted(number for number in games if number >= first)
        assert [*range(first, first + len(new))] == new, f"{new} after {first - 1}"
        for number, seating in games.items():
            is_begun = number in world.committed or number in world.roster.sitting
            assert not is_begun, f"game {number} is planned anew, and has begun"
            bots = tuple(names[one] for one in seating)
            assert len({*bots}) == len(bots), f"game {number} seats {bots}"
            self._check_table(bots, within=SPARE_SECONDS + world.plan.disk_seconds)
            world.roster.check_owners(bots)
            world.judge.check_table(f"game {number}", bots)

    def _check_table(self, bots: tuple[str, ...], *, within: float) -> None:
        """See that these are there, or have left just now, and may take part."""
        config, now = self._world.plan.config, self._world.clockwork.now
        named = {entrant.name for entrant in config.entrants}
        for bot in bots:
            left_at = self._left_at.get(bot, float("-inf"))
            is_here = bot in self._here or now - left_at <= within
            assert is_here, f"{bots} are planned, and {bot} is not there"
            assert config.is_for_all or bot in named, f"{bot} is no entrant"


def recent(world: "World", results: list[GameResult]) -> list[GameResult]:
    """Return the results in the window of a league; all of those without one.

    Games of those who are excluded count for nobody, and push out no others.
    """
    if (ladder := world.plan.config.ladder) is None:
        return results
    excluded = world.judge.excluded.keys()
    counting = [
        at
        for at, one in enumerate(results)
        if excluded.isdisjoint(seat.entrant for seat in one.seats)
    ]
    old = counting[: -ladder.window]
    return results[old[-1] + 1 :] if old else results


def check_standings(world: "World", store: Store, records: Mapping[int, str]) -> None:
    """See that standings are those that follow from these records, and no others."""
    name = world.plan.config.name
    known = [result_of(read_record(text)) for _, text in sorted(records.items())]
    within = recent(world, known)
    earlier = tuple(one.record_hash for one in known[: len(known) - len(within)])
    with store.database.read() as connection:
        counted = read_counted(connection, store.league(name))
    expected = replace(counted, results=within, earlier=earlier).standings()
    standings = store.standings(name)
    assert expected == standings, "standings do not follow from the records"
    assert records_digest([one.record_hash for one in known]) == standings.digest
