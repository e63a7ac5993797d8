"""Tokens as they come with calls, in their `authorization` metadata."""

import hmac
from typing import Any

from arena.bindings import token_digest
from arena.status import CallError


def bearer(context: Any) -> str:
    """Return the token of a call; empty where the scheme is another.

    Raises:
        CallError: There is none.
    """
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    raise CallError("NO_TOKEN", "metadata `authorization: Bearer TOKEN` is missing")


def require_operator(context: Any, operator_token: str) -> None:
    """Refuse a call without the operator's token, or all calls if there is none.

    Raises:
        CallError: The token is missing or another one.
    """
    given, wanted = token_digest(bearer(context)), token_digest(operator_token)
    if not operator_token or not hmac.compare_digest(given, wanted):
        raise CallError("UNKNOWN_TOKEN", "the token is not the operator's")
