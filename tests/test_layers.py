"""The layers of the house, enforced from what each module imports.

`tests/layers.py` has the table.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

import pytest

from tests.layers import (
    HEARTS_USERS,
    IMPURE_CALLS,
    IMPURE_MODULES,
    LAYERS,
    PURE_LEAGUE_MODULES,
    SANS_IO_LAYERS,
    SDK_LIBRARIES,
    SDK_OPTIONS,
    TRIO_LAYERS,
)
from tests.sources import Source, imports, python_sources


def layer_index(module: str) -> int | None:
    """Return the place of a module in `LAYERS`; `None` when it has none."""
    for index, (_, patterns) in enumerate(LAYERS):
        if any(fnmatchcase(module, pattern) for pattern in patterns):
            return index
    return None


def is_in(module: str, package: str) -> bool:
    """Tell whether a module is a package or lies in it."""
    return module == package or module.startswith(package + ".")


def upward_imports(source: Source) -> Iterator[str]:
    """Find modules without a layer, and imports of a higher one."""
    if source.path.endswith("__init__.py"):
        yield from (
            f"{source.path}:{line}: a package's __init__ imports {name}"
            for line, name in imports(source)
            if is_in(name, "arena") or is_in(name, "leagues")
        )
        return
    own = layer_index(source.module)
    if own is None:
        yield f"{source.path}: has no layer yet; enter it in tests/layers.py"
        return
    for line, name in imports(source):
        other = layer_index(name)
        if other is not None and other > own:
            yield (
                f"{source.path}:{line}: {LAYERS[own][0]} imports {name}, "
                f"which is above it ({LAYERS[other][0]})"
            )


def crossing_imports(source: Source) -> Iterator[str]:
    """Find imports of `leagues` in `arena` below its entry point."""
    if is_in(source.module, "arena") and source.module != "arena.__main__":
        for line, name in imports(source):
            if is_in(name, "leagues"):
                yield f"{source.path}:{line}: arena imports {name}"


def sdk_imports(source: Source) -> Iterator[str]:
    """Find what of the SDK a module of the arena knows without need."""
    allowed: tuple[str, ...] = ()
    for pattern, packages in HEARTS_USERS.items():
        if fnmatchcase(source.module, pattern):
            allowed = packages
    for line, name in imports(source):
        if is_in(name, "hearts") and not any(
            is_in(name, package) or is_in(package, name) for package in allowed
        ):
            yield f"{source.path}:{line}: imports {name}"


def foreign_imports(source: Source) -> Iterator[str]:
    """Find what the SDK imports beyond itself and the base install."""
    known = sys.stdlib_module_names | SDK_LIBRARIES | {"hearts"}
    for line, name in imports(source):
        if name.partition(".")[0] in known or (source.path, name) in SDK_OPTIONS:
            continue
        yield f"{source.path}:{line}: the SDK imports {name}"


def house_imports(source: Source) -> Iterator[str]:
    """Find randomness, clocks and networks in the house bots' policies."""
    for line, name in imports(source):
        root = name.partition(".")[0]
        if root in IMPURE_MODULES - {"sys"} or root in SDK_LIBRARIES:
            yield f"{source.path}:{line}: a house bot imports {name}"


def impurities(source: Source) -> Iterator[str]:
    """Find IO, clocks, chance and logs in a module that must have none."""
    for line, name in imports(source):
        if name.partition(".")[0] in IMPURE_MODULES:
            yield f"{source.path}:{line}: a pure module imports {name}"
    for node in ast.walk(source.tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in IMPURE_CALLS
        ):
            yield f"{source.path}:{node.lineno}: a pure module calls {node.func.id}"


def event_loops(source: Source) -> Iterator[str]:
    """Find asyncio and gRPC outside the edge, and trio where nothing may wait."""
    own = layer_index(source.module)
    layer = "" if own is None else LAYERS[own][0]
    for line, name in imports(source):
        root = name.partition(".")[0]
        if root in {"asyncio", "grpc"} and layer != "edge":
            yield f"{source.path}:{line}: imports {name}; the edge alone may"
        if root == "asyncio" and layer == "edge" and "edge" not in source.path:
            yield f"{source.path}:{line}: imports {name} beside the edge"
    if layer not in TRIO_LAYERS:
        for line, name in imports(source):
            if is_in(name, "trio"):
                yield f"{source.path}:{line}: imports {name}; nothing waits here"


def _modules(*packages: str) -> list[Source]:
    return [
        source
        for source in python_sources()
        if any(is_in(source.module, package) for package in packages)
    ]


def _pure_modules() -> list[Source]:
    patterns = [pattern for _, layer in SANS_IO_LAYERS for pattern in layer]
    patterns += PURE_LEAGUE_MODULES
    return [
        source
        for source in _modules("arena", "leagues")
        if any(fnmatchcase(source.module, pattern) for pattern in patterns)
    ]


def _problems(check: Callable[[Source], Iterator[str]], modules: list[Source]) -> str:
    assert modules, "the check looks at nothing"
    return "\n".join(problem for source in modules for problem in check(source))


def test_no_module_imports_a_higher_layer() -> None:
    """Every module has a layer and imports only its own and lower ones."""
    assert "" == _problems(upward_imports, _modules("arena", "leagues"))


def test_the_arena_does_not_know_leagues() -> None:
    """Only the arena's entry point imports leagues."""
    assert "" == _problems(crossing_imports, _modules("arena"))


def test_the_arena_knows_little_of_the_sdk() -> None:
    """The arena takes the generated messages from `hearts` and hardly more."""
    assert "" == _problems(sdk_imports, _modules("arena", "leagues"))


def test_the_sdk_stands_alone() -> None:
    """The SDK imports only itself, the standard library, grpc, protobuf and options."""
    assert "" == _problems(foreign_imports, _modules("hearts"))


def test_house_bots_are_pure() -> None:
    """A house bot has no clock, no network and no chance but the turn's own."""
    modules = [
        source
        for source in _modules("hearts.house")
        if not source.path.endswith("__main__.py")
    ]

    assert "" == _problems(house_imports, modules)


def test_everything_up_to_the_host_is_pure() -> None:
    """From cards to host, and in the pure half of leagues, there is no IO."""
    assert "" == _problems(impurities, _pure_modules())


def test_event_loops_stay_in_their_place() -> None:
    """Only the edge knows asyncio and gRPC; below the server nothing knows trio."""
    assert "" == _problems(event_loops, _modules("arena", "leagues"))


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (upward_imports, "arena/cards.py", "from arena import deal"),
        (upward_imports, "arena/table.py", "def f():\n    import arena.host"),
        (upward_imports, "arena/edge.py", "from arena.server import open_server"),
        (upward_imports, "leagues/rating/fit.py", "from leagues.results import x"),
        (upward_imports, "arena/newcomer.py", ""),
        (upward_imports, "arena/__init__.py", "from arena.cards import parse_card"),
        (crossing_imports, "arena/server.py", "import leagues.storage.store"),
        (crossing_imports, "arena/commands/play.py", "from leagues import config"),
        (sdk_imports, "arena/deal.py", "from hearts.arena.v1 import cards_pb2"),
        (sdk_imports, "arena/wire.py", "from hearts.bot import Bot"),
        (foreign_imports, "clients/python/hearts/turn.py", "import arena.cards"),
        (foreign_imports, "clients/python/hearts/turn.py", "import trio"),
        (house_imports, "clients/python/hearts/house/lowest.py", "import random"),
        (house_imports, "clients/python/hearts/house/lowest.py", "import time"),
        (impurities, "arena/host.py", "import time"),
        (impurities, "arena/game.py", "from random import shuffle"),
        (impurities, "arena/table.py", "import logging"),
        (impurities, "leagues/config.py", "x = open('league.toml')"),
        (event_loops, "arena/server.py", "import asyncio"),
        (event_loops, "leagues/running/runner.py", "from grpc import aio"),
        (event_loops, "arena/status.py", "import asyncio"),
        (event_loops, "arena/host.py", "import trio"),
        (event_loops, "leagues/storage/store.py", "from trio import to_thread"),
    ],
)
def test_each_check_can_fail(
    check: Callable[[Source], Iterator[str]], path: str, text: str
) -> None:
    """Every check of the layers finds what it is there to find."""
    assert 1 == len({problem.split(":")[1] for problem in check(Source(path, text))})


def test_good_modules_pass() -> None:
    """What the layers allow is not reported."""
    edge = Source("arena/edge.py", "import asyncio\nfrom arena import host, wire")
    entry = Source("arena/__main__.py", "import leagues.commands\nimport trio")

    problems = [
        problem
        for check in (upward_imports, crossing_imports, sdk_imports, event_loops)
        for source in (edge, entry)
        for problem in check(source)
    ]

    assert [] == problems
