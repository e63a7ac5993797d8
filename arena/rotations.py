"""Rotations: whether the games of a block are one seating in all its turns.

In a league with luck `rotate` each seating is played as many times as it has seats,
turned by one seat each time, with the same deals. In a match two sides sit in all
`arena.arrangements`. Game n is then one of block (n - 1) // size + 1; elsewhere a game
is a block by itself, of the same number.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from arena.arrangements import SEATS_MAX, Arrangement, arrangements
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

    def block_of(self, size: int) -> int:
        """Return its block where blocks have so many games."""
        return (self.number - 1) // size + 1

    def index_of(self, size: int) -> int:
        """Return its place in that block, from 0."""
        return (self.number - 1) % size

    @property
    def base(self) -> tuple[str, ...]:
        """The seating of the block's first game, as this one tells it."""
        turn = self.index_of(len(self.seats))
        return (*self.seats[turn:], *self.seats[:turn])


class _Form(Protocol):
    """How the seatings of a block follow from each other."""

    @property
    def size(self) -> int:
        """How many games a block has."""

    def misfit(self, game: "_Game[Place]", first: "_Game[Place]") -> str:
        """Say how a game is seated otherwise than its block; empty when it is not."""


@dataclass(frozen=True, slots=True)
class _Rotated:
    """One seating is turned by one seat in each game."""

    size: int

    def misfit(self, game: _Game[Place], first: _Game[Place]) -> str:
        if game.base == first.base:
            return ""
        start = len(first.base) - game.index_of(self.size)
        expected = (*first.base[start:], *first.base[:start])
        return (
            f"the seats are {', '.join(game.seats)}, expected {', '.join(expected)}, "
            f"turned {_like(first)}"
        )


@dataclass(frozen=True, slots=True)
class _Arranged:
    """Two sides share the seats in another way in each game."""

    ways: Sequence[Arrangement]
    sides: Mapping[str, int]
    """On which side each bot is, in most games."""

    @property
    def size(self) -> int:
        return len(self.ways)

    def misfit(self, game: _Game[Place], first: _Game[Place]) -> str:
        index = game.index_of(self.size)
        sides = tuple(self.sides.get(bot, 0) for bot in game.seats)
        if sides == self.ways[index]:
            return ""
        found, expected = (
            "".join("AB"[side] for side in one) for one in (sides, self.ways[index])
        )
        return (
            f"the seats are {', '.join(game.seats)}, of the sides {found}, expected "
            f"{expected} in game {index + 1} of a block"
        )


def _forms(games: list[_Game[Place]]) -> Iterator[_Form]:
    """Yield the forms that the numbers of a league's games and blocks admit."""
    seats = len(games[0].seats)
    if _shares(games, seats):
        yield _Rotated(seats)
    ways = arrangements(seats) if 1 < seats <= SEATS_MAX else ()
    if ways and _shares(games, len(ways)):
        votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for game in games:
            way = ways[game.index_of(len(ways))]
            for bot, side in zip(game.seats, way, strict=False):
                votes[bot][side] += 1
        yield _Arranged(ways, {bot: _most(found) for bot, found in votes.items()})


def _most(votes: Counter[int]) -> int:
    return int(votes[1] > votes[0])


def _shares(games: list[_Game[Place]], size: int) -> bool:
    return any(g.block == g.block_of(size) != g.number for g in games)


@dataclass(slots=True)
class RotationCheck(Generic[Place]):
    """Collects games, in any order, and compares those of each block at the end."""

    whole: int = 0
    """Blocks of which all rotations are there and right."""
    arranged: int = 0
    """Blocks of matches of which all arrangements are there and right."""
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
            # Few games of a match may be numbered like rotations, and the reverse.
            judged = [_judged(games, form) for form in _forms(games)]
            if judged:
                least = min(judged, key=lambda one: len(one.problems))
                self.whole += 0 if least.is_match else least.whole
                self.arranged += least.whole if least.is_match else 0
                self.partial += least.partial
                yield from least.problems


@dataclass(frozen=True, slots=True)
class _Judged(Generic[Place]):
    """What is wrong with a league if its blocks have some form."""

    is_match: bool
    problems: list[tuple[Place, VerifyError]]
    whole: int
    partial: int


def _judged(games: list[_Game[Place]], form: _Form) -> _Judged[Place]:
    problems: list[tuple[Place, VerifyError]] = []
    blocks: dict[int, list[_Game[Place]]] = {}
    for game in sorted(games, key=lambda game: game.number):
        expected = game.block_of(form.size)
        if game.block == expected:
            blocks.setdefault(game.block, []).append(game)
        else:
            reason = f"block is {game.block}, expected {expected}"
            problems.append((game.place, VerifyError(game=game.name, reason=reason)))
    whole = partial = 0
    for in_block in blocks.values():
        first = in_block[0]
        wrong = [(one, text) for one in in_block if (text := _misfit(one, first, form))]
        problems += [
            (game.place, VerifyError(game=game.name, reason=text))
            for game, text in wrong
        ]
        is_whole = len(in_block) == form.size
        whole += is_whole and not wrong
        partial += not is_whole
    return _Judged(isinstance(form, _Arranged), problems, whole, partial)


def _misfit(game: _Game[Place], first: _Game[Place], form: _Form) -> str:
    """Say why a game is not of the same block as its first one; empty when it is."""
    if game.attempt != first.attempt:
        return f"attempt is {game.attempt}, expected {first.attempt}, {_like(first)}"
    if game.sequence_seed != first.sequence_seed:
        text = mismatch("sequence_seed", game.sequence_seed, first.sequence_seed)
        return f"{text}, {_like(first)}"
    return form.misfit(game, first)


def _like(first: _Game[Place]) -> str:
    return f"as in game {first.name}, of the same block"
