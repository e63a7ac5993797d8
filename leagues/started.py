"""
The tokens of the programs that the arena itself has started.

Each start gets a secret of its own that is good for one connection only; the
arena exchanges it for the session's token at the first `Hello`, so that a secret
read later from an environment is worth nothing. Nothing is stored: the tokens of
a dead run are void.
"""

import secrets
from threading import Lock

from arena.server import BotIdentity, Tokens, token_digest

__all__ = ["StartedTokens", "TokensUnion"]

_TOKEN_BYTES = 24


class StartedTokens:
    """
    The tokens of started programs, in memory, safe to share between threads.

    The main thread issues and voids; the edge's thread finds and exchanges.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._identities: dict[bytes, BotIdentity] = {}

    def issue(self, name: str, *, owner: str = "") -> str:
        """Return a fresh one-use secret and void all tokens the bot had before."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        identity = BotIdentity(name=name, owner=owner, one_use=True)
        with self._lock:
            self._void(name)
            self._identities[token_digest(token)] = identity
        return token

    def void(self, name: str) -> None:
        """Make all tokens of the bot worthless, since its program has ended."""
        with self._lock:
            self._void(name)

    def has_connected(self, name: str) -> bool:
        """Tell whether the bot's program has spent its secret since its start."""
        identities = tuple(self._identities.values())
        return any(one.name == name and not one.one_use for one in identities)

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return whose token has this digest."""
        return self._identities.get(digest)

    def exchange(self, digest: bytes) -> str:
        """
        Return the session's own token in place of a one-use secret.

        Raises:
            KeyError: the secret was used already or was never given.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._lock:
            spent = self._identities.pop(digest)
            self._identities[token_digest(token)] = BotIdentity(
                name=spent.name, owner=spent.owner, one_use=False
            )
        return token

    def _void(self, name: str) -> None:
        self._identities = {
            digest: identity
            for digest, identity in self._identities.items()
            if identity.name != name
        }


class TokensUnion:
    """Several registries asked in turn: started programs, then those that dial in."""

    def __init__(self, *registries: Tokens) -> None:
        self._registries = registries

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return whose token has this digest in the first registry that knows it."""
        for registry in self._registries:
            if identity := registry.find(digest):
                return identity
        return None

    def exchange(self, digest: bytes) -> str:
        """Exchange a one-use secret where it was given."""
        for registry in self._registries:
            if registry.find(digest):
                return registry.exchange(digest)
        raise KeyError("no registry gave this one-use secret")
