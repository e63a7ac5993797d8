"""Reports as text: for people, for programs, for spreadsheets, for web pages."""

import json
import textwrap
from collections.abc import Callable, Mapping
from typing import Final

from leagues.reports.document import Report, Table
from leagues.reports.spreadsheet import csv_text

__all__ = ["FORMATS", "aligned", "escaped"]

_WIDTH: Final = 88
"""How long lines of words are at most, in text for people."""


def as_text(report: Report) -> str:
    """Write the words, then aligned tables."""
    lines = [f"League {report.league}: {report.kind}", *_wrapped(report.summary)]
    lines += _wrapped(f"ALARM: {report.alarm}") if report.alarm else []
    lines.append(f"{report.basis}; unit: {report.unit}")
    for table in report.shown_tables:
        lines += ["", *([table.title] if table.title else []), *aligned(table)]
    if report.notes:
        lines += ["", *(line for note in report.notes for line in _wrapped(note))]
    return "\n".join(lines) + "\n"


def as_markdown(report: Report) -> str:
    """Write the words and the tables in Markdown."""
    lines = [f"# League {escaped(report.league)}: {report.kind}", ""]
    lines += [escaped(report.summary), ""]
    lines += [f"**Alarm: {escaped(report.alarm)}**", ""] if report.alarm else []
    lines.append(f"{report.basis}; unit: {report.unit}")
    for table in report.shown_tables:
        lines += ["", *([f"## {escaped(table.title)}", ""] if table.title else [])]
        lines += _markdown(table)
    if report.notes:
        lines += ["", *(f"- {escaped(note)}" for note in report.notes)]
    return "\n".join(lines) + "\n"


def as_csv(report: Report) -> str:
    """Write one line for each row of the data, after a line of column names."""
    heads = [column.key for column in report.data.columns]
    return csv_text([heads, *(map(_plain, row) for row in report.data.rows)])


def as_json(report: Report) -> str:
    """Write one JSON object, with the words and the data."""
    document = {
        "report": report.kind,
        "league": report.league,
        "summary": report.summary,
        "alarm": report.alarm or None,
        "unit": report.unit,
        "games": report.games,
        "blocks": report.blocks,
        "rows": [
            {key: _plain(cell) for key, cell in row.items()}
            for row in report.data.objects()
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": as_text,
    "json": as_json,
    "csv": as_csv,
    "md": as_markdown,
}
"""The formats by name."""


def aligned(table: Table) -> list[str]:
    """Pad the cells: figures to the right, texts to the left."""
    heads = [column.name for column in table.columns]
    lines = [heads, *table.shown()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column.is_text else cell.rjust(width)
            for cell, width, column in zip(line, widths, table.columns, strict=True)
        ).rstrip()
        for line in lines
    ]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _markdown(table: Table) -> list[str]:
    sides = [":--" if column.is_text else "--:" for column in table.columns]
    lines = [[column.name for column in table.columns], *table.shown()]
    head, *rows = [[escaped(cell.strip()) for cell in line] for line in lines]
    return [f"| {' | '.join(line)} |" for line in (head, sides, *rows)]


def _plain(cell: object) -> object:
    """Round what programs get to what is certain; nothing for what is no number."""
    if isinstance(cell, float):
        return None if cell != cell else round(cell, 6)
    return cell


def escaped(cell: str) -> str:
    """Keep Markdown from taking a name's underscores and bars for its own."""
    for special in "\\|_*<>![]`&~":
        cell = cell.replace(special, f"\\{special}")
    return cell
