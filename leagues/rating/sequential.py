"""A test of two bots that ends as soon as it knows: the sequential t-test.

It watches one figure a block: how many points a deal the one took less than the
other, on average. The *effect* is the mean of these figures divided by their
standard deviation. The test weighs two claims, `h0`: the effect is `d0`, and `h1`:
it is `d1`, by the ratio of their likelihoods, and ends when the ratio leaves two
bounds. Then the claim that it names is wrong with a probability of at most `alpha`
(`h1` though `d0` is true) or `beta` (`h0` though `d1` is true), about. Looking at
plain 95 % bars again and again until they are clear of each other would be wrong in
four cases of ten.
"""

from dataclasses import dataclass, field
from math import log, sqrt
from typing import Final, Literal

__all__ = ["NELO", "SequentialTest", "Verdict", "nelo", "t_llr"]

Verdict = Literal["h0", "h1"]

NELO: Final = 800 / log(10)
"""How many points of normalised Elo an effect of 1 in a single game is."""
_BLOCKS_MIN: Final = 10
"""No verdict before so many blocks: their standard deviation is a guess."""


@dataclass(slots=True)
class SequentialTest:
    """Takes the figures of blocks and says when they are enough.

    >>> test = SequentialTest(d0=0, d1=0.5)
    >>> for value in 40 * [2.0, -1.0, 1.0]:
    ...     if test.add(value):
    ...         break
    >>> test.verdict, test.blocks
    ('h1', 22)
    """

    d0: float
    d1: float
    """The two effects; above `d0`."""
    alpha: float = 0.05
    beta: float = 0.05
    blocks: int = field(default=0, init=False)
    mean: float = field(default=0.0, init=False)
    verdict: Verdict | None = field(default=None, init=False)
    """What the test ended with; it stays, whatever is added later."""
    _squares: float = field(default=0.0, init=False)
    """The sum of the squares of the distances from the mean."""

    def __post_init__(self) -> None:
        """Check the claims."""
        if not self.d0 < self.d1:
            raise ValueError(f"d0 must be less than d1, not {self.d0} and {self.d1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must be between 0 and 0.5")

    def add(self, value: float) -> Verdict | None:
        """Take the figure of one more block, above 0 where the one did better.

        Returns:
            The verdict; `None` as long as there is none.
        """
        self.blocks += 1
        away = value - self.mean
        self.mean += away / self.blocks
        self._squares += away * (value - self.mean)
        if self.verdict is None and self.blocks >= _BLOCKS_MIN:
            lower, upper = self.bounds
            llr = self.llr
            self.verdict = "h0" if llr <= lower else "h1" if llr >= upper else None
        return self.verdict

    @property
    def deviation(self) -> float:
        """The standard deviation of the figures so far."""
        return sqrt(self._squares / self.blocks) if self.blocks else 0.0

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio so far; above 0 speaks for `h1`."""
        return t_llr(self.blocks, self.mean, self.deviation, d0=self.d0, d1=self.d1)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test ends: with `h0` at the lower one, with `h1` at the upper."""
        return (
            log(self.beta / (1 - self.alpha)),
            log((1 - self.beta) / self.alpha),
        )


def t_llr(count: int, mean: float, deviation: float, *, d0: float, d1: float) -> float:
    """Return the logarithm of the ratio of two likelihoods of an effect.

    `count / 2 * ln((1 + (t - d0)^2) / (1 + (t - d1)^2))`, where t is mean divided by
    deviation. Beyond an effect of about 1 the ratio would sink again, as if it were
    no good sign to win always; t counts for no more than that.

    Args:
        count: How many figures there are.
        mean: Their mean.
        deviation: Their standard deviation, with the count as its divisor.
        d0: The effect under the one claim.
        d1: The effect under the other.
    """
    middle, reach = (d0 + d1) / 2, sqrt(1 + (d1 - d0) ** 2 / 4)
    ratio = mean / deviation if deviation else mean * float("inf") if mean else 0.0
    t = min(max(ratio, middle - reach), middle + reach)
    return count / 2 * log((1 + (t - d0) ** 2) / (1 + (t - d1) ** 2))


def nelo(effect: float, *, games: int) -> float:
    """Return an effect as normalised Elo, which does not depend on a block's size.

    Args:
        effect: The mean of the blocks' figures by their standard deviation.
        games: How many games, or deals, a block has.
    """
    return NELO * effect / sqrt(games)
