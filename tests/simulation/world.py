"""A whole arena in one thread: host, server, runner and store on a virtual clock.

`World.run` plays the league of a plan to its end. Each life of the arena is a trio
run of its own: the production server and runner over a simulated edge, with the
store in a real file. When the arena crashes, its memory is thrown away and its data
directory is copied as it lies there, in the middle of a transaction or not; the next
life begins with the copy. Nothing else of what the arena does outlasts it, so a
crash between two calls of the store differs from another only by what bots have
heard.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import sqlalchemy as sa
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.listen import Listen
from arena.record import Record
from arena.server import Server, VoidGame
from arena.spec import GameSpec
from arena.table import Table
from arena.view import StandIn
from leagues.blocks import NONE
from leagues.running.runner import Outcome, Progress, run_league
from leagues.running.suspensions import Suspensions
from leagues.seeds import commitment
from leagues.storage import schema
from leagues.storage.moments import utc_text
from leagues.storage.store import Store
from tests.simulation.clockwork import Clockwork
from tests.simulation.deals import DealWatch, number_of
from tests.simulation.disk import Disk, is_crash
from tests.simulation.door import Door, Ledger
from tests.simulation.judge import Judge
from tests.simulation.ladders import LadderWatch, Visits
from tests.simulation.laws import AwayWatch, check_host
from tests.simulation.plans import Plan
from tests.simulation.programs import KEEPALIVE_SECONDS, Habits, Program
from tests.simulation.rosters import RosterWatch
from tests.simulation.timed import TimeWatch

ROUNDING = 1e-6
PATIENCE_SECONDS = 4 * 3600.0
"""How long a league may take once all faults are over."""
STEPS_MAX = 2_000_000
LIVES_MAX = 40
CORES = 2
_TICK = 1e-9
"""So that no alarm is missed by a rounding."""


class WatchedServer(Server):
    """The production server, and a note of each game that it is asked for."""

    def __init__(self, world: "World", door: Door) -> None:
        super().__init__(door, Listen("simulated", 0, None))
        self.world = world

    async def play(self, spec: GameSpec) -> Record:
        """Play one game."""
        world = self.world
        world.begin(spec)
        try:
            record = await super().play(spec)
        except VoidGame as void:
            world.clockwork.note(f"{spec.game_id} is void: {void.reason}")
            world.voids += 1
            world.roster.leave(number_of(spec))
            world.watch.end(spec, void.record)
            raise
        world.watch.end(spec, record)
        world.clockwork.note(f"{spec.game_id} ended, {len(record.faults)} faults")
        return record


class World:
    """A league, its programs and its arena, from the first life to the last."""

    def __init__(
        self, plan: Plan, folder: Path, *, stand_ins: Mapping[str, StandIn]
    ) -> None:
        self.plan = plan
        self.config = plan.config
        """The league file as it is now."""
        self.folder = folder
        self.stand_ins = stand_ins
        self.clockwork = Clockwork()
        self.started_at = self.clockwork.now
        self.chance = random.Random(plan.seed)
        self.door: Door | None = None
        self.lives = 0
        self.crashes = 0
        self.voids = 0
        self.outcome: Outcome | None = None
        self.committed: dict[int, str] = {}
        """The records that the store has said it holds, by number."""
        self.watch = DealWatch(plan.config)
        self.is_calm = False
        self.roster = RosterWatch(plan.config, self.committed, plan.owners)
        self.time = TimeWatch(self)
        self.ladder = LadderWatch(self)
        self.judge = Judge(self)
        self.disk = Disk(self)
        self.rejections = 0
        self.ended: list[str] = []
        """Why streams were ended by the arena."""
        self.directory = folder / "life-0"
        self._clock = MockClock()
        self._away_watch = AwayWatch()
        self._has_called = False
        self.programs = [self._program(*one) for one in plan.habits]

    def _program(self, bot: str, instance: str, habits: Habits) -> Program:
        return Program(
            bot,
            instance,
            habits,
            clockwork=self.clockwork,
            chance=self.chance,
            arena=lambda: self.door,
            owner=self.plan.owners[bot],
        )

    # From outside

    def run(self) -> None:
        """Play the league to its end, through all crashes.

        Raises:
            AssertionError: A law does not hold.
        """
        for program in self.programs:
            self.clockwork.after(self.chance.uniform(0, 1), program.dial)
        self.clockwork.after(self.plan.calm_after, self._calm)
        Visits(self).begin()
        self._break_later()
        self.judge.decide_later()
        self.judge.end_later()
        while self.outcome is None or not self.judge.is_over(self.outcome):
            self.lives += 1
            assert self.lives <= LIVES_MAX, "the league was run again and again"
            self.outcome = None
            self._live()

    def open_store(self) -> Store:
        """Open the directory as the last life left it."""
        return Store.open(self.directory, command="a simulation")

    @property
    def virtual_seconds(self) -> float:
        """How long all of it took."""
        return self.clockwork.now - self.started_at

    def begin(self, spec: GameSpec) -> None:
        """Note that a game was asked for."""
        number = number_of(spec)
        assert number not in self.committed, f"{spec.game_id} is played again"
        self.watch.begin(spec)
        self.roster.begin(spec)
        self.time.begin(number)
        self.ladder.begin(self.roster.sitting[number])
        self.judge.check_game(spec)
        bots = ", ".join(seat.bot for seat in spec.seats)
        self.clockwork.note(f"{spec.game_id} begins: {bots}")

    # One life

    def _live(self) -> None:
        store = self.open_store()
        self._begin_league(store)
        sa.event.listen(
            store.database.engine, "before_cursor_execute", self.disk.on_write
        )
        sa.event.listen(store.database.engine, "commit", self.disk.on_write)
        self.clockwork.note(f"the arena starts, run {self.lives}")
        try:
            self._clock = MockClock()
            trio.run(self._serve, store, clock=self._clock)
        except BaseException as error:
            if not is_crash(error):
                raise
        finally:
            if self.door is not None:
                self.ended += self.door.ended
                self.rejections += sum(self.door.host.counts.rejections.values())
                self.door.die()
                self.door = None
            store.close()
        self._lose_links()

    def look(self, store: Store) -> None:
        """See that the league is what it was, but for what may change."""
        self.time.look(self.roster.look(store))

    def _begin_league(self, store: Store) -> None:
        """Create the league if need be, with the seed's secret; nothing is lost."""
        plan, name = self.plan, self.plan.config.name
        if self.lives == 1:
            league = store.open_league(plan.config)
            if not league.is_open:
                mark = commitment(plan.secret, plan.config, league.seatings)
                with store.database.write() as connection:
                    values = {"secret": plan.secret, "commitment": mark}
                    connection.execute(sa.update(schema.leagues).values(values))
            if self.time.is_timed:
                self._set_clock(store)
        elif self.plan.kind.joining and store.league(name).state != "finished":
            self._take_in()
        found = dict(store.records(name, with_withheld=True))
        self.watch.check_told(store)
        for number, text in self.committed.items():
            assert text == found.get(number), f"game {number} is lost or changed"
        for number in found.keys() - self.committed.keys():
            # It was on the disk when the arena crashed, before anybody knew.
            self.committed[number] = found[number]
        self.watch.start_run()
        self.roster.start_life()
        self.ladder.start_life()
        self.look(store)

    def _set_clock(self, store: Store) -> None:
        """Let the league be created when its clock on the wall begins."""
        created = utc_text(datetime.fromtimestamp(self.time.created, UTC))
        with store.database.write() as connection:
            connection.execute(sa.update(schema.leagues).values(created=created))

    def _take_in(self) -> None:
        """Write into the league file whoever joins, anywhere in it, one or all."""
        known = {entrant.name for entrant in self.config.entrants}
        more = [one for one in self.plan.kind.joining if one.name not in known]
        entrants = [*self.config.entrants]
        for entrant in more[: self.chance.randint(1, 2)]:
            entrants.insert(self.chance.randint(0, len(entrants)), entrant)
            self.clockwork.note(f"{entrant.name} joins")
        self.config = replace(self.config, entrants=tuple(entrants))

    async def _serve(self, store: Store) -> None:
        servers: list[WatchedServer] = []

        def finished(table: Table) -> None:
            self._has_called = True
            servers[0].on_finished(table)

        def presence() -> None:
            self._has_called = True
            self.ladder.see()
            servers[0].on_presence()

        def unplayed(game_id: str) -> None:
            self._has_called = True
            servers[0].on_unplayed(game_id)

        door = Door(
            self.clockwork,
            self.stand_ins,
            on_finished=finished,
            on_presence=presence,
            on_unplayed=unplayed,
        )
        servers.append(WatchedServer(self, door))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._play_league, servers[0], store)
            self.door = door
            try:
                await self._drive(door)
            finally:
                # Whoever waits for the disk still must not wait for ever.
                self._clock.autojump_threshold = 0

    async def _play_league(self, server: WatchedServer, store: Store) -> None:
        drain, suspensions = trio.Event(), Suspensions()
        door = self.door
        if self.lives == 1:
            self._in_this_life(door, self.plan.drain_after, "the drain", drain.set)
            self._in_this_life(
                door,
                self.plan.lost_after,
                "a lost bot",
                partial(self._lose_bot, suspensions),
            )

        def report(progress: Progress) -> None:
            # A run hears of void games a little later.
            stored = len(self.committed) + len(self.judge.void)
            assert progress.finished <= stored, (
                f"{progress.finished} games are reported, {stored} are stored"
            )

        self.outcome = await run_league(
            server,
            store,
            self.config,
            drain=drain,
            suspensions=suspensions,
            cores=CORES,
            on_progress=report,
            in_thread=self.disk.in_thread,
            wall=self.time.wall,
            renew=partial(self._renew, server) if self.is_rotated else None,
        )
        reason, stuck = self.outcome.reason, self.outcome.stuck
        known = {"finished", "drained", "stuck" if stuck else ""}
        is_known = reason in known or (reason == "appealed" and self.judge.count > 0)
        assert is_known, f"the run ends as {reason}, with {len(stuck)} games set aside"
        self.clockwork.note(f"the run ends: {reason}")
        self._has_called = True

    @property
    def is_rotated(self) -> bool:
        """Whether games share their deals."""
        return self.plan.config.luck != NONE

    async def _renew(self, server: WatchedServer) -> None:
        """End all programs and start them afresh."""
        for program in self.programs:
            program.die()
        with trio.move_on_after(KEEPALIVE_SECONDS):
            while server.presence():
                await server.presence_changed()
        self._start_afresh()

    def _start_afresh(self) -> None:
        self.watch.start_afresh()
        self.clockwork.note("the programs start afresh")
        for program in self.programs:
            program.renew(self.chance.uniform(0, 1))

    def _in_this_life(
        self, door: Door | None, seconds: float, what: str, call: Callable[[], None]
    ) -> None:
        def happen() -> None:
            if self.door is door:
                self.clockwork.note(what)
                self._has_called = True
                call()

        if seconds < float("inf"):
            self.clockwork.after(seconds, happen)

    def _lose_bot(self, suspensions: Suspensions) -> None:
        bots = self.plan.config.entrants or self.plan.kind.bots
        bot = self.chance.choice(bots).name
        for program in self.programs:
            if program.name == bot and not self.is_calm:
                program.is_gone = True
                program.die()
        suspensions.lose(bot)

    async def _drive(self, door: Door) -> None:
        """Let bots and host go on whenever the tasks have nothing to do."""
        began_at = self.clockwork.now
        while True:
            await wait_all_tasks_blocked()
            if self.outcome is not None:
                return
            statistics = trio.lowlevel.current_statistics()
            self._has_called = False
            alarm_in = statistics.seconds_to_next_deadline
            if self._advance(door, alarm_in):
                self._clock.jump(max(alarm_in, 0.0) + _TICK)
            elapsed = self.clockwork.now - began_at
            self._clock.jump(max(0.0, elapsed - self._clock.current_time()))

    def _advance(self, door: Door, alarm_in: float) -> bool:
        """Step until a task has something to do; tell whether its alarm rang."""
        clockwork = self.clockwork
        alarm = clockwork.now + max(alarm_in, 0.0)
        while not self._has_called:
            event, late = clockwork.next_at(), door.next_at()
            when = max(min(event, late, alarm), clockwork.now)
            assert when < float("inf"), "nothing is left to happen"
            self._watch_desks(door, when)
            clockwork.now = when
            if alarm <= when:
                return True
            if event <= late:
                clockwork.step()
            else:
                clockwork.steps += 1
                door.expire()
            self._after_step(door)
        return False

    def _after_step(self, door: Door) -> None:
        plan, clockwork = self.plan, self.clockwork
        if door.is_alive and clockwork.steps % plan.check_every == 0:
            check_host(door.host, now=clockwork.now, ending=door.ending())
            self._check_charges(door)
        if door.is_alive and plan.check_every == 1:
            self._away_watch.check(door.host, now=clockwork.now)
        assert door.failures == [], door.failures[0]
        assert clockwork.steps < STEPS_MAX, "the league makes no end"
        bound = plan.calm_after + PATIENCE_SECONDS
        assert self.virtual_seconds < bound, "the league makes no end in time"
        if self.disk.crashes(plan.crash_a_step) or self.time.crashes():
            self.disk.crash("between two steps")

    def _watch_desks(self, door: Door, when: float) -> None:
        elapsed = when - self.clockwork.now
        if elapsed > 0:
            for session in door.host.sessions.values():
                if session.desk.turns:
                    ledger = session.desk.charges
                    assert isinstance(ledger, Ledger)
                    ledger.busy += elapsed

    def _check_charges(self, door: Door) -> None:
        for session in door.host.sessions.values():
            ledger, workers = session.desk.charges, session.desk.workers
            assert isinstance(ledger, Ledger)
            assert ledger.seconds <= workers * ledger.busy + ROUNDING, (
                f"{session.bot} was charged {ledger.seconds:.3f} s, and had something "
                f"on its desk for {ledger.busy:.3f} s"
            )

    # What happens beside

    def _lose_links(self) -> None:
        """Let the bots learn that the arena is gone, and let it come back."""
        for program in self.programs:
            if program.link is not None:
                is_late = self.chance.random() < 0.2
                program.link.end("", seconds=KEEPALIVE_SECONDS if is_late else 0.0)
        if self.is_rotated:
            # Their guards have ended them with the arena.
            for program in self.programs:
                program.die()
            self._start_afresh()
        until = self.clockwork.now + self.plan.down_seconds
        while self.clockwork.next_at() <= until:
            self.clockwork.step()
        self.clockwork.now = max(self.clockwork.now, until)

    def _break_later(self) -> None:
        """Let a game break down now and then."""
        if not self.is_calm and self.plan.breakdown_every < float("inf"):
            self.clockwork.after(self.plan.breakdown_every, self._break_down)

    def _break_down(self) -> None:
        door = self.door
        if door is not None and door.host.tables and not self.is_calm:
            game_id = self.chance.choice(sorted(door.host.tables))
            self.clockwork.note(f"{game_id} breaks down")
            door.submit(lambda now: door.host.void_game(game_id, "broken", now=now))
        self._break_later()

    def _calm(self) -> None:
        """End all faults: from now on everybody behaves."""
        self.is_calm = True
        self.clockwork.note("all faults are over")
        for program in self.programs:
            program.calm()
        self.judge.settle()
