"""How far a run of a league has come, and how it ended."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from leagues.storage.league import League

__all__ = ["Outcome", "Progress", "StuckGame", "outcome_of"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    league: str
    finished: int
    """Games finished, those of earlier runs included."""
    planned: int
    running: int
    waiting_for: tuple[str, ...]
    """The bots that waiting games need and that can't be seated."""
    voids: int
    """Games of this run that broke down."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why bots that are connected can't play by the league's rules."""
    paused: str = ""
    """Why no games start for now; empty when they may."""
    is_endless: bool = False
    """Whether there is no telling how many games there will be, as in a ladder."""

    lack: str = ""
    """What is waited for where those who are there can fill no table."""

    @property
    def count_text(self) -> str:
        """Say how many games are finished."""
        planned = "" if self.is_endless else f" of {self.planned}"
        return f"{self.finished}{planned} games"

    def waiting_text(self, names: Iterable[str] | None = None) -> str:
        """Say what is waited for: those whom games need, or `names`, and why.

        Empty while no games start anyway.
        """
        if self.paused:
            return ""
        if self.lack:
            return self.lack
        return ", ".join(
            f"{name} (it {self.refused[name]})" if name in self.refused else name
            for name in (self.waiting_for if names is None else names)
        )


@dataclass(frozen=True, slots=True)
class StuckGame:
    """A game that was set aside since it broke down again and again."""

    number: int
    reason: str
    """Why it broke down the last time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    league: League
    reason: str
    """`finished`, `deadline`, `drained`, `broken`, `suspended`, `stuck`, or `appealed`
    where a decision has come at its very end."""
    stuck: tuple[StuckGame, ...] = ()
    unexcused: tuple[str, ...] = ()
    """The bots that were lost along with others too often, and judged alone then."""


def outcome_of(
    league: League,
    reason: str,
    *,
    stuck: Sequence[StuckGame],
    is_left_out: bool,
    unexcused: tuple[str, ...],
) -> Outcome:
    """Say how a run ended.

    Args:
        league: The league after it.
        reason: Why it began no more games; `finished` where it had no more.
        stuck: The games that were set aside.
        is_left_out: Whether games were left out whose bots are suspended.
        unexcused: The bots that have no excuse any more.
    """
    if league.state == "finished":
        reason = "finished"
    elif reason == "finished" and stuck:
        reason = "stuck"
    elif reason == "finished":
        reason = "suspended" if is_left_out else "appealed"
    return Outcome(league, reason, tuple(stuck), unexcused)
