"""The tables of `docs/researchers.md` that tell every column, as they should stand."""

from leagues.analysis.tables import COLUMNS, Column


def columns_table(table: str) -> str:
    """Return the columns of a table of the Parquet files."""
    rows = ["| column | type | null | meaning |", "|---|---|---|---|"]
    return "\n".join([*rows, *map(_row, COLUMNS[table])])


def _row(column: Column) -> str:
    null = "yes" if column.is_nullable else "no"
    return f"| `{column.name}` | `{column.kind.value}` | {null} | {column.meaning} |"
