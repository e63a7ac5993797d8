"""What a finished game counts for: the figures that standings are made of.

A result is derived from a record and from nothing else, so that it can be worked
out again at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from arena.cards import PACK_SIZE, QUEEN_OF_SPADES, RANKS, card_name
from arena.record import DealRecord, Fault, GivenUp, Record
from arena.replay import replay
from arena.rotations import game_number
from arena.rules import PassDirection, RuleSet, preset

__all__ = [
    "GameResult",
    "SeatResult",
    "has_moon",
    "has_queen",
    "queens_taken",
    "result_of",
]

_QUEEN = card_name(QUEEN_OF_SPADES)


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
    """How often the seat shot the moon or the sun."""
    queens: int
    """How many queens of spades the seat took; 0 where they cost nothing."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """What one game came to."""

    number: int
    """The number of the game in its league, from 1."""
    block: int
    """What was dealt from the same cards has the same block; from 1."""
    deals: int
    seats: tuple[SeatResult, ...]
    faults: tuple[Fault, ...]
    given_up: tuple[GivenUp, ...]
    record_hash: str


def result_of(record: Record) -> GameResult:
    """Sum up a finished game.

    Raises:
        ValueError: The game is not finished.
    """
    if record.places is None or record.totals is None:
        raise ValueError(f"game {record.game} is not finished")
    queens = queens_taken(record)
    shooters = [deal.moon.seat for deal in record.deals if deal.moon]
    return GameResult(
        number=_number(record),
        block=record.block,
        deals=len(record.deals),
        seats=tuple(
            SeatResult(
                entrant=record.seats[seat].bot,
                version=record.seats[seat].version,
                total=record.totals[seat],
                place=record.places[seat],
                points=sum(deal.points[seat] for deal in record.deals if deal.points),
                moons=shooters.count(seat),
                queens=queens[seat],
            )
            for seat in range(len(record.seats))
        ),
        faults=record.faults,
        given_up=record.given_up,
        record_hash=record.hash,
    )


def _number(record: Record) -> int:
    """Return the number of a game, or that of its block for one of no league."""
    try:
        return game_number(record)
    except ValueError:
        return record.block


def has_moon(rules: RuleSet) -> bool:
    """Tell whether a seat can shoot the moon or the sun."""
    return rules.moon != "off" or rules.sun != "off"


def has_queen(rules: RuleSet) -> bool:
    """Tell whether the queen of spades is in play and costs points."""
    return bool(
        rules.card_points[QUEEN_OF_SPADES] and rules.pack >> QUEEN_OF_SPADES & 1
    )


def queens_taken(record: Record) -> Sequence[int]:
    """Return how many queens of spades each seat of a finished game took.

    A record does not say it by itself. Playing it again does, but takes a hundred
    times as long as looking at one trick a deal, so that is for games in which a
    trick's cards may go elsewhere than to its highest card.
    """
    named = record.rules
    rules = _rules(named.preset, named.players, tuple(named.overrides.items()))
    taken = [0] * len(record.seats)
    if not has_queen(rules):
        return taken
    if rules.packs == 1 and not rules.kitty_size:
        for deal in record.deals:
            taken[_queen_taker(deal)] += 1
        return taken
    for played in replay(record).deals:
        for seat, cards in enumerate(played.taken):
            taken[seat] += cards >> QUEEN_OF_SPADES & 1
            taken[seat] += cards >> QUEEN_OF_SPADES + PACK_SIZE & 1
    return taken


@lru_cache(maxsize=16)
def _rules(name: str, players: int, overrides: tuple[tuple[str, str], ...]) -> RuleSet:
    """Return the rules of a record; a league's games share them."""
    return preset(name, players=players, **dict(overrides))


def _queen_taker(deal: DealRecord) -> int:
    """Return the seat that took the queen of spades: it held the highest card."""
    plays = deal.plays.split()
    players = len(deal.hands)
    place = plays.index(_QUEEN)
    trick = plays[place - place % players :][:players]
    followed = [card for card in trick if card[1] == trick[0][1]]
    return _holder(deal, max(followed, key=lambda card: RANKS.index(card[0])))


def _holder(deal: DealRecord, card: str) -> int:
    """Return the seat that held a card after the pass."""
    seat = next(seat for seat, hand in enumerate(deal.hands) if card in hand)
    if deal.passes and card in deal.passes[seat]:
        direction = PassDirection[deal.direction.upper()]
        return (seat + direction.steps(len(deal.hands))) % len(deal.hands)
    return seat
