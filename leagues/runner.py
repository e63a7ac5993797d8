"""The runner: plays the missing games of a league, as its bots come and go.

    outcome = await run_league(server, store, config)

A game starts when all its bots are present and have a place free. A finished game
is in the store before it counts; a void one is played again. Run again after any
end, however violent, the league goes on where it stopped.
"""

import logging
import math
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from typing import Final

import trio

from arena.logs import Event
from arena.server import VoidGame
from arena.spec import GameSpec
from leagues.admission import Admission
from leagues.appeals import Agenda
from leagues.attempts import Attempts
from leagues.attendance import Attendance, UnableEntrantError
from leagues.audit import ROSTER_ACTIONS, Action
from leagues.breakdowns import VOIDS_MAX, Breakdowns, keep_void, was_begun
from leagues.config import EntrantKind, LeagueConfig
from leagues.discipline import Discipline
from leagues.excuses import Excuses
from leagues.game_server import GameServer
from leagues.game_spec import game_spec
from leagues.hearing import Hearing
from leagues.league import League
from leagues.places import league_places
from leagues.progress import Outcome, Progress, StuckGame
from leagues.queue import Queue, Renew
from leagues.reseating import seat_anew
from leagues.store import Store, StoreError
from leagues.suspensions import Suspensions
from leagues.threads import InThread
from leagues.throttle import Throttle
from leagues.versions_played import versions_played
from leagues.waiting import Waiting

__all__ = [
    "VOIDS_MAX",
    "GameServer",
    "InThread",
    "Outcome",
    "Progress",
    "StuckGame",
    "UnableEntrantError",
    "run_league",
]

log = logging.getLogger("leagues.runner")

_LOOK_SECONDS: Final = 5.0
"""How often the arena is asked whether it keeps up."""
_HEAR_SECONDS: Final = 2.0
"""How often the store is asked whether the host has decided anything."""
_ALWAYS_FREE: Final = 1 << 30
_CORES: Final = len(os.sched_getaffinity(0))


async def run_league(
    server: GameServer,
    store: Store,
    config: LeagueConfig,
    *,
    suspensions: Suspensions | None = None,
    drain: trio.Event | None = None,
    broken: trio.Event | None = None,
    drain_seconds: float = math.inf,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_note: Callable[[str], None] = lambda text: None,
    in_thread: InThread = trio.to_thread.run_sync,
    renew: Renew | None = None,
    cores: int = _CORES,
) -> Outcome:
    """Play the missing games of a league until all are played or it must stop.

    Args:
        server: Plays the games.
        store: Keeps them; its owner is this process.
        config: The league, which is created where it is missing.
        suspensions: Learns from outside which programs will not come back.
        drain: Once it is set no more games are started; those running end.
        drain_seconds: How long they have for it, also after the deadline; those
            that are not over by then are played again in the next run.
        broken: The same, when that is since an entrant can't play at all.
        on_progress: Called when a game starts or ends, or bots come or go.
        on_note: Called with what the host should know: who was suspended, and whose
            games are held back.
        in_thread: Runs the store's calls, which block.
        renew: Ends the programs that could remember a deal, and starts them afresh;
            `None` where there are none. Needed where games share their deals only.
        cores: How many processors this machine has.

    Raises:
        LeagueChanged: The league exists with another form.
        StoreError: A game cannot be stored.
        UnableEntrantError: A program that the arena starts can't play by the rules.
    """
    league = await in_thread(store.open_league, config)
    agenda = await in_thread(store.agenda, league.name)
    run = _Run(server, store, config, league, agenda, cores=cores, on_note=on_note)
    if league.blocks.are_shared:
        run.share_deals(await in_thread(store.block_attempts, league.name), renew)
    run.on_progress, run.in_thread = on_progress, in_thread
    run.attendance.admission.know(await in_thread(versions_played, store, league.name))
    run.hearing = Hearing(store, league.name, agenda.appeals, in_thread=in_thread)
    run.discipline = Discipline(
        server,
        store,
        config,
        suspensions=Suspensions() if suspensions is None else suspensions,
        in_thread=in_thread,
        say=on_note,
    )
    run.drain_seconds = drain_seconds
    if not agenda.wanted(league.seats):
        await run.close()
        run.report()
    else:
        commitment = league.commitment.hex()
        log.info(Event("committed", league=league.name, commitment=commitment))
        await run.play(
            trio.Event() if drain is None else drain,
            trio.Event() if broken is None else broken,
        )
    return await run.outcome()


class _Run:
    """One run of a league."""

    def __init__(
        self,
        server: GameServer,
        store: Store,
        config: LeagueConfig,
        league: League,
        agenda: Agenda,
        *,
        cores: int,
        on_note: Callable[[str], None],
    ) -> None:
        self.server = server
        self.store = store
        self.config = config
        self.league = league
        self.discipline: Discipline
        self.hearing: Hearing
        self.on_progress: Callable[[Progress], None] = lambda progress: None
        self.on_note = on_note
        self.in_thread: InThread = trio.to_thread.run_sync
        self.agenda = agenda
        self.known_attempts: Mapping[int, int] = {}
        self.attempts: Attempts
        self.queue = Queue(league, agenda.missing, begun={}, renew=None)
        self.drain_seconds = math.inf
        self.number = 0
        """The number of the run."""
        self.finished = agenda.finished
        self.breakdowns = Breakdowns()
        patience, again = store.database.patience, self._look_again
        self.waiting = Waiting(patience, say=on_note, look_again=again)
        self.excuses = Excuses()
        seated_once = -(-len(league.entrants) // config.rules.players)
        self.throttle = Throttle(most=config.tables_limit, least=seated_once)
        self.end_reason = "finished"
        self.places = league_places(config, cores=cores, say=on_note)
        self._is_closing = False
        self._running: dict[int, tuple[str, ...]] = {}
        self._pausing: set[int] = set()
        self._taken_back: set[int] = set()
        self._mine: Counter[str] = Counter()
        self.attendance = Attendance(
            server,
            config,
            Admission(league.versions, config.rules, busy=self._mine),
            say=self._warn,
            lose=lambda bot, why: self.discipline.suspensions.lose(bot, why),
        )
        self._alarm = trio.Event()
        # The store writes one game after the other anyway.
        self._store_limit = trio.CapacityLimiter(1)

    def share_deals(self, known: Mapping[int, int], renew: Renew | None) -> None:
        """Play games that share their deals, in as many lives as that takes."""
        kinds = {entrant.kind for entrant in self.config.entrants}
        assert renew or kinds == {EntrantKind.HOUSE}, "a program could remember deals"
        self.known_attempts = known
        self.queue = Queue(self.league, self.agenda.missing, begun=known, renew=renew)

    async def play(self, drain: trio.Event, broken: trio.Event) -> None:
        """Play until nothing is left to play, or no more may be started."""
        name = self.league.name
        self.number = await self.in_thread(self.store.start_run, name)
        self.attempts = Attempts(
            self.league, run=self.number, known=self.known_attempts
        )
        await self.discipline.load()
        self.discipline.take_up(self.hearing.appeals)
        # Somebody may have decided since the league was opened.
        appeals = self.hearing.appeals
        self._is_unsettled = bool(appeals.withdrawn or appeals.unseated)
        has_failed = True
        try:
            await self._play_all(drain, broken)
            has_failed = False
        except ExceptionGroup as group:
            raise _explained(group) or group from None
        finally:
            # The store would only say again why the run has failed.
            quiet = suppress(StoreError) if has_failed else nullcontext()
            with trio.CancelScope(shield=True), quiet:
                stop = self.store.stop_run
                self.league = await self.in_thread(stop, name)

    async def close(self) -> None:
        """Note the end of a league whose last run was killed after its last game."""
        if self.league.state != "finished":
            self.league = await self.in_thread(self.store.stop_run, self.league.name)

    async def _play_all(self, drain: trio.Event, broken: trio.Event) -> None:
        async def close_when(
            wait: Callable[[], Awaitable[None]], why: str, games: trio.Nursery
        ) -> None:
            await wait()
            self._close(why)
            await trio.sleep(self.drain_seconds)
            games.cancel_scope.cancel()
            if why == "drained":
                self.waiting.hurry()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.waiting.watch)
            nursery.start_soon(self._watch, self.server.presence_changed)
            nursery.start_soon(self._watch, self.discipline.suspensions.changed)
            nursery.start_soon(self._watch_lag)
            nursery.start_soon(self._watch_decisions)
            async with trio.open_nursery() as games:
                nursery.start_soon(close_when, drain.wait, "drained", games)
                nursery.start_soon(close_when, broken.wait, "broken", games)
                if minutes := self.config.deadline_minutes:
                    wait = partial(trio.sleep, 60 * minutes)
                    nursery.start_soon(close_when, wait, "deadline", games)
                await self._start_games(games)
                games.cancel_scope.cancel()
            self.waiting.is_over = True
            nursery.cancel_scope.cancel()

    async def outcome(self) -> Outcome:
        """Say how it ended."""
        reason = self.end_reason
        suspensions = self.discipline.suspensions
        if self.league.state == "finished":
            reason = "finished"
        elif reason == "finished" and self.breakdowns.stuck:
            reason = "stuck"
        elif reason == "finished":
            is_left_out = self.discipline.left_out - suspensions.excluded
            reason = "suspended" if is_left_out else "appealed"
        return Outcome(
            self.league, reason, tuple(self.breakdowns.stuck), self.excuses.used_up
        )

    @property
    def pause(self) -> str:
        """Why no games start for now."""
        return self.server.pause() or self.hearing.pause or self.waiting.trouble

    def report(self) -> None:
        """Tell how far the run has come."""
        self.on_progress(
            Progress(
                league=self.league.name,
                finished=self.finished,
                planned=len(self.league.seatings) - len(self.hearing.appeals.dropped),
                running=len(self._running),
                waiting_for=self._absent(),
                voids=self.breakdowns.voids,
                refused=self.attendance.refused(),
                paused=self.pause,
            )
        )

    async def _watch(self, changed: Callable[[], Awaitable[None]]) -> None:
        """Look again whenever something has changed."""
        while True:
            await changed()
            self._look_again()

    async def _watch_lag(self) -> None:
        """Let fewer tables run while the arena does not keep up with its clock."""
        while True:
            change = self.throttle.look(
                await self.server.lag(),
                running=len(self._running),
                now=trio.current_time(),
            )
            if change is not None:
                self._warn(str(change))
                self._look_again()
            await trio.sleep(_LOOK_SECONDS)

    async def _watch_decisions(self) -> None:
        """Take up what the host decides meanwhile."""
        while True:
            await trio.sleep(_HEAR_SECONDS)
            if await self._hear():
                self._look_again()

    async def _hear(self) -> bool:
        """Take up what the host has decided; tell whether there was anything."""
        new = await self.hearing.listen()
        for entry in new:
            text = f"league {self.league.name}: {entry.text}: {entry.reason}"
            log.warning(Event("decided", league=self.league.name, entry=entry.line))
            self.on_note(text)
            if entry.action == Action.VOID:
                self._take_back(entry.game, is_replayed=entry.is_replayed)
            self._is_unsettled |= entry.action in ROSTER_ACTIONS
        if new:
            self.discipline.take_up(self.hearing.appeals)
        return bool(new)

    def _take_back(self, number: int, *, is_replayed: bool) -> None:
        """Let a game of this league that was finished wait again."""
        self.finished -= 1
        # So that other cards are dealt, unless the league's deals are open.
        self.breakdowns.retries[number] += 1
        if not is_replayed:
            return
        if number in self._running:
            # It is stored, and its table is about to be left.
            self._taken_back.add(number)
        else:
            self._put_back(number, is_known=True)

    def _put_back(self, number: int, *, is_known: bool) -> None:
        """Let a game wait again; whoever has withdrawn meanwhile has no part in it."""
        self.queue.put_back(number, is_known=is_known)
        gone = self.hearing.appeals.withdrawn.keys()
        self._is_unsettled |= not gone.isdisjoint(self.league.seats(number))

    async def _seat_anew(self) -> None:
        """Let whoever came or went have a part, or none, in the games to come."""
        self._is_unsettled = False
        self.league = await seat_anew(
            self.store,
            self.league,
            self.queue,
            running=self._running,
            pausing=self._pausing,
            set_aside=self.breakdowns.set_aside,
            blocks_begun=self.attempts.begun,
            in_thread=self.in_thread,
            limit=self._store_limit,
        )

    def _warn(self, warning: str) -> None:
        log.warning(Event(warning, league=self.league.name))
        self.on_note(f"warning: {warning}")

    def _close(self, why: str) -> None:
        """Start no more games."""
        if not self._is_closing:
            self.end_reason = why
        self._is_closing = True
        self._look_again()

    def _look_again(self) -> None:
        self._alarm.set()
        self._alarm = trio.Event()

    async def _start_games(self, nursery: trio.Nursery) -> None:
        """Start games as long as there are any and their bots have time."""
        discipline = self.discipline
        while True:
            await discipline.lift_other_versions(self.attendance.present())
            if self._is_unsettled:
                await self._seat_anew()
            discipline.tell()
            while (number := self._next_game()) is not None:
                self._running[number] = self.league.seats(number)
                self._mine.update(self.league.seats(number))
                nursery.start_soon(self._play_game, number)
            is_left = self.queue.has_without(discipline.left_out) or bool(self._pausing)
            is_waiting = is_left and not self._is_closing
            if not self._running and not is_waiting:
                if self._is_closing:
                    return
                left_out = discipline.left_out
                if not await self._hear() and not await self.queue.live_again(left_out):
                    return
                continue
            self.report()
            self.attendance.tell_idle(
                absent=self._absent(),
                paused=self.hearing.pause,
                out=self.discipline.suspensions.names,
                withdrawn=self.hearing.withdrawn,
                busy=self._mine,
            )
            await self._alarm.wait()

    def _next_game(self) -> int | None:
        if self._is_closing or len(self._running) >= self.throttle.tables:
            return None
        if self.pause:
            return None
        out = self.attendance.refused().keys() | self.discipline.suspensions.names
        present = self.attendance.present()
        present = {bot: it for bot, it in present.items() if bot not in out}
        free = self.places.free(present, self._running.values())
        stood_in = dict.fromkeys(self.discipline.stood_in, _ALWAYS_FREE)
        return self.queue.take(free | stood_in)

    def _absent(self) -> tuple[str, ...]:
        left_out = self.discipline.left_out
        return tuple(bot for bot in self.queue.absent() if bot not in left_out)

    async def _play_game(self, number: int) -> None:
        """Play one game to its end, or put it back."""
        try:
            record = await self.server.play(self._spec(number))
        except VoidGame as void:
            self._pausing.add(number)
            self._leave_table(number)
            await self._break_down(number, void)
            self._pausing.remove(number)
            self._look_again()
        else:
            # A finished game is kept even when the run is cancelled meanwhile.
            with trio.CancelScope(shield=True):
                await self.in_thread(
                    self.store.finish_game,
                    self.league.name,
                    record,
                    limiter=self._store_limit,
                )
                self.attendance.admission.settle(record)
                await self.discipline.judge(record)
            self.finished += 1
            self._leave_table(number)
            if number in self._taken_back:
                self._taken_back.remove(number)
                self._put_back(number, is_known=True)

    def _leave_table(self, number: int) -> None:
        self._mine.subtract(self.league.seats(number))
        del self._running[number]
        self._look_again()

    async def _break_down(self, number: int, void: VoidGame) -> None:
        """Let a void game wait again for a while, or set it aside."""
        league, record = self.league.name, void.record
        retry = self.breakdowns.retries[number]
        log.warning(Event("void", league=league, game=number, why=void.reason))
        for bot in self.excuses.note(void.losses):
            self._warn(
                f"{bot} was lost along with others for the third time: from now on "
                "its losses count as its own"
            )
        pause = self.breakdowns.note(number, void.reason, record=record)
        if record is not None and was_begun(record):
            name = f"{record.game}-run{self.number}-{retry}.json"
            await self.in_thread(keep_void, self.store, name, record)
        if pause is not None:
            await trio.sleep(pause)
            self._put_back(number, is_known=record is None or was_begun(record))

    def _spec(self, number: int) -> GameSpec:
        given_up = self.discipline.suspensions.names
        return game_spec(
            self.config,
            self.league,
            number,
            attempt=self.attempts.of(number, retry=self.breakdowns.retries[number]),
            given_up=given_up,
            unexcused=self.excuses.used_up,
            versions=self.attendance.begin(self.league.seats(number), given_up),
        )


def _explained(group: ExceptionGroup[Exception]) -> Exception | None:
    """Return a group's only kind of error, when its text says what to do."""
    found, others = group.split((StoreError, UnableEntrantError))
    error: Exception | None = None if others else found
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
