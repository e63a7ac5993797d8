"""Bots that dial in: their names and their tokens, which are the same."""

from __future__ import annotations

from arena.bindings import BotIdentity, token_digest

DIALLED_MAX = 4096
"""How many there can be."""


def dialled_name(number: int) -> str:
    """Return the name of a bot that dials in."""
    return f"dialled{number}"


class DialledTokens:
    """Knows every bot that dials in by its name."""

    def __init__(self) -> None:
        names = map(dialled_name, range(DIALLED_MAX))
        self._bots = {token_digest(name): BotIdentity(name) for name in names}

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return the bot whose name has this digest."""
        return self._bots.get(digest)

    def exchange(self, digest: bytes) -> str:
        """Refuse: none of the tokens is for one use."""
        raise KeyError(digest)
