"""The edge's event loop: uvloop where it is installed, else asyncio's own.

A turn of a lone table takes about 20 µs less with it (409 and 386 µs with two cores),
and a busy arena plays some percent more turns.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

_new_loop: Callable[[], asyncio.AbstractEventLoop] | None
try:
    import uvloop
except ImportError:  # On Windows there is none.
    _new_loop = None
else:
    _new_loop = uvloop.new_event_loop


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end in a loop of its own."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(main)
