"""The crosstable: how everybody did against everybody at the same table."""

from collections.abc import Callable

import numpy as np

from leagues.rating.pairs import Floats
from leagues.reports.document import Column, Report, Rows, Table, figure, percent
from leagues.reports.source import Meetings, Source, meetings_of
from leagues.reports.words import counted, listed

__all__ = ["crosstable", "difference_words", "matrix_columns", "scores_of"]

_DATA = (
    Column("Row", "entrant", is_text=True),
    Column("Column", "opponent", is_text=True),
    Column("Score", "score", 4),
    Column("Pts/deal", "points_difference", 3),
    Column("+/-", "half_width", 3),
    Column("Games", "games"),
    Column("Blocks", "blocks"),
    Column("LOS", "los", 4),
    Column("Told apart", "told_apart"),
)


def crosstable(source: Source) -> Report:
    """Set the rows against the columns: score, points, games and LOS of each pair."""
    met, score = meetings_of(source), scores_of(source)

    def marked(row: int, column: int) -> str:
        mark = " "
        if source.differs[row, column]:
            mark = "+" if row < column else "-"
        return percent(float(score[row, column])) + mark

    def margin(row: int, column: int) -> str:
        text = figure(float(met.margin[row, column]), 2, has_sign=True)
        half = float(met.half_width[row, column])
        return text if np.isnan(half) else f"{text} ±{half:.2f}"

    return source.report(
        "crosstable",
        _summary(source),
        Table(_DATA, _rows(source, met, score)),
        tables=(
            _matrix(source, "Score of the row against the column, in percent", marked),
            _matrix(source, "Points a deal of the row less the column's", margin),
        ),
        notes=_notes(source, met),
    )


def scores_of(source: Source) -> Floats:
    """Return which part of the results the row won against the column, ties half.

    Not a number where they never met.
    """
    results = source.by_rank(source.ratings.results)
    with np.errstate(invalid="ignore"):
        return np.asarray(source.by_rank(source.ratings.wins) / results)


def difference_words(source: Source) -> str:
    """Say how many pairs the games tell apart."""
    size = len(source.ranked)
    pairs, apart = size * (size - 1) // 2, int(source.differs.sum()) // 2
    if not apart:
        return (
            "So far the games tell no two bots apart: all differences may still be luck"
        )
    if apart == pairs:
        return f"All {size} bots are really different from each other"
    return (
        f"Of the {counted(pairs, 'pair')} of all {size} bots the games tell {apart} "
        "apart; the differences in the others may still be luck"
    )


def matrix_columns(source: Source) -> tuple[Column, ...]:
    """Return the columns of a matrix for people: a rank, a name, the ranks across."""
    ranks = [str(rank) for rank in range(1, len(source.ranked) + 1)]
    return (
        Column("#", "rank"),
        Column("Entrant", "entrant", is_text=True),
        *(Column(rank, rank) for rank in ranks),
    )


def _matrix(source: Source, title: str, cell: Callable[[int, int], str]) -> Table:
    names = source.ranked
    everyone = range(len(names))
    texts = [
        ["" if row == column else cell(row, column) for column in everyone]
        for row in everyone
    ]
    rows: Rows = tuple((row + 1, names[row], *texts[row]) for row in everyone)
    return Table(matrix_columns(source), rows, title)


def _rows(source: Source, met: Meetings, score: Floats) -> Rows:
    los = source.by_rank(source.ratings.superiority())
    names = source.ranked
    return tuple(
        (
            one,
            other,
            float(score[row, column]),
            float(met.margin[row, column]),
            float(met.half_width[row, column]),
            int(met.games[row, column]),
            int(met.blocks[row, column]),
            float(los[row, column]),
            bool(source.differs[row, column]),
        )
        for row, one in enumerate(names)
        for column, other in enumerate(names)
        if row != column
    )


def _summary(source: Source) -> str:
    names = source.ranked
    if not names:
        return "No game has been finished yet."
    beaten = [name for name, is_apart in zip(names, source.differs[0], strict=True)
              if is_apart]  # fmt: skip
    best = f"{names[0]} stands first"
    if beaten:
        best += f", and is really better than {listed(beaten)}"
    return f"{difference_words(source)}. {best}."


def _notes(source: Source, met: Meetings) -> tuple[str, ...]:
    size = len(source.ranked)
    games = met.games[~np.eye(size, dtype=bool)]
    shared = "-"
    if games.size:
        low, high = int(games.min()), int(games.max())
        shared = str(low) if low == high else f"{low} to {high}"
    return (
        "+ and -: the row is really better or worse than the column, so that the two "
        "have no tier in common (by all games of the league, all pairs judged together "
        "by Holm's method, at 5 %; who is better than a better one is better too).",
        "A - alone: the two never met; -+ and --: nor did these, but games with others "
        "tell them apart.",
        "Points: fewer are better, so a minus speaks for the row; ± is a 95 % interval "
        "for this pair alone.",
        f"Games in which two sat at one table: {shared}.",
    )
