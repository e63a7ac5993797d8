"""The queue: the games of a run that have still to begin, and when each may.

Where games share their deals and programs could remember them, the queue has as many
lives as that takes; see `leagues.programs.lives`.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping

import trio

from arena.logs import Event
from leagues.programs.lives import Lives
from leagues.running.lobby import Lobby
from leagues.storage.league import League

__all__ = ["Queue", "Renew"]

log = logging.getLogger("leagues.running.runner")

Renew = Callable[[], Awaitable[None]]
"""Ends the programs that could remember a deal, and starts them afresh."""


class Queue:
    """The games of one run that wait.

    Args:
        league: The league.
        missing: The games that are to be played.
        begun: The blocks of which a game is finished already.
        renew: Needed where games share their deals; `None` where nobody remembers any.
    """

    def __init__(
        self,
        league: League,
        missing: Iterable[int],
        *,
        begun: Mapping[int, int],
        renew: Renew | None,
    ) -> None:
        self._league = league
        self._renew = renew
        self._lives = Lives(
            league.blocks, missing, begun=begun.keys(), are_many=renew is not None
        )
        self._lobby = self._next_lobby()

    def add(self, numbers: Iterable[int]) -> None:
        """Let more games wait, of which none was begun."""
        if self._lives.are_many:
            self._lives.wait(numbers)
            return
        for number in numbers:
            self._lobby.put_back(number, self._league.seats(number))

    def take(self, free: Mapping[str, int]) -> int | None:
        """Take the first game that can begin now out of the queue.

        Args:
            free: How many more games each bot that is present can play.
        """
        now = trio.current_time()
        if not self._lives.takes_new(now=now):
            self._lives.wait(self._lobby.withdraw(self._lives.is_new))
        number = self._lobby.take(free)
        if number is not None:
            self._lives.begin(number, now=now)
        return number

    def put_back(self, number: int, *, is_known: bool) -> None:
        """Let a game wait again, for programs that do not know its deals."""
        if is_known and self._lives.are_many:
            self._lives.wait([number])
        else:
            self._lobby.put_back(number, self._league.seats(number))

    def waiting(self) -> frozenset[int]:
        """Return the games that wait, for this life or a later one."""
        return self._lobby.numbers | frozenset(self._lives)

    def seat_anew(self, league: League, numbers: Iterable[int]) -> None:
        """Let these games wait and no others, seated as the league now says."""
        self._league = league
        waiting = set(numbers)
        now = waiting.intersection(self._lobby.withdraw(lambda number: True))
        if not self._lives.are_many:
            now = waiting
        self._lives.replace(sorted(waiting - now))
        self._lobby = Lobby({number: league.seats(number) for number in sorted(now)})

    def games(self) -> Mapping[int, tuple[str, ...]]:
        """Return the games that wait in this life, and their bots."""
        return self._lobby.games

    @property
    def playable(self) -> int:
        """How many games wait that have all their bots, in this life or a later one."""
        return self._lobby.playable + len(self._lives)

    @property
    def parked(self) -> int:
        """How many games wait for a bot that is not there."""
        return len(self._lobby) - self._lobby.playable

    def has_without(self, bots: frozenset[str]) -> bool:
        """Tell whether a game waits in this life that none of these bots is in."""
        return self._lobby.has_without(bots)

    def absent(self) -> list[str]:
        """Return the bots that waiting games need and that are not there."""
        return self._lobby.absent()

    async def live_again(self, left_out: frozenset[str]) -> bool:
        """Start the programs afresh if there are games for that; tell whether.

        Args:
            left_out: Bots whose games are not played.
        """
        if self._renew is None:
            return False
        self._lives.wait(self._lobby.withdraw(lambda number: True))
        seats = self._league.seats
        if all(left_out & set(seats(number)) for number in self._lives):
            return False
        now = trio.current_time()
        log.info(Event("renewing", league=self._league.name))
        await self._renew()
        self._lobby = self._next_lobby(renewed_at=now)
        return True

    def _next_lobby(self, *, renewed_at: float | None = None) -> Lobby:
        numbers = self._lives.next(renewed_at=renewed_at)
        return Lobby({number: self._league.seats(number) for number in numbers})
