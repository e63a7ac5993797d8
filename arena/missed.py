"""What a record keeps of a turn that was missed: where its time went, what came after.

A turn is missed when its bot was late with it or away for too long. `arena.verdict`
says in words what follows from the figures.
"""

from dataclasses import dataclass, fields
from typing import Final

from arena.document import Node

__all__ = ["ENDS", "MISSED_KEYS", "Missed", "missed_from"]

ENDS: Final = ("answered", "away", "heard", "lost", "open", "stalled")
"""What may come after the closing of a missed turn; see `Missed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """What is known of a turn that had no answer in time, in milliseconds."""

    allowance_ms: int
    """How much of a round trip is refunded at most."""
    answered_ms: int | None
    """When the answer came after all, from the closing on."""
    away_ms: int
    """How long the bot was away in this game, with questions open."""
    charged_ms: int
    deal: int
    echoed_ms: int | None
    """When the heartbeat that went out with the closing came back, from then on."""
    end: str
    """How it went on: `answered`, `heard` (it spoke, of other things), `lost` (its
    connection was), `stalled` (it was silent for too long, though its connection
    lived), `open` (the game ended first) or, of a bot that did not come back,
    `away`."""
    limit_ms: int
    losses: int
    """How often its connection was lost in this game."""
    paused_ms: int | None
    """For how long its process stood still, by the late answer's own word."""
    refunded_ms: int
    returned_ms: int
    """What was handed back, since the arena itself had lost it."""
    round_trip_ms: int | None
    """The shortest round trip that was measured so far."""
    seat: int
    silent_ms: int
    """From the closing to the first sign of life, or to the end."""
    think_ms: int | None
    """How long it thought, by the late answer's own word."""
    trick: int


MISSED_KEYS: Final = tuple(item.name for item in fields(Missed))
_UNKNOWN: Final = frozenset(
    ("answered_ms", "echoed_ms", "paused_ms", "round_trip_ms", "think_ms")
)
"""What may be unknown."""
_COUNT_MAX: Final = 2**31 - 1
_TRICK_MAX: Final = 53


def missed_from(node: Node, players: int) -> Missed:
    """
    Read what is known of a missed turn.

    Raises:
        DocumentError: Something else stands there.
    """
    at = node.members(*MISSED_KEYS)
    figures = {
        name: None if item.is_null and name in _UNKNOWN else item.number(0, _COUNT_MAX)
        for name, item in at.items()
        if name.endswith("_ms")
    }
    return Missed(
        **figures,  # type: ignore[arg-type]
        deal=at["deal"].number(1, _COUNT_MAX),
        end=at["end"].word(*ENDS),
        losses=at["losses"].number(0, _COUNT_MAX),
        seat=at["seat"].number(0, players - 1),
        trick=at["trick"].number(0, _TRICK_MAX),
    )
