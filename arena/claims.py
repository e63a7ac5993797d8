"""What a bot's word of itself is worth, beside what the arena has measured.

A bot can say anything. It is believed as far as nothing that was measured stands
against it: no time of its own is longer than the arena's, and who was heard of did
not stand still meanwhile.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from arena.missed import Missed

__all__ = ["SLACK_MS", "Claims", "claims_of", "quick_ms"]

QUICK_MS: Final = 50
"""Who is heard of so soon after a closing could be reached all the time."""
SLACK_MS: Final = 50
"""By how much two honest clocks may differ, which begin and end a little apart; what
is believed and told is the arena's."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What is believed of a late answer's word, in milliseconds."""

    thought_ms: int
    is_thought_all: bool
    """Whether it claims clearly more than all of the time that was measured."""
    paused_ms: int
    is_paused_all: bool
    """The same of the silence: the process may have stood still before the turn."""
    is_pause_refuted: bool
    """Whether the bot was heard of in the time for which it claims to have stood."""
    silence_ms: int
    """The longest time for which nothing was heard of it."""


def quick_ms(missed: Missed) -> int:
    """Return how soon after the closing a bot that is at hand is heard of."""
    return max(QUICK_MS, missed.allowance_ms, 2 * (missed.round_trip_ms or 0))


def claims_of(missed: Missed) -> Claims:
    """Return what is believed of what a bot says of a missed turn."""
    before = missed.charged_ms + missed.refunded_ms + missed.returned_ms
    answered, echoed = missed.answered_ms, missed.echoed_ms
    later = missed.silent_ms if answered is None else answered
    heard = [ms for ms in (missed.silent_ms, echoed) if ms is not None and ms <= later]
    signs = sorted([*heard, later])
    first = before + signs[0]
    gaps = (after - sign for sign, after in pairwise(signs))
    silence = max(first, *gaps)
    thought, paused = missed.think_ms or 0, missed.paused_ms or 0
    is_longer = paused > silence + SLACK_MS
    is_at_hand = signs[0] <= quick_ms(missed) < QUICK_MS + later - signs[0]
    is_refuted = is_longer and (is_at_hand or first < silence)
    return Claims(
        thought_ms=min(thought, before + later),
        is_thought_all=thought > before + later + SLACK_MS,
        paused_ms=0 if is_refuted else min(paused, silence),
        is_paused_all=is_longer and not is_refuted,
        is_pause_refuted=is_refuted,
        silence_ms=silence,
    )
