"""Matrices of errors and of LOS: how surely each is better than each."""

import numpy as np

from leagues.rating.pairs import Floats
from leagues.reports.crosstable import difference_words, matrix_columns
from leagues.reports.document import Column, Report, Rows, Table, figure, percent
from leagues.reports.source import Source

__all__ = ["errors", "los"]


def errors(source: Source) -> Report:
    """Tell the standard error of the difference of every two ratings."""
    matrix = source.by_rank(source.ratings.pair_errors)
    known = matrix[~np.eye(len(matrix), dtype=bool)]
    known = known[~np.isnan(known)]
    if known.size:
        summary = (
            "Two ratings that differ by less than about twice their error may be "
            "equal. More is no proof where many are compared: the tiers judge all "
            f"pairs together. Here errors are {known.min():.0f} to {known.max():.0f} "
            "Elo."
        )
    else:
        summary = "There are too few blocks to say how sure the ratings are."
    return _report(
        source,
        "errors",
        summary,
        matrix,
        [[figure(float(cell), 1) for cell in row] for row in matrix],
        title="Standard errors of the difference of two ratings, in Elo",
    )


def los(source: Source) -> Report:
    """Tell how likely it is that the row is better than the column."""
    matrix = source.by_rank(source.ratings.superiority())
    return _report(
        source,
        "los",
        "Each figure is for two bots alone: of a whole class the neighbours that look "
        "best reach 95 % by luck. Where two share a tier, the tier is right. "
        f"{difference_words(source)}.",
        matrix,
        [[percent(float(cell)) for cell in row] for row in matrix],
        title="Likelihood that the row is better than the column, in percent",
    )


def _report(
    source: Source,
    kind: str,
    summary: str,
    matrix: Floats,
    texts: list[list[str]],
    *,
    title: str,
) -> Report:
    names = source.ranked
    everyone = range(len(names))
    for place in everyone:
        texts[place][place] = ""
    data = [
        [None if one == other else float(matrix[one, other]) for other in everyone]
        for one in everyone
    ]
    # No bot can have the name of the first column.
    columns = [Column("Entrant", "_entrant", is_text=True)]
    columns += [Column(name, name) for name in names]
    shown: Rows = tuple(
        (place + 1, name, *texts[place]) for place, name in enumerate(names)
    )
    rows: Rows = tuple((name, *data[place]) for place, name in enumerate(names))
    return source.report(
        kind,
        summary,
        Table(tuple(columns), rows),
        tables=(Table(matrix_columns(source), shown, title),),
    )
