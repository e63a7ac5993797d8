"""A match: two bots against each other, the same deals in every arrangement.

The bots are its two *sides*. Each side has as many entrants as it may have seats at a
table, so that two seats of one bot are two programs, which can't look into each other's
hands. What a block of games says is one figure: by how many points a deal the first
side did better.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Final

from arena.arrangements import bots_per_side
from leagues.rating.sequential import SequentialTest
from leagues.results import GameResult

__all__ = [
    "ALPHA",
    "BETA",
    "Claims",
    "GameScore",
    "Match",
    "block_figure",
    "entrant_names",
    "game_score",
    "match_of",
]

ALPHA: Final = 0.05
BETA: Final = 0.05


@dataclass(frozen=True, slots=True)
class Claims:
    """The two claims of a sequential test, as effects, and how often it may err.

    An effect is the mean of the blocks' figures by their standard deviation.
    """

    d0: float
    d1: float
    """Above `d0`."""
    alpha: float = ALPHA
    """How likely the test may end with `d1` though `d0` is true."""
    beta: float = BETA
    """How likely it may end with `d0` though `d1` is true."""

    def __post_init__(self) -> None:
        """Check them, as the test does."""
        if not (isfinite(self.d0) and isfinite(self.d1)):
            raise ValueError("the two effects must be finite")
        self.test()

    def test(self) -> SequentialTest:
        """Return a test of the claims that has seen nothing yet.

        Raises:
            ValueError: The claims make no sense.
        """
        return SequentialTest(self.d0, self.d1, alpha=self.alpha, beta=self.beta)


@dataclass(frozen=True, slots=True)
class Match:
    """What makes a league a match."""

    sides: tuple[str, str]
    """What the two bots are called."""
    claims: Claims | None = None
    """What is tested until it is clear; `None` plays all blocks."""
    programs: tuple[str, str] = ("", "")
    """What tells the state of each side's program, such as a hash of its command and
    files: a match of programs that have changed is another match."""

    def form(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return asdict(self)


def match_of(form: Mapping[str, Any] | None) -> Match | None:
    """Read what `Match.form` has written; `None` for a league that is no match."""
    if form is None:
        return None
    claims = form["claims"]
    one, other = form["sides"]
    programs = form["programs"]
    return Match(
        sides=(one, other),
        claims=None if claims is None else Claims(**claims),
        programs=(programs[0], programs[1]),
    )


def entrant_names(side: str, *, seats: int) -> tuple[str, ...]:
    """Return the names of a side's entrants: `fox-1`, `fox-2` at a table of four."""
    return tuple(f"{side}-{number}" for number in range(1, bots_per_side(seats) + 1))


@dataclass(frozen=True, slots=True)
class GameScore:
    """What a game of a match came to."""

    deals: int
    points: tuple[float, float]
    """For each side the points that one of its seats took, on average."""
    faults: tuple[int, int] = (0, 0)
    given_up: tuple[int, int] = (0, 0)
    """How many seats of each side were given up."""


def game_score(result: GameResult, first_side: Collection[str]) -> GameScore:
    """Sum up a game.

    Args:
        result: What it came to.
        first_side: The entrants of the first side.
    """
    sides = [int(seat.entrant not in first_side) for seat in result.seats]
    points = [0.0, 0.0]
    for side, seat in zip(sides, result.seats, strict=True):
        points[side] += seat.points / sides.count(side)
    faulty = [sides[fault.seat] for fault in result.faults]
    given_up = [sides[item.seat] for item in result.given_up]
    return GameScore(
        deals=result.deals,
        points=(points[0], points[1]),
        faults=(faulty.count(0), faulty.count(1)),
        given_up=(given_up.count(0), given_up.count(1)),
    )


def block_figure(games: Sequence[GameScore]) -> tuple[float, float]:
    """Return for each side how many points a deal its seats took in a block.

    The figure of the block is what the second took more than the first: above 0 the
    first did better.
    """
    deals = sum(game.deals for game in games)
    one, other = (sum(game.points[side] for game in games) / deals for side in (0, 1))
    return one, other
