"""The host of a simulated league: decides this and that about it, beside its arena.

Each decision is a command of its own, which may be killed in the middle. What it ought
to come to is kept here, from what the commands have said.
"""

import random
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from arena.spec import GameSpec
from leagues.appeals import AppealError
from leagues.audit import Action, AuditEntry, first_fault
from leagues.running.progress import Outcome
from leagues.storage.audited import decide, void_records
from leagues.storage.database import Database
from leagues.storage.store import Store

if TYPE_CHECKING:
    from tests.simulation.world import World

HEARD_SECONDS = 3.0
CALLS_UNHEARD = 20
"""Within how many seconds a decision is heard, and delays of the disk beside them."""
STATEMENTS_MAX = 12
KILLED_SHARE = 0.2


class CommandKilled(BaseException):
    """A command is gone in the middle of what it did."""


class Judge:
    """Who decides, and what has been decided.

    Args:
        world: Where the league is played; its seed decides what is decided.
    """

    def __init__(self, world: "World") -> None:
        plan = world.plan
        self._world = world
        self.dropped: set[int] = set()
        self.void: list[str] = []
        """The records of void games, in the order of decisions."""
        self.excluded: dict[str, float] = {}
        """Who is excluded, and since when."""
        self.paused: float | None = None
        """Since when the league is paused."""
        self.count = 0
        """How many decisions were taken."""
        self.killed = 0
        self.out_at_end: frozenset[str] = frozenset()
        """Who was excluded when the last run ended."""
        self._league = plan.config.name
        self._entrants = tuple(entrant.name for entrant in plan.config.entrants)
        self._heard_seconds = HEARD_SECONDS + CALLS_UNHEARD * plan.disk_seconds
        self._chance = random.Random(f"judge {plan.seed}")
        self._note = world.clockwork.note

    def decide_later(self) -> None:
        """Decide something now and then."""
        if self._world.plan.decide_every < float("inf"):
            self._world.clockwork.after(self._world.plan.decide_every, self._decide)

    def settle(self) -> None:
        """Take back whatever is in force."""
        asked = [_entry(Action.REINSTATE, entrant=bot) for bot in sorted(self.excluded)]
        if self.paused is not None:
            asked.append(_entry(Action.RESUME))
        for entry in asked:
            with _beside(self._world.directory) as store:
                self._decided(store, entry)

    def is_over(self, outcome: Outcome) -> bool:
        """Tell whether the league is: the last decision may have opened it anew."""
        with Store.open_read_only(self._world.directory) as store:
            is_finished = store.league(self._league).state == "finished"
        return outcome.reason == "finished" and is_finished

    def _decide(self) -> None:
        if self._world.is_calm:
            return
        if self._world.lives:
            with _beside(self._world.directory) as store:
                self._decide_something(store)
        self.decide_later()

    def _decide_something(self, store: Store) -> None:
        finished = dict(store.records(self._league, with_withheld=True))
        asked = self._drawn([*finished])
        if asked is None:
            return
        record = finished[asked.game] if asked.game else ""
        if self._chance.random() < KILLED_SHARE:
            self._kill_at(store, self._chance.randint(1, STATEMENTS_MAX))
        self._decided(store, asked, record)

    def note_call(self, name: str) -> None:
        """Take note of what the arena has just done in its store."""
        if name == "stop_run":
            self.out_at_end = frozenset(self.excluded)

    def check_game(self, spec: GameSpec) -> None:
        """See that a game may begin: decisions are heard before long."""
        now = self._world.clockwork.now
        number = int(spec.game_id.rpartition("-")[2])
        assert number not in self.dropped, f"{spec.game_id} is void for good"
        since = [self.excluded.get(seat.bot, now) for seat in spec.seats]
        since.append(now if self.paused is None else self.paused)
        is_heard = now - min(since) > self._heard_seconds
        assert not is_heard, f"{spec.game_id} begins in spite of decisions"

    def check(self, store: Store) -> None:
        """See that the store knows all of it."""
        entries = store.decisions(self._league)
        fault = first_fault(self._league, entries)
        assert fault is None, f"the audit log is broken: {fault}"
        assert self.count == len(entries), f"{len(entries)} of {self.count} decisions"
        appeals = store.agenda(self._league).appeals
        assert self.dropped == appeals.dropped, f"{appeals.dropped} are void for good"
        assert self.excluded.keys() == appeals.excluded.keys(), "another is excluded"
        kept = [text for _, text in void_records(store, self._league)]
        assert self.void == kept, "records of void games are lost"

    def _drawn(self, finished: list[int]) -> AuditEntry | None:
        action = self._chance.choice([Action.VOID, *Action])
        match action:
            case Action.VOID if finished:
                game = self._chance.choice(finished)
                return _entry(action, game=game, again=self._chance.random() < 0.7)
            case Action.EXCLUDE:
                return _entry(action, entrant=self._chance.choice(self._entrants))
            case Action.REINSTATE if self.excluded:
                return _entry(action, entrant=self._chance.choice([*self.excluded]))
            case Action.PAUSE | Action.RESUME:
                return _entry(action)
        return None

    def _decided(self, store: Store, asked: AuditEntry, record: str = "") -> None:
        try:
            entry = decide(store, self._league, asked)
        except AppealError as error:
            self._note(f"refused: {asked.text}: {error}")
        except CommandKilled:
            self.killed += 1
            self._note(f"killed: {asked.text}")
        else:
            self._note(entry.line)
            self.count += 1
            self._keep(entry, record)

    def _keep(self, entry: AuditEntry, record: str) -> None:
        now = self._world.clockwork.now
        match entry.action:
            case Action.PAUSE:
                self.paused = now
            case Action.RESUME:
                self.paused = None
            case Action.EXCLUDE:
                self.excluded[entry.entrant] = now
            case Action.REINSTATE:
                del self.excluded[entry.entrant]
            case Action.VOID:
                self.void.append(record)
                self.dropped |= set() if entry.is_replayed else {entry.game}
                self._world.committed.pop(entry.game, None)

    def _kill_at(self, store: Store, statement: int) -> None:
        left = [statement]

        def count(*event: object) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise CommandKilled

        sa.event.listen(store.database.engine, "before_cursor_execute", count)


def _beside(directory: Path) -> Store:
    """Open the store as a command does; looking for its owner would take a while."""
    return Store(directory, Database(directory, may_write=True), None)


def _entry(
    action: Action, *, entrant: str = "", game: int = 0, again: bool = False
) -> AuditEntry:
    return AuditEntry(
        action,
        "so",
        "the host",
        "2026-01-01T00:00:00Z",
        entrant=entrant,
        game=game,
        is_replayed=again,
    )
