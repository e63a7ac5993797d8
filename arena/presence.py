"""Who is there: for each bot what all its sessions together can play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from arena.introduction import Introduction
from arena.rules import RuleSet
from arena.session import Session


@dataclass(frozen=True, slots=True)
class Presence:
    """A bot that is connected."""

    sessions: int
    max_games: int
    """How many games all its sessions together may be in."""
    open_games: int
    """How many games they are in."""
    introductions: tuple[Introduction, ...] = ()
    """What they said of themselves; nothing stands for a bot that can play all."""
    mean_charged: float = 0.0
    """The mean time a turn of the slowest of them, in seconds; 0 until it is known."""
    by_version: Mapping[str, "Presence"] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """The same for each version by itself; empty where there are not several."""
    finishing_games: int = 0
    """In how many games sessions of the bot are besides that get no new ones."""

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that are connected, in the order in which they came."""
        return tuple(dict.fromkeys(one.version for one in self.introductions))

    def of_version(self, version: str) -> "Presence | None":
        """Return what the sessions of one version can play; `None` without any.

        A bot that has said nothing of itself is of whatever version is asked for.
        """
        if self.by_version:
            return self.by_version.get(version)
        return self if version in self.versions or not self.introductions else None

    def refusal(self, rules: RuleSet) -> str:
        """Return why none of the sessions can play under `rules`; else empty."""
        reasons = [one.refusal(rules) for one in self.introductions]
        return reasons[0] if reasons and all(reasons) else ""


@dataclass(frozen=True, slots=True)
class Move:
    """How a bot is present now; None where none of its sessions can be seated."""

    bot: str
    league: Presence | None
    practice: Presence | None


def move_of(bot: str, sessions: Sequence[Session]) -> Move:
    """Look at the sessions of a bot, those that are not connected too."""
    here = [
        session
        for session in sessions
        if session.is_connected and not session.introduction.idle_reason
    ]
    league = [session for session in here if not session.introduction.practice]
    practice = [session for session in here if session.introduction.practice]
    return Move(bot, _presence_of(league), _presence_of(practice))


def _presence_of(
    sessions: Sequence[Session], finishing_games: int = 0
) -> Presence | None:
    """Look at sessions for one kind of games; those that get no more are told apart."""
    finishing_games += sum(len(one.seats) for one in sessions if one.is_finishing)
    sessions = [session for session in sessions if not session.is_finishing]
    if not sessions:
        return None
    introductions = tuple(session.introduction for session in sessions)
    parts: dict[str, list[Session]] = {}
    for session in sessions:
        parts.setdefault(session.introduction.version, []).append(session)
    several = parts if len(parts) > 1 else {}
    by_version = {
        version: _presence_of(own, finishing_games) for version, own in several.items()
    }
    return Presence(
        sessions=len(sessions),
        max_games=sum(one.max_games for one in introductions),
        open_games=sum(len(session.seats) for session in sessions),
        introductions=introductions,
        finishing_games=finishing_games,
        mean_charged=max(session.desk.mean_charged for session in sessions),
        by_version=MappingProxyType(
            {version: one for version, one in by_version.items() if one is not None}
        ),
    )
