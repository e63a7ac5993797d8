"""The form of the sources: lengths, names, docstrings, and what is banned.

Each check is a function from one file to a list of complaints. The tests below
apply it to all files, and feed it a bad sample to show that it can complain.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

import pytest

from tests.sources import ROOT, Source, imports, python_sources, sources

BODY_LINES_MAX = 40
LINE_LENGTH_MAX = 88
SCRIPT_LINE_LENGTH_MAX = 120
"""What JavaScript may have, whose people are used to more."""
FILE_LINES_MAX = 500

LONG_FILES: dict[str, int] = {}
"""Files that may be longer than `FILE_LINES_MAX`, and how long. A ratchet: lower
the number when a file shrinks, and let nothing in without a reason beside it."""

SOURCE_SUFFIXES = (".py", ".proto", ".js", ".mjs", ".sh", ".toml")

BANNED_WORDS = {
    "common": "the noun it is about",
    "handler": "what it does",
    "helper": "what it does",
    "helpers": "what they do",
    "manager": "what it holds or does",
    "misc": "the noun it is about",
    "util": "the noun it is about",
    "utils": "the noun it is about",
}
"""Words that say nothing in a name, and what to say instead."""

CATCH_ALL_PLACES = {
    "arena/floor.py": "one broken table must not hurt the others",
    "arena/edge*.py": "no exception text may reach a client",
    "arena/server.py": "a table without a record is void and hurts no other",
    "arena/__main__.py": "people get one line, not a traceback",
    "clients/python/hearts/*.py": "a bot that raises costs an answer, not the process",
}
"""Where `except Exception` may stand, with the reason."""

PRINTING_PLACES = (
    "arena/__main__.py",
    "arena/commands/*.py",
    "leagues/commands/*.py",
    "clients/python/hearts/*__main__.py",
    "clients/python/hearts/bridge*.py",
    "clients/python/examples/*.py",
    "clients/python/conformance/*.py",
    "tests/*",
)
"""Where `print` may stand: all the rest is a library."""


def functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield every function of a file, the nested ones too."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def long_bodies(source: Source) -> Iterator[str]:
    """Find functions whose body, without its docstring, is too long."""
    for function in functions(source):
        body = function.body
        if ast.get_docstring(function) is not None and len(body) > 1:
            body = body[1:]
        count = (body[-1].end_lineno or 0) - body[0].lineno + 1
        if count > BODY_LINES_MAX:
            yield f"{source.path}:{function.lineno}: {function.name}: {count} lines"


def long_lines(source: Source) -> Iterator[str]:
    """Find lines that are too long, but for what they say to a tool at the end."""
    if source.path.endswith(SOURCE_SUFFIXES):
        is_script = source.path.endswith(("js", ".mjs"))
        most = SCRIPT_LINE_LENGTH_MAX if is_script else LINE_LENGTH_MAX
        for number, line in enumerate(source.text.splitlines(), start=1):
            if len(re.sub(r"  # (type: ignore|noqa).*", "", line)) > most:
                yield f"{source.path}:{number}: {len(line)} characters"


def untidy_ends(source: Source) -> Iterator[str]:
    """Find blanks at the ends of lines, tabs, and files without a last newline."""
    if source.path.startswith("tests/golden/"):
        return
    for number, line in enumerate(source.text.splitlines(), start=1):
        if line != line.rstrip():
            yield f"{source.path}:{number}: blanks at the end of the line"
        if "\t" in line and source.path != "Makefile":
            yield f"{source.path}:{number}: a tab"
    if source.text and not source.text.endswith("\n"):
        yield f"{source.path}: no newline at the end"


def long_files(source: Source) -> Iterator[str]:
    """Find files that hold more than one subject can need."""
    if source.path.endswith(SOURCE_SUFFIXES):
        count = len(source.text.splitlines())
        if count > LONG_FILES.get(source.path, FILE_LINES_MAX):
            yield f"{source.path}: {count} lines"


def empty_names(source: Source) -> Iterator[str]:
    """Find names of modules, classes and functions that say nothing."""
    named = [(1, source.module.rpartition(".")[2])]
    named += [
        (node.lineno, node.name)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    for line, name in named:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
        for word in BANNED_WORDS.keys() & set(words):
            yield f"{source.path}:{line}: {name}: name {BANNED_WORDS[word]}"


def catch_alls(source: Source) -> Iterator[str]:
    """Find `except Exception` outside the few places that need it.

    Cleaning up and raising on is no catching.
    """
    if any(fnmatchcase(source.path, place) for place in CATCH_ALL_PLACES):
        return
    if source.path.startswith("tests/"):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = "" if node.type is None else ast.unparse(node.type)
            last = node.body[-1]
            if isinstance(last, ast.Raise) and last.exc is None:
                continue
            if caught == "" or re.search(r"\b(Base)?Exception\b", caught):
                yield f"{source.path}:{node.lineno}: catches everything"


def prints(source: Source) -> Iterator[str]:
    """Find `print` in a library."""
    if any(fnmatchcase(source.path, place) for place in PRINTING_PLACES):
        return
    for node in ast.walk(source.tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
        ):
            yield f"{source.path}:{node.lineno}: prints"


def relative_imports(source: Source) -> Iterator[str]:
    """Find imports that start with a dot."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            yield f"{source.path}:{node.lineno}: a relative import"


def mocks(source: Source) -> Iterator[str]:
    """Find mocks: a test that needs one tests the wrong border."""
    for line, name in imports(source):
        if name == "unittest.mock":
            yield f"{source.path}:{line}: imports {name}"


def silent_modules(source: Source) -> Iterator[str]:
    """Find modules that do not say what they are."""
    if not source.text.strip():
        return
    docstring = ast.get_docstring(source.tree)
    if docstring is None:
        yield f"{source.path}: no docstring"
    elif "." not in docstring.partition("\n\n")[0]:
        yield f"{source.path}: the docstring's first paragraph is no sentence"


def unsaid_tests(source: Source) -> Iterator[str]:
    """Find tests whose docstring is not the one sentence that they prove."""
    if not re.search(r"(^|/)test_[^/]*\.py$", source.path):
        return
    for function in functions(source):
        if not function.name.startswith("test_"):
            continue
        words = " ".join((ast.get_docstring(function) or "").split())
        if not words:
            yield f"{source.path}:{function.lineno}: {function.name}: no docstring"
        elif not words.endswith(".") or re.search(r"[.!?] [A-Z]", words):
            yield f"{source.path}:{function.lineno}: {function.name}: not one sentence"


def machine_paths(source: Source) -> Iterator[str]:
    """Find paths that exist on one machine only."""
    pattern = r"(?<![\w./:-])/(?:Users|home|mnt|opt|root|tmp|work)/"
    for number, line in enumerate(source.text.splitlines(), start=1):
        if re.search(pattern, line):
            yield f"{source.path}:{number}: a path of one machine"


def missing_documents(source: Source) -> Iterator[str]:
    """Find names of Markdown files that the project does not have."""
    for number, line in enumerate(source.text.splitlines(), start=1):
        for path in re.findall(r"(?<![\w*{}])([\w./-]+\.md)\b", line):
            name = path.rpartition("/")[2]
            if not any(ROOT.glob(name)) and not _document_exists(name):
                yield f"{source.path}:{number}: {path} does not exist"


def _document_exists(name: str) -> bool:
    folders = ("docs", "clients", "tests", "leagues", "arena", "proto")
    return any(
        "node_modules" not in path.parts
        for folder in folders
        for path in (ROOT / folder).rglob(name)
    )


PYTHON_CHECKS = [
    long_bodies,
    empty_names,
    catch_alls,
    prints,
    relative_imports,
    mocks,
    silent_modules,
    unsaid_tests,
]
TEXT_CHECKS = [long_lines, long_files, untidy_ends, machine_paths, missing_documents]

Check = Callable[[Source], Iterator[str]]


@pytest.mark.parametrize("check", PYTHON_CHECKS)
def test_python_is_tidy(check: Check) -> None:
    """No Python file breaks the rule."""
    problems = [problem for source in python_sources() for problem in check(source)]

    assert "" == "\n".join(problems)


@pytest.mark.parametrize("check", TEXT_CHECKS)
def test_text_is_tidy(check: Check) -> None:
    """No file that people wrote breaks the rule."""
    problems = [problem for source in sources() for problem in check(source)]

    assert "" == "\n".join(problems)


def test_all_places_with_privileges_exist() -> None:
    """No exception outlives the file that it was made for."""
    paths = [source.path for source in sources()]

    assert [] == [path for path in LONG_FILES if path not in paths]


LONG_BODY = "def f():\n" + "    x = 1\n" * 41
HOME = "/ho" + "me/ada/"

BAD_SAMPLES: list[tuple[Check, str, str]] = [
    (long_bodies, "arena/deal.py", LONG_BODY),
    (
        long_bodies,
        "arena/deal.py",
        f"class A:\n    async {LONG_BODY.strip()}".replace("\n    x", "\n        x"),
    ),
    (empty_names, "arena/utils.py", '"""A."""\n'),
    (empty_names, "arena/deal.py", "class GameManager: ...\n"),
    (empty_names, "arena/deal.py", "def deal_helper(): ...\n"),
    (catch_alls, "arena/deal.py", "try: f()\nexcept Exception: ...\n"),
    (catch_alls, "arena/deal.py", "try: f()\nexcept (OSError, BaseException): ...\n"),
    (catch_alls, "arena/deal.py", "try: f()\nexcept: ...\n"),
    (prints, "arena/server.py", "print(1)\n"),
    (prints, "leagues/storage/store.py", "def f():\n    print(1)\n"),
    (relative_imports, "arena/deal.py", "from . import cards\n"),
    (mocks, "tests/test_deal.py", "from unittest import mock\n"),
    (mocks, "tests/test_deal.py", "import unittest.mock\n"),
    (silent_modules, "arena/deal.py", "x = 1\n"),
    (silent_modules, "arena/deal.py", '"""Deal"""\n'),
    (unsaid_tests, "tests/test_deal.py", "def test_a(): ...\n"),
    (unsaid_tests, "tests/test_deal.py", 'def test_a():\n    """It works"""\n'),
    (unsaid_tests, "tests/test_deal.py", 'def test_a():\n    """One. Two."""\n'),
    (long_lines, "arena/deal.py", "x" * 89 + "\n"),
    (long_lines, "proto/hearts/arena/v1/game.proto", "x" * 89 + "\n"),
    (long_files, "arena/deal.py", "x\n" * 501),
    (untidy_ends, "README.md", "x \n"),
    (untidy_ends, "arena/deal.py", "x"),
    (untidy_ends, "arena/deal.py", "\tx\n"),
    (machine_paths, "README.md", f"see {HOME}notes\n"),
    (machine_paths, "arena/deal.py", f"PATH = '{HOME}x'\n"),
    (missing_documents, "arena/deal.py", "# see nowhere" + ".md\n"),
]


@pytest.mark.parametrize(("check", "path", "text"), BAD_SAMPLES)
def test_each_check_can_fail(check: Check, path: str, text: str) -> None:
    """Every check of form complains about its bad samples."""
    assert 1 == len(list(check(Source(path, text))))


def test_every_check_has_a_bad_sample() -> None:
    """No check is left that has never been seen to fail."""
    assert {*PYTHON_CHECKS, *TEXT_CHECKS} == {check for check, _, _ in BAD_SAMPLES}


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (long_bodies, "arena/deal.py", "def f():\n" + "    x = 1\n" * 40),
        (catch_alls, "arena/floor.py", "try: f()\nexcept Exception: ...\n"),
        (catch_alls, "arena/deal.py", "try: f()\nexcept ValueError: ...\n"),
        (catch_alls, "arena/deal.py", "try: f()\nexcept BaseException: raise\n"),
        (prints, "arena/commands/play.py", "print(1)\n"),
        (machine_paths, "README.md", "https://example.org/home/x\n"),
        (missing_documents, "arena/deal.py", "# see README.md\n"),
        (unsaid_tests, "tests/test_a.py", 'def test_a():\n    """E.g. a 2.5."""\n'),
    ],
)
def test_good_samples_pass(check: Check, path: str, text: str) -> None:
    """No check of form complains about what is right."""
    assert [] == list(check(Source(path, text)))
