"""What a game is before its first card: seats, rules, clocks and the seed.

A `GameSpec` holds everything that decides a game apart from the answers of its
bots. The same spec and the same answers give the same record.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from arena.rules import RuleSet


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a seat has; 0 in `turn_limit_ms` means that no clock runs."""

    bank_ms: int = 30_000
    """Thinking time for the whole game, in milliseconds."""
    increment_ms: int = 100
    """What each answered turn adds to the bank, in milliseconds."""
    turn_limit_ms: int = 5_000
    """The most that one turn may take, in milliseconds."""
    away_ms: int = 30_000
    """How long a lost connection may last in a game after the bank is spent."""

    def __post_init__(self) -> None:
        for name in ("bank_ms", "increment_ms", "turn_limit_ms", "away_ms"):
            value = getattr(self, name)
            if not 0 <= value <= 86_400_000:
                raise ValueError(
                    f"time control: {name} is {value}, expected 0 to 86400000"
                )


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who takes a seat."""

    bot: str
    """The name of the bot."""
    version: str = "1"
    """The version that the record names; the session's own when it differs."""
    owner: str = ""
    """Who wrote the bot; empty when unknown."""
    is_pinned: bool = False
    """Whether a session of this version alone may take the seat."""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """Everything that decides a game apart from its answers."""

    game_id: str
    rules: RuleSet
    seats: tuple[SeatSpec, ...]
    sequence_seed: bytes
    table_key: bytes = bytes(8)
    league: str = ""
    block: int = 0
    """The number of the block in the league, from 1; 0 outside leagues."""
    attempt: int = 0
    time_control: TimeControl = field(default_factory=TimeControl)
    faults_max: int = 3
    """The fault that gives a seat up; 0 means that none does."""
    stand_in: str = "careful-1"
    """The policy that plays for given-up seats."""
    open_deals: bool = True
    """Whether anybody can compute the deals beforehand."""
    given_up: frozenset[int] = frozenset()
    """Seats whose bots never started: given up from the first card."""
    unexcused: frozenset[int] = frozenset()
    """Seats whose bots were lost along with others too often: each is judged alone."""
    practice: bool = False
    """Whether practice sessions are seated instead of league sessions."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.rules.players:
            raise ValueError(
                f"game {self.game_id}: {len(self.seats)} seats, but the rules are "
                f"for {self.rules.players}"
            )
        names = [seat.bot for seat in self.seats]
        if len(set(names)) != len(names) and not self.practice:
            raise ValueError(f"game {self.game_id}: a bot is seated twice: {names}")

    def with_versions(self, versions: Iterable[str | None]) -> Self:
        """Return the game with the versions that the bots themselves declared."""
        seats = tuple(
            seat if version is None else replace(seat, version=version)
            for seat, version in zip(self.seats, versions, strict=True)
        )
        return replace(self, seats=seats)
