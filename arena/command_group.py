"""The group of all commands: it says what is wrong in the words of the command line."""

from typing import Any, Final

import typer
from typer.core import TyperGroup

__all__ = ["Commands"]

_PREFIX: Final = "Value error, "
"""What the library that reads values puts before each complaint."""


class Commands(TyperGroup):
    """All commands."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a value that it can't take is told plainly."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix(_PREFIX)
            raise
