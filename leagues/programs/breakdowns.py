"""Breakdowns: games of a run that broke down, and when each may begin again."""

import logging
from collections import Counter
from typing import Final

from arena.logs import Event
from arena.record import Record, write_record
from leagues.running.progress import StuckGame
from leagues.seeds import RETRIES_MAX
from leagues.storage.store import Store

__all__ = ["VOIDS_MAX", "Breakdowns", "keep_void", "was_begun"]

log = logging.getLogger("leagues.running.runner")

VOIDS_MAX: Final = 10
"""How often a game may break down in a run before it is set aside."""
_PAUSE_SECONDS: Final = 0.05
_PAUSE_SECONDS_MAX: Final = 5.0


class Breakdowns:
    """How often each game of a run was begun in vain, and which were set aside."""

    def __init__(self) -> None:
        self.voids = 0
        """Games of this run that broke down after their first answer."""
        self.stuck: list[StuckGame] = []
        self.retries: Counter[int] = Counter()
        """How often each game was begun before in this run."""
        self._counts: Counter[int] = Counter()

    @property
    def set_aside(self) -> frozenset[int]:
        """The games that are not begun again in this run."""
        return frozenset(game.number for game in self.stuck)

    def note(self, number: int, reason: str, *, record: Record | None) -> float | None:
        """Take note of a game that broke down.

        Args:
            number: Its number.
            reason: Why it did.
            record: What was played of it; `None` where that can't be told.

        Returns:
            How many seconds it waits before it may begin again, since begun at once
            it would most likely break down again; `None` when it is set aside.
        """
        retry = self.retries[number]
        self.retries[number] += 1
        if record is None or was_begun(record):
            self.voids += 1
            self._counts[number] += 1
        if self._counts[number] >= VOIDS_MAX or retry >= RETRIES_MAX:
            self.stuck.append(StuckGame(number, reason))
            return None
        return float(min(_PAUSE_SECONDS * 2 ** min(retry, 10), _PAUSE_SECONDS_MAX))


def was_begun(record: Record) -> bool:
    """Tell whether a void game has come to any answer."""
    return any(deal.plays or any(deal.passes) for deal in record.deals)


def keep_void(store: Store, name: str, record: Record) -> None:
    """Keep what was played of a void game, for whoever asks why it broke down."""
    directory = store.directory / "void"
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
        (directory / name).write_text(write_record(record) + "\n", encoding="ascii")
    except OSError as error:
        log.warning(Event("not kept", file=name, why=error.strerror))
