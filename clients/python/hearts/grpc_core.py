"""
What the core of gRPC is told before it starts.

The core reads environment variables once, when the module `grpc` is imported, and no
import sorter lets that wait: so the package `hearts` begins with this. What the
environment says already stays.
"""

import os
from importlib.metadata import PackageNotFoundError, version
from typing import Final

TESTED: Final = ((1, 62), (1, 85))
"""The first and the last minor version of grpcio that the setting below is for."""

# Otherwise the core itself writes a line to the terminal about each lost connection,
# and each handshake that fails.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def lean_client(release: str) -> str:
    """
    Give the setting that makes a client lean, for a release of grpcio.

    Newer cores hand everything that a client reads and writes to threads of their
    own, which cost it a third more processor time and a lone turn 80 µs. A release
    that nobody has tried gets no setting: it may know of none.
    """
    minor = tuple(map(int, release.split(".")[:2]))
    first, last = TESTED
    return "-event_engine_client" if first <= minor <= last else ""


def _release() -> str:
    try:
        return version("grpcio")
    except PackageNotFoundError:
        return "0.0"


if setting := lean_client(_release()):
    os.environ.setdefault("GRPC_EXPERIMENTS", setting)
