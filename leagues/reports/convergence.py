"""Convergence: what the ratings were after each tenth of the games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from leagues.rating.ratings import rate_arrays
from leagues.reports.document import Column, Report, Rows, Table, figure
from leagues.reports.source import Source, seats_of

__all__ = ["convergence"]

PARTS: Final = 10
"""Into how many parts the games are cut."""

_NOBODY: Final = (float("nan"), float("nan"))
_DATA: Final = (
    Column("Percent", "percent"),
    Column("Games", "games"),
    Column("Entrant", "entrant", is_text=True),
    Column("Elo", "elo", 1),
    Column("+/-", "half_width", 1),
)


@dataclass(frozen=True, slots=True)
class _Step:
    """The ratings after some part of the games."""

    percent: int
    games: int
    figures: Mapping[str, tuple[float, float]]
    """Elo and how far the 95 % interval reaches, of whoever has played."""

    def of(self, name: str) -> tuple[float, float]:
        """Return the figures of a bot; no numbers before its first game."""
        return self.figures.get(name, _NOBODY)


def convergence(source: Source) -> Report:
    """Rate the first tenth of the games, the first two tenths, and so on."""
    steps = _steps(source)
    data: Rows = tuple(
        (step.percent, step.games, name, *step.of(name))
        for step in steps
        for name in source.ranked
    )
    shown: Rows = tuple(
        (name, *(_shown(*step.of(name)) for step in steps)) for name in source.ranked
    )
    columns = (
        Column("Entrant", "entrant", is_text=True),
        *(Column(f"{step.percent} %", str(step.percent)) for step in steps),
    )
    return source.report(
        "convergence",
        _summary(source, steps),
        Table(_DATA, data),
        tables=(Table(columns, shown, "Elo ± 95 % after each part of the games"),),
        notes=(
            "The games are in the order of the schedule. An interval is that of its "
            "time; to stop as soon as one looks good is to choose by luck.",
        ),
    )


def _steps(source: Source) -> list[_Step]:
    total = len(source.results)
    if not total:
        return []
    columns = seats_of(source)
    seats = columns.entrant.reshape(total, -1)
    places = columns.place.reshape(total, -1)
    blocks = columns.block.reshape(total, -1)[:, 0]
    steps = []
    for part in range(1, PARTS + 1):
        games = total * part // PARTS
        if not games:
            continue
        # Only those who have played by then, so that they have the mean of their own.
        played, numbers = np.unique(seats[:games], return_inverse=True)
        names = [source.ranked[at] for at in played]
        anchor = source.facts.anchor
        ratings = rate_arrays(
            numbers.reshape(games, -1),
            places[:games],
            blocks[:games],
            entrants=len(names),
            anchor=names.index(anchor) if anchor in names else None,
        )
        figures = zip(ratings.elo.tolist(), ratings.half_widths.tolist(), strict=True)
        named = dict(zip(names, figures, strict=True))
        steps.append(_Step(100 * part // PARTS, games, named))
    return steps


def _shown(elo: float, half_width: float) -> str:
    width = figure(half_width, 0)
    return figure(elo, 0) if width in ("-", "0") else f"{elo:.0f} ±{width}"


def _summary(source: Source, steps: list[_Step]) -> str:
    if len(steps) < PARTS:
        return "There are too few games to say whether the ratings have settled."
    half, whole = steps[PARTS // 2 - 1], steps[-1]
    moved = {
        name: abs(whole.of(name)[0] - half.of(name)[0])
        for name in source.ranked
        if name in half.figures
    }
    if not moved:
        return "Nobody who plays now had played in the first half."
    name = max(moved, key=lambda name: moved[name])
    # Whose interval is not a number is not outside of it.
    out = [one for one in moved if moved[one] > half.of(one)[1]]
    told = (
        f"The second half of the games has moved ratings by {moved[name]:.0f} Elo at "
        f"most ({name})"
    )
    if out:
        return f"{told}, {len(out)} of {len(moved)} by more than half-time intervals."
    return f"{told}, nobody's by more than the interval at half-time said."
