"""Games of matches, made up: what their seats took, and nothing else."""

import random
from collections.abc import Iterable, Sequence

from arena.arrangements import arrangements
from arena.record import Fault, GivenUp
from leagues.blocks import ARRANGE, Blocks, blocks_of, planned
from leagues.match import Claims, Match, entrant_names
from leagues.results import GameResult, SeatResult

SIDES = ("new", "old")


def match(claims: Claims | None = None) -> Match:
    """A match of two bots."""
    return Match(sides=SIDES, claims=claims)


def blocks_at(seats: int) -> Blocks:
    """The blocks of a match with so many seats."""
    return blocks_of(ARRANGE, seats=seats)


def game(
    number: int,
    names: Sequence[str],
    points: Sequence[int],
    *,
    block: int,
    deals: int = 1,
    faults: Iterable[Fault] = (),
    given_up: Iterable[GivenUp] = (),
) -> GameResult:
    """A game in which the seats took these points."""
    return GameResult(
        number=number,
        block=block,
        deals=deals,
        seats=tuple(
            SeatResult(
                entrant=name,
                version="1",
                total=taken,
                place=1 + sum(other < taken for other in points),
                points=taken,
                moons=0,
                queens=0,
            )
            for name, taken in zip(names, points, strict=True)
        ),
        faults=tuple(faults),
        given_up=tuple(given_up),
        record_hash=f"{number:064x}",
    )


def match_games(
    figures: Sequence[float], *, seats: int = 4, deals: int = 2, seed: int = 1
) -> list[GameResult]:
    """The games of blocks with these figures, in the order of their numbers.

    Within a block luck is drawn, and evens out, as the same deals do.

    Args:
        figures: For each block how many points a deal the first side did better.
        seats: How many seats the table has.
        deals: How many deals a game has.
        seed: Of the luck.
    """
    chance, blocks = random.Random(seed), blocks_at(seats)
    names = [name for side in SIDES for name in entrant_names(side, seats=seats)]
    games = len(figures) * blocks.size
    results = []
    for index, seating in enumerate(
        planned(len(names), games=games, seats=seats, luck=ARRANGE)
    ):
        number = index + 1
        block = blocks.block(number)
        way = arrangements(seats)[blocks.rotation(number)]
        if blocks.rotation(number) == 0:
            luck = [chance.randrange(100, 2000) for _ in range(seats)]
        worse = round(deals * figures[block - 1])
        points = [luck[seat] + worse * side for seat, side in enumerate(way)]
        results.append(
            game(
                number,
                [names[entrant] for entrant in seating],
                points,
                block=block,
                deals=deals,
            )
        )
    return results
