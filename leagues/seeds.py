"""The secret of a league, and what may be known of it.

All deals of a league come from its secret. An open league's secret follows from
its practice seed; any other is random, and only its commitment is published
before the first game, the secret itself after the last one.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from arena.commitment import Settled
from arena.record import RulesRecord
from leagues.config import LeagueConfig
from leagues.scheduling.balance import Seating

RETRIES_MAX: Final = 65_535
"""How often a game may be begun again in one run of its league."""

RUNS_MAX: Final = 32_767
"""How many runs a league may have: attempts then fit 31 bits, as records need."""


def practice_secret(practice_seed: str) -> bytes:
    """Return the secret of an open league: SHA-256("hearts/1/practice", text)."""
    return sha256(b"hearts/1/practice" + practice_seed.encode()).digest()


def commitment(
    secret: bytes, config: LeagueConfig, seatings: Sequence[Seating]
) -> bytes:
    """Return what a league publishes before its first game, see `arena.commitment`.

    When entrants come or go, games are planned anew: the audit log then has the
    commitment to the new roster and schedule.
    """
    rules = config.rules
    return commitment_to(
        secret,
        seatings,
        league=config.name,
        # Whoever comes to a ladder, it is committed to its deals alone.
        roster=[] if config.ladder else [one.name for one in config.entrants],
        rules={
            "hash": rules.hash,
            "overrides": rules.overrides,
            "players": rules.players,
            "preset": rules.preset,
        },
    )


def commitment_to(
    secret: bytes,
    seatings: Sequence[Seating],
    *,
    league: str,
    roster: Sequence[str],
    rules: Mapping[str, Any],
) -> bytes:
    """Return the commitment of a league that is there only as what is stored of it."""
    settled = Settled(league, tuple(roster), RulesRecord(**rules), seatings)
    return settled.commitment(secret)


def attempt_number(*, is_open: bool, run: int, retry: int) -> int:
    """Return the attempt under which a game is dealt.

    In an open league it is always 0, so that the same deals come again. Otherwise
    it is `run * 65536 + retry`: the number of the run, which is stored before the
    run's first deal, and how often the game was begun before in this run. So no
    cards that anybody may have seen are ever dealt again.
    """
    if is_open:
        return 0
    if not (0 < run <= RUNS_MAX and 0 <= retry <= RETRIES_MAX):
        raise ValueError(f"run {run} or retry {retry} is out of range")
    return run * (RETRIES_MAX + 1) + retry
