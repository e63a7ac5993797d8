"""Standings on a terminal, in colour, as wide as it is."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from leagues.reports.standings import table_lines
from leagues.reports.standings_foot import foot_lines
from leagues.reports.standings_head import head_lines
from leagues.standings import Standings

__all__ = ["board"]


def board(
    standings: Standings, *, width: int, live: Mapping[str, float] | None = None
) -> RenderableType:
    """Lay out standings for a terminal of so many columns.

    Args:
        standings: The standings.
        width: How many columns the terminal has.
        live: The running Elo of each bot, to be shown beside.
    """
    head, *facts = head_lines(standings)
    names, *rows = table_lines(standings, width=width, live=live)
    lines = [Text(names, style="bold")]
    for line, row in zip(rows, standings.short, strict=True):
        faults = sum(row.faults.values()) + row.given_up
        lines.append(Text(line, style="yellow" if faults else ""))
    for text in lines:
        # Figures that do not fit are cut off at the end, and never squeezed.
        text.no_wrap = True
        text.overflow = "crop"
    return Group(
        Text(head, style="bold"),
        *(Text(fact, style="dim") for fact in facts),
        "",
        *lines,
        *(Text(line, style="dim") for line in foot_lines(standings, live=live)),
    )
