"""What a league will be, before anything starts: rounds, games, balance, precision."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from leagues.scheduling.balance import (
    Ranges,
    Seating,
    Spreads,
    balance_of,
    check,
    kinds_of_pairs,
)
from leagues.scheduling.owners import NO_OWNERS, Owners
from leagues.scheduling.precision import Precision, games_for_gap, precision
from leagues.scheduling.schedule import Design, design_of

__all__ = ["GAPS", "Plan", "plan", "rounds_of"]

GAPS: Final = (200, 100, 50, 25)
"""Gaps in Elo for which is told how many games they need."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The figures of a league."""

    design: Design
    is_own: bool
    """Whether the games are those of this design, and not of one from before."""
    rotations: int
    """In how many rotations each table is played."""
    games: int
    rounds: int
    """How many rounds are begun; of the last one there may be fewer tables."""
    ranges: Ranges
    """The counts at the end of the league."""
    is_kept_apart: bool
    """Whether there are bots that never meet, since they are one owner's."""
    pairs_apart: int
    """How far meetings are apart in the end, between pairs that are to meet alike
    often."""
    worst: Spreads
    """How far they are apart at the end of any round, where they are most so."""
    precision: Precision | None
    """`None` where somebody plays too little for any error to be told."""
    gap_games: tuple[tuple[int, int], ...]
    """Gaps in Elo, and how many games of the league tell two bots apart by each, if
    they are compared by themselves."""
    gap_games_among_all: tuple[tuple[int, int], ...]
    """The same until their tiers differ."""

    @property
    def is_even(self) -> bool:
        """Whether everybody plays equally often."""
        return self.ranges.games[0] == self.ranges.games[1]

    @property
    def even_games(self) -> tuple[int, ...]:
        """Near which numbers of games everybody will have met most evenly."""
        cycle = self.design.cycle * self.design.tables * self.rotations
        below = self.games - self.games % cycle
        if below == self.games:
            return (below,)
        return (below, below + cycle) if below else (cycle,)


def plan(
    seatings: Sequence[Seating],
    *,
    entrants: int,
    seats: int,
    rotations: int = 1,
    owners: Owners = NO_OWNERS,
    is_anchored: bool = False,
    is_own: bool = True,
    among: Sequence[int] | None = None,
) -> Plan:
    """Work out the figures of a schedule.

    Args:
        seatings: Who sits where, game 1 first.
        entrants: How many there are.
        seats: How many seats a table has.
        rotations: In how many rotations each table is played, one after the other.
        owners: Who owns each entrant.
        is_anchored: Whether ratings are told from one entrant's, not from the mean.
        is_own: Whether these games would be planned so today.
        among: Whose counts are told; by default everybody's.

    Raises:
        ValueError: There are fewer entrants than seats.
        OwnersError: Somebody owns too many of them.
    """
    design = design_of(entrants, seats=seats, owners=owners)
    rounds = rounds_of(seatings, design, rotations=rotations)
    apart = owners.apart(range(entrants))
    counts = balance_of(seatings, entrants=entrants)
    ranges = counts.ranges(among=among, apart=apart)
    some = range(entrants) if among is None else among
    kinds = [
        [counts.pairs[one][other] for one, other in pairs]
        for pairs in kinds_of_pairs(some, some, apart)
    ]
    found = check(rounds, entrants=entrants, seats=seats, among=among, apart=apart)
    return Plan(
        design=design,
        is_own=is_own,
        rotations=rotations,
        games=len(seatings),
        rounds=len(rounds),
        ranges=ranges,
        is_kept_apart=bool(apart),
        pairs_apart=max((max(kind) - min(kind) for kind in kinds), default=0),
        worst=found.worst,
        precision=precision(
            ranges.games[0],
            blocks=ranges.games[0] // rotations,
            entrants=entrants,
            seats=seats,
            is_anchored=is_anchored,
        ),
        gap_games=_gap_games(entrants, seats, among_all=False),
        gap_games_among_all=_gap_games(entrants, seats, among_all=True),
    )


def _gap_games(
    entrants: int, seats: int, *, among_all: bool
) -> tuple[tuple[int, int], ...]:
    """Return how many games of a league each gap takes."""
    each = [
        games_for_gap(gap, entrants=entrants, seats=seats, among_all=among_all)
        for gap in GAPS
    ]
    return tuple(
        (gap, -(-games * entrants // seats))
        for gap, games in zip(GAPS, each, strict=True)
    )


def rounds_of(
    seatings: Sequence[Seating], design: Design, *, rotations: int = 1
) -> list[Sequence[Seating]]:
    """Part a schedule into its rounds; the last one may be begun only."""
    games = design.tables * rotations
    return [seatings[at : at + games] for at in range(0, len(seatings), games)]
