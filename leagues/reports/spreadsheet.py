"""Tables as CSV, of which no cell is a formula, whoever has chosen the names in it."""

import csv
import io
from collections.abc import Iterable
from typing import Final

__all__ = ["csv_text"]

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
"""What texts begin with that spreadsheets take for a formula."""


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write one line a row.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    Numbers stay as they are.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return file.getvalue()


def _safe(cell: object) -> object:
    """Return a cell that is no formula; one sign alone is none."""
    is_formula = isinstance(cell, str) and len(cell) > 1 and cell[0] in _FORMULA
    return f"'{cell}" if is_formula else cell
