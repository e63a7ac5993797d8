"""How calls that block are run beside the tasks."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

import trio

__all__ = ["InThread"]

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class InThread(Protocol):
    """Runs a call that blocks beside the tasks, as `trio.to_thread.run_sync` does."""

    async def __call__(
        self,
        call: Callable[[*Arguments], Result],
        /,
        *arguments: *Arguments,
        limiter: trio.CapacityLimiter | None = None,
    ) -> Result: ...
