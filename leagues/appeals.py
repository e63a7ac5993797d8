"""Appeals: what the decisions of a league's host mean for its games.

Everything follows from the audit log and from nothing else: what is paused, who is
excluded, which games are void. So nothing that was decided is ever lost, and whoever
has the log and the results can work the standings out again.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from arena.excerpt import shown
from arena.nearest import did_you_mean
from leagues.audit import Action, AuditEntry
from leagues.blocks import Blocks
from leagues.results import GameResult
from leagues.scheduling.owners import NO_OWNERS, Owners, OwnersError

__all__ = [
    "EXCLUDED",
    "LATE",
    "NO_APPEALS",
    "WITHDREW",
    "Agenda",
    "AppealError",
    "Appeals",
    "Setting",
    "appeals_of",
    "objection",
]

LATE: Final = "joined late"
WITHDREW: Final = "withdrew"
EXCLUDED: Final = "was excluded"
"""What entrants did that were not in a league all along."""
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
    joined: Mapping[str, AuditEntry] = field(default_factory=lambda: _NOBODY)
    """The entrants that came in later, each with the entry that says so."""
    withdrawn: Mapping[str, AuditEntry] = field(default_factory=lambda: _NOBODY)
    """The entrants that have withdrawn, each with the entry that does it."""
    unseated: frozenset[str] = frozenset()
    """The entrants for whom no games were planned: they have joined since then, or were
    out when it was done."""

    @property
    def out(self) -> frozenset[str]:
        """The entrants for whom no games are planned."""
        return frozenset(self.excluded) | frozenset(self.withdrawn)

    @property
    def came_and_went(self) -> dict[str, str]:
        """The entrants that were not there all along, each with what it did."""
        moves = [(self.joined, LATE), (self.withdrawn, WITHDREW)]
        found: dict[str, str] = {}
        for names, what in moves:
            for name in names:
                found[name] = f"{found[name]}, {what}" if name in found else what
        return found | dict.fromkeys(self.excluded, EXCLUDED)

    @property
    def returning(self) -> frozenset[str]:
        """The entrants for whom games are still to be planned."""
        return self.unseated - self.out

    end: AuditEntry | None = None
    """The entry that ends the league before its schedule does."""

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

    def is_wanted(
        self, number: int, bots: Collection[str], *, has_begun: bool = False
    ) -> bool:
        """Tell whether a game that is not finished is to be played now.

        Args:
            number: Its number.
            bots: Who sits there.
            has_begun: Whether a game with the same deals is finished: what was begun
                is played to its end, also with those who have withdrawn.
        """
        if self.end is not None or number in self.dropped:
            return False
        if not self.excluded.keys().isdisjoint(bots):
            return False
        return has_begun or self.withdrawn.keys().isdisjoint(bots)


NO_APPEALS: Final = Appeals()


def appeals_of(entries: Sequence[AuditEntry]) -> Appeals:
    """Work out what an audit log comes to."""
    pause: AuditEntry | None = None
    end: AuditEntry | None = None
    excluded: dict[str, AuditEntry] = {}
    dropped: set[int] = set()
    joined: dict[str, AuditEntry] = {}
    withdrawn: dict[str, AuditEntry] = {}
    unseated: frozenset[str] = frozenset()
    for entry in entries:
        match entry.action:
            case Action.PAUSE:
                pause = entry
            case Action.RESUME:
                pause = None
            case Action.EXCLUDE:
                excluded[entry.entrant] = entry
            case Action.REINSTATE:
                # Whoever is both comes back step by step.
                back = excluded if entry.entrant in excluded else withdrawn
                back.pop(entry.entrant, None)
            case Action.WITHDRAW:
                withdrawn[entry.entrant] = entry
            case Action.JOIN:
                joined[entry.entrant] = entry
                unseated |= {entry.entrant}
            case Action.PLAN:
                unseated = frozenset(excluded) | frozenset(withdrawn)
            case Action.VOID if not entry.is_replayed:
                dropped.add(entry.game)
            case Action.END:
                pause, end = None, entry
    return Appeals(
        entries=tuple(entries),
        pause=pause,
        excluded=excluded,
        dropped=frozenset(dropped),
        joined=joined,
        withdrawn=withdrawn,
        unseated=unseated,
        end=end,
    )


@dataclass(frozen=True, slots=True)
class Agenda:
    """What a league has still to play, and what is decided, at one moment."""

    finished: int
    """How many games are finished."""
    missing: tuple[int, ...]
    """The numbers of those that are not, apart from those that never will be. A
    finished league plays nothing any more."""
    appeals: Appeals
    blocks: Blocks

    @property
    def begun(self) -> frozenset[int]:
        """The blocks that have missing games and others that are over."""
        left = Counter(map(self.blocks.block, self.missing))
        return frozenset(at for at, count in left.items() if count < self.blocks.size)

    def wanted(self, seats: Callable[[int], Collection[str]]) -> list[int]:
        """Return the games that are to be played now.

        Args:
            seats: Returns the entrants of a game.
        """
        is_wanted, block, begun = self.appeals.is_wanted, self.blocks.block, self.begun
        return [
            number
            for number in self.missing
            if is_wanted(number, seats(number), has_begun=block(number) in begun)
        ]


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
    owners: Owners = NO_OWNERS
    """Which entrants may not meet."""
    is_match: bool = False
    """Whether two bots alone play it."""
    is_ladder: bool = False
    """Whether more entrants may come at any time."""
    counts_since: int = 1
    """The number of the first game that is not too old to count."""


def objection(entry: AuditEntry, appeals: Appeals, league: Setting) -> str:
    """Say what stands against a decision; empty when nothing does."""
    match entry.action:
        case Action.PAUSE | Action.RESUME:
            return _against_pause(entry.action, appeals, league)
        case Action.END:
            is_over = league.is_finished or appeals.end is not None
            return f"league {league.name} is finished already" if is_over else ""
        case Action.VOID:
            return _against_void(entry, appeals, league)
        case _:
            return _against_entrant(entry, appeals, league)


def _against_pause(action: Action, appeals: Appeals, league: Setting) -> str:
    if action == Action.RESUME and appeals.pause is None:
        return f"league {league.name} is not paused"
    if action == Action.PAUSE and appeals.pause is not None:
        return f"league {league.name} is paused already: {appeals.pause.reason}"
    if action == Action.PAUSE and (league.is_finished or appeals.end is not None):
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
    if entry.is_replayed and entry.game < league.counts_since:
        return (
            f"game {game} does not count any more, as the games since "
            f"{name}-{league.counts_since} do, and nor would another one in its place; "
            "with --no-replay it is void without another"
        )
    if entry.is_replayed and appeals.end is not None:
        return (
            f"league {name} was ended, so no game is played again; with --no-replay "
            f"game {entry.game} is void without another"
        )
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
        name, _, version = bot.partition("@")
        if version and name in league.entrants:
            hint = f"a decision is about all versions of a bot, so say {name}"
        return f"league {league.name} has no entrant {shown(bot)}; {hint}"
    match entry.action:
        case Action.EXCLUDE:
            return _against_exclusion(bot, appeals, league)
        case Action.WITHDRAW:
            return _against_withdrawal(bot, appeals, league)
        case _:
            return _against_return(bot, appeals, league)


def _against_exclusion(bot: str, appeals: Appeals, league: Setting) -> str:
    if known := appeals.excluded.get(bot):
        return f"{bot} is excluded from league {league.name} already: {known.reason}"
    left = len(league.entrants) - len(appeals.excluded.keys() | {bot})
    if left < league.players and not league.is_ladder:
        return (
            f"without {bot} league {league.name} has {left} entrants for tables of "
            f"{league.players}, so that no game of it would count"
        )
    if league.is_finished or appeals.end is not None or league.is_ladder:
        return ""
    if problem := _why_nobody_could_play(bot, appeals, league):
        # It would be finished at once, and nobody could be taken back.
        return (
            f"{problem}; end it first (arena league end {league.name}), or take "
            "somebody back"
        )
    return ""


def _against_withdrawal(bot: str, appeals: Appeals, league: Setting) -> str:
    if known := appeals.withdrawn.get(bot):
        return f"{bot} has withdrawn from league {league.name} already: {known.reason}"
    if known := appeals.excluded.get(bot):
        return (
            f"{bot} is excluded from league {league.name}, so that none of its games "
            f"are played: {known.reason}"
        )
    if league.is_match:
        return f"league {league.name} is a match of two, and without {bot} it is none"
    if league.is_finished and not league.is_open:
        return f"league {league.name} is finished, so there is nothing to withdraw from"
    return "" if league.is_ladder else _why_nobody_could_play(bot, appeals, league)


def _why_nobody_could_play(bot: str, appeals: Appeals, league: Setting) -> str:
    """Say why there could be no more games without a bot; empty when there could."""
    left = [
        number
        for number, name in enumerate(league.entrants)
        if name not in appeals.out | {bot}
    ]
    if league.owners.tables(left, league.players):
        return ""
    problem: OwnersError = league.owners.cannot_play(left, league.players)
    return (
        f"without {bot} league {league.name} could play no more games: {problem} (who "
        "is new in its file counts once the league has been run with it)"
    )


def _against_return(bot: str, appeals: Appeals, league: Setting) -> str:
    if bot in appeals.excluded:
        return ""
    if bot not in appeals.withdrawn:
        return f"{bot} is not excluded from league {league.name}, nor has it withdrawn"
    if league.is_finished and not league.is_open:
        return (
            f"league {league.name} is finished and its secret is published, so "
            f"{bot} can play no more in it; what it has played counts anyway"
        )
    return ""
