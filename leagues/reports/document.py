"""A report as a value: what it says in words, and the tables that it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leagues.reports.words import counted

__all__ = ["Cell", "Column", "Report", "Rows", "Table", "figure", "percent"]

Cell = str | int | float | None
"""What a table holds; `None` is nothing to be said, and shown as a dash."""
Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    """For people."""
    key: str
    """For programs."""
    digits: int = 0
    """How many digits after the point people see."""
    is_text: bool = False
    """Whether it holds names or words, which stand to the left."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, each as long as there are columns."""

    columns: tuple[Column, ...]
    rows: Rows
    title: str = ""

    def objects(self) -> list[Mapping[str, Any]]:
        """Return the rows as programs read them, by the columns' keys."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]

    def shown(self) -> list[list[str]]:
        """Return the rows as people read them, a text for each cell."""
        return [
            [
                _shown(cell, at.digits)
                for cell, at in zip(row, self.columns, strict=True)
            ]
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class Report:
    """What one kind of report says about a league."""

    kind: str
    league: str
    summary: str
    """What it comes to, in one or two sentences for whoever knows no statistics."""
    unit: str
    """What counts as one result."""
    games: int
    blocks: int
    """How many blocks the errors rest on."""
    data: Table
    """Everything, a line for each thing that is reported on, for programs."""
    tables: tuple[Table, ...] = ()
    """The same for people; empty where it is `data` itself."""
    notes: tuple[str, ...] = ()
    """How to read the tables."""
    alarm: str = ""
    """What should worry the host; empty when nothing should."""

    @property
    def shown_tables(self) -> tuple[Table, ...]:
        """The tables for people."""
        return self.tables or (self.data,)

    @property
    def basis(self) -> str:
        """What the report rests on, in one line."""
        return f"{counted(self.games, 'game')}, {counted(self.blocks, 'block')}"


def figure(value: float, digits: int, *, has_sign: bool = False) -> str:
    """Write a number for people; a dash for what is not a number."""
    if value != value:
        return "-"
    text = f"{value:{'+' if has_sign else ''}.{digits}f}"
    # No minus before what is rounded to nothing.
    return text.replace("-", "+" if has_sign else "") if not float(text) else text


def percent(share: float, digits: int = 1) -> str:
    """Write a share from 0 to 1 in percent; a dash for what is not a number."""
    return figure(100 * share, digits)


def _shown(cell: Cell, digits: int) -> str:
    if cell is None:
        return "-"
    return figure(cell, digits) if isinstance(cell, float) else str(cell)
