"""The score of a match so far: its blocks in their order, and what they come to.

Games end in any order, but a test that looked at whichever blocks were closed first
would see short games, and so certain results, before others. So blocks are watched in
the order of their numbers, and what comes after the one that decides does not count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, nan, sqrt
from statistics import fmean, pstdev, stdev
from typing import Final

from leagues.blocks import Blocks
from leagues.match import GameScore, Match, block_figure, entrant_names, game_score
from leagues.rating.sequential import Verdict, nelo
from leagues.results import GameResult

__all__ = ["MatchResult", "MatchScore", "Weighed", "score_of"]

_BLOCKS_MIN: Final = 3
"""Fewer blocks say nothing about how far the next ones may be off."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Where a sequential test stands."""

    llr: float
    """Above 0 speaks for `h1`."""
    lower: float
    """Where it ends with `h0`."""
    upper: float
    """Where it ends with `h1`."""
    verdict: Verdict | None
    """What it ended with; `None` while it goes on, or when the blocks ran out."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match came to, or has come to so far.

    What has no value, as an interval of two blocks, is not a number.
    """

    match: Match
    blocks: int
    """How many blocks count."""
    games: int
    """Their games."""
    deals: int
    points: tuple[float, float]
    """Points a deal of each side; less is better."""
    margin: float
    """How many points a deal the first side took fewer."""
    half_width: float
    """How far the 95 % interval of the margin reaches to each side."""
    effect: float
    """The mean of the blocks' figures by their standard deviation."""
    nelo: float
    """The effect as normalised Elo of a game."""
    nelo_half_width: float
    test: Weighed | None
    """`None` for a match of a fixed number of blocks."""
    faults: tuple[int, int]
    """Faults of each side, in the games that count."""
    given_up: tuple[int, int]
    """How many seats of each side were given up in these."""
    is_over: bool = False
    """Whether all is played that will be."""
    blocks_planned: int = 0
    """How many blocks it is at most."""
    games_beyond: int = 0
    """Finished games that do not count: they came after what decided, or their block
    lacks games."""
    is_cut_short: bool = False
    """Whether it is over for another reason than its test or its last block."""


class MatchScore:
    """Takes finished games in any order, and counts blocks in theirs.

    Args:
        match: The match.
        seats: How many seats its table has.
        blocks: Which games are of one block.
    """

    def __init__(self, match: Match, *, seats: int, blocks: Blocks) -> None:
        self.match = match
        self._blocks = blocks
        self._first_side = frozenset(entrant_names(match.sides[0], seats=seats))
        self._games: dict[int, GameScore] = {}
        self._dropped: frozenset[int] = frozenset()
        self._begin()

    def _begin(self) -> None:
        """Look at no block yet."""
        claims = self.match.claims
        self._test = None if claims is None else claims.test()
        self._next = 1
        self._counted: list[int] = []
        self._points: list[tuple[float, float]] = []

    @property
    def verdict(self) -> Verdict | None:
        """What the test has ended with."""
        return self._test.verdict if self._test else None

    @property
    def closed(self) -> int:
        """How many blocks are closed and have none before them that is not."""
        return self._next - 1

    @property
    def to_go(self) -> float:
        """How many more blocks the test takes if it goes on as it has begun."""
        if self._test is None or not self._counted:
            return inf
        llr, (lower, upper) = self._test.llr, self._test.bounds
        if not llr:
            return inf
        return ((upper if llr > 0 else lower) / llr - 1) * len(self._counted)

    def add(self, result: GameResult) -> None:
        """Take a finished game; one that is known already changes nothing."""
        if result.number not in self._games:
            self._games[result.number] = game_score(result, self._first_side)
            self._advance()

    def decide(self, results: Iterable[GameResult], dropped: Iterable[int]) -> None:
        """Begin again with these games, after a host has decided something.

        Args:
            results: All finished games.
            dropped: The games that are not played any more: their blocks are closed
                without them, and count for nothing, since a block that lacks an
                arrangement favours a side.
        """
        self._games = {one.number: game_score(one, self._first_side) for one in results}
        self._dropped = frozenset(dropped)
        self._begin()
        self._advance()

    def finish(self) -> None:
        """Count blocks after some that are not closed, since these never will be."""
        for block in sorted({self._blocks.block(number) for number in self._games}):
            if block >= self._next and self.verdict is None and self._is_closed(block):
                self._count(block)

    def _advance(self) -> None:
        while self.verdict is None and self._is_closed(self._next):
            self._count(self._next)
            self._next += 1

    def _is_closed(self, block: int) -> bool:
        numbers = self._blocks.games(block)
        return all(one in self._games or one in self._dropped for one in numbers)

    def _count(self, block: int) -> None:
        numbers = self._blocks.games(block)
        games = [self._games[one] for one in numbers if one in self._games]
        if len(games) == len(numbers):
            one, other = block_figure(games)
            self._counted.append(block)
            self._points.append((one, other))
            if self._test is not None:
                self._test.add(other - one)

    def result(self) -> MatchResult:
        """Return what the blocks that count come to."""
        numbers = [n for block in self._counted for n in self._blocks.games(block)]
        games = [self._games[number] for number in numbers]
        figures = [other - one for one, other in self._points]
        count = len(figures)
        margin = fmean(figures) if figures else nan
        deviation = stdev(figures) if count >= _BLOCKS_MIN else nan
        effect = _effect(figures)
        reach = _quantile(count) / sqrt(count) if count >= _BLOCKS_MIN else nan
        size = self._blocks.size
        return MatchResult(
            match=self.match,
            blocks=count,
            games=len(games),
            deals=sum(game.deals for game in games),
            points=self._mean_points(),
            margin=margin,
            half_width=reach * deviation,
            effect=effect,
            nelo=nelo(effect, games=size),
            nelo_half_width=nelo(
                reach * sqrt(1 + effect**2 / 2) if deviation else nan, games=size
            ),
            test=self._tested(),
            faults=_sums([game.faults for game in games]),
            given_up=_sums([game.given_up for game in games]),
            games_beyond=len(self._games) - len(games),
        )

    def _mean_points(self) -> tuple[float, float]:
        if not self._points:
            return nan, nan
        one, other = (fmean(each) for each in zip(*self._points, strict=True))
        return one, other

    def _tested(self) -> Weighed | None:
        if (test := self._test) is None:
            return None
        lower, upper = test.bounds
        return Weighed(test.llr, lower, upper, test.verdict)


@lru_cache(maxsize=8)
def _quantile(count: int) -> float:
    """Return how many errors the 95 % interval of so many figures reaches."""
    # Loaded here, since most commands have no use for it.
    from scipy.special import stdtrit

    return float(stdtrit(count - 1, 0.975))


def _effect(figures: Sequence[float]) -> float:
    """Return mean by deviation, both as the test has them."""
    if len(figures) < _BLOCKS_MIN:
        return nan
    mean, deviation = fmean(figures), pstdev(figures)
    return mean / deviation if deviation else 0.0 if not mean else nan


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    pairs = list(pairs)
    return sum(one for one, _ in pairs), sum(other for _, other in pairs)


def score_of(
    match: Match,
    results: Iterable[GameResult],
    *,
    seats: int,
    blocks: Blocks,
    planned: int,
    dropped: Iterable[int] = (),
    is_over: bool,
    is_cut_short: bool = False,
) -> MatchResult:
    """Return what the games of a match come to.

    Args:
        match: The match.
        results: Its finished games.
        seats: How many seats its table has.
        blocks: Which games are of one block.
        planned: How many blocks it is at most.
        dropped: Games that are not played any more, as a host has decided.
        is_over: Whether no more games are played.
        is_cut_short: Whether that is for another reason than its test or its last
            block.
    """
    score = MatchScore(match, seats=seats, blocks=blocks)
    score.decide(results, dropped)
    if is_over:
        score.finish()
    return replace(
        score.result(),
        is_over=is_over,
        is_cut_short=is_cut_short,
        blocks_planned=planned,
    )
