"""Attendance: which entrants are there and able, and what the idle are told."""

from collections.abc import Collection, Mapping
from typing import Protocol

from arena.introduction import WHERE_TO_CHANGE
from arena.presence import Presence
from leagues.config import EntrantKind, LeagueConfig
from leagues.rules_line import rules_line

__all__ = ["Attendance", "AttendedServer", "UnableEntrantError"]


class AttendedServer(Protocol):
    """What it takes of the arena."""

    def presence(self) -> Mapping[str, Presence]:
        """Return the bots that are connected."""

    def tell(self, bot: str, message: str, waiting_for: tuple[str, ...] = ()) -> None:
        """Tell an idle bot what it waits for."""


class UnableEntrantError(Exception):
    """A program of the arena's own league that does not play by its rules."""


class Attendance:
    """The entrants of one run, as they come and go."""

    def __init__(self, server: AttendedServer, config: LeagueConfig) -> None:
        self._server = server
        self._config = config
        self._told: dict[str, str] = {}

    def present(self) -> dict[str, Presence]:
        """Return the entrants that are connected, who may be few of many bots."""
        present = self._server.presence()
        names = (entrant.name for entrant in self._config.entrants)
        return {name: present[name] for name in names if name in present}

    def refused(self) -> dict[str, str]:
        """Say why entrants that are connected can't play by the rules.

        Raises:
            UnableEntrantError: The arena starts one of them itself.
        """
        refused = {
            bot: reason
            for bot, present in self.present().items()
            if (reason := present.refusal(self._config.rules))
        }
        for entrant in self._config.entrants:
            if entrant.name in refused and entrant.kind != EntrantKind.BOT:
                raise UnableEntrantError(self._refusal_text(entrant.name, refused))
        return refused

    def tell_idle(
        self,
        *,
        absent: tuple[str, ...],
        paused: str,
        out: Collection[str],
        busy: Mapping[str, int],
    ) -> None:
        """Tell bots without a game what they wait for, once.

        Args:
            absent: The bots that waiting games need and that are not there.
            paused: Why no games start; empty when they do.
            out: Bots that wait for nothing.
            busy: In how many games each bot is.
        """
        refused = self.refused()
        others = f"waiting for {', '.join(absent)}" if absent else "waiting for a game"
        if paused:
            others, absent = f"league {self._config.name} is paused: {paused}", ()
        for bot in self.present().keys() - out:
            message, waited = others, absent
            if bot in refused:
                message, waited = self._refusal_text(bot, refused), ()
            if busy.get(bot):
                self._told.pop(bot, None)
            elif self._told.get(bot) != message:
                self._told[bot] = message
                self._server.tell(bot, message, waited)

    def _refusal_text(self, bot: str, refused: Mapping[str, str]) -> str:
        return (
            f"league {self._config.name} plays {rules_line(self._config.rules)}, but "
            f"{bot} {refused[bot]}; {WHERE_TO_CHANGE}"
        )
