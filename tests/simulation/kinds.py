"""What some seeds draw beside: entrants that come and go, leagues with a time, ladders.

All of it is drawn apart, so that all other seeds draw what they always drew. None of
these seeds was kept before there were such leagues.
"""

import random
from dataclasses import dataclass, replace
from typing import Final

from leagues.config import Entrant, EntrantKind, LeagueConfig, Suspended
from leagues.ladder_rules import LadderRules
from leagues.scheduling.owners import Owners, OwnersError

__all__ = ["LADDER", "NAMES", "ROSTER", "TIMED", "UNTIL", "Kind", "drawn_kind"]

ROSTER: Final = "roster"
"""A league that entrants join and leave while it is played."""
TIMED: Final = "timed"
LADDER: Final = "ladder"
_SEEDS: Final = {
    **dict.fromkeys((3, 5, 12), ROSTER),
    **dict.fromkeys((0, 7), TIMED),
    **dict.fromkeys((1, 9), LADDER),
}
"""Which seeds of thirteen."""
UNTIL: Final = "2126-03-01T07:00Z"
"""When the time of each timed league is over; it begins so much earlier."""
NAMES: Final = (
    *("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"),
    *("ida", "jon", "kim", "leo", "mia", "ned", "oda", "pit"),
)
_OWNERS: Final = ("", "", "", "Ada", "Ben")
_FOR_ALL_SHARE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Kind:
    """What a league has beside its games and faults."""

    name: str = ""
    joining: tuple[Entrant, ...] = ()
    """Who comes into the league file once it is run again."""
    guests: tuple[Entrant, ...] = ()
    """Bots that dial in though no file names them."""
    seconds: float = float("inf")
    """How much time the league has."""
    crashes_at_end: bool = False
    """Whether the arena crashes once it is settled where that time ends the league."""
    end_after: float = float("inf")
    """When the host ends the league."""
    visits_every: float = float("inf")
    """After how many seconds a bot comes or goes again."""
    think_seconds: float = 0.0
    """How long programs think at least, so that there is time for all of this."""

    @property
    def bots(self) -> tuple[Entrant, ...]:
        """The bots that no file names at first."""
        return (*self.joining, *self.guests)


def drawn_kind(seed: int, config: LeagueConfig) -> tuple[Kind, LeagueConfig]:
    """Draw the kind of a seed's league; return it with what the league then is."""
    draw = _DRAWS.get(_SEEDS.get(seed % 13, ""))
    return draw(random.Random(f"kind {seed}"), config) if draw else (Kind(), config)


def _roster(own: random.Random, config: LeagueConfig) -> tuple[Kind, LeagueConfig]:
    bots = _bots(own, max(len(config.entrants), _most(own, config)), config)
    joining = min(own.choice([0, 1, 1, 2]), len(bots) - config.rules.players)
    first = len(bots) - joining
    kind = Kind(ROSTER, joining=bots[first:], think_seconds=own.choice([0.02, 0.1]))
    games = own.randint(6, 12)
    return kind, replace(config, entrants=bots[:first], games=games)


def _timed(own: random.Random, config: LeagueConfig) -> tuple[Kind, LeagueConfig]:
    bots = _bots(own, _most(own, config), config)
    kind = Kind(
        TIMED,
        seconds=own.choice([20.0, 40.0, 80.0, 200.0]),
        end_after=own.choice([float("inf")] * 4 + [12.0]),
        think_seconds=0.02,
        crashes_at_end=own.random() < 0.5,
    )
    tables, games = own.choice([1, 2, 3]), own.choice([6, 15, 30])
    return kind, replace(
        config, entrants=bots, games=games, tables_max=tables, until=UNTIL
    )


def _ladder(own: random.Random, config: LeagueConfig) -> tuple[Kind, LeagueConfig]:
    bots = _bots(own, _most(own, config) + 2, config, is_checked=False)
    rules = LadderRules(
        is_for_all=own.random() < _FOR_ALL_SHARE, window=own.choice([3, 8, 100])
    )
    # Where only entrants play, somebody else knocks at the door.
    named = own.randint(0, len(bots)) if rules.is_for_all else len(bots) - 1
    kind = Kind(
        LADDER,
        guests=bots[named:],
        end_after=own.choice([30.0, 60.0, 120.0]),
        visits_every=own.choice([2.0, 8.0, 30.0]),
        think_seconds=0.02,
    )
    return kind, replace(
        config,
        entrants=bots[:named],
        games=0,
        ladder=rules,
        tables_max=own.choice([1, 2, 3]),
        suspension=replace(config.suspension, games=Suspended.LEAVE_OUT),
    )


_DRAWS: Final = {ROSTER: _roster, TIMED: _timed, LADDER: _ladder}


def _most(own: random.Random, config: LeagueConfig) -> int:
    return config.rules.players + own.randint(1, 3)


def _bots(
    own: random.Random, count: int, config: LeagueConfig, *, is_checked: bool = True
) -> tuple[Entrant, ...]:
    """Draw bots with owners, who have few enough of them to be kept apart."""
    owners, seats = own.choices(_OWNERS, k=count), config.rules.players
    try:
        # However many of them are in the file at first.
        for some in range(seats, count + 1) if is_checked else ():
            Owners(owners).check(range(some), seats)
    except OwnersError:
        owners = [""] * count
    return tuple(
        Entrant(name, EntrantKind.BOT, owner=owner)
        for name, owner in zip(NAMES, owners, strict=False)
    )
