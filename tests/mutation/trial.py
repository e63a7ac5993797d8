"""
A trial: the engine's tests against one mutant, in a process of its own.

A process is forked for each trial, with all loaded that no mutant changes; there the
changed module takes the place of the real one before anything imports it. Quick
checks come first, since most mutants die of them.
"""

import importlib
import os
import random
import resource
import signal
import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

import hypothesis
import pytest

import arena
from tests.reference import game, perft
from tests.sources import ROOT

__all__ = ["MODULES", "start"]

MODULES = (
    "arena.deal",
    "arena.double_deal",
    "arena.history",
    "arena.scoring",
    "arena.rules",
    "arena.presets",
)
"""The modules that are changed."""

TESTS = (
    "test_deal.py",
    "test_double_deal.py",
    "test_engine_edges.py",
    "test_scoring.py",
    "test_statements_play.py",
    "test_statements_scoring.py",
    "test_statements_variants.py",
    "test_scenarios.py",
    "test_game.py",
    "test_rules.py",
    "test_differential.py",
    "test_laws.py",
    "test_perft.py",
)
"""The tests of the engine, the fastest first."""

QUICK_SECONDS = 8
"""How long the quick checks may compute; a mutant may go round in circles."""
TESTS_SECONDS = 80
MEMORY_MAX = 4 << 30

LOADED = (hypothesis, pytest, game, perft)
"""What is worth loading only once."""


def start(module: str, source: str) -> int:
    """Start a trial and return its process, which ends with 0 if nothing is wrong."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        signal.setitimer(signal.ITIMER_PROF, QUICK_SECONDS)
        replace_module(module, source)
        quick_checks()
        signal.setitimer(signal.ITIMER_PROF, TESTS_SECONDS)
        status = int(pytest.main(_arguments()))
    finally:
        # Whatever a mutant raises, this process must not go on as its parent.
        os._exit(status)


def _arguments() -> list[str]:
    paths = [ROOT / "tests" / name for name in TESTS]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain"]
    options += ["--games", "1", "--perft-lines", "300"]
    return [*options, *(str(path) for path in paths if path.exists())]


def replace_module(name: str, source: str) -> None:
    """Load a module from a text instead of its file."""
    assert name not in sys.modules, f"{name} is loaded already"
    path = Path(ROOT, *name.split(".")).with_suffix(".py")
    module = module_from_spec(ModuleSpec(name, None, origin=str(path)))
    module.__file__ = str(path)
    sys.modules[name] = module
    setattr(arena, name.rpartition(".")[2], module)
    exec(compile(source, str(path), "exec"), module.__dict__)


def quick_checks() -> None:
    """Play a little under all kinds of rules, along with the reference engine."""
    perft_of = importlib.import_module("arena.perft")
    differential = importlib.import_module("tests.differential")
    preset = importlib.import_module("arena.rules").preset
    for name in ("arena_4", "party_5", "cancellation_6", "option_opening_any"):
        text = (perft.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
        for position in perft_of.read_perft(text.splitlines()):
            plays = position.expected.keys() - {perft_of.PASS}
            found = perft_of.counts(position, min(len(plays), 5))
            assert found.items() <= position.expected.items()
    for name in ("arena", "standard", "omnibus_parlor", "cancellation", "black_maria"):
        differential.compare_game(preset(name), name, deals_max=4)
    for seed in range(15):
        chance = random.Random(f"wild {seed}")
        differential.compare_game(differential.wild_rules(chance), seed, deals_max=2)
