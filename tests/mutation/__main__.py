"""
Runs mutation testing: `python -m tests.mutation [MODULE ...]`.

Prints what no test notices, and ends with 1 unless `equivalent.md` explains all of
it. `--jobs N` is how many trials run at once, `--only TEXT` picks mutants whose
change or place has the text in it, and `--list` only lists them. With `--all` those
in the list are tried as well, to see whether a test notices them after all.
"""

import argparse
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import MODULES, start
from tests.sources import ROOT

EQUIVALENT = Path(__file__).with_name("equivalent.md")


def explained() -> dict[tuple[str, str], str]:
    """Return why each mutant in the list is equivalent, by its module and key."""
    found = {}
    module = ""
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            module = line.removeprefix("## ").strip("` ")
        elif match := re.fullmatch(r"- (\S+: `.*?` → `.*?`): (.+)", line):
            found[module, match[1]] = match[2]
        else:
            assert not line.startswith("-"), f"{EQUIVALENT.name}: {line}"
    return found


def survivors(mutants: Sequence[Mutant], jobs: int) -> Iterator[Mutant]:
    """Try all mutants, and yield those that no test notices."""
    waiting = list(reversed(mutants))
    running: dict[int, Mutant] = {}
    done = 0
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[start(mutant.module, mutant.source)] = mutant
        process, status = os.wait()
        mutant = running.pop(process)
        done += 1
        if done % 50 == 0:
            print(f"{done} of {len(mutants)}", file=sys.stderr, flush=True)
        if status == 0:
            yield mutant


def is_sound(sources: Iterable[tuple[str, str]]) -> bool:
    """Tell whether the tests pass without any change, a condition of all else."""
    module, source = next(iter(sources))
    begun = time.monotonic()
    _, status = os.waitpid(start(module, source), 0)
    print(f"the tests take {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return status == 0


def main() -> int:
    """Run what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    sources = {
        module: Path(ROOT, *module.split(".")).with_suffix(".py").read_text("utf-8")
        for module in options.modules
    }
    mutants = [
        mutant
        for module, source in sources.items()
        for mutant in mutants_of(module, source)
        if options.only in mutant.key
    ]
    if options.list:
        for mutant in mutants:
            print(f"{mutant.module}:{mutant.line}: {mutant.key}")
        return 0
    if not is_sound(sources.items()):
        print("The tests fail without any change; `make test` shows where.")
        return 1
    reasons = {key: why for key, why in explained().items() if options.only in key[1]}
    return report(mutants, reasons, options.jobs, tries_all=options.all)


def report(
    mutants: Sequence[Mutant],
    reasons: Mapping[tuple[str, str], str],
    jobs: int,
    *,
    tries_all: bool,
) -> int:
    """Try the mutants and print what came of it; return the exit code."""
    known = {(mutant.module, mutant.key): mutant for mutant in mutants}
    tried = [m for m in mutants if tries_all or (m.module, m.key) not in reasons]
    alive = {(m.module, m.key) for m in told_survivors(tried, jobs, reasons)}
    unexplained = alive - reasons.keys()
    modules = Counter(mutant.module for mutant in mutants)
    for module, count in modules.items():
        places = [key for key in known if key[0] == module]
        equal = sum(key in reasons for key in places)
        print(f"{module}: {count} mutants, {equal} of them equivalent")
    for module, key in reasons:
        if module in modules and (module, key) not in known:
            print(f"{EQUIVALENT.name}: no such mutant any more: {module}: {key}")
        elif tries_all and (module, key) in known and (module, key) not in alive:
            print(f"{EQUIVALENT.name}: a test notices this: {module}: {key}")
    print(f"{len(unexplained)} not noticed, and not in {EQUIVALENT.name}")
    return 1 if unexplained else 0


def told_survivors(
    mutants: Sequence[Mutant], jobs: int, reasons: Container[tuple[str, str]]
) -> Iterator[Mutant]:
    """Yield the survivors, and print at once those that nothing explains."""
    for mutant in survivors(mutants, jobs):
        if (mutant.module, mutant.key) not in reasons:
            print(f"{mutant.module}:{mutant.line}: {mutant.key}", flush=True)
        yield mutant


if __name__ == "__main__":
    sys.exit(main())
