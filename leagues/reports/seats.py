"""Seats and left neighbours: whether it matters where one sits."""

from typing import Final

import numpy as np

from leagues.rating.pairs import Floats, Integers
from leagues.rating.points import points_per_deal
from leagues.reports.document import Column, Report, Rows, Table, figure
from leagues.reports.source import Seats, Source, seats_of, table_pairs
from leagues.reports.symmetry import Symmetry, symmetry_of

__all__ = ["ALARM", "seats"]

ALARM: Final = 1e-4
"""Below this p-value seats are so unequal that chance is no explanation any more."""
_LEVEL: Final = 0.05
_BY_SEAT: Final = "seat"
_BY_LEFT: Final = "left"
_FIGURES: Final = (
    Column("Games", "games"),
    Column("Pts/deal", "points_per_deal", 3),
    Column("+/-", "points_half_width", 3),
    Column("Score%", "score", 1),
    Column("Beyond%", "beyond", 1),
    Column("+/-", "beyond_half_width", 1),
)


def seats(source: Source) -> Report:
    """Compare what seats take and win, by their number and by who sits to the left.

    What a seat wins is set against what its bot was to win against those at its
    table, so that it does not matter which bots sat there.
    """
    columns = seats_of(source)
    score, beyond = _scores(source, columns)
    players = int(columns.seat.max(initial=-1)) + 1
    names = source.ranked
    by_seat = _figures(columns, columns.seat, score, beyond, count=players)
    by_left = _figures(columns, columns.left, score, beyond, count=len(names))
    seat = symmetry_of(columns.seat, columns.block, beyond, count=players)
    left = symmetry_of(columns.left, columns.block, beyond, count=len(names))
    first = [str(number) for number in range(players)]
    data: Rows = (
        *((_BY_SEAT, n, *row) for n, row in zip(first, by_seat, strict=True)),
        *((_BY_LEFT, n, *row) for n, row in zip(names, by_left, strict=True)),
    )
    of_seats: Rows = tuple((n, *row) for n, row in zip(first, by_seat, strict=True))
    of_lefts: Rows = tuple((n, *row) for n, row in zip(names, by_left, strict=True))
    who = Column("Which", "which", is_text=True)
    return source.report(
        "seats",
        _summary(seat, left),
        Table((Column("By", "by", is_text=True), who, *_FIGURES), data),
        tables=(
            Table(
                (Column("Seat", "which", is_text=True), *_FIGURES),
                of_seats,
                f"By seat: {_test(seat)}",
            ),
            Table(
                (Column("To the left", "which", is_text=True), *_FIGURES),
                of_lefts,
                f"By who sits to the left: {_test(left)}",
            ),
        ),
        notes=(
            "Beyond%: how much more of its results a seat won than its bot was to win "
            "against those at its table, in percent; ± is a 95 % interval.",
            "Seats are dealt to alike, so their number must not matter. Neighbours "
            "may: whom one passes to and plays before is part of the game.",
        ),
        alarm=_alarm(seat),
    )


def _scores(source: Source, columns: Seats) -> tuple[Floats, Floats]:
    """Return which part of its results each seat won, and what beyond expectation."""
    strength = source.ratings.elo[source.order] * np.log(10) / 400
    one, other = table_pairs(columns)
    ahead = np.sign(columns.place[other] - columns.place[one])
    away = strength[columns.entrant[one]] - strength[columns.entrant[other]]
    count = len(columns.game)
    opponents = np.bincount(one, minlength=count)
    won = np.bincount(one, (1 + ahead) / 2, minlength=count) / opponents
    expected = np.bincount(one, 1 / (1 + np.exp(-away)), minlength=count) / opponents
    return won, won - expected


def _figures(
    columns: Seats, which: Integers, score: Floats, beyond: Floats, *, count: int
) -> Rows:
    """Return a row of figures for each of several."""
    ones = np.ones(len(which))
    points = points_per_deal(
        which,
        columns.block,
        points=columns.points,
        deals=columns.deals,
        count=count,
    )
    more = points_per_deal(which, columns.block, points=beyond, deals=ones, count=count)
    games = np.bincount(which, minlength=count)
    with np.errstate(invalid="ignore"):
        won = np.bincount(which, score, minlength=count) / games
    return tuple(
        (
            int(games[at]),
            float(points.means[at]),
            float(points.half_widths[at]),
            100 * float(won[at]),
            100 * float(more.means[at]),
            100 * float(more.half_widths[at]),
        )
        for at in range(count)
    )


def _summary(seat: Symmetry, left: Symmetry) -> str:
    if seat.p_value != seat.p_value:
        return "There are too few blocks to say whether it matters where one sits."
    if seat.p_value < ALARM:
        fair = "Some seats are better than others, which must not be"
    else:
        fair = "No seat is better than another by more than chance explains"
    if left.p_value < _LEVEL:
        return f"{fair}; who sits to the left seems to matter."
    return f"{fair}, and nothing says that it matters who sits to the left."


def _test(found: Symmetry) -> str:
    return (
        f"chi-square {figure(found.chi_square, 1)} with {found.degrees} degrees of "
        f"freedom, p = {figure(found.p_value, 4)}"
    )


def _alarm(seat: Symmetry) -> str:
    if not seat.p_value < ALARM:
        return ""
    return (
        f"seats are not equal (p = {seat.p_value:.1e}). With an arena that deals to "
        "all seats alike this comes about less than once in 10,000 leagues; look for a "
        "fault of the arena, or for a bot that plays differently by the number of its "
        "seat, before you trust these results."
    )
