"""The documents: their code runs, their links lead somewhere, nothing is left out.

What the kinds of code blocks mean is told in `tests/documents.py`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

import hearts
import hearts.local
from arena.__main__ import _application
from leagues import config, entrants
from leagues.config import ConfigError, parse_league
from tests.documents import (
    Block,
    anchors,
    blocks,
    commands,
    document_paths,
    is_match,
    prose,
    read_document,
    saved_files,
    shell_lines,
)
from tests.sources import ROOT

README_LINES_MAX = 150
BOT_LINE_MAX = 12
BOT_LINES_MAX = 10
CHANGES = ["Security", "Removed", "Deprecated", "Added", "Changed", "Fixed"]
COMMAND_SECONDS_MAX = 60

SAMPLE = "docs/README.md"
"""Where the bad samples pretend to stand."""

Check = Callable[[str, str], Iterator[str]]


def command_tree() -> dict[str, Any]:
    """Return every command of `arena` by its full name."""
    # `Any` stands for click's commands: typer brings them under changing names.
    found: dict[str, Any] = {}
    pending: list[tuple[str, Any]] = [("arena", typer.main.get_command(_application()))]
    while pending:
        name, command = pending.pop()
        inside = getattr(command, "commands", None)
        if inside is None:
            found[name] = command
        else:
            pending += [(f"{name} {key}", part) for key, part in inside.items()]
    return found


def unknown_commands(path: str, text: str) -> Iterator[str]:
    """Find commands and options in `sh` blocks that do not exist."""
    tree = command_tree()
    for block in blocks(text):
        if block.language == "sh" and not block.is_exempt:
            for line in shell_lines(block):
                for problem in _problems_of(line, tree):
                    yield f"{path}:{block.line}: {line}: {problem}"


def _problems_of(line: str, tree: dict[str, Any]) -> Iterator[str]:
    words = shlex.split(line, comments=True)
    while words and re.match(r"\w+=", words[0]):
        words = words[1:]
    if words[:1] == ["make"]:
        targets = re.findall(r"^(\w+):", read_document("Makefile"), re.MULTILINE)
        yield from (
            f"no target {word}"
            for word in words[1:]
            if "=" not in word and word not in targets
        )
    if words[:1] == ["arena"] and words[1:2] != ["--version"]:
        name = next((n for n in tree if words[: len(n.split())] == n.split()), None)
        if name is None:
            yield "no such command"
            return
        known = {o for p in tree[name].params for o in (*p.opts, *p.secondary_opts)}
        own = words[: words.index("--")] if "--" in words else words
        for word in own:
            option = word.partition("=")[0]
            if re.match(r"--?[a-z]", word) and option not in {*known, "--help"}:
                yield f"no option {option}"


def wrong_leagues(path: str, text: str) -> Iterator[str]:
    """Find league files among the `toml` blocks that no league would take."""
    for block in blocks(text):
        if block.language == "toml" and not block.is_exempt:
            try:
                parse_league(block.text, file=f"{path}:{block.line}")
            except ConfigError as error:
                yield f"{path}:{block.line}: {error}"


def broken_links(path: str, text: str) -> Iterator[str]:
    """Find links to files and headings that do not exist."""
    for number, line in prose(text):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"https?:|mailto:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (ROOT / path).parent / file if file else ROOT / path
            if not there.exists():
                yield f"{path}:{number}: {target} does not exist"
            elif anchor and anchor not in anchors(there.read_text(encoding="utf-8")):
                yield f"{path}:{number}: {target}: no such heading"


def crowded_lines(path: str, text: str) -> Iterator[str]:
    """Find lines with more than one sentence: a diff shall show what changed."""
    for number, line in prose(text):
        plain = re.sub(r"`[^`]*`", "x", line)
        if re.search(r"[a-z)*][.!?] +[A-Z*\[`]", plain):
            yield f"{path}:{number}: more than one sentence"


def untitled(path: str, text: str) -> Iterator[str]:
    """Find documents that do not have exactly one title, at the top."""
    titles = [number for number, line in prose(text) if line.startswith("# ")]
    if titles != [1]:
        yield f"{path}: titles in lines {titles}, expected one in line 1"


def unfenced(path: str, text: str) -> Iterator[str]:
    """Find code blocks that do not say what language they are in."""
    for block in blocks(text):
        if not block.language:
            yield f"{path}:{block.line}: a block without a language"


def badly_kept_changes(path: str, text: str) -> Iterator[str]:
    """Find what in the changelog is not in the form of Keep a Changelog."""
    if path != "CHANGELOG.md":
        return
    order = -1
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            order = -1
            if not re.fullmatch(
                r"## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)", line
            ):
                yield f"{path}:{number}: {line} is no version with its date"
        elif line.startswith("### "):
            kind = line.removeprefix("### ")
            if kind not in CHANGES:
                yield f"{path}:{number}: {kind} is not one of {', '.join(CHANGES)}"
            elif CHANGES.index(kind) <= order:
                yield f"{path}:{number}: {kind} comes too late"
            else:
                order = CHANGES.index(kind)
        elif line.startswith("- ") and not line.endswith("."):
            yield f"{path}:{number}: not a sentence"


CHECKS: list[Check] = [
    unknown_commands,
    wrong_leagues,
    broken_links,
    crowded_lines,
    untitled,
    unfenced,
    badly_kept_changes,
]


@pytest.mark.parametrize("check", CHECKS)
def test_documents_are_right(check: Check) -> None:
    """No document breaks the rule."""
    problems = [
        problem
        for path in document_paths()
        for problem in check(path, read_document(path))
    ]

    assert "" == "\n".join(problems)


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (unknown_commands, SAMPLE, "```sh\narena fly\n```\n"),
        (unknown_commands, SAMPLE, "```sh\narena league run --flt x\n```\n"),
        (unknown_commands, SAMPLE, "```sh\nA=1 make \\\n  fly\n```\n"),
        (wrong_leagues, SAMPLE, '```toml\nname = "x"\nfun = 1\n```\n'),
        (broken_links, SAMPLE, "[x](nowhere.toml)\n"),
        (broken_links, SAMPLE, "[x](../README.md#nowhere)\n"),
        (crowded_lines, SAMPLE, "This is one. This is two.\n"),
        (untitled, SAMPLE, "Text.\n"),
        (unfenced, SAMPLE, "```\nx\n```\n"),
        (badly_kept_changes, "CHANGELOG.md", "## 1.0\n"),
        (badly_kept_changes, "CHANGELOG.md", "### New\n"),
        (badly_kept_changes, "CHANGELOG.md", "### Added\n\n### Removed\n"),
        (badly_kept_changes, "CHANGELOG.md", "- a thing\n"),
    ],
)
def test_each_check_can_fail(check: Check, path: str, text: str) -> None:
    """Every check of the documents finds what it is there to find."""
    assert 1 == len(list(check(path, text)))


def test_every_command_is_documented_and_has_help() -> None:
    """The documents show every command, and every command says what it does."""
    shown = "\n".join(map(read_document, document_paths()))
    tree = command_tree()

    assert [] == [name for name in tree if not re.search(rf"\b{name}\b", shown)]
    assert [] == [name for name, command in tree.items() if not command.help]


def test_every_key_of_a_league_file_is_documented() -> None:
    """The reference for league hosts names every key."""
    text = read_document("docs/league-hosts.md")
    keys = [*config._LEAGUE_KEYS, *config._TIME_KEYS]
    keys += [*entrants._ENTRANT_KEYS, *entrants._LIMIT_KEYS]

    assert [] == [key for key in keys if not re.search(rf"[`\[]{key}[`\] ]", text)]


def test_the_readme_keeps_its_form() -> None:
    """The README is short and starts with a bot of ten lines at most."""
    text = read_document("README.md")
    bot = next(block for block in blocks(text) if block.language == "python")

    assert len(text.splitlines()) <= README_LINES_MAX
    assert bot.line <= BOT_LINE_MAX
    assert len(bot.text.splitlines()) <= BOT_LINES_MAX


def _play_locally(bot: Callable[[], hearts.Bot], **_: object) -> None:
    hearts.local.play([bot] * 4, deals=1)


def _documents_with(language: str) -> list[str]:
    return [
        path
        for path in document_paths()
        if any(block.language == language for block in blocks(read_document(path)))
    ]


@pytest.mark.parametrize("path", _documents_with("python"))
def test_python_blocks_run(
    path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The Python of a document runs; its bots play a deal in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hearts, "run", _play_locally)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(read_document(path)):
        if block.language == "python" and not block.is_exempt:
            # Line numbers in a traceback are those of the document.
            code = "\n" * block.line + block.text
            exec(compile(code, path, "exec"), names)


def run_blocks(document: list[Block], folder: Path) -> Iterator[str]:
    """Run `console` blocks in a folder; yield what went otherwise than they say."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HEARTS_")}
    environment |= {"PATH": tools, "COLUMNS": "100", "NO_COLOR": "1"}
    for block in document:
        if block.language != "console" or block.is_exempt:
            continue
        for command in commands(block):
            done = subprocess.run(
                ["bash", "-c", command.line],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=COMMAND_SECONDS_MAX,
                check=False,
            )
            if not is_match(command.output, done.stdout):
                yield f"line {block.line}: $ {command.line}\n{done.stdout}"


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.parametrize("path", _documents_with("console"))
def test_console_blocks_run(path: str, tmp_path: Path) -> None:
    """The commands of a document print what it says."""
    text = read_document(path)
    for name, code in saved_files(text).items():
        (tmp_path / name).write_text(code)

    problems = list(run_blocks(list(blocks(text)), tmp_path))

    assert "" == "\n".join(problems)


def test_console_blocks_can_fail(tmp_path: Path) -> None:
    """A command that prints something else is found out."""
    text = "```console\n$ echo a\na\n$ echo b; echo c\nb\n...\n$ echo d\ne\n```\n"

    problems = list(run_blocks(list(blocks(text)), tmp_path))

    assert ["line 1: $ echo d\nd\n"] == problems


@pytest.mark.parametrize(
    ("expected", "printed", "is_same"),
    [
        ("a b\n", "a  b\n\n", True),
        ("a ... c\n", "a b c\n", True),
        ("a\n...\n", "a\n", True),
        ("...\nz\n", "x\ny\nz\n", True),
        ("a.c\n", "abc\n", False),
        ("a\n", "a\nb\n", False),
    ],
)
def test_output_is_compared(expected: str, printed: str, is_same: bool) -> None:
    """Dots stand for anything, blanks for blanks, the rest for itself."""
    assert is_same == is_match(expected, printed)
