"""Convergence: what the ratings were after each tenth of the games."""

from typing import Final

from leagues.rating.ratings import Ratings, rate
from leagues.reports.document import Cell, Column, Report, Rows, Table, figure
from leagues.reports.source import Source

__all__ = ["convergence"]

PARTS: Final = 10
"""Into how many parts the games are cut."""
_LATE: Final = 5
"""The games after this part should move nothing much any more."""

_DATA: Final = (
    Column("Percent", "percent"),
    Column("Games", "games"),
    Column("Entrant", "entrant", is_text=True),
    Column("Elo", "elo", 1),
    Column("+/-", "half_width", 1),
)


def convergence(source: Source) -> Report:
    """Rate the first tenth of the games, the first two tenths, and so on."""
    total = len(source.results)
    steps = [
        (100 * part // PARTS, total * part // PARTS) for part in range(1, PARTS + 1)
    ]
    # A part without games is none.
    steps = [(percent, games) for percent, games in steps if games]
    rated = [
        rate(source.results[:games], anchor=source.facts.anchor) for _, games in steps
    ]
    data = tuple(
        (percent, games, name, *_figures(ratings, name))
        for (percent, games), ratings in zip(steps, rated, strict=True)
        for name in source.ranked
    )
    shown: Rows = tuple(
        (name, *(_shown(ratings, name) for ratings in rated)) for name in source.ranked
    )
    columns = (
        Column("Entrant", "entrant", is_text=True),
        *(Column(f"{percent} %", str(percent)) for percent, _ in steps),
    )
    return source.report(
        "convergence",
        _summary(source, rated),
        Table(_DATA, data),
        tables=(Table(columns, shown, "Elo ± 95 % after each part of the games"),),
        notes=(
            "The games are in the order of the schedule. An interval is that of its "
            "time; to stop as soon as one looks good is to choose by luck.",
        ),
    )


def _figures(ratings: Ratings, name: str) -> tuple[Cell, Cell]:
    if name not in ratings.names:
        return None, None
    at = ratings.names.index(name)
    return float(ratings.elo[at]), float(ratings.half_widths[at])


def _shown(ratings: Ratings, name: str) -> str:
    elo, half_width = _figures(ratings, name)
    if not isinstance(elo, float) or not isinstance(half_width, float):
        return "-"
    width = figure(half_width, 0)
    return figure(elo, 0) if width in ("-", "0") else f"{elo:.0f} ±{width}"


def _summary(source: Source, rated: list[Ratings]) -> str:
    if len(rated) < PARTS:
        return "There are too few games to say whether the ratings have settled."
    early, late = rated[_LATE - 1], rated[-1]
    moved = {
        name: abs(_elo(late, name) - _elo(early, name))
        for name in source.ranked
        if name in early.names
    }
    if not moved:
        return "Nobody who plays now had played in the first half."
    name = max(moved, key=lambda name: moved[name])
    out = [n for n in moved if moved[n] > _half_width(early, n)]
    told = (
        f"The second half of the games has moved ratings by {moved[name]:.0f} Elo at "
        f"most ({name})"
    )
    if out:
        return f"{told}, {len(out)} of {len(moved)} by more than half-time intervals."
    return f"{told}, nobody's by more than the interval at half-time said."


def _elo(ratings: Ratings, name: str) -> float:
    return float(ratings.elo[ratings.names.index(name)])


def _half_width(ratings: Ratings, name: str) -> float:
    width = float(ratings.half_widths[ratings.names.index(name)])
    return width if width == width else float("inf")
