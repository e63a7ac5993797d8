"""What `docs/researchers.md` says of the tables for analysis: columns and example."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from leagues.analysis.parquet import parquet_files
from leagues.analysis.rows import rows_of
from leagues.analysis.tables import TABLES
from tests.columns_tables import columns_table
from tests.documents import blocks, read_document
from tests.sample_records import sample_record

DOCUMENT = "docs/researchers.md"
NEEDED = ("pandas", "duckdb", "matplotlib")
PNG = b"\x89PNG\r\n\x1a\n"
missing = [name for name in NEEDED if find_spec(name) is None]


def section() -> str:
    """Return the section on tables for analysis."""
    _, _, rest = read_document(DOCUMENT).partition("## Tables for analysis\n")
    text, _, _ = rest.partition("\n## ")
    return text


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_documented(table: str) -> None:
    """Each table's columns stand there with type, nulls and meaning, and no others."""
    _, _, rest = section().partition(f"\n### {table}.parquet\n\n")
    found, _, _ = rest.partition("\n\n")

    assert columns_table(table) == found


@pytest.mark.slow
@pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")
def test_the_example_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its blocks run on a small league, one after another, and make two pictures."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    with parquet_files(tmp_path / "tables") as files:
        for seed in range(8):
            rows = rows_of(sample_record(seed, answers_max=600))
            files.add(rows._replace(games=[rows.games[0]]))
    names: dict[str, object] = {}
    for block in blocks(section()):
        if block.language == "python":
            exec(compile("\n" * block.line + block.text, DOCUMENT, "exec"), names)

    printed = capsys.readouterr().out
    assert all(word in printed for word in ("across", "count", "tricks 1-4"))
    for name in ("queens.png", "spades.png"):
        assert PNG == (tmp_path / name).read_bytes()[:8]
