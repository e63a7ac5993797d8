"""How calls that block are run beside the tasks."""

from collections.abc import Callable
from typing import Protocol, TypeVar, TypeVarTuple

import trio

__all__ = ["InThread", "explained"]

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


def explained(
    group: ExceptionGroup[Exception], *kinds: type[Exception]
) -> Exception | None:
    """Return the only error of a group that was raised by tasks beside each other.

    Args:
        group: The group.
        kinds: The errors whose text says what to do.

    Returns:
        The error; `None` when there are others.
    """
    found, others = group.split(kinds)
    error: Exception | None = None if others else found
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
