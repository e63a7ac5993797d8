"""
The tokens of the programs that the arena itself has started.

Each start gets a secret of its own that is good for one connection only; the
arena exchanges it for the session's token at the first `Hello`, so that a secret
read later from an environment is worth nothing. Nothing is stored: the tokens of
a dead run are void.
"""

import secrets
from dataclasses import replace
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
        self._sessions: dict[bytes, bytes] = {}
        """The digest of the session's token by that of the secret it came from."""

    def issue(self, name: str, *, owner: str = "") -> str:
        """Return a fresh one-use secret for one start of a bot's program."""
        secret = secrets.token_urlsafe(_TOKEN_BYTES)
        identity = BotIdentity(name, owner, one_use=True, is_started=True)
        with self._lock:
            self._identities[token_digest(secret)] = identity
        return secret

    def void(self, secret: str) -> None:
        """Make a start's tokens worthless, since its program has ended."""
        digest = token_digest(secret)
        with self._lock:
            self._identities.pop(digest, None)
            if session := self._sessions.pop(digest, None):
                del self._identities[session]

    def has_connected(self, secret: str) -> bool:
        """Tell whether a start's program has spent its secret."""
        return token_digest(secret) in self._sessions

    def find(self, digest: bytes) -> BotIdentity | None:
        """Return whose token has this digest."""
        return self._identities.get(digest)

    def exchange(self, digest: bytes) -> str:
        """
        Return the session's own token in place of a one-use secret.

        Raises:
            KeyError: the secret was used already, is void, or was never given.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        session = token_digest(token)
        with self._lock:
            spent = self._identities.pop(digest)
            self._sessions[digest] = session
            self._identities[session] = replace(spent, one_use=False)
        return token


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
