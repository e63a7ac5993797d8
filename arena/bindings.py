"""What the arena asks of whoever runs it: who bots are, and what is stored."""

import hashlib
from dataclasses import dataclass
from typing import Protocol

from hearts.arena.v1 import league_pb2


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """Who a token stands for."""

    name: str
    owner: str = ""
    one_use: bool = False
    """Whether the token must be exchanged for the session's own."""
    is_started: bool = False
    """Whether the bot is a program that the arena has started itself."""


class Tokens(Protocol):
    """Finds bots by the digests of their tokens, in memory."""

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return who the token stands for, if anybody."""

    def exchange(self, digest: bytes) -> str:
        """Replace a one-use token by a new one, and return that.

        Raises:
            KeyError: The token is spent.
        """


class Library(Protocol):
    """Serves what is stored; called in worker threads.

    Every method raises `KeyError` for a league that does not exist.
    """

    def leagues(self) -> league_pb2.ListLeaguesResponse:
        """Return all leagues."""

    def secrecy(self, league: str) -> str:
        """Say why programs in a sandbox may not read a league; empty when they may."""

    def standings(self, league: str) -> league_pb2.GetStandingsResponse:
        """Return the standings of one league."""

    def games(
        self, league: str, *, after: int, limit: int
    ) -> league_pb2.ListGamesResponse:
        """Return finished games with a number greater than `after`."""

    def records(self, league: str, *, after: int, limit: int) -> list[tuple[int, str]]:
        """Return numbers and records of games with a number greater than `after`."""


def token_digest(token: str) -> bytes:
    """Return the SHA-256 digest under which a token is kept."""
    return hashlib.sha256(token.encode()).digest()
