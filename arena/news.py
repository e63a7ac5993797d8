"""News: what bots are told beside their turns, as the wire sends it in notices."""

from dataclasses import dataclass

from arena.game import DealResult
from arena.table import Table


@dataclass(eq=False, slots=True)
class DealNews:
    """A deal ended; `index` counts the deals of the table from 0."""

    table: Table
    index: int
    result: DealResult
    encoded: bytes = b""
    """What the wire has made of it, which is the same for all seats."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """A game ended, or became void."""

    table: Table
    seat: int


@dataclass(frozen=True, slots=True)
class StatusNews:
    """What an idle bot waits for."""

    message: str
    waiting_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DrainNews:
    """The arena is going away."""

    reconnect_after_ms: int
    message: str


News = DealNews | GameNews | StatusNews | DrainNews
