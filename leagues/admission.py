"""Admission: which versions of a league's entrants are seated.

In a frozen league that is the version of an entrant's first game. Until that game is
finished it is the version that the entrant begins it with; if it never comes to its
end, whichever is there next may begin.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from arena.presence import Presence
from arena.record import Record
from arena.rules import RuleSet
from leagues.conduct import BY_ARENA
from leagues.versions import Versions

__all__ = ["Admission", "Played", "Stranger"]


@dataclass(frozen=True, slots=True)
class Played:
    """The versions in which an entrant has played."""

    first: str
    """That of its first game."""
    last: str
    """That of its last one."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A version that is connected and not seated."""

    bot: str
    version: str
    seated: str
    """The version that is."""


class Admission:
    """The versions of the entrants of one run.

    Args:
        versions: What the league takes; `None` where it is older than that choice,
            and whichever is there plays.
        rules: Those of the league, which a version may not know.
        busy: In how many games each entrant is now; changed by its owner.
    """

    def __init__(
        self,
        versions: Versions | None,
        rules: RuleSet,
        *,
        busy: Mapping[str, int],
    ) -> None:
        self.versions = versions
        self._rules = rules
        self._played: dict[str, Played] = {}
        self._busy = busy
        # What plays the first game of an entrant of a frozen league, until it ends.
        self._begun: dict[str, str] = {}

    def know(self, played: Mapping[str, Played]) -> None:
        """Take note of what entrants have played in earlier runs."""
        self._played |= played

    def admitted(self, present: Mapping[str, Presence]) -> dict[str, Presence]:
        """Return the entrants that are present with what may be seated of them."""
        self._begun = {b: v for b, v in self._begun.items() if self._busy.get(b)}
        found = {
            bot: here if not (pin := self._pin(bot, here)) else here.of_version(pin)
            for bot, here in present.items()
        }
        return {bot: here for bot, here in found.items() if here is not None}

    def strangers(self, present: Mapping[str, Presence]) -> list[Stranger]:
        """Return the versions that are present and not seated."""
        pins = {bot: self._pin(bot, here) for bot, here in present.items()}
        return [
            Stranger(bot, version, pins[bot])
            for bot, here in present.items()
            for version in here.versions
            if pins[bot] and version != pins[bot]
        ]

    def begin(
        self,
        bots: Iterable[str],
        present: Mapping[str, Presence],
        *,
        given_up: Collection[str],
    ) -> dict[str, str]:
        """Return the versions that a game is for that begins.

        Args:
            bots: Who is in it.
            present: The entrants that are present.
            given_up: Bots whose seats are given up from the first card. Their games
                are those of the version that has played before.
        """
        found: dict[str, str] = {}
        for bot in bots:
            if bot in given_up:
                if (played := self._played.get(bot)) is not None:
                    frozen = self.versions == Versions.FROZEN
                    found[bot] = played.first if frozen else played.last
            elif bot in present and (pin := self._pin(bot, present[bot])):
                found[bot] = pin
                if self.versions == Versions.FROZEN:
                    self._begun.setdefault(bot, pin)
        return found

    def settle(self, record: Record) -> None:
        """Take note of a finished game."""
        away = {item.seat for item in record.given_up if item.cause == BY_ARENA}
        for number, seat in enumerate(record.seats):
            if number not in away:
                known = self._played.get(seat.bot)
                first = seat.version if known is None else known.first
                self._played[seat.bot] = Played(first, seat.version)

    def _pin(self, bot: str, here: Presence) -> str:
        """Return the only version of a bot that is seated; empty for any."""
        if self.versions == Versions.LATEST:
            return here.versions[-1] if here.versions else ""
        if self.versions != Versions.FROZEN:
            return ""
        if bot in self._played:
            return self._played[bot].first
        able = [one for one in here.introductions if not one.refusal(self._rules)]
        first = next((one.version for one in able), "")
        return self._begun.get(bot, first)
