"""The host of a simulated league: decides this and that about it, beside its arena.

Each decision is a command of its own, which may be killed in the middle. What it ought
to come to is kept here, from what the commands have said.
"""

import random
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from arena.spec import GameSpec
from leagues.appeals import AppealError
from leagues.audit import Action, AuditEntry, first_fault
from leagues.running.progress import Outcome
from leagues.storage.audited import decide, void_records
from leagues.storage.database import Database
from leagues.storage.store import Store
from tests.simulation.kinds import LADDER, ROSTER

if TYPE_CHECKING:
    from tests.simulation.world import World

HEARD_SECONDS = 3.0
CALLS_UNHEARD = 20
"""Within how many seconds a decision is heard, and delays of the disk beside them."""
STATEMENTS_MAX = 12
KILLED_SHARE = 0.2


_ROSTER_ACTIONS: Final = (
    *(Action.VOID, Action.WITHDRAW, Action.WITHDRAW, Action.REINSTATE),
    *(Action.REINSTATE, Action.EXCLUDE, Action.PAUSE, Action.RESUME),
)
_OF_THE_ARENA: Final = frozenset({Action.JOIN, Action.PLAN})


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
        self.withdrawn: dict[str, float] = {}
        """Who has withdrawn, and since when."""
        self.ended: float | None = None
        """Since when the league is ended."""
        self.paused: float | None = None
        """Since when the league is paused."""
        self.count = 0
        """How many decisions were taken."""
        self.killed = 0
        self.out_at_end: frozenset[str] = frozenset()
        """Who was excluded when the last run ended."""
        self._league = plan.config.name
        self._has_roster = plan.kind.name in {ROSTER, LADDER}
        self._heard_seconds = HEARD_SECONDS + CALLS_UNHEARD * plan.disk_seconds
        self._chance = random.Random(f"judge {plan.seed}")
        self._note = world.clockwork.note

    def decide_later(self) -> None:
        """Decide something now and then."""
        if self._world.plan.decide_every < float("inf"):
            self._world.clockwork.after(self._world.plan.decide_every, self._decide)

    def end_later(self) -> None:
        """End the league where its time comes."""
        if (seconds := self._world.plan.kind.end_after) < float("inf"):
            self._world.clockwork.after(seconds, self._end)

    def _end(self) -> None:
        if self._world.lives:
            with _beside(self._world.directory) as store:
                if self._chance.random() < KILLED_SHARE:
                    self._kill_at(store, self._chance.randint(1, STATEMENTS_MAX))
                self._decided(store, _entry(Action.END))
        if self.ended is None and not self._is_finished():
            self._world.clockwork.after(1.0, self._end)

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
        return outcome.reason == "finished" and self._is_finished()

    def _is_finished(self) -> bool:
        if not self._world.lives:
            return False
        with Store.open_read_only(self._world.directory) as store:
            return store.league(self._league).state == "finished"

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
        bots = [seat.bot for seat in spec.seats]
        over = self.dropped | self._world.committed.keys()
        has_begun = self._world.watch.is_begun(number, over)
        self.check_table(spec.game_id, bots, has_begun=has_begun)
        since = now if self.paused is None else self.paused
        assert now - since <= self._heard_seconds, f"{spec.game_id} begins in a pause"

    def check_table(
        self, game: str, bots: Collection[str], *, has_begun: bool = False
    ) -> None:
        """See that a game may be played by these: decisions are heard before long.

        Args:
            game: The game.
            bots: Who sits there.
            has_begun: Whether another with the same deals is over or was begun, so
                that those who have withdrawn play it too.
        """
        now = self._world.clockwork.now
        gone = self.excluded if has_begun else self.withdrawn | self.excluded
        since = [gone.get(bot, now) for bot in bots]
        since.append(now if self.ended is None else self.ended)
        is_heard = now - min(since) > self._heard_seconds
        assert not is_heard, f"{game} of {bots} begins in spite of decisions"

    def check(self, store: Store) -> None:
        """See that the store knows all of it."""
        entries = store.decisions(self._league)
        fault = first_fault(self._league, entries)
        assert fault is None, f"the audit log is broken: {fault}"
        own = [one for one in entries if one.action not in _OF_THE_ARENA]
        assert self.count == len(own), f"{len(own)} of {self.count} decisions"
        appeals = store.agenda(self._league).appeals
        assert self.dropped == appeals.dropped, f"{appeals.dropped} are void for good"
        assert self.excluded.keys() == appeals.excluded.keys(), "another is excluded"
        assert self.withdrawn.keys() == appeals.withdrawn.keys(), "another has left"
        assert (self.ended is None) == (appeals.end is None), "it is ended or not"
        kept = [text for _, text in void_records(store, self._league)]
        assert self.void == kept, "records of void games are lost"

    def _drawn(self, finished: list[int]) -> AuditEntry | None:
        action = self._chance.choice(
            _ROSTER_ACTIONS if self._has_roster else [Action.VOID, *Action]
        )
        if action == Action.WITHDRAW and not self._has_roster:
            return None
        league = self._world.roster.league
        assert league is not None
        match action:
            case Action.VOID if finished:
                game = self._chance.choice(finished)
                return _entry(action, game=game, again=self._chance.random() < 0.7)
            case Action.EXCLUDE | Action.WITHDRAW if league.entrants:
                return _entry(action, entrant=self._chance.choice(league.entrants))
            case Action.REINSTATE if out := [*self.excluded, *self.withdrawn]:
                return _entry(action, entrant=self._chance.choice(out))
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
            case Action.WITHDRAW:
                self.withdrawn[entry.entrant] = now
            case Action.REINSTATE if entry.entrant in self.excluded:
                del self.excluded[entry.entrant]
            case Action.REINSTATE:
                del self.withdrawn[entry.entrant]
            case Action.END:
                self.ended = now
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
