"""Claimed tables: the figures that standings in JSON show, held against games.

No hash covers them: they follow from the games, so whoever has these works them out
again and compares.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final

from arena.document import Node
from arena.excerpt import shown
from leagues.standings import UNIT, Standings, StandingsRow
from leagues.versions import Versions

__all__ = ["ClaimedTable", "first_difference", "read_table"]

_NAME_MAX: Final = 5000
_COUNT_MAX: Final = 2**31 - 1
_NEAR: Final = 0.001
"""Other versions of what computes may differ in the last digits."""

_Figure = float | str | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class ClaimedTable:
    """The table of standings, as a file has it."""

    anchor: str | None
    """Who is rated 1500; `None` where the mean of all is."""
    versions: Versions | None
    window: int
    """How many games of a ladder count, the last ones; 0 where all do."""
    games_counted: int
    blocks: int
    players: int
    rules_hash: str
    unit: str
    rows: Mapping[str, Mapping[str, _Figure]]
    """By entrant, in the order of the table: the figures that are compared."""


def read_table(at: Mapping[str, Node]) -> ClaimedTable | None:
    """Read the table of standings; `None` in a version that has none.

    Raises:
        DocumentError: It is none.
    """
    names = (
        *("anchor", "blocks", "games_counted", "players", "rules_hash", "standings"),
        *("unit", "versions", "window"),
    )
    if any(name not in at for name in names):
        return None
    anchor, versions = at["anchor"], at["versions"]
    rows: dict[str, Mapping[str, _Figure]] = {}
    for node in at["standings"].items():
        row = node.entries()
        for name in ("entrant", "faults", *_FIELDS):
            if name not in row:
                node.fail(f"the key {name!r} is missing")
        entrant = row["entrant"].text(_NAME_MAX)
        if entrant in rows:
            node.fail(f"{shown(entrant)} has another row too")
        figures = {name: _figure(row[name]) for name in _FIELDS}
        counts = {
            f"faults.{kind}": float(count.number(0, _COUNT_MAX))
            for kind, count in row["faults"].entries().items()
        }
        rows[entrant] = {**figures, **counts}
    return ClaimedTable(
        anchor=None if anchor.is_null else anchor.text(_NAME_MAX),
        versions=None if versions.is_null else Versions(versions.word(*Versions)),
        window=0 if at["window"].is_null else at["window"].number(1, _COUNT_MAX),
        games_counted=at["games_counted"].number(0, _COUNT_MAX),
        blocks=at["blocks"].number(0, _COUNT_MAX),
        players=at["players"].number(1, _COUNT_MAX),
        rules_hash=at["rules_hash"].text(_NAME_MAX),
        unit=at["unit"].text(_NAME_MAX),
        rows=rows,
    )


def _figure(node: Node) -> _Figure:
    """Read a figure, or several, or none, or the marks of one."""
    if node.is_null:
        return None
    if isinstance(node.value, str):
        return node.value
    if isinstance(node.value, list):
        return tuple(_number(item) for item in node.items())
    return _number(node)


def _number(node: Node) -> float:
    value = node.value
    if type(value) not in (int, float) or not isfinite(value):
        node.fail("expected a number")
    return float(value)


_FIELDS: Final = (
    *("rank", "tier", "elo", "error", "half_width", "mark", "los", "blocks", "games"),
    *("deals", "points_per_deal", "points_half_width", "score", "places"),
    *("moons_per_100_deals", "queens_percent", "given_up"),
)
"""What is compared of each row, by its key; so are its counts of faults.

Its owner is not, who may have been named after the games, nor what only says which
versions of a bot the league has.
"""


def first_difference(table: ClaimedTable, standings: Standings) -> str:
    """Say where a table differs first from standings that were worked out.

    Args:
        table: As a file has it.
        standings: Of the same games, with the same anchor.

    Returns:
        An empty text where it does not.
    """
    if difference := _of_league(table, standings):
        return difference
    found = {row.entrant: _figures(row) for row in standings.rows if row.games}
    for entrant, claimed in table.rows.items():
        if entrant not in found:
            if claimed["games"]:
                return f"{shown(entrant)} has played none of the games that count"
            continue
        figures = found.pop(entrant)
        for name in [*figures, *(name for name in claimed if name not in figures)]:
            said, value = claimed.get(name), figures.get(name)
            if not _is_near(said, value):
                return (
                    f"of {shown(entrant)} it says {name} {_text(said)}, but "
                    f"the games come to {_text(value)}"
                )
    return f"it has no row for {shown(min(found))}" if found else ""


def _of_league(table: ClaimedTable, standings: Standings) -> str:
    """Say what differs first of what is said of all games."""
    if table.games_counted != standings.games_counted:
        return (
            f"{table.games_counted} games count in it, but {standings.games_counted} do"
        )
    league = standings.league
    for name, said, value in (
        ("blocks", table.blocks, standings.blocks),
        ("players", table.players, league.players),
        ("rules_hash", table.rules_hash, league.rules_hash),
        ("unit", table.unit, UNIT),
    ):
        if said != value:
            return f"it says {name} {shown(said)}, but the games have {shown(value)}"
    return ""


def _figures(row: StandingsRow) -> dict[str, _Figure]:
    figures: dict[str, _Figure] = {name: getattr(row, name) for name in _FIELDS}
    return figures | {f"faults.{kind}": count for kind, count in row.faults.items()}


def _is_near(one: _Figure, other: _Figure) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) <= _NEAR
    return one == other


def _text(figure: _Figure) -> str:
    """Write a figure for people."""
    if figure is None:
        return "none"
    if isinstance(figure, str):
        return shown(figure)
    if isinstance(figure, tuple):
        return " to ".join(f"{part:g}" for part in figure)
    return f"{figure:.3f}".rstrip("0").rstrip(".")
