"""One run of a league, from its first game to its last."""

import logging
import math
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
from leagues.audit import ROSTER_ACTIONS, Action
from leagues.config import EntrantKind, LeagueConfig
from leagues.excuses import Excuses
from leagues.programs.breakdowns import Breakdowns, keep_void, was_begun
from leagues.running.attempts import Attempts
from leagues.running.attendance import Attendance, UnableEntrantError
from leagues.running.discipline import Discipline
from leagues.running.game_server import GameServer
from leagues.running.game_spec import game_spec
from leagues.running.hearing import Hearing
from leagues.running.pacing import Gate, Moment, Pacing
from leagues.running.places import league_places
from leagues.running.progress import Outcome, Progress, outcome_of
from leagues.running.queue import Queue, Renew
from leagues.running.reseating import seat_anew
from leagues.running.threads import InThread, explained
from leagues.running.waiting import Waiting
from leagues.running.watches import watch_changes, watch_lag, watch_time
from leagues.storage.league import League
from leagues.storage.store import Store, StoreError
from leagues.throttle import Throttle

__all__ = ["Run"]
log = logging.getLogger("leagues.running.runner")

_HEAR_SECONDS: Final = 2.0
"""How often the store is asked whether the host has decided anything."""
_ALWAYS_FREE: Final = 1 << 30


class Run:
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
        self.server, self.store = server, store
        self.config, self.league = config, league
        self.discipline: Discipline
        self.hearing: Hearing
        self.on_progress: Callable[[Progress], None] = lambda progress: None
        self.on_note = on_note
        self.in_thread: InThread = trio.to_thread.run_sync
        self.agenda = agenda
        self.known_attempts: Mapping[int, int] = {}
        self.attempts: Attempts
        self.gate: Gate
        self.queue: Queue
        self.drain_seconds = math.inf
        self.number = 0
        """The number of the run."""
        self.finished = agenda.finished
        self.breakdowns = Breakdowns()
        patience, again = store.database.patience, self._look_again
        self.waiting = Waiting(patience, say=on_note, look_again=again)
        self.excuses = Excuses()
        seated_once = -(-len(league.entrants) // config.rules.players)
        self.throttle = Throttle(most=config.tables_limit, least=max(1, seated_once))
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

    def prepare(
        self, pacing: Pacing, known: Mapping[int, int], renew: Renew | None
    ) -> None:
        """Say which games begin when, and in how many lives where they share deals."""
        self.known_attempts = known
        self.gate = Gate(pacing, self.agenda.missing, len(self.league.seatings))
        if not self.league.blocks.are_shared:
            renew = None
        else:
            kinds = {entrant.kind for entrant in self.config.entrants}
            is_safe = renew or kinds == {EntrantKind.HOUSE}
            assert is_safe, "a program could remember deals"
        self.queue = Queue(self.league, self.gate.first(), begun=known, renew=renew)

    async def play(self, drain: trio.Event, broken: trio.Event) -> None:
        """Play until nothing is left to play, or no more may be started."""
        name = self.league.name
        self.number = await self.in_thread(self.store.start_run, name)
        if not self.number:
            # It was ended since it was opened.
            self.league = await self.in_thread(self.store.league, name)
            return
        self.attempts = Attempts(
            self.league, run=self.number, known=self.known_attempts
        )
        await self.discipline.load()
        self.discipline.take_up(self.hearing.appeals)
        # Somebody may have decided since the league was opened.
        appeals = self.hearing.appeals
        self._is_unsettled = bool(appeals.withdrawn or appeals.unseated)
        await self._hear()
        has_failed = True
        try:
            await self._play_all(drain, broken)
            has_failed = False
        except ExceptionGroup as group:
            raise explained(group, StoreError, UnableEntrantError) or group from None
        finally:
            # The store would only say again why the run has failed.
            quiet = suppress(StoreError) if has_failed else nullcontext()
            with trio.CancelScope(shield=True), quiet:
                over = "" if has_failed else self.gate.over
                stop = partial(self.store.stop_run, name, over=over)
                self.league = await self.in_thread(stop)

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
                self.gate.over = ""
                self.waiting.hurry()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.waiting.watch)
            for changed in (
                self.server.presence_changed,
                self.discipline.suspensions.changed,
            ):
                nursery.start_soon(watch_changes, changed, self._look_again)
            nursery.start_soon(watch_time, self.gate.looks_every, self._look_again)
            nursery.start_soon(
                partial(
                    watch_lag,
                    *(self.server, self.throttle),
                    running=lambda: len(self._running),
                    warn=self._slow_down,
                )
            )
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

    def outcome(self) -> Outcome:
        """Say how it ended."""
        suspensions = self.discipline.suspensions
        return outcome_of(
            self.league,
            self.end_reason,
            stuck=self.breakdowns.stuck,
            is_left_out=bool(self.discipline.left_out - suspensions.excluded),
            unexcused=self.excuses.used_up,
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
                planned=self.gate.expected - len(self.hearing.appeals.dropped),
                running=len(self._running),
                waiting_for=self._absent(),
                voids=self.breakdowns.voids,
                refused=self.attendance.refused(),
                paused=self.pause,
                is_endless=self.league.ladder is not None,
                lack="" if self.pause else self.gate.lack,
            )
        )

    def _slow_down(self, warning: str) -> None:
        self._warn(warning)
        self._look_again()

    async def _let_through(self) -> None:
        """Let more games wait, or none begin any more, as the league's pacing says."""
        before = self.league
        numbers, self.league = await self.gate.look(
            Moment(
                league=self.league,
                finished=self.finished,
                running=len(self._running),
                waiting=self.queue.playable,
                parked=self.queue.parked,
                tables=self.throttle.tables,
                present=self.attendance.present(),
                pausing=len(self._pausing),
                can_begin=not (self._is_closing or self.pause),
                free=self._free,
                games=self.queue.games,
            )
        )
        if before.ladder is not None and self.league is not before:
            # Games that wait may have got others in their seats.
            self.queue.seat_anew(self.league, {*self.queue.waiting(), *numbers})
        else:
            self.queue.add(numbers)
        if self.gate.over:
            self._close("finished")

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
            log.warning(Event("decided", league=self.league.name, entry=entry.line))
            self.on_note(f"{entry.text}: {entry.reason}")
            if entry.action == Action.VOID:
                self._take_back(entry.game, is_replayed=entry.is_replayed)
            elif entry.action == Action.END:
                self._close("finished")
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
        elif number not in self.queue.waiting():
            # The last plan may have known already that it is missing.
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
            through=self.gate.through,
            blocks_begun=self.attempts.begun,
            heard=lambda: self.hearing.appeals.entries,
            in_thread=self.in_thread,
            limit=self._store_limit,
        )
        # What is void for the plan is so for the run, before it is dealt again.
        await self._hear()

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
            await self._let_through()
            while (number := self._next_game()) is not None:
                self._running[number] = self.league.seats(number)
                self._mine.update(self.league.seats(number))
                nursery.start_soon(self._play_game, number)
            is_left = self.queue.has_without(discipline.left_out) or bool(self._pausing)
            is_waiting = (is_left or self.gate.is_open) and not self._is_closing
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
                lack=self.gate.lack,
            )
            await self._alarm.wait()

    def _next_game(self) -> int | None:
        if self._is_closing or len(self._running) >= self.throttle.tables:
            return None
        if self.pause:
            return None
        stood_in = dict.fromkeys(self.discipline.stood_in, _ALWAYS_FREE)
        return self.queue.take(self._free() | stood_in)

    def _free(self) -> dict[str, int]:
        """Return in how many more games each bot may be that can be seated."""
        out = self.attendance.refused().keys() | self.discipline.suspensions.names
        if self.league.ladder is not None:
            out |= self.hearing.withdrawn.keys()
        present = self.attendance.present()
        present = {bot: it for bot, it in present.items() if bot not in out}
        return self.places.free(present, self._running.values())

    def _absent(self) -> tuple[str, ...]:
        if self.league.ladder is not None:
            # Others get their games.
            return ()
        left_out = self.discipline.left_out
        return tuple(bot for bot in self.queue.absent() if bot not in left_out)

    async def _play_game(self, number: int) -> None:
        """Play one game to its end, or put it back."""
        begun = trio.current_time()
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
            self.gate.note(record, seconds=trio.current_time() - begun)
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
