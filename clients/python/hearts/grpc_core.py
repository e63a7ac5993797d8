"""
What the core of gRPC is told before it starts.

The core reads environment variables once, when the module `grpc` is imported, and no
import sorter lets that wait: so the package `hearts` begins with this. What the
environment says already stays.
"""

import os
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Final

TESTED: Final = ((1, 62), (1, 85))
"""The first and the last minor version of grpcio that the setting below is for."""
EXPERIMENTS: Final = "GRPC_EXPERIMENTS"

# Otherwise the core itself writes a line to the terminal about each lost connection,
# and each handshake that fails.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def lean_core(release: str) -> str:
    """
    Give the setting that makes clients and servers lean, for a release of grpcio.

    Newer cores hand everything that is read and written to threads of their own. For
    a bot that is a third more processor time, and 80 µs for a lone turn; for the
    arena a tenth with many tables, and a fifth with one. A release that nobody has
    tried gets no setting: it may know of none.
    """
    minor = tuple(map(int, release.split(".")[:2]))
    first, last = TESTED
    if not first <= minor <= last:
        return ""
    return "-event_engine_client,-event_engine_listener"


def _release() -> str:
    try:
        return version("grpcio")
    except PackageNotFoundError:
        return "0.0"


SETTING: Final = "" if EXPERIMENTS in os.environ else lean_core(_release())
"""What this process was told here; empty where the environment had its own."""
if SETTING:
    os.environ[EXPERIMENTS] = SETTING


def without_setting(environment: Mapping[str, str]) -> dict[str, str]:
    """Leave out what was told here: another program may have another grpcio."""
    told = (EXPERIMENTS, SETTING)
    return dict(pair for pair in environment.items() if pair != told)
