"""Appeals: what the decisions of a league's host mean for its games.

Everything follows from the audit log and from nothing else: what is paused, who is
excluded, which games are void. So nothing that was decided is ever lost, and whoever
has the log and the results can work the standings out again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from arena.excerpt import shown
from arena.nearest import did_you_mean
from leagues.audit import Action, AuditEntry
from leagues.results import GameResult

__all__ = [
    "NO_APPEALS",
    "Agenda",
    "AppealError",
    "Appeals",
    "Setting",
    "appeals_of",
    "objection",
]

_NOBODY: Final[Mapping[str, AuditEntry]] = MappingProxyType({})


class AppealError(ValueError):
    """A decision that can't be: what stands against it, and what to do."""


@dataclass(frozen=True, slots=True)
class Appeals:
    """What is decided in a league."""

    entries: tuple[AuditEntry, ...] = ()
    """The audit log."""
    pause: AuditEntry | None = None
    """The entry that pauses the league; `None` when it is not paused."""
    excluded: Mapping[str, AuditEntry] = field(default_factory=lambda: _NOBODY)
    """The entrants that are excluded, each with the entry that does it."""
    dropped: frozenset[int] = frozenset()
    """The games that are void and not played again."""

    def counting(self, results: Iterable[GameResult]) -> list[GameResult]:
        """Return the results that count: those without excluded entrants.

        A game is a whole. Were only the excluded one's own results left out, the
        others would keep places that it had decided; so the game counts for nobody.
        """
        return [
            result
            for result in results
            if all(seat.entrant not in self.excluded for seat in result.seats)
        ]

    def is_wanted(self, number: int, bots: Collection[str]) -> bool:
        """Tell whether a game that is not finished is to be played now."""
        return number not in self.dropped and self.excluded.keys().isdisjoint(bots)


NO_APPEALS: Final = Appeals()


def appeals_of(entries: Sequence[AuditEntry]) -> Appeals:
    """Work out what an audit log comes to."""
    pause: AuditEntry | None = None
    excluded: dict[str, AuditEntry] = {}
    dropped: set[int] = set()
    for entry in entries:
        match entry.action:
            case Action.PAUSE:
                pause = entry
            case Action.RESUME:
                pause = None
            case Action.EXCLUDE:
                excluded[entry.entrant] = entry
            case Action.REINSTATE:
                excluded.pop(entry.entrant, None)
            case Action.VOID if not entry.is_replayed:
                dropped.add(entry.game)
    return Appeals(tuple(entries), pause, excluded, frozenset(dropped))


@dataclass(frozen=True, slots=True)
class Agenda:
    """What a league has still to play, and what is decided, at one moment."""

    finished: int
    """How many games are finished."""
    missing: tuple[int, ...]
    """The numbers of those that are not, apart from those that never will be. A
    finished league plays nothing any more."""
    appeals: Appeals

    def wanted(self, seats: Callable[[int], Collection[str]]) -> list[int]:
        """Return the games that are to be played now.

        Args:
            seats: Returns the entrants of a game.
        """
        is_wanted = self.appeals.is_wanted
        return [number for number in self.missing if is_wanted(number, seats(number))]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a decision meets: the league as it is at that moment."""

    name: str
    entrants: tuple[str, ...]
    players: int
    """How many seats a table has."""
    games: int
    """How many games are planned."""
    is_finished: bool
    is_open: bool
    """Whether anybody can compute the deals anyway."""
    has_record: bool
    """Whether the game that is to be void is finished."""
    shares_deals: bool = False
    """Whether other games are dealt from the same cards."""


def objection(entry: AuditEntry, appeals: Appeals, league: Setting) -> str:
    """Say what stands against a decision; empty when nothing does."""
    match entry.action:
        case Action.PAUSE | Action.RESUME:
            return _against_pause(entry.action, appeals, league)
        case Action.VOID:
            return _against_void(entry, appeals, league)
        case _:
            return _against_entrant(entry, appeals, league)


def _against_pause(action: Action, appeals: Appeals, league: Setting) -> str:
    if action == Action.RESUME and appeals.pause is None:
        return f"league {league.name} is not paused"
    if action == Action.PAUSE and appeals.pause is not None:
        return f"league {league.name} is paused already: {appeals.pause.reason}"
    if action == Action.PAUSE and league.is_finished:
        return f"league {league.name} is finished, so there is nothing to pause"
    return ""


def _against_void(entry: AuditEntry, appeals: Appeals, league: Setting) -> str:
    name, game = league.name, f"{league.name}-{entry.game}"
    if not 1 <= entry.game <= league.games:
        return f"league {name} has games 1 to {league.games}, but no {entry.game}"
    if entry.game in appeals.dropped:
        return f"game {game} is void already, and not played again"
    if not league.has_record:
        return f"game {game} is not finished; only what counts can be void"
    if entry.is_replayed and league.is_finished and not league.is_open:
        return (
            f"league {name} is finished and its secret is published, so anybody could "
            f"compute the deals of another game {entry.game}; with --no-replay it is "
            "void without another"
        )
    if entry.is_replayed and league.shares_deals and not league.is_open:
        return (
            f"league {name} plays the same deals more than once, and those of game "
            f"{entry.game} have been seen; with --no-replay it is void without another"
        )
    return ""


def _against_entrant(entry: AuditEntry, appeals: Appeals, league: Setting) -> str:
    bot = entry.entrant
    if bot not in league.entrants:
        hint = did_you_mean(bot, league.entrants)
        hint = hint or f"it has {', '.join(league.entrants)}"
        return f"league {league.name} has no entrant {shown(bot)}; {hint}"
    known = appeals.excluded.get(bot)
    if entry.action == Action.EXCLUDE and known is not None:
        return f"{bot} is excluded from league {league.name} already: {known.reason}"
    if entry.action == Action.REINSTATE and known is None:
        return f"{bot} is not excluded from league {league.name}"
    left = len(league.entrants) - len(appeals.excluded.keys() | {bot})
    if entry.action == Action.EXCLUDE and left < league.players:
        return (
            f"without {bot} league {league.name} has {left} entrants for tables of "
            f"{league.players}, so that no game of it would count"
        )
    return ""
