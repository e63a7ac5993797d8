"""What a league needs of the arena that plays its games."""

from collections.abc import Mapping
from typing import Protocol

from arena.presence import Presence
from arena.record import Record
from arena.spec import GameSpec
from arena.spread import Spread

__all__ = ["GameServer"]


class GameServer(Protocol):
    """What the runner needs of `arena.server.Server`."""

    async def play(self, spec: GameSpec) -> Record:
        """Play one game; `VoidGame` when it does not count."""

    def presence(self) -> Mapping[str, Presence]:
        """Return the bots that are connected."""

    async def presence_changed(self) -> None:
        """Wait until that or a pause has changed."""

    def pause(self) -> str:
        """Say why no new games should start now; empty when they may."""

    async def lag(self) -> Spread:
        """Return by how much the arena's own timer was late, since the start."""

    def give_up(self, bot: str, *, cause: str = "start") -> None:
        """Give up all seats of a bot in running games."""

    def tell(
        self,
        bot: str,
        message: str,
        waiting_for: tuple[str, ...] = (),
        *,
        version: str = "",
    ) -> None:
        """Tell an idle bot, or only one version of it, what it waits for."""
