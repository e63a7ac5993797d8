"""What gRPC alone does: echoes a second, and the time from client to client."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.bare_server import CLIENT_COUNT
from tests.benchmarks.figures import Window, intervals_us
from tests.benchmarks.programs import Program, read_stamps

OUTSTANDING_COUNT = 16


def _stamps(mode: str, outstanding_count: int, window: Window) -> list[int]:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, str(number)) for number in range(CLIENT_COUNT)]
        with ExitStack() as programs:
            server = Program("tests.benchmarks.bare_server", mode)
            address = programs.enter_context(server).ready()
            clients = [
                programs.enter_context(
                    Program(
                        "tests.benchmarks.bare_client",
                        address,
                        str(outstanding_count),
                        str(path),
                    )
                )
                for path in paths
            ]
            for client in clients:
                client.ready()
            window.wait()
        stamps = [stamp for path in paths for stamp in read_stamps(path)]
        return window.inside(sorted(stamps))


def echo_per_s(seconds: float) -> float:
    """Measure how many messages a second four clients get echoed."""
    window = Window(seconds)
    return len(_stamps("echo", OUTSTANDING_COUNT, window)) / seconds


def ring_us(seconds: float) -> list[float]:
    """Measure how long one message takes from each client to the next, in µs."""
    return intervals_us(_stamps("ring", 0, Window(seconds)))
