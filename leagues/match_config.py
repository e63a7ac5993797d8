"""The league that a match is: its entrants, its games, and how many blocks it takes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log10
from statistics import NormalDist
from typing import Final

from arena.arrangements import SEATS_MAX
from arena.rules import RuleSet
from leagues.blocks import ARRANGE, blocks_of
from leagues.config import LeagueConfig, Suspended, SuspensionRules
from leagues.entrants import Entrant, EntrantKind, Sandboxing
from leagues.limits import NO_LIMITS, SANDBOX_LIMITS
from leagues.luck import GAMES_MAX
from leagues.match import Claims, Match, entrant_names

__all__ = ["BLOCKS_DEFAULT", "SIDE_LENGTH_MAX", "Side", "blocks_for", "match_config"]

BLOCKS_DEFAULT: Final = 100
"""How many blocks a match has that tests nothing."""
BLOCKS_TESTED_MAX: Final = 20_000
"""How many blocks a test has at most, unless somebody says more: weeks of play."""
SIDE_LENGTH_MAX: Final = 28
"""So that two names are a name of a league, and have space for a number."""
_PATIENCE: Final = 4
"""A sequential test may take so many times as many blocks as a fixed number that errs
as seldom. Of matches whose effect is half-way between the claims, which take the
longest, three in a thousand would take more."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two bots."""

    name: str
    house: str = ""
    """Which house bot it is; empty for a command."""
    command: tuple[str, ...] = ()
    protocol: str = "grpc"
    readable: tuple[str, ...] = ()
    """What its programs may read beside the directory in which they run."""
    program: str = ""
    """What tells the state of its program, see `Match.programs`."""

    def entrants(self, *, seats: int) -> Iterator[Entrant]:
        """Yield its entrants, which are alike but for their names."""
        one = Entrant(
            name="",
            kind=EntrantKind.HOUSE if self.house else EntrantKind.COMMAND,
            house=self.house,
            command=self.command,
            protocol=self.protocol,
            sandbox=Sandboxing.NONE if self.house else Sandboxing.BWRAP,
            limits=NO_LIMITS if self.house else SANDBOX_LIMITS,
            readable=self.readable,
        )
        for name in entrant_names(self.name, seats=seats):
            yield replace(one, name=name)


def match_config(
    name: str,
    sides: tuple[Side, Side],
    *,
    rules: RuleSet,
    blocks: int,
    claims: Claims | None = None,
    practice_seed: str | None = None,
) -> LeagueConfig:
    """Return the league of a match.

    Args:
        name: Its name in the store.
        sides: The two bots, whose names differ.
        rules: Under which they play.
        blocks: How many blocks it has at most.
        claims: What is tested; `None` plays all blocks.
        practice_seed: From which anybody can compute the deals.

    Raises:
        ValueError: There are too many seats, or too many games.
    """
    one, other = sides
    seats = rules.players
    if seats > SEATS_MAX:
        raise ValueError(
            f"a match is for tables of up to {SEATS_MAX} seats, not {seats}: a block "
            "has all arrangements of the two bots, and there are hundreds"
        )
    games = blocks * blocks_of(ARRANGE, seats=seats).size
    if games > GAMES_MAX:
        raise ValueError(f"{blocks:,} blocks are {games:,} games, above {GAMES_MAX:,}")
    return LeagueConfig(
        name=name,
        entrants=(*one.entrants(seats=seats), *other.entrants(seats=seats)),
        rules=rules,
        games=games,
        practice_seed=practice_seed,
        luck=ARRANGE,
        # A side that is given up again and again has lost, and the games go on; one
        # whose program will not run has no games that say anything.
        suspension=SuspensionRules(games=Suspended.LEAVE_OUT),
        match=Match(
            sides=(one.name, other.name),
            claims=claims,
            programs=(one.program, other.program),
        ),
    )


def blocks_for(claims: Claims | None) -> int:
    """Return how many blocks a match has at most, unless somebody says it.

    Args:
        claims: What is tested; `None` for nothing.
    """
    if claims is None:
        return BLOCKS_DEFAULT
    quantile = NormalDist().inv_cdf
    errors = quantile(1 - claims.alpha) + quantile(1 - claims.beta)
    fixed = (errors / (claims.d1 - claims.d0)) ** 2
    # Two digits are enough for a bound.
    blocks = max(BLOCKS_DEFAULT, ceil(_PATIENCE * fixed))
    step = 10 ** max(0, int(log10(blocks)) - 1)
    return int(min(ceil(blocks / step) * step, BLOCKS_TESTED_MAX))
