"""A league file: the rules, the entrants, the clocks and the number of games.

    name = "friday"
    games = 480

    [[entrant]]
    house = "careful"

    [[entrant]]
    name = "mine"
    command = "python mybot.py"

`parse_league` reads such a text. Every key has a default except `name` and the
entrants; every error says where and what was expected.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from arena.excerpt import shown
from arena.rules import RulesError, RuleSet, parse_rules
from arena.spec import TimeControl
from leagues.entrants import (
    Entrant,
    EntrantKind,
    Sandboxing,
    checked_name,
    is_name,
    read_entrants,
)
from leagues.ladder_rules import LADDER_KEYS, LadderRules, read_ladder
from leagues.luck import GAMES_DEFAULT, GAMES_MAX, read_games, read_luck
from leagues.match import Match
from leagues.scheduling.owners import Owners, OwnersError
from leagues.toml_source import ConfigError, Table, read_table
from leagues.until import read_until
from leagues.versions import Versions

__all__ = [
    "ConfigError",
    "Entrant",
    "EntrantKind",
    "LeagueConfig",
    "Sandboxing",
    "Suspended",
    "SuspensionRules",
    "is_name",
    "parse_league",
]

LADDER_TABLES_MIN: Final = 64
"""How many tables a ladder has at least, unless the file says less: nobody knows how
many will come."""
TABLES_PER_ENTRANT: Final = 16
"""How many tables run at once for each entrant, unless the file says less."""
TIMED_TABLES_PER_ENTRANT: Final = 4
"""The same in a league whose time is limited."""

_DAY_SECONDS: Final = 86_400
_TIME_KEYS: Final = ("bank", "increment", "turn_limit", "away", "start")
_LEAGUE_KEYS: Final = (
    "name",
    "rules",
    "games",
    "practice_seed",
    "luck",
    "time",
    "faults_max",
    "deadline_minutes",
    "until",
    "tables_max",
    "sandbox",
    "limits",
    "suspend_after",
    "suspend_share",
    "suspended",
    "owners",
    "versions",
    *LADDER_KEYS,
    "entrant",
)
_SEED_DIGITS_MAX: Final = 200


class Suspended(StrEnum):
    """What becomes of the games that a suspended bot version still has to play."""

    LEAVE_OUT = "leave_out"
    """They are not played."""
    STAND_IN = "stand_in"
    """They are played, its seats given up from the first card."""


@dataclass(frozen=True, slots=True)
class SuspensionRules:
    """When a bot version is suspended, and what becomes of its games."""

    after: int = 0
    """So many given-up games in a row; 0 means never."""
    share: float = 0.0
    """This share of at least `SUSPEND_GAMES_MIN` games; 0 means never."""
    games: Suspended = Suspended.STAND_IN


SUSPENSION_RULES: Final = SuspensionRules(after=5, share=0.5)
"""Those of a secret league, unless its file says otherwise."""


@dataclass(frozen=True, slots=True)
class LeagueConfig:
    """Everything that a league file says, with the defaults filled in."""

    name: str
    entrants: tuple[Entrant, ...]
    rules: RuleSet = field(default_factory=RuleSet)
    games: int = GAMES_DEFAULT
    """How many games the schedule holds."""
    practice_seed: str | None = None
    """Makes the league open: everybody can compute its deals from this text."""
    luck: str = "none"
    """`none`: every game has deals of its own; `rotate`: each seating is played in all
    its rotations with the same deals; `arrange`, in a match: in all arrangements."""
    time_control: TimeControl = field(default_factory=TimeControl)
    start_seconds: float = 60.0
    """How long a command may take to be ready before that counts as a failure."""
    faults_max: int = 3
    """The fault that gives a seat up; 0 means that none does."""
    deadline_minutes: float = 0.0
    """When no more games are started, counted from the start; 0 means never."""
    until: str = ""
    """When the time of the league is over, as `leagues.until.read_until` returns it; it
    plays as many whole rounds as end before. Empty for no limit."""
    until_at: str = field(default="", compare=False)
    """The file and the line that say so, for errors."""
    tables_max: int = 0
    """How many games run at once; 0 means 16 for each entrant, or 4 in a league whose
    time is limited, which could not end soon with as many."""
    suspension: SuspensionRules = field(default_factory=SuspensionRules)
    """When a bot version that is given up again and again is suspended."""
    owners_apart: bool = True
    """Whether bots of one owner never sit at one table."""
    match: Match | None = None
    """What makes it a match of two bots; `None` for any other league. No file says
    so: `arena match` makes these."""
    versions: Versions | None = None
    """Which versions of its entrants play; `None` where the file does not say, which
    is `latest` in a ladder and `frozen` in a league, but in one that is older than the
    choice."""
    ladder: LadderRules | None = None
    """What makes it a ladder; `None` for a league with an end."""

    @property
    def is_open(self) -> bool:
        """Whether anybody can compute the deals beforehand."""
        return self.practice_seed is not None

    @property
    def versions_taken(self) -> Versions:
        """Which versions of its entrants play, with the default worked out."""
        default = Versions.FROZEN if self.ladder is None else Versions.LATEST
        return self.versions or default

    @property
    def is_for_all(self) -> bool:
        """Whether whoever dials in takes part."""
        return self.ladder is not None and self.ladder.is_for_all

    @property
    def tables_limit(self) -> int:
        """How many games run at once, with the default worked out."""
        each = TIMED_TABLES_PER_ENTRANT if self.until else TABLES_PER_ENTRANT
        least = LADDER_TABLES_MIN if self.ladder else 0
        return self.tables_max or max(least, each * len(self.entrants))

    @property
    def owners(self) -> Owners:
        """Which entrants may not meet, in the order of the entrants."""
        return Owners(one.owner for one in self.entrants if self.owners_apart)

    @property
    def anchor(self) -> str | None:
        """The entrant whose rating is fixed: the first house bot `careful`."""
        return next((one.name for one in self.entrants if one.house == "careful"), None)


def parse_league(
    text: str, *, file: str, houses: Collection[str] | None = None
) -> LeagueConfig:
    """Read a league file from its text.

    Args:
        text: TOML.
        file: The name of the file in errors.
        houses: The house bots that exist; `None` leaves their names unchecked.

    Raises:
        ConfigError: Something is missing, unknown or out of range.
    """
    root = read_table(text, file=file)
    root.only(_LEAGUE_KEYS)
    root.require("name")
    rules = _rules(root)
    ladder = read_ladder(root)
    least = 0 if ladder and ladder.is_for_all else rules.players
    entrants = read_entrants(root, rules, houses=houses, least=least)
    luck = read_luck(root, entrants)
    time = root.table("time")
    until = read_until(root)
    if until and root.values.get("deadline_minutes"):
        raise root.error("deadline_minutes", "leave it out: until says when to end")
    return LeagueConfig(
        name=checked_name(root, "name", length_max=60),
        entrants=entrants,
        rules=rules,
        games=0
        if ladder
        else read_games(root, luck=luck, seats=rules.players, is_timed=bool(until)),
        practice_seed=_practice_seed(root),
        luck=luck,
        time_control=_time_control(time),
        start_seconds=time.number("start", 60.0, low=1, high=_DAY_SECONDS),
        faults_max=root.whole("faults_max", 3, low=0, high=1000),
        deadline_minutes=root.number("deadline_minutes", 0, low=0, high=1_000_000),
        until=until,
        until_at=root.place("until") if until else "",
        tables_max=root.whole("tables_max", 0, low=0, high=100_000),
        suspension=_suspension(root, is_ladder=ladder is not None),
        owners_apart=_owners_apart(root, entrants, rules, is_ladder=ladder is not None),
        versions=_versions(root),
        ladder=ladder,
    )


def _owners_apart(
    root: Table, entrants: Sequence[Entrant], rules: RuleSet, *, is_ladder: bool
) -> bool:
    """Read whether bots of one owner may meet, and see to it that they need not."""
    if root.choice("owners", "apart", choices=("apart", "mixed")) == "mixed":
        return False
    if is_ladder:
        # Who is there at a time is seated as far as that goes.
        return True
    owners = Owners(entrant.owner for entrant in entrants)
    try:
        owners.check(range(len(entrants)), rules.players)
    except OwnersError as error:
        raise root.error("owners", f'{error}; owners = "mixed" lets them') from None
    return True


def _versions(root: Table) -> Versions | None:
    if "versions" not in root:
        return None
    return Versions(root.choice("versions", "", choices=tuple(Versions)))


def _suspension(root: Table, *, is_ladder: bool) -> SuspensionRules:
    # When a version is suspended hangs on which games have ended by then, and an open
    # league shall come out the same each time.
    is_open = "practice_seed" in root
    default = SuspensionRules() if is_open else SUSPENSION_RULES
    return SuspensionRules(
        after=root.whole("suspend_after", default.after, low=0, high=GAMES_MAX),
        share=root.number("suspend_share", default.share, low=0, high=1),
        games=Suspended.LEAVE_OUT
        if is_ladder
        else Suspended(
            root.choice("suspended", default.games, choices=tuple(Suspended))
        ),
    )


def _rules(root: Table) -> RuleSet:
    """Read `rules`, the name of a preset or a table with a preset and options."""
    named = isinstance(root.values.get("rules", "arena"), str)
    table = root if named else root.table("rules")
    mapping = {"preset": root.text("rules", "arena")} if named else dict(table.values)
    try:
        return parse_rules(mapping)
    except RulesError as error:
        key = "rules" if named else error.option
        raise table.error(key, error.problem) from None


def _practice_seed(root: Table) -> str | None:
    value = root.values.get("practice_seed")
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= 10**_SEED_DIGITS_MAX:
            problem = f"{shown(value)} has more than {_SEED_DIGITS_MAX} digits"
            raise root.error("practice_seed", problem)
        return str(value)
    return root.text("practice_seed") or None


def _time_control(time: Table) -> TimeControl:
    time.only(_TIME_KEYS)
    default = TimeControl()

    def milliseconds(key: str, default_ms: int) -> int:
        seconds = time.number(key, default_ms / 1000, low=0, high=_DAY_SECONDS)
        if seconds and not round(seconds * 1000):
            problem = f"{seconds:g} is less than a millisecond; expected 0.001 or more"
            raise time.error(key, f"{problem}, or 0 for none")
        return round(seconds * 1000)

    return TimeControl(
        bank_ms=milliseconds("bank", default.bank_ms),
        increment_ms=milliseconds("increment", default.increment_ms),
        turn_limit_ms=milliseconds("turn_limit", default.turn_limit_ms),
        away_ms=milliseconds("away", default.away_ms),
    )
