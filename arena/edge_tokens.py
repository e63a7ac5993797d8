"""Tokens as they come with calls, in their `authorization` metadata."""

import hmac
from typing import Any

from arena.bindings import BotIdentity, Tokens, token_digest
from arena.edge_limits import Door
from arena.status import CallError


def bearer(context: Any) -> str | None:
    """Return the token of a call; empty where the scheme is another, None if none."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return None


def authenticate(
    context: Any, tokens: Tokens, door: Door, now: float
) -> tuple[BotIdentity, bytes]:
    """Find the bot by the token of a call; return it with the token's digest.

    Raises:
        CallError: There is none, or the bot calls too often.
    """
    token = bearer(context)
    digest = token_digest(token or "")
    identity = tokens.find(digest) if token else None
    if identity is None:
        raise _refusal(context, token, door, now, "the bot token is unknown or revoked")
    door.count_call(identity.name, now)
    return identity, digest


def exchanged(tokens: Tokens, digest: bytes) -> str:
    """Spend a one-use token; of two calls that hold it only the first can."""
    try:
        return tokens.exchange(digest)
    except KeyError:
        raise CallError("UNKNOWN_TOKEN", "the one-use token is spent") from None


def require_operator(context: Any, operator_token: str, door: Door, now: float) -> None:
    """Refuse a call without the operator's token, or all calls if there is none.

    Raises:
        CallError: The token is missing or another one.
    """
    token = bearer(context)
    given, wanted = token_digest(token or ""), token_digest(operator_token)
    if not operator_token or not hmac.compare_digest(given, wanted):
        text = "the token is not the operator's"
        raise _refusal(context, token, door, now, text)


def _refusal(
    context: Any, token: str | None, door: Door, now: float, text: str
) -> CallError:
    """Count a call that nobody is known to make, and say why it is refused."""
    door.count_unknown(context.peer(), now)
    if token is None:
        text = "metadata `authorization: Bearer TOKEN` is missing"
        return CallError("NO_TOKEN", text)
    return CallError("UNKNOWN_TOKEN", text)
