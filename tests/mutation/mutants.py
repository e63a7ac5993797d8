"""
Mutants: what one small change makes of a module's source.

The changes are mutmut's. Its own way of running them leaves out what has a decorator
or stands outside of functions, which is half of what is here: properties, tables and
defaults. So the changes are applied here, to the whole file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_string


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one small change."""

    module: str
    line: int
    """Where the change is, from 1."""
    scope: str
    """The function or class it is in, `-` outside of any."""
    before: str
    """The lines that are changed, without indentation and on one line."""
    after: str
    """What they become."""
    source: str
    """The whole module after the change."""

    @property
    def key(self) -> str:
        """What names the mutant in the list of equivalent ones."""
        return f"{self.scope}: `{self.before}` → `{self.after}`"


# `Any` stands for the nodes of the tree: the checks run without libcst, too.
def mutants_of(module: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of the source."""
    wrapper: Any = MetadataWrapper(libcst.parse_module(source))
    places = wrapper.resolve(PositionProvider)
    compiled = compile(source, module, "exec")
    seen: set[str] = set()
    for node, scope in _nodes(wrapper.module, ()):
        for changed in _changes(node):
            text = wrapper.module.deep_replace(node, changed).code
            if text in seen or text == source:
                continue
            seen.add(text)
            if _is_code(text, module) and compile(text, module, "exec") != compiled:
                before, after = _changed_lines(source, text)
                place = places.get(node)
                line = place.start.line if place else 0
                name = ".".join(scope) or "-"
                yield Mutant(module, line, name, before, after, text)


def _nodes(node: Any, scope: tuple[str, ...]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield the nodes that may be changed, with the names around them."""
    if isinstance(node, libcst.Annotation | libcst.Decorator | libcst.Import):
        return
    if isinstance(node, libcst.ImportFrom) or _is_for_readers(node):
        return
    yield node, scope
    if isinstance(node, libcst.FunctionDef | libcst.ClassDef):
        scope = (*scope, node.name.value)
    children = [node.test] if isinstance(node, libcst.Assert) else node.children
    for child in children:
        yield from _nodes(child, scope)


def _is_for_readers(node: Any) -> bool:
    """Tell whether it is prose, a list of names or the like: nothing that decides."""
    if isinstance(node, libcst.SimpleString):
        return bool(re.search(r"[a-z,;] [a-z0-9`]+ [a-z]", node.value))
    if isinstance(node, libcst.Call):
        # What is derived is neither shown nor compared.
        words = {arg.keyword.value for arg in node.args if arg.keyword}
        return getattr(node.func, "value", "") == "field" and "init" in words
    if isinstance(node, libcst.Assign):
        target = node.targets[0].target
        return getattr(target, "value", "") in ("__all__", "__slots__")
    return False


def _changes(node: Any) -> Iterator[Any]:
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            changed = iter(operator(node))
            if operator is operator_string:
                # The same text in capitals tells no more than the first change.
                changed = iter([*changed][:1])
            yield from changed


def _is_code(text: str, module: str) -> bool:
    try:
        compile(text, module, "exec")
    except SyntaxError:
        return False
    return True


def _changed_lines(source: str, text: str) -> tuple[str, str]:
    before, after = source.splitlines(), text.splitlines()
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    one, other = (" ".join(map(str.strip, lines)) for lines in (before, after))
    return one, other
