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

import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from arena.excerpt import shown
from arena.nearest import did_you_mean
from arena.rules import RulesError, RuleSet, parse_rules
from arena.spec import TimeControl
from leagues.rules_line import rules_line
from leagues.toml_source import ConfigError, Table, read_table

__all__ = [
    "ConfigError",
    "Entrant",
    "EntrantKind",
    "LeagueConfig",
    "is_name",
    "parse_league",
]

GAMES_DEFAULT: Final = 240
GAMES_MAX: Final = 10_000_000
TABLES_PER_ENTRANT: Final = 16
"""How many tables run at once for each entrant, unless the file says less."""
NAME_LENGTH_MAX: Final = 40

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
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
    "tables_max",
    "entrant",
)
_ENTRANT_KEYS: Final = (
    "name",
    "command",
    "house",
    "bot",
    "owner",
    "protocol",
    "max_restarts",
    "directory",
)
_SEED_DIGITS_MAX: Final = 200
_COMMAND_KEYS: Final = ("protocol", "max_restarts", "directory")


class EntrantKind(StrEnum):
    """How an entrant comes to the arena."""

    COMMAND = "command"
    """The arena starts its program."""
    HOUSE = "house"
    """The arena starts one of its own bots."""
    BOT = "bot"
    """It dials in with a token."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who takes part."""

    name: str
    """Also the name of its bot in the arena and in the records."""
    kind: EntrantKind
    command: tuple[str, ...] = ()
    """The program and its arguments; empty unless the kind is `command`."""
    house: str = ""
    """Which house bot; empty unless the kind is `house`."""
    owner: str = ""
    protocol: str = "grpc"
    """What a command speaks: `grpc`, or `stdio` for lines of JSON."""
    max_restarts: int = 3
    """How often a command is started again in a run before it is given up."""
    directory: str = ""
    """Where a command runs, relative to the league file; empty is the file's own."""


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
    """`none`: every game has deals of its own."""
    time_control: TimeControl = field(default_factory=TimeControl)
    start_seconds: float = 60.0
    """How long a command may take to be ready before that counts as a failure."""
    faults_max: int = 3
    """The fault that gives a seat up; 0 means that none does."""
    deadline_minutes: float = 0.0
    """When no more games are started, counted from the start; 0 means never."""
    tables_max: int = 0
    """How many games run at once; 0 means 16 for each entrant."""

    @property
    def is_open(self) -> bool:
        """Whether anybody can compute the deals beforehand."""
        return self.practice_seed is not None

    @property
    def tables_limit(self) -> int:
        """How many games run at once, with the default worked out."""
        return self.tables_max or TABLES_PER_ENTRANT * len(self.entrants)

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
    time = root.table("time")
    return LeagueConfig(
        name=_checked_name(root, "name", length_max=60),
        entrants=_entrants(root, rules, houses),
        rules=rules,
        games=root.whole("games", GAMES_DEFAULT, low=1, high=GAMES_MAX),
        practice_seed=_practice_seed(root),
        luck=_luck(root),
        time_control=_time_control(time),
        start_seconds=time.number("start", 60.0, low=1, high=_DAY_SECONDS),
        faults_max=root.whole("faults_max", 3, low=0, high=1000),
        deadline_minutes=root.number("deadline_minutes", 0, low=0, high=1_000_000),
        tables_max=root.whole("tables_max", 0, low=0, high=100_000),
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


def _luck(root: Table) -> str:
    luck = root.text("luck", "none")
    if luck == "rotate":
        raise root.error("luck", "'rotate' arrives with a later version; now: 'none'")
    if luck != "none":
        raise root.error("luck", f"{shown(luck)} is not 'none'")
    return luck


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


def _entrants(
    root: Table, rules: RuleSet, houses: Collection[str] | None
) -> tuple[Entrant, ...]:
    tables = root.tables("entrant")
    entrants = [_entrant(table, houses) for table in tables]
    seen: dict[str, int] = {}
    for index, (table, entrant) in enumerate(zip(tables, entrants, strict=True)):
        # Names become file names, which some systems compare without case.
        first = seen.setdefault(entrant.name.lower(), index)
        if first != index:
            raise table.error(
                "name" if "name" in table else entrant.kind,
                f"{entrant.name!r} is taken by entrant #{first + 1}",
            )
    if len(entrants) < rules.players:
        raise root.error(
            "entrant",
            f"expected at least {rules.players} tables [[entrant]], one for each seat "
            f"of {rules_line(rules)}; found {len(entrants)}",
        )
    return tuple(entrants)


def _entrant(table: Table, houses: Collection[str] | None) -> Entrant:
    table.only(_ENTRANT_KEYS)
    kinds = [kind for kind in EntrantKind if kind in table]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none of them"
        raise table.error(
            kinds[1] if kinds else "",
            f"expected one of command, house, bot; found {found}",
        )
    kind = kinds[0]
    for key in _COMMAND_KEYS:
        if key in table and kind != EntrantKind.COMMAND:
            raise table.error(key, f"is for commands only; this is a {kind} entrant")
    return Entrant(
        name=_entrant_name(table, kind),
        kind=kind,
        command=_command(table) if kind == EntrantKind.COMMAND else (),
        house=_house(table, houses) if kind == EntrantKind.HOUSE else "",
        owner=table.text("owner", length_max=80),
        protocol=_protocol(table),
        max_restarts=table.whole("max_restarts", 3, low=0, high=1000),
        directory=table.text("directory", length_max=1000),
    )


def _entrant_name(table: Table, kind: EntrantKind) -> str:
    """Read the name; house bots and bots that dial in bring theirs along."""
    if kind == EntrantKind.COMMAND:
        table.require("name")
    if "name" not in table:
        return _checked_name(table, kind)
    name = _checked_name(table, "name")
    if kind == EntrantKind.BOT and name != table.text("bot"):
        raise table.error(
            "name",
            f"{name!r} differs from the bot's name {table.text('bot')!r}; leave it out",
        )
    return name


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of a bot."""
    return len(text) <= NAME_LENGTH_MAX and _NAME.fullmatch(text) is not None


def _checked_name(table: Table, key: str, *, length_max: int = NAME_LENGTH_MAX) -> str:
    name = table.text(key, length_max=length_max)
    if not _NAME.fullmatch(name):
        raise table.error(
            key,
            f"{name!r} is no name; expected letters, digits, dots, dashes and "
            "underscores, a letter or digit first",
        )
    return name


def _command(table: Table) -> tuple[str, ...]:
    """Read a command as a list, or as a text that is split like in a shell."""
    value = table.values["command"]
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        words = value
    else:
        try:
            words = shlex.split(table.text("command", length_max=10_000))
        except ValueError as error:
            raise table.error("command", f"cannot be split: {error}") from None
    if not words or not words[0]:
        raise table.error("command", "expected a program and its arguments")
    return tuple(words)


def _house(table: Table, houses: Collection[str] | None) -> str:
    house = table.text("house")
    if houses is not None and house not in houses:
        known = sorted(houses)
        hint = did_you_mean(house, known) or f"expected {', '.join(known)}"
        raise table.error("house", f"{house!r} is no house bot; {hint}")
    return house


def _protocol(table: Table) -> str:
    protocol = table.text("protocol", "grpc")
    if protocol not in ("grpc", "stdio"):
        raise table.error("protocol", f"{protocol!r} is not one of grpc, stdio")
    return protocol
