"""The laws of rosters and plans: numbers and seats stay, and commitments hold.

Whoever has a number keeps it, whoever joins. A game that runs or is finished keeps its
number and its seats in every later plan. What was committed to is never taken back, and
at the end each commitment is that of the secret to its plan.
"""

import json
from collections.abc import Mapping
from functools import lru_cache

from arena.commitment import Plans
from arena.record import read_record
from arena.spec import GameSpec
from arena.verify import check_secret
from leagues.audit import Action
from leagues.config import LeagueConfig
from leagues.storage.league import League
from leagues.storage.roster import committed_plans, settled_plans
from leagues.storage.store import Store
from tests.simulation.deals import number_of

__all__ = ["RosterWatch"]


@lru_cache(maxsize=1000)
def _seats(text: str) -> tuple[str, ...]:
    """Return who sits at the table of a record."""
    return tuple(seat["bot"] for seat in json.loads(text)["seats"])


class RosterWatch:
    """Who takes part in a league, and who sits where.

    Args:
        config: The league.
        finished: The records of finished games, kept up to date.
        owners: Whose each bot is.
    """

    def __init__(
        self,
        config: LeagueConfig,
        finished: Mapping[int, str],
        owners: Mapping[str, str],
    ) -> None:
        self.league: League | None = None
        """As it was when it was looked at."""
        self.sitting: dict[int, tuple[str, ...]] = {}
        """Who sits in the games that run, or are about to be stored."""
        self._name = config.name
        self._first = len(config.entrants)
        self._finished = finished
        self._owners = owners if config.owners_apart else {}
        self._marks: list[bytes] = []
        self._under: dict[int, int] = {}
        """Which plan was in force when each game began, from 0."""

    @property
    def plans(self) -> int:
        """How many plans the league has had."""
        return len(self._marks)

    @property
    def joined(self) -> int:
        """How many entrants have come in later."""
        return len(self.league.entrants) - self._first if self.league else 0

    def start_life(self) -> None:
        """Note that no game runs."""
        self.sitting.clear()

    def look(self, store: Store) -> League:
        """Compare a league with what it was."""
        league = store.league(self._name)
        known = self.league.entrants if self.league else ()
        assert known == league.entrants[: len(known)], f"{known}, now {league.entrants}"
        with store.database.read() as connection:
            marks = [plan.commitment for plan in committed_plans(connection, league)]
        assert self._marks == marks[: len(self._marks)], "a commitment is taken back"
        played = {number: _seats(text) for number, text in self._finished.items()}
        for number, seats in (played | self.sitting).items():
            now = league.seats(number)
            assert seats == now, f"game {number} seated {seats}, now {now}"
        self.league, self._marks = league, marks
        return league

    def begin(self, spec: GameSpec) -> None:
        """Check the seats of a game that is about to begin."""
        assert self.league is not None
        number, seats = number_of(spec), tuple(seat.bot for seat in spec.seats)
        planned = self.league.seats(number)
        assert planned == seats, f"{spec.game_id} seats {seats}, planned {planned}"
        self.check_owners(seats)
        self.sitting[number] = seats
        self._under[number] = len(self._marks) - 1

    def check_owners(self, seats: tuple[str, ...]) -> None:
        """See that nobody meets a bot of its own owner, unless that may be."""
        owners = [owner for bot in seats if (owner := self._owners.get(bot))]
        assert len({*owners}) == len(owners), f"{seats} are of {owners}"

    def leave(self, number: int) -> None:
        """Note that a game is void, or stored."""
        self.sitting.pop(number, None)

    def check(self, store: Store, records: Mapping[int, str]) -> None:
        """See that the secret fits all that was committed to, and every deal."""
        league = self.look(store)
        with store.database.read() as connection:
            settled = settled_plans(connection, league)
        entries = [e for e in store.decisions(self._name) if e.action == Action.PLAN]
        logged = [bytes.fromhex(entry.commitment) for entry in entries]
        assert logged == [mark for _, mark in settled[1:]], "the log has other plans"
        for number, (plan, mark) in enumerate(settled, start=1):
            assert plan.commitment(league.secret) == mark, f"plan {number} is no such"
        plans = [plan for plan, _ in settled]
        assert [] == [*Plans(plans).problems()]
        for number, text in records.items():
            record = read_record(text)
            check_secret(record, league.secret)
            for plan in plans[self._under[number] :]:
                plan.check(record)
