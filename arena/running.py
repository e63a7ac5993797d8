"""A running game: a table with its seats, and what the host reads of an answer."""

from collections.abc import Sequence
from typing import Any, Protocol

from arena.session import Seat
from arena.table import Table


class AnswerMessage(Protocol):
    """What the host reads of an answer; the protocol's message has all of it."""

    @property
    def turn_id(self) -> int: ...
    @property
    def cards(self) -> Sequence[Any]: ...
    @property
    def moon_choice(self) -> Any: ...
    @property
    def think_ms(self) -> int: ...
    @property
    def paused_ms(self) -> int: ...
    @property
    def note(self) -> str: ...


class Running:
    """A table with its seats."""

    __slots__ = ("deals_told", "seats", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats: list[Seat] = []
        self.deals_told = 0
