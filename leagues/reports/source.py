"""What reports are made of: a league's facts, its results, and what these come to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leagues.families import Member, families
from leagues.rating.pairs import Floats, Integers
from leagues.rating.points import points_per_deal
from leagues.rating.ratings import Ratings, rate
from leagues.reports.document import Report, Table
from leagues.results import GameResult
from leagues.standings import UNIT, LeagueFacts

__all__ = [
    "Meetings",
    "Seats",
    "Source",
    "meetings_of",
    "seats_of",
    "source_of",
    "table_pairs",
]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A league as reports see it."""

    facts: LeagueFacts
    results: tuple[GameResult, ...]
    """In the order of their numbers; seats have the names of what is rated."""
    members: Mapping[str, Member]
    """Who these are, by name."""
    ratings: Ratings
    ranked: tuple[str, ...]
    """Whoever has played, the best first."""
    order: Integers
    """The places of these in the arrays of the ratings."""
    differs: NDArray[np.bool_]
    """By the places in `ranked`: whether the games tell the two apart, which is whether
    they have no tier in common."""

    @property
    def unit(self) -> str:
        """What counts as one result."""
        return UNIT

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len({game.block for game in self.results})

    def report(
        self,
        kind: str,
        summary: str,
        data: Table,
        *,
        tables: tuple[Table, ...] = (),
        notes: tuple[str, ...] = (),
        alarm: str = "",
    ) -> Report:
        """Return a report that rests on all games."""
        return Report(
            kind=kind,
            league=self.facts.name,
            summary=summary,
            unit=self.unit,
            games=len(self.results),
            blocks=self.blocks,
            data=data,
            tables=tables,
            notes=notes,
            alarm=alarm,
        )

    def by_rank(self, matrix: Floats) -> Floats:
        """Return a matrix of the ratings in the order of `ranked`."""
        return np.asarray(matrix[np.ix_(self.order, self.order)], dtype=np.float64)


def source_of(facts: LeagueFacts, results: Iterable[GameResult]) -> Source:
    """Rate the results once, for whatever is reported of them."""
    pool = families(results, facts.versions)
    games = pool.games
    ratings = rate(games, anchor=pool.newest(facts.anchor))
    names = ratings.names
    # Equal results may differ in the last digits, by the order of sums.
    elo = [round(float(value), 6) for value in ratings.elo]
    order = sorted(range(len(names)), key=lambda index: (-elo[index], names[index]))
    at = np.array(order, dtype=np.int64)
    tiers = ratings.tiers()
    differs = np.array(
        [[tiers[one].is_apart_from(tiers[two]) for two in order] for one in order],
        dtype=np.bool_,
    ).reshape(len(order), len(order))
    return Source(
        facts=facts,
        results=games,
        members=pool.members,
        ratings=ratings,
        ranked=tuple(names[index] for index in order),
        order=at,
        differs=differs,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Seats:
    """All seats of all games as columns, one game after the other."""

    entrant: Integers
    """Who sat there, as a place in `Source.ranked`."""
    seat: Integers
    """From 0."""
    left: Integers
    """Who sat to the left, one seat on."""
    place: Integers
    points: Floats
    """What the seat took in all deals."""
    deals: Integers
    block: Integers
    game: Integers
    """Which seats belong together, from 0."""


def seats_of(source: Source) -> Seats:
    """Put the seats of all games into columns."""
    index = {name: place for place, name in enumerate(source.ranked)}
    rows = [
        (
            index[seat.entrant],
            number,
            index[game.seats[(number + 1) % len(game.seats)].entrant],
            seat.place,
            seat.points,
            game.deals,
            game.block,
            at,
        )
        for at, game in enumerate(source.results)
        for number, seat in enumerate(game.seats)
    ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 8).T
    entrant, seat, left, place, points, deals, block, at = columns
    floats = points.astype(np.float64)
    return Seats(entrant, seat, left, place, floats, deals, block, at)


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """What came of it when two sat at one table, by their places in `ranked`."""

    games: Integers
    blocks: Integers
    margin: Floats
    """How many points a deal the row took more than the column; not a number where
    they never met."""
    half_width: Floats
    """How far the 95 % intervals of these reach to each side."""


def meetings_of(source: Source) -> Meetings:
    """Compare the points of every two who sat at one table, by block."""
    seats = seats_of(source)
    size = len(source.ranked)
    one, other = table_pairs(seats)
    cell = seats.entrant[one] * size + seats.entrant[other]
    found = points_per_deal(
        cell,
        seats.block[one],
        points=seats.points[one] - seats.points[other],
        deals=seats.deals[one],
        count=size * size,
    )
    square = (size, size)
    return Meetings(
        games=np.bincount(cell, minlength=size * size).reshape(square),
        blocks=found.blocks.reshape(square),
        margin=found.means.reshape(square),
        half_width=found.half_widths.reshape(square),
    )


def table_pairs(seats: Seats) -> tuple[Integers, Integers]:
    """Return the rows of every two seats of a game, both ways round."""
    starts = np.flatnonzero(np.diff(seats.game, prepend=-1))
    sizes = np.diff(starts, append=len(seats.game))
    ones, others = [], []
    for size in np.unique(sizes):
        first = starts[sizes == size]
        for one in range(size):
            for other in range(size):
                if one != other:
                    ones.append(first + one)
                    others.append(first + other)
    nothing = [np.empty(0, dtype=np.int64)]
    return np.concatenate(ones or nothing), np.concatenate(others or nothing)
