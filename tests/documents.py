"""The project's documents, as the tests of the docs read them.

Three kinds of code block mean something to a reader, and to the tests:

* `python` blocks run, in the order of the document, as one program; with "Save it
  as `NAME`" below one, the `console` blocks find it as that file;
* `console` blocks run too: after each `$ ` stands a command, below it what it
  prints, in which `...` stands for anything;
* `sh` blocks are for the reader to run; their commands and options must exist.

A comment `<!-- not run: REASON -->` right above a block exempts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.sources import ROOT


@dataclass(frozen=True)
class Block:
    """One fenced block: the line it begins at, its language and its text."""

    line: int
    language: str
    text: str
    is_exempt: bool = False


@dataclass(frozen=True)
class Command:
    """One command of a `console` block and what it prints."""

    line: str
    output: str


def document_paths() -> list[str]:
    """List the documents, relative to the top, the README first."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    for folder in ("clients", "tests"):
        found += [
            path
            for path in ROOT.glob(f"{folder}/**/*.md")
            if "node_modules" not in path.parts
        ]
    names = sorted(path.relative_to(ROOT).as_posix() for path in found)
    return sorted(names, key=lambda name: name != "README.md")


def read_document(path: str) -> str:
    """Read one document."""
    return Path(ROOT, path).read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a document."""
    lines = text.splitlines()
    start, fence, before = 0, "", ""
    for number, line in enumerate(lines, start=1):
        mark = re.match(r"(`{3,})(\w*)", line)
        if not fence and mark:
            start, fence = number, mark[1]
            above = lines[number - 2] if number > 1 else ""
            before = above or (lines[number - 3] if number > 2 else "")
        elif fence and line == fence:
            language = lines[start - 1].removeprefix(fence).strip()
            inside = "\n".join(lines[start : number - 1]) + "\n"
            exempt = re.match(r"<!-- not run: .+ -->$", before) is not None
            yield Block(start, language, inside, exempt)
            fence = ""


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines outside blocks and tables, with their numbers."""
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        mark = re.match(r"`{3,}", line)
        if mark:
            fence = "" if fence else mark[0]
        elif not fence and not line.startswith("|"):
            yield number, line


def commands(block: Block) -> Iterator[Command]:
    """Yield the commands of a `console` block with their output."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        while line.endswith("\\"):
            more, _, output = output.partition("\n")
            line = line[:-1] + more.lstrip("> ")
        yield Command(line, output)


def saved_files(text: str) -> dict[str, str]:
    """Return the `python` blocks that the reader is asked to save, by file name."""
    found = {}
    lines = text.splitlines()
    for block in blocks(text):
        if block.language == "python":
            end = block.line + len(block.text.splitlines()) + 1
            below = " ".join(lines[end : end + 4])
            if name := re.search(r"[Ss]ave it as `([\w.]+)`", below):
                found[name[1]] = block.text
    return found


def shell_lines(block: Block) -> Iterator[str]:
    """Yield the commands of a `sh` block, continued lines joined."""
    joined = block.text.replace("\\\n", " ")
    for line in joined.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def is_match(expected: str, printed: str) -> bool:
    """Tell whether a text is what a document says, `...` standing for anything.

    Lengths of blanks and blank lines at the ends do not matter.
    """
    parts = re.split(r"\.\.\.", expected)
    patterns = [r"\s+".join(map(re.escape, part.split())) for part in parts]
    pattern = r"\s*" + r"\s*.*?\s*".join(patterns) + r"\s*"
    return re.fullmatch(pattern, printed, flags=re.DOTALL) is not None


def anchors(text: str) -> set[str]:
    """Return the names under which a document's headings can be linked to."""
    found = set()
    for _, line in prose(text):
        if heading := re.match(r"#+ (.*)", line):
            words = re.sub(r"[^\w\- ]", "", heading[1].strip().lower())
            found.add(words.replace(" ", "-"))
    return found
