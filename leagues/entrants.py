"""The entrants of a league file: who takes part, and how each comes to the arena."""

import re
import shlex
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.excerpt import is_plain, shown
from arena.nearest import did_you_mean
from arena.rules import RuleSet
from leagues.limits import LIMITS_MAX, NO_LIMITS, SANDBOX_LIMITS, Limits
from leagues.rules_line import rules_line
from leagues.toml_source import Table

__all__ = [
    "Entrant",
    "EntrantKind",
    "Sandboxing",
    "checked_name",
    "is_name",
    "read_entrants",
]

NAME_LENGTH_MAX: Final = 40

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_ENTRANT_KEYS: Final = (
    "name",
    "command",
    "house",
    "bot",
    "owner",
    "protocol",
    "max_restarts",
    "directory",
    "sandbox",
    "limits",
    "readable",
)
_LIMIT_KEYS: Final = ("memory_mb", "processes", "open_files", "disk_mb", "cores")
_COMMAND_KEYS: Final = (
    "protocol",
    "max_restarts",
    "directory",
    "sandbox",
    "limits",
    "readable",
)


class EntrantKind(StrEnum):
    """How an entrant comes to the arena."""

    COMMAND = "command"
    """The arena starts its program."""
    HOUSE = "house"
    """The arena starts one of its own bots."""
    BOT = "bot"
    """It dials in with a token."""


COMMAND_BYTES_MAX = 100_000
"""Linux takes little more in one argument."""


OWNER_LENGTH_MAX = 80
"""The most characters of an owner's name."""
OWNER_FORM: Final = (
    "characters that print, with no space at either end nor two in a row"
)
"""What else an owner's name is."""


class Sandboxing(StrEnum):
    """What keeps a program that the arena starts from the rest of the machine."""

    NONE = "none"
    """Nothing: it runs with the rights of whoever runs the arena."""
    BWRAP = "bwrap"
    """Namespaces of its own, made by bubblewrap."""


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
    sandbox: Sandboxing = Sandboxing.NONE
    """What keeps a command from the rest of the machine."""
    limits: Limits = NO_LIMITS
    """What a command may use of the machine."""
    readable: tuple[str, ...] = ()
    """What a command in a sandbox may read beside its directory, relative to the
    league file."""


def read_entrants(
    root: Table, rules: RuleSet, *, houses: Collection[str] | None, least: int
) -> tuple[Entrant, ...]:
    """Read all entrants of a league file.

    Args:
        root: The file.
        rules: Those of the league.
        houses: The house bots that exist; `None` leaves their names unchecked.
        least: How many it takes.

    Raises:
        ConfigError: Something is missing, unknown or out of range.
    """
    # Looked at even where no entrant is a command.
    _limits(root.table("limits"), NO_LIMITS)
    _sandbox(root, Sandboxing.NONE)
    tables = root.tables("entrant")
    entrants = [_entrant(table, houses, root) for table in tables]
    seen: dict[str, int] = {}
    for index, (table, entrant) in enumerate(zip(tables, entrants, strict=True)):
        # Names become file names, which some systems compare without case.
        first = seen.setdefault(entrant.name.lower(), index)
        if first != index:
            raise table.error(
                "name" if "name" in table else entrant.kind,
                f"{entrant.name!r} is taken by entrant #{first + 1}",
            )
    if len(entrants) < least:
        raise root.error(
            "entrant",
            f"expected at least {rules.players} tables [[entrant]], one for each seat "
            f"of {rules_line(rules)}; found {len(entrants)}",
        )
    return tuple(entrants)


def _entrant(table: Table, houses: Collection[str] | None, root: Table) -> Entrant:
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
    if kind != EntrantKind.COMMAND:
        return _without_command(table, kind, houses)
    sandbox = _sandbox(table, _sandbox(root, Sandboxing.NONE))
    default = NO_LIMITS if sandbox == Sandboxing.NONE else SANDBOX_LIMITS
    return Entrant(
        name=_entrant_name(table, kind),
        kind=kind,
        command=_command(table),
        owner=_owner(table),
        protocol=_protocol(table),
        max_restarts=table.whole("max_restarts", 3, low=0, high=1000),
        directory=table.text("directory", length_max=1000),
        sandbox=sandbox,
        limits=_limits(table.table("limits"), _limits(root.table("limits"), default)),
        readable=_readable(table, sandbox),
    )


def _without_command(
    table: Table, kind: EntrantKind, houses: Collection[str] | None
) -> Entrant:
    return Entrant(
        name=_entrant_name(table, kind),
        kind=kind,
        house=_house(table, houses) if kind == EntrantKind.HOUSE else "",
        owner=_owner(table),
    )


def _readable(table: Table, sandbox: Sandboxing) -> tuple[str, ...]:
    """Read the paths that a program in a sandbox may read."""
    value = table.values.get("readable", [])
    if not isinstance(value, list) or not all(isinstance(p, str) and p for p in value):
        raise table.error("readable", f"expected a list of paths, found {shown(value)}")
    if value and sandbox == Sandboxing.NONE:
        raise table.error("readable", 'is for sandbox = "bwrap" only')
    return tuple(value)


def _entrant_name(table: Table, kind: EntrantKind) -> str:
    """Read the name; house bots and bots that dial in bring theirs along."""
    if kind == EntrantKind.COMMAND:
        table.require("name")
    if "name" not in table:
        return checked_name(table, kind)
    name = checked_name(table, "name")
    if kind == EntrantKind.BOT and name != table.text("bot"):
        raise table.error(
            "name",
            f"{name!r} differs from the bot's name {table.text('bot')!r}; leave it out",
        )
    return name


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of a bot."""
    return len(text) <= NAME_LENGTH_MAX and _NAME.fullmatch(text) is not None


def checked_name(table: Table, key: str, *, length_max: int = NAME_LENGTH_MAX) -> str:
    """Read a name.

    Raises:
        ConfigError: It is none.
    """
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
        text = table.text("command", length_max=10_000)
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise table.error("command", f"cannot be split: {error}") from None
    if not words or not words[0]:
        raise table.error("command", "expected a program and its arguments")
    if len("".join(words).encode()) > COMMAND_BYTES_MAX:
        problem = f"expected at most {COMMAND_BYTES_MAX:,} bytes in all"
        raise table.error("command", problem)
    if any("\0" in word for word in words):
        raise table.error("command", "no program takes a NUL character")
    return tuple(words)


def _owner(table: Table) -> str:
    owner = table.text("owner", length_max=OWNER_LENGTH_MAX)
    if owner and not is_plain(owner):
        raise table.error("owner", f"{shown(owner)} is no name; expected {OWNER_FORM}")
    return owner


def _house(table: Table, houses: Collection[str] | None) -> str:
    house = table.text("house")
    if houses is not None and house not in houses:
        known = sorted(houses)
        hint = did_you_mean(house, known) or f"expected {', '.join(known)}"
        raise table.error("house", f"{house!r} is no house bot; {hint}")
    return house


def _protocol(table: Table) -> str:
    return table.choice("protocol", "grpc", choices=("grpc", "stdio"))


def _sandbox(table: Table, default: Sandboxing) -> Sandboxing:
    return Sandboxing(table.choice("sandbox", default, choices=tuple(Sandboxing)))


def _limits(table: Table, default: Limits) -> Limits:
    """Read a table of limits; what it leaves out is as in `default`."""
    table.only(_LIMIT_KEYS)

    def whole(key: str, default: int) -> int:
        return table.whole(key, default, low=0, high=LIMITS_MAX)

    return Limits(
        memory_mb=whole("memory_mb", default.memory_mb),
        processes=whole("processes", default.processes),
        open_files=whole("open_files", default.open_files),
        disk_mb=whole("disk_mb", default.disk_mb),
        cores=table.number("cores", default.cores, low=0, high=LIMITS_MAX),
    )
