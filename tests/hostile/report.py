"""What an arena under attack says of itself, and what the system knows of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.spread import Spread
from tests.benchmarks.programs import Program


@dataclass(frozen=True, slots=True)
class Report:
    """An arena at one moment."""

    values: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def harm(self) -> dict[str, Any]:
        """What must not be there, whatever happens: empty when all is well."""
        names = ("faults", "voids", "error_texts")
        return {name: self.values[name] for name in names if self.values[name]}

    def spread(self, name: str, since: Report | None = None) -> Spread:
        """Return the times of a kind, all or those since an earlier moment."""
        spread = Spread(self.values[name])
        return spread.since(Spread(since.values[name])) if since else spread


def report(arena: Program) -> Report:
    """Ask an arena how it is."""
    return Report(json.loads(arena.ask("report")))


def memory_kb(pid: int) -> int:
    """Return the resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0
