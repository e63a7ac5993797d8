"""Conduct: how often each bot version is given up, and when that suspends it."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from arena.record import Record
from leagues.config import SuspensionRules

__all__ = [
    "BY_ARENA",
    "SUSPEND_GAMES_MIN",
    "Conduct",
    "Span",
    "Suspension",
    "departure",
    "departure_in",
]

BY_ARENA: Final = "start"
"""The cause of a seat that the arena has given up of its own accord."""
LEFT: Final = "left"
"""The cause of a seat whose bot has left."""
AWAY: Final = "away"
"""The kind of the fault of a bot that is not connected."""
SUSPEND_GAMES_MIN: Final = 10
"""How many games it takes before the share of given-up ones says anything."""


@dataclass(frozen=True, slots=True)
class Suspension:
    """Why an entrant's games are no longer waited for."""

    entrant: str
    reason: str
    version: str | None = None
    """The version that is suspended; another one may play. `None` for a program that
    would not stay alive, of whatever version, and for who is excluded."""
    is_excluded: bool = False
    """Whether the host has decided it: then all its games count for nobody."""

    @property
    def text(self) -> str:
        """What the host is told."""
        which = f" (version {self.version})" if self.version else ""
        return f"{self.entrant}{which}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Span:
    """When a game ran, in moments as they are stored, which sort as texts do."""

    started: str
    ended: str


def departure(cause: str | None, last_fault: str | None, span: Span) -> Span | None:
    """Return the span of a game from which a bot has gone; `None` of any other.

    Args:
        cause: Why its seat was given up, if it was.
        last_fault: The kind of the fault with which that came about, if one did.
        span: When the game ran.
    """
    return span if cause == LEFT or (cause and last_fault == AWAY) else None


def departure_in(record: Record, seat: int) -> Span | None:
    """Return the span of a game if the bot of a seat has gone from it."""
    for item in record.given_up:
        if item.seat == seat:
            place = (seat, item.deal, item.trick)
            kinds = [
                fault.kind
                for fault in record.faults
                if (fault.seat, fault.deal, fault.trick) == place
            ]
            span = Span(record.times.started, record.times.ended)
            return departure(item.cause, kinds[-1] if kinds else None, span)
    return None


class Conduct:
    """How often each bot version was given up, game by game.

    Games from which the arena itself has taken it out, since it was suspended or its
    program gone, are none of its own.

    A bot that goes, by its own word or with its connection, goes from all its games at
    once. So of games from which it has gone those count as one that had begun when the
    first of them that is known was over: it ran beside them, and was given up by then.
    """

    def __init__(self, rules: SuspensionRules) -> None:
        self._rules = rules
        self._games: Counter[tuple[str, str]] = Counter()
        self._given_up: Counter[tuple[str, str]] = Counter()
        self._in_a_row: Counter[tuple[str, str]] = Counter()
        # When the first known game of its last departure was over.
        self._gone: dict[tuple[str, str], str] = {}
        self._gone_at_once: set[tuple[str, str]] = set()

    def note(
        self,
        entrant: str,
        version: str,
        *,
        cause: str | None,
        departure: Span | None = None,
    ) -> Suspension | None:
        """Take note of a finished game; return the suspension that it leads to.

        Args:
            entrant: Whose seat it was.
            version: The version that played.
            cause: Why the seat was given up before the end; `None` when it was not.
            departure: When the game ran, if the bot has gone from it.
        """
        if cause == BY_ARENA:
            return None
        key = (entrant, version)
        if departure is not None:
            if departure.started < self._gone.get(key, ""):
                self._gone_at_once.add(key)
                return None
            self._gone[key] = departure.ended
        self._games[key] += 1
        if cause is None:
            self._in_a_row[key] = 0
            return None
        self._given_up[key] += 1
        self._in_a_row[key] += 1
        if reason := self._reason(key):
            return Suspension(entrant, reason, version)
        return None

    def _reason(self, key: tuple[str, str]) -> str:
        after, share = self._rules.after, self._rules.share
        counted = ", those of one departure as one" if key in self._gone_at_once else ""
        if after and self._in_a_row[key] >= after:
            return f"given up in {self._in_a_row[key]} games in a row{counted}"
        games, given_up = self._games[key], self._given_up[key]
        if share and games >= SUSPEND_GAMES_MIN and given_up >= share * games:
            return f"given up in {given_up} of {games} games{counted}"
        return ""
