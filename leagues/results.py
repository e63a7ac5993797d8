"""What a finished game counts for: the figures that standings are made of.

A result is derived from a record and from nothing else, so that it can be worked
out again at any time.
"""

from dataclasses import dataclass

from arena.cards import QUEEN_OF_SPADES
from arena.record import Fault, GivenUp, Record
from arena.replay import replay

__all__ = ["GameResult", "SeatResult", "result_of"]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat of a game came to."""

    entrant: str
    version: str
    total: int
    place: int
    """From 1; equal places are shared."""
    points: int
    """The sum of the seat's points over all deals."""
    moons: int
    """How often the seat shot the moon."""
    queens: int
    """How often the seat took the queen of spades."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """What one game came to."""

    number: int
    """The number of the game in its league, from 1."""
    deals: int
    seats: tuple[SeatResult, ...]
    faults: tuple[Fault, ...]
    given_up: tuple[GivenUp, ...]
    record_hash: str


def result_of(record: Record) -> GameResult:
    """Sum up a finished game.

    Raises:
        ValueError: The game is not finished.
        VerifyError: The record does not fit the rules.
    """
    if record.places is None or record.totals is None:
        raise ValueError(f"game {record.game} is not finished")
    # Who took the queen is the one thing that a record does not say by itself.
    deals = replay(record).deals
    shooters = [deal.moon.seat for deal in record.deals if deal.moon]
    return GameResult(
        number=record.block,
        deals=len(record.deals),
        seats=tuple(
            SeatResult(
                entrant=record.seats[seat].bot,
                version=record.seats[seat].version,
                total=record.totals[seat],
                place=record.places[seat],
                points=sum(deal.points[seat] for deal in record.deals if deal.points),
                moons=shooters.count(seat),
                queens=sum(deal.taken[seat] >> QUEEN_OF_SPADES & 1 for deal in deals),
            )
            for seat in range(len(record.seats))
        ),
        faults=record.faults,
        given_up=record.given_up,
        record_hash=record.hash,
    )
