"""The project's own files, as the tests of form read them.

Found by walking the tree, so that it works in a clone and in an unpacked source
archive alike. Generated code and what the tools leave behind are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SOURCE_FOLDERS = ("arena", "clients", "docs", "leagues", "proto", "tests", ".ci")
"""Where the project's files are, besides those at the top."""

MADE_FOLDERS = {"__pycache__", "node_modules", "arena-data"}
"""Folders that appear while the project is used."""

GENERATED_SUFFIXES = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py")


@dataclass(frozen=True)
class Source:
    """One text file of the project.

    `path` is relative to the top of the project and has forward slashes.
    """

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of a Python file."""
        return ast.parse(self.text, filename=self.path)

    @property
    def module(self) -> str:
        """The dotted name under which a Python file is imported."""
        name = self.path.removeprefix("clients/python/").removesuffix(".py")
        return name.replace("/", ".").removesuffix(".__init__")

    @property
    def is_python(self) -> bool:
        """Whether the file holds Python."""
        return self.path.endswith(".py")


def _paths() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file())
    for folder in SOURCE_FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file())


def _is_made(path: Path) -> bool:
    inside = path.relative_to(ROOT)
    return (
        bool(MADE_FOLDERS.intersection(inside.parts))
        or path.name.endswith(GENERATED_SUFFIXES)
        or (len(inside.parts) == 1 and path.name == ".coverage")
    )


@cache
def sources() -> tuple[Source, ...]:
    """Read every text file that people wrote, in the order of their paths."""
    found = []
    for path in sorted(_paths()):
        if _is_made(path):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found.append(Source(path.relative_to(ROOT).as_posix(), text))
    return tuple(found)


def python_sources() -> list[Source]:
    """Read every Python file that people wrote."""
    return [source for source in sources() if source.is_python]


def imports(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the line and the dotted name of all that a file imports.

    `from a import b` yields both `a` and `a.b`, because `b` may be a module.
    Imports inside functions and under `TYPE_CHECKING` count like any other.
    """
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.lineno, node.module
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
