"""The rules in `docs/rules.md`: nothing is missing, and all it names is there."""

import ast
import re
from pathlib import Path
from string import ascii_uppercase

import pytest

from arena.presets import PRESETS
from arena.rules import OPTIONS
from tests.documents import read_document
from tests.rules_tables import options_table, packs_table, presets_table
from tests.sources import ROOT

STATEMENTS = [str(number) for number in range(1, 39)]
"""The statements of the sources, by number."""
DECISIONS = {
    "Between the documents": [*ascii_uppercase[:14]],
    "Inside a document": [str(number) for number in range(1, 20)],
    "What no document tells": [str(number) for number in range(20, 50)],
}
"""What had to be decided: letters and numbers, by section."""


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading, without its head."""
    text = read_document("docs/rules.md")
    section = re.split(rf"^#+ {heading}$", text, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]
    ]


def functions(path: Path) -> set[str]:
    """Return the names of the functions in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("heading", "table"),
    [
        ("Presets", presets_table()),
        ("Packs and seats", packs_table()),
        ("Options", options_table()),
    ],
)
def test_tables_are_those_of_the_code(heading: str, table: str) -> None:
    """Presets, packs and options stand in the document as the code has them."""
    text = read_document("docs/rules.md")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = [line for line in section.splitlines() if line.startswith("|")]

    assert table == "\n".join(found)


def test_every_statement_is_covered() -> None:
    """Each statement of the sources has its options and its tests, and they exist."""
    found = rows("Statements of the sources")

    assert STATEMENTS == [row[0] for row in found]
    for number, _, options, tests in found:
        named = re.findall(r"`(\w+)`", options)
        assert [] == [name for name in named if name not in {*OPTIONS, *PRESETS}], (
            number
        )
        assert named or options == "fixed", number
        names = re.findall(r"`([\w/.]+)::(\w+)`", tests)
        assert names, number
        for path, name in names:
            assert name in functions(ROOT / path), f"{number}: {path}::{name}"


@pytest.mark.parametrize("heading", DECISIONS)
def test_every_doubt_has_its_decision(heading: str) -> None:
    """Each doubtful place has a number, a decision and a reason."""
    found = rows(heading)

    assert DECISIONS[heading] == [row[0] for row in found]
    assert [] == [row for row in found if len(row) != 4 or not all(row)]


def test_decisions_name_what_exists() -> None:
    """What stands in code quotes is an option, a preset, a value or a command."""
    values = set(re.findall(r"`([\w:]+)`", options_table()))
    known = {*OPTIONS, *PRESETS, *values}
    quoted = [
        words
        for heading in DECISIONS
        for row in rows(heading)
        for cell in row
        for words in re.findall(r"`([^`]+)`", cell)
        if words != "arena rules show"
    ]

    assert [] == [words for words in quoted if not set(words.split()) <= known]
