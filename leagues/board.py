"""Standings on a terminal, in colour, as wide as it is."""

from rich.console import Group, RenderableType
from rich.text import Text

from leagues.reports.standings import foot_lines, table_lines
from leagues.reports.standings_head import head_lines
from leagues.standings import Standings

__all__ = ["board"]


def board(standings: Standings, *, width: int) -> RenderableType:
    """Lay out standings for a terminal of so many columns."""
    head, *facts = head_lines(standings)
    names, *rows = table_lines(standings, width=width)
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
        *(Text(line, style="dim") for line in foot_lines(standings)),
    )
