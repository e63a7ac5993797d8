"""Attendance: which entrants are there and able, and what the idle are told."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, Protocol

from arena.introduction import WHERE_TO_CHANGE
from arena.presence import Presence
from leagues.admission import Admission, Stranger
from leagues.config import EntrantKind, LeagueConfig
from leagues.rules_line import rules_line
from leagues.versions import Versions

__all__ = ["Attendance", "AttendedServer", "UnableEntrantError"]

_DIALS_IN: Final = EntrantKind.BOT


class AttendedServer(Protocol):
    """What it takes of the arena."""

    def presence(self) -> Mapping[str, Presence]:
        """Return the bots that are connected."""

    def tell(
        self,
        bot: str,
        message: str,
        waiting_for: tuple[str, ...] = (),
        *,
        version: str = "",
    ) -> None:
        """Tell an idle bot, or only one version of it, what it waits for."""


class UnableEntrantError(Exception):
    """A program of the arena's own league that does not play by its rules."""


class Attendance:
    """The entrants of one run, as they come and go.

    Args:
        server: The arena.
        config: The league.
        admission: Which versions are seated.
        say: Is told which are not, in a line for the host.
        lose: Is told of a program of the arena's own that has come back as a version
            which is not seated, and why.
    """

    def __init__(
        self,
        server: AttendedServer,
        config: LeagueConfig,
        admission: Admission,
        *,
        say: Callable[[str], None] = lambda text: None,
        lose: Callable[[str, str], None] = lambda bot, why: None,
    ) -> None:
        self.admission = admission
        self._server = server
        self._config = config
        self._programs = frozenset(
            entrant.name for entrant in config.entrants if entrant.kind != _DIALS_IN
        )
        self._say = say
        self._lose = lose
        self._told: dict[tuple[str, str], str] = {}
        self._strangers: frozenset[Stranger] = frozenset()
        # Programs that were there as a version that is seated.
        self._started: set[str] = set()
        self._lost: set[str] = set()

    def here(self) -> dict[str, Presence]:
        """Return the entrants that are connected, who may be few of many bots.

        In a ladder for all these are those of its file, and whoever has dialled in.
        """
        present = self._server.presence()
        names = (entrant.name for entrant in self._config.entrants)
        here = {name: present[name] for name in names if name in present}
        if self._config.is_for_all:
            here |= {bot: one for bot, one in present.items() if _dials_in(one)}
        return here

    def present(self) -> dict[str, Presence]:
        """Return those of them that are there as a version that is seated."""
        return self.admission.admitted(self.here())

    def begin(self, bots: Iterable[str], given_up: Collection[str]) -> dict[str, str]:
        """Return the versions that a game of these bots is for that begins now.

        Args:
            bots: Who is in it.
            given_up: Bots whose seats are given up from the first card.
        """
        return self.admission.begin(bots, self.here(), given_up=given_up)

    def refused(self) -> dict[str, str]:
        """Say why entrants that are connected can't be seated.

        Raises:
            UnableEntrantError: The arena starts one of them itself.
        """
        present = self.present()
        refused = {
            bot: reason
            for bot, presence in present.items()
            if (reason := presence.refusal(self._config.rules))
        }
        for name in refused.keys() & self._programs:
            raise UnableEntrantError(self._refusal_text(name, refused))
        for one in self.admission.strangers(self.here()):
            if one.bot in present:
                continue
            refused[one.bot] = self._strange(one)
            if one.bot in self._started:
                self._started.remove(one.bot)
                self._lost.add(one.bot)
                self._lose(one.bot, f"its program {refused[one.bot]}")
            elif one.bot in self._programs - self._lost:
                raise UnableEntrantError(self._program_text(one))
        self._started |= present.keys() & self._programs
        return refused

    def tell_idle(
        self,
        *,
        absent: tuple[str, ...],
        paused: str,
        out: Collection[str],
        withdrawn: Mapping[str, str],
        busy: Mapping[str, int],
        lack: str = "",
    ) -> None:
        """Tell bots without a game what they wait for, once.

        Args:
            absent: The bots that waiting games need and that are not there.
            paused: Why no games start; empty when they do.
            out: Bots that wait for nothing, and were told so.
            withdrawn: Bots that wait for nothing since they have withdrawn, and why.
            busy: In how many games each bot is.
            lack: What it takes before anybody can play; empty for nothing.
        """
        refused = self.refused()
        others = f"waiting for {', '.join(absent)}" if absent else "waiting for a game"
        if lack:
            others = f"waiting for {lack}"
        if paused:
            others, absent = f"league {self._config.name} is paused: {paused}", ()
        self._tell_strangers()
        for bot, presence in self.present().items():
            if bot in out:
                continue
            message, waited = others, absent
            if bot in refused:
                message, waited = self._refusal_text(bot, refused), ()
            if bot in withdrawn:
                message = f"league {self._config.name}: withdrawn: {withdrawn[bot]}"
                waited = ()
            if busy.get(bot):
                self._told.pop((bot, ""), None)
            elif self._told.get((bot, "")) != message:
                self._told[bot, ""] = message
                self._tell(bot, message, waited, presence)

    def _tell(
        self, bot: str, message: str, waited: tuple[str, ...], presence: Presence
    ) -> None:
        """Tell the sessions of a bot that are seated, and no others."""
        versions = {one.version for one in self._strangers if one.bot == bot}
        seated = presence.versions[0] if versions and presence.versions else ""
        self._server.tell(bot, message, waited, version=seated)

    def _tell_strangers(self) -> None:
        """Tell versions that are not seated why, and the host likewise."""
        strangers = frozenset(self.admission.strangers(self.here()))
        for one in sorted(strangers - self._strangers, key=lambda one: one.bot):
            league = self._config.name
            if self.admission.versions == Versions.FROZEN:
                message = (
                    f"league {league} is frozen, and version {one.seated} of {one.bot} "
                    f"has begun it, so version {one.version} is not seated"
                )
            else:
                message = (
                    f"league {league} seats the version of {one.bot} that came last, "
                    f"{one.seated}, so version {one.version} is not seated"
                )
            self._server.tell(one.bot, message, version=one.version)
            self._say(message)
        self._strangers = strangers

    def _strange(self, one: Stranger) -> str:
        """Say what keeps a bot from being seated that is there as another version."""
        return (
            f"is connected as version {one.version}, but version {one.seated} has "
            "begun this frozen league"
        )

    def _program_text(self, one: Stranger) -> str:
        return (
            f"league {self._config.name} is frozen, and {one.bot} has begun it as "
            f"version {one.seated}, but its program says that it is version "
            f'{one.version}; give it its old program back, or set versions = "all" in '
            "the league file, so that each version is rated by itself"
        )

    def _refusal_text(self, bot: str, refused: Mapping[str, str]) -> str:
        return (
            f"league {self._config.name} plays {rules_line(self._config.rules)}, but "
            f"{bot} {refused[bot]}; {WHERE_TO_CHANGE}"
        )


def _dials_in(presence: Presence) -> bool:
    """Tell whether a bot has come by itself: no program of a league or of practice."""
    return bool(presence.introductions) and not any(
        one.is_started for one in presence.introductions
    )
