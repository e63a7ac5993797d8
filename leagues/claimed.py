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
from leagues.standings import Standings, StandingsRow
from leagues.versions import Versions

__all__ = ["ClaimedTable", "first_difference", "read_table"]

_NAME_MAX: Final = 5000
_COUNT_MAX: Final = 2**31 - 1
_NEAR: Final = 0.001
"""Other versions of what computes may differ in the last digits."""

_Figure = float | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class ClaimedTable:
    """The table of standings, as a file has it."""

    anchor: str | None
    """Who is rated 1500; `None` where the mean of all is."""
    versions: Versions | None
    window: int
    """How many games of a ladder count, the last ones; 0 where all do."""
    games_counted: int
    rows: Mapping[str, Mapping[str, _Figure]]
    """By entrant, in the order of the table: the figures that are compared."""


def read_table(at: Mapping[str, Node]) -> ClaimedTable | None:
    """Read the table of standings; `None` in a version that has none.

    Raises:
        DocumentError: It is none.
    """
    names = ("anchor", "games_counted", "standings", "versions", "window")
    if any(name not in at for name in names):
        return None
    anchor, versions = at["anchor"], at["versions"]
    rows: dict[str, Mapping[str, _Figure]] = {}
    for node in at["standings"].items():
        row = node.entries()
        for name in ("entrant", *_FIELDS):
            if name not in row:
                node.fail(f"the key {name!r} is missing")
        entrant = row["entrant"].text(_NAME_MAX)
        if entrant in rows:
            node.fail(f"{shown(entrant)} has another row too")
        rows[entrant] = {name: _figure(row[name]) for name in _FIELDS}
    return ClaimedTable(
        anchor=None if anchor.is_null else anchor.text(_NAME_MAX),
        versions=None if versions.is_null else Versions(versions.word(*Versions)),
        window=0 if at["window"].is_null else at["window"].number(1, _COUNT_MAX),
        games_counted=at["games_counted"].number(0, _COUNT_MAX),
        rows=rows,
    )


def _figure(node: Node) -> _Figure:
    """Read a figure, or several, or none."""
    if node.is_null:
        return None
    if isinstance(node.value, list):
        return tuple(_number(item) for item in node.items())
    return _number(node)


def _number(node: Node) -> float:
    value = node.value
    if type(value) not in (int, float) or not isfinite(value):
        node.fail("expected a number")
    return float(value)


_FIELDS: Final = ("rank", "tier", "elo", "half_width", "games", "points_per_deal")
"""What is compared of each row, by its key."""


def first_difference(table: ClaimedTable, standings: Standings) -> str:
    """Say where a table differs first from standings that were worked out.

    Args:
        table: As a file has it.
        standings: Of the same games, with the same anchor.

    Returns:
        An empty text where it does not.
    """
    if table.games_counted != standings.games_counted:
        return (
            f"{table.games_counted} games count in it, but {standings.games_counted} do"
        )
    found = {row.entrant: _figures(row) for row in standings.rows if row.games}
    for entrant, claimed in table.rows.items():
        if entrant not in found:
            if claimed["games"]:
                return f"{shown(entrant)} has played none of the games that count"
            continue
        for name, value in found.pop(entrant).items():
            if not _is_near(claimed[name], value):
                return (
                    f"of {shown(entrant)} it says {name} {_text(claimed[name])}, but "
                    f"the games come to {_text(value)}"
                )
    return f"it has no row for {shown(min(found))}" if found else ""


def _figures(row: StandingsRow) -> dict[str, _Figure]:
    return {name: getattr(row, name) for name in _FIELDS}


def _is_near(one: _Figure, other: _Figure) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one, tuple) or isinstance(other, tuple):
        return one == other
    return abs(one - other) <= _NEAR


def _text(figure: _Figure) -> str:
    """Write a figure for people."""
    if figure is None:
        return "none"
    if isinstance(figure, tuple):
        return " to ".join(f"{part:g}" for part in figure)
    return f"{figure:.3f}".rstrip("0").rstrip(".")
