"""Standings on a terminal, in colour."""

from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from leagues.report import cells, columns, foot_lines, head_lines
from leagues.standings import Standings

__all__ = ["board"]


def board(standings: Standings) -> RenderableType:
    """Lay out standings for a terminal; `rich` fits them to its width."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns(standings):
        side: JustifyMethod = "left" if name == "Entrant" else "right"
        table.add_column(name, justify=side, no_wrap=True)
    for row in standings.rows:
        # Texts, since rich would read names as its own markup.
        line = [Text(cell) for cell in cells(row)]
        faults = sum(row.faults.values()) + row.given_up
        table.add_row(*line, style="yellow" if faults else "")
    head, *facts = head_lines(standings)
    return Group(
        Text(head, style="bold"),
        *(Text(fact, style="dim") for fact in facts),
        "",
        table,
        *(Text(line, style="dim") for line in foot_lines(standings)),
    )
