"""
How a bot introduces itself to an arena.
"""

from dataclasses import dataclass
from typing import Final

from hearts.arena.v1 import play_pb2

ANY_PRESET: Final = "*"
"""Stands for all presets, those to come too."""

PROTOCOL_MINOR: Final = 1
"""The protocol's minor version that is spoken here: it knows `Leave.finish_games`."""

PLAYERS_ANY: Final = tuple(range(3, 12))
"""Every number of seats that there are rules for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """
    How a bot introduces itself; see `Hello` in the protocol.

    By default it plays anything: who chooses among `choices` can't go wrong.
    """

    version: str = "1"
    """Empty means 1 too."""
    instance: str = ""
    sdk: str = ""
    max_games: int = 8
    workers: int = 1
    practice: bool = False
    presets: tuple[str, ...] = (ANY_PRESET,)
    players: tuple[int, ...] = PLAYERS_ANY
    two_packs: bool = True

    def hello(self) -> play_pb2.Hello:
        """
        The message that says it.
        """
        return play_pb2.Hello(
            bot_version=self.version,
            instance=self.instance,
            sdk=self.sdk,
            protocol_minor=PROTOCOL_MINOR,
            max_games=self.max_games,
            workers=self.workers,
            capabilities=play_pb2.Capabilities(
                presets=self.presets,
                players=self.players,
                two_packs=self.two_packs,
                # There is an answer even where a bot has none of its own.
                moon_choice=True,
            ),
            practice=self.practice,
        )
