"""Rotations: whether the games of a block are one seating in all its turns.

In a league with luck `rotate` each seating is played as many times as it has seats,
turned by one seat each time, with the same deals. Game n is then one of block
(n - 1) // seats + 1; elsewhere a game is a block by itself, of the same number.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from arena.mismatch import VerifyError, mismatch
from arena.record import Record

__all__ = ["RotationCheck", "game_number"]

_DIGITS_MAX = 10

Place = TypeVar("Place")


def game_number(record: Record) -> int:
    """Return the number of a game in its league, from its id `LEAGUE-NUMBER`.

    Raises:
        ValueError: The id has another form.
    """
    digits = record.game.removeprefix(f"{record.league}-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX
    if not record.league or digits == record.game or not is_number:
        raise ValueError(
            f"game {record.game} has no number: expected {record.league}-NUMBER"
        )
    return int(digits)


@dataclass(frozen=True, slots=True)
class _Game(Generic[Place]):
    """What is kept of a game until all have been read."""

    place: Place
    name: str
    number: int
    block: int
    attempt: int
    sequence_seed: str
    seats: tuple[str, ...]

    @property
    def rotated_block(self) -> int:
        return (self.number - 1) // len(self.seats) + 1

    @property
    def rotation(self) -> int:
        return (self.number - 1) % len(self.seats)

    @property
    def base(self) -> tuple[str, ...]:
        """The seating of the block's first game, as this one tells it."""
        return (*self.seats[self.rotation :], *self.seats[: self.rotation])


@dataclass(slots=True)
class RotationCheck(Generic[Place]):
    """Collects games, in any order, and compares those of each block at the end."""

    whole: int = 0
    """Blocks of which all games are there and right."""
    partial: int = 0
    """Blocks of which some games are not there."""
    _leagues: dict[str, list[_Game[Place]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, record: Record, place: Place) -> None:
        """Take note of a game; one that has no number in a league is passed over."""
        try:
            number = game_number(record)
        except ValueError:
            return
        self._leagues[record.league].append(
            _Game(
                place=place,
                name=record.game,
                number=number,
                block=record.block,
                attempt=record.attempt,
                sequence_seed=record.sequence_seed,
                seats=tuple(seat.bot for seat in record.seats),
            )
        )

    def problems(self) -> Iterator[tuple[Place, VerifyError]]:
        """Yield what is wrong, with the place of the game, and count the blocks."""
        for games in self._leagues.values():
            if any(g.block == g.rotated_block != g.number for g in games):
                yield from self._problems(games)

    def _problems(
        self, games: list[_Game[Place]]
    ) -> Iterator[tuple[Place, VerifyError]]:
        blocks: dict[int, list[_Game[Place]]] = {}
        for game in sorted(games, key=lambda game: game.number):
            if game.block == game.rotated_block:
                blocks.setdefault(game.block, []).append(game)
            else:
                reason = f"block is {game.block}, expected {game.rotated_block}"
                yield game.place, VerifyError(game=game.name, reason=reason)
        for first, *others in blocks.values():
            wrong = [(game, text) for game in others if (text := _misfit(game, first))]
            for game, text in wrong:
                yield game.place, VerifyError(game=game.name, reason=text)
            is_whole = len(others) + 1 == len(first.seats)
            self.whole += is_whole and not wrong
            self.partial += not is_whole


def _misfit(game: _Game[Place], first: _Game[Place]) -> str:
    """Say why a game is not of the same block as its first one; empty when it is."""
    like = f"as in game {first.name}, of the same block"
    if game.attempt != first.attempt:
        return f"attempt is {game.attempt}, expected {first.attempt}, {like}"
    if game.sequence_seed != first.sequence_seed:
        text = mismatch("sequence_seed", game.sequence_seed, first.sequence_seed)
        return f"{text}, {like}"
    if game.base != first.base:
        start = len(first.base) - game.rotation
        expected = (*first.base[start:], *first.base[:start])
        return (
            f"the seats are {', '.join(game.seats)}, expected {', '.join(expected)}, "
            f"turned {like}"
        )
    return ""
