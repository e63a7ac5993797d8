"""What a bot says of itself when it connects, and which rules suit that."""

from collections.abc import Iterable
from dataclasses import dataclass

from arena.rules import PRESETS, RuleSet

PLAYERS_MIN, PLAYERS_MAX = 3, 11
"""How many seats a table can have."""
ONE_PACK_PLAYERS_MAX = 7
"""How many seats one pack is enough for."""
WHERE_TO_CHANGE = (
    "a bot says what it plays when it connects: presets=, players= and two_packs= of "
    "hearts.run, or the capabilities of its Hello"
)
"""What the author of a bot is told that can't be seated."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a bot said of itself, with the name that its token stands for."""

    bot: str
    owner: str = ""
    version: str = "1"
    instance: str = ""
    sdk: str = ""
    max_games: int = 1
    workers: int = 1
    presets: tuple[str, ...] = ("arena",)
    players: tuple[int, ...] = (4,)
    two_packs: bool = False
    moon_choice: bool = False
    practice: bool = False
    is_started: bool = False
    """Whether the arena itself has started its program."""
    is_finishing: bool = False
    """Whether it has come only to play its open games to their ends."""

    @property
    def key(self) -> tuple[str, str, str, bool]:
        """What a stream must share with a session to take it over."""
        return (self.bot, self.version, self.instance, self.practice)

    @property
    def idle_reason(self) -> str:
        """Why no rules at all suit what the bot declared; empty when some may."""
        if not self._knows(*PRESETS):
            return f"plays {_listed(self.presets)} only, no preset of this arena"
        seats = [n for n in self.players if PLAYERS_MIN <= n <= PLAYERS_MAX]
        if not seats:
            return f"plays at {_listed(self.players)} seats only; tables have 3 to 11"
        if min(seats) > ONE_PACK_PLAYERS_MAX and not self.two_packs:
            return "plays at more than 7 seats only, and with one pack only"
        return ""

    @property
    def idle_note(self) -> str:
        """What a bot with an `idle_reason` is told."""
        return (
            f"{self.bot} {self.idle_reason}, so it will not be seated; "
            f"{WHERE_TO_CHANGE}"
        )

    def refusal(self, rules: RuleSet) -> str:
        """
        Return why the bot can't play under `rules`; empty when it can.

        It says what the bot plays and what the rules need: `plays at 4 seats only,
        not at 7`.
        """
        reasons = []
        if not self._knows(rules.preset):
            reasons.append(f"plays {_listed(self.presets)} only, not {rules.preset}")
        if rules.players not in self.players:
            seats = _listed(self.players)
            reasons.append(f"plays at {seats} seats only, not at {rules.players}")
        if rules.packs > 1 and not self.two_packs:
            reasons.append("plays with one pack only, not with two")
        return "; it ".join(reasons)

    def _knows(self, *presets: str) -> bool:
        return "*" in self.presets or any(name in self.presets for name in presets)


def _listed(values: Iterable[str | int]) -> str:
    *others, last = map(str, values)
    return f"{', '.join(others)} and {last}" if others else last
