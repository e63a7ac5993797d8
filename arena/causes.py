"""Why an answer was a fault and why a seat was given up, in words for people.

One wording for transcripts, standings and summaries alike.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["DIED", "FAULT_CAUSES", "GIVEN_UP_CAUSES", "REASONS", "fault_cause"]

FAULT_CAUSES: Final[Mapping[str, str]] = {
    "late": "no answer in time",
    "away": "not connected, and its time away was used up",
    "start": "its program did not start",
}
"""By the kind of the fault; an illegal answer has a reason of its own."""

REASONS: Final[Mapping[str, str]] = {
    "illegal": "broke the rules",
    "wrong_count": "named a wrong number of cards",
    "unknown_card": "named a card that does not exist",
}
"""By the reason of an illegal answer."""

GIVEN_UP_CAUSES: Final[Mapping[str, str]] = {
    "faults": "too many faults",
    "start": "by the arena: suspended, or its program did not stay alive",
    "left": "it left",
}
"""By the cause for which a seat was given up, as far as a record tells it."""

DIED: Final = "its program did not stay alive"
"""What the cause `start` is of a bot that was not suspended."""


def fault_cause(*, kind: str, reason: str, offered: str) -> str:
    """
    Say in a few words what a fault was, without its cards.

    Args:
        kind: of the fault, as in a record.
        reason: of an illegal answer, as in a record.
        offered: the cards of an illegal answer; empty when it named none.
    """
    if kind != "illegal":
        return FAULT_CAUSES[kind]
    if not offered and reason != "unknown_card":
        return "named no card, as a bot does whose code raised"
    return REASONS.get(reason, reason)
