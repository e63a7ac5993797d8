"""Standings as text: for people, for programs, for spreadsheets, for web pages.

`FORMATS` names them: `text`, `json`, `csv` and `md`. Every format is a function
from standings to a text that ends with a line end.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from arena.excerpt import cut, printable
from leagues.audit import AuditEntry
from leagues.incidents import Incident
from leagues.reports.formats import escaped
from leagues.reports.spreadsheet import csv_text
from leagues.reports.standings_foot import foot_lines
from leagues.reports.standings_head import head_lines
from leagues.standings import UNIT, Standings, StandingsRow

__all__ = [
    "FORMATS",
    "as_text",
    "full_form",
    "ordinal",
    "table_lines",
]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the table for people."""

    key: str
    title: str
    cell: Callable[[StandingsRow], str]


def as_text(standings: Standings, *, live: Mapping[str, float] | None = None) -> str:
    """Write aligned columns for people.

    Args:
        standings: The standings.
        live: The running Elo of each bot, to be shown beside.
    """
    parts = [
        *head_lines(standings),
        "",
        *table_lines(standings, live=live),
        *foot_lines(standings, live=live),
    ]
    return "\n".join(parts) + "\n"


def as_markdown(standings: Standings) -> str:
    """Write a table in Markdown, with the head and the foot as lists."""
    columns = _columns(standings)
    table = [
        [column.title for column in columns],
        [":--" if column.key in _NAMES else "--:" for column in columns],
        *([escaped(c.cell(row).strip()) for c in columns] for row in standings.short),
    ]
    head, *facts = head_lines(standings)
    parts = [
        f"# {head}",
        "",
        *(f"- {fact}" for fact in facts),
        "",
        *(f"| {' | '.join(line)} |" for line in table),
    ]
    parts += map(_item, foot_lines(standings))
    return "\n".join(parts) + "\n"


def as_csv(standings: Standings) -> str:
    """Write one line an entrant, after a line of column names."""
    heads = {"records_digest": standings.digest, "audit_head": standings.audit_head}
    rows = [{**_flat_row(row), **heads} for row in standings.rows]
    names = rows[0].keys() if rows else heads.keys()
    return csv_text([names, *(row.values() for row in rows)])


def as_json(standings: Standings) -> str:
    """Write one JSON object, with all that standings hold."""
    league, appeals = standings.league, standings.appeals
    document = {
        "league": league.name,
        "state": league.state,
        "rules": league.rules,
        "rules_hash": league.rules_hash,
        "players": league.players,
        "unit": UNIT,
        "luck": league.luck,
        **{"versions": league.versions, "window": league.window or None},
        "open_deals": league.practice_seed is not None,
        "practice_seed": league.practice_seed,
        "commitment": league.commitment or None,
        "secret": league.secret or None,
        "roster": list(league.entrants),
        "anchor": standings.anchor,
        "suspended": list(league.suspended),
        "trusted": list(league.trusted),
        "prior": standings.prior,
        "blocks": standings.blocks,
        "blocks_planned": league.blocks_planned,
        "design_effect": _rounded(standings.design_effect),
        "games_withheld": league.withheld_games,
        "blocks_open": league.withheld_blocks,
        "games_finished": standings.games_finished,
        "games_planned": league.games_planned,
        "until": league.until or None,
        "stopped_by": league.stopped_by or None,
        "games_counted": standings.games_counted,
        "records_digest": standings.digest,
        "paused": appeals.pause.reason if appeals.pause else None,
        "excluded": {name: why.reason for name, why in appeals.excluded.items()},
        "withdrawn": {name: why.reason for name, why in appeals.withdrawn.items()},
        "joined": list(appeals.joined),
        "audit": [_entry_object(entry) for entry in appeals.entries],
        "audit_head": standings.audit_head,
        "standings": [_row_object(row) for row in standings.rows],
        "faults": [_incident_object(item) for item in standings.incidents],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


FORMATS: Final[Mapping[str, Callable[[Standings], str]]] = {
    "text": as_text,
    "json": as_json,
    "csv": as_csv,
    "md": as_markdown,
}
"""The formats by name."""


def full_form(standings: Standings) -> Standings:
    """Return the same with all rows and columns in the formats for people."""
    return replace(standings, short=standings.rows, is_full=True)


def table_lines(
    standings: Standings,
    *,
    width: int | None = None,
    live: Mapping[str, float] | None = None,
) -> list[str]:
    """
    Write the table in aligned columns: their names, then a line an entrant.

    Args:
        width: how many characters a line should have at most; columns are left
            out until the lines fit, or until only what matters most is left.
        live: The running Elo of each bot, to be shown beside.
    """
    columns = _columns(standings, live)
    lines = _aligned(columns, standings.short)
    for key in _less_wanted(standings):
        if width is None or max(map(len, lines)) <= width:
            break
        columns = [column for column in columns if column.key != key]
        lines = _aligned(columns, standings.short)
    return lines


_NAMES: Final = ("entrant", "owner")


def _less_wanted(standings: Standings) -> list[str]:
    """Name the columns that a narrow table does without, the first one first."""
    is_whole = not any(row.given_up for row in standings.short)
    places = [ordinal(place) for place in range(1, standings.league.players + 1)]
    return [
        *(["given_up"] if is_whole else []),
        *("deals", "queens", "moons", *places[1:-1], "score", places[0], places[-1]),
        *("los", "given_up", "live", "points_half_width", "owner", "rank"),
    ]


def _columns(
    standings: Standings, live: Mapping[str, float] | None = None
) -> list[_Column]:
    """Lay out the columns of a table for people."""
    league = standings.league
    width = max((len(row.mark) for row in standings.short), default=0)
    places = range(1, league.players + 1)
    has_owners = any(row.owner for row in standings.short)
    return [
        _Column("rank", "#", lambda row: str(row.rank)),
        _Column("entrant", "Entrant", lambda row: row.entrant),
        *([_OWNER] if has_owners else []),
        _Column("tier", "Tier", lambda row: "-" if row.tier is None else str(row.tier)),
        _Column("elo", "Elo", lambda row: _figure(row.elo, 1) + row.mark.ljust(width)),
        _Column("half_width", "+/-", lambda row: _figure(row.half_width, 1)),
        *([] if live is None else [_live_column(live)]),
        *([_LOS] if standings.is_full else []),
        _Column("points", "Pts/deal", lambda row: _figure(row.points_per_deal, 3)),
        _Column(
            "points_half_width", "+/-pts", lambda row: _figure(row.points_half_width, 3)
        ),
        _Column("games", "Games", lambda row: str(row.games)),
        _Column("deals", "Deals", lambda row: str(row.deals)),
        _Column("score", "Score%", lambda row: _percent(row.score)),
        *(_place_column(place) for place in places),
        *([_MOONS] if league.has_moon else []),
        *([_QUEENS] if league.has_queen else []),
        _Column("faults", "Faults", lambda row: str(sum(row.faults.values()))),
        _Column("given_up", "Given up", lambda row: str(row.given_up)),
    ]


_OWNER: Final = _Column(
    "owner",
    "Owner",
    # Whoever makes standings of facts of his own may call an owner whatever he likes.
    lambda row: cut(printable(row.owner)) + (f" (+{row.more})" if row.more else ""),
)
_LOS: Final = _Column("los", "LOS%", lambda row: _percent(row.los))
_MOONS: Final = _Column(
    "moons", "Moon%", lambda row: _figure(row.moons_per_100_deals, 1)
)
_QUEENS: Final = _Column("queens", "QS%", lambda row: _figure(row.queens_percent, 1))


def _live_column(live: Mapping[str, float]) -> _Column:
    """Lay out the column of the running Elo, whose title says that it is none."""
    return _Column("live", "(Live)", lambda row: _figure(live.get(row.bot), 0))


def _place_column(place: int) -> _Column:
    """Lay out the column that says how often somebody came out in a place."""

    def cell(row: StandingsRow) -> str:
        return f"{100 * row.places[place - 1] / row.games:.0f}" if row.games else "-"

    return _Column(ordinal(place), f"{ordinal(place)}%", cell)


def _aligned(columns: Sequence[_Column], rows: Sequence[StandingsRow]) -> list[str]:
    """Write a table, with names to the left and figures to the right."""
    cells = [[c.title, *(c.cell(row) for row in rows)] for c in columns]
    widths = [max(map(len, column)) for column in cells]
    padded = [
        [cell.ljust(width) if c.key in _NAMES else cell.rjust(width) for cell in column]
        for c, column, width in zip(columns, cells, widths, strict=True)
    ]
    return ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]


def _flat_row(row: StandingsRow) -> dict[str, Any]:
    """Write a row with one plain value a column; empty where there is none."""
    flat = _row_object(row)
    flat["tier_first"], flat["tier_last"] = flat.pop("tier") or (None, None)
    places = flat.pop("places")
    faults = flat.pop("faults")
    flat |= {f"place_{place}": count for place, count in enumerate(places, start=1)}
    flat |= {f"faults_{kind}": count for kind, count in faults.items()}
    for last in ("given_up", "bot", "version", "newest"):
        flat[last] = flat.pop(last)
    return flat


def _row_object(row: StandingsRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "entrant": row.entrant,
        "owner": row.owner,
        "tier": None if row.tier is None else list(row.tier),
        "elo": row.elo,
        "error": row.error,
        "half_width": row.half_width,
        "mark": row.mark,
        "los": row.los,
        "blocks": row.blocks,
        "games": row.games,
        "deals": row.deals,
        "points_per_deal": _rounded(row.points_per_deal),
        "points_half_width": row.points_half_width,
        "score": _rounded(row.score),
        "places": list(row.places),
        "moons_per_100_deals": _rounded(row.moons_per_100_deals),
        "queens_percent": _rounded(row.queens_percent),
        "faults": dict(row.faults),
        "given_up": row.given_up,
        "bot": row.bot,
        "version": row.version,
        "newest": row.is_newest,
    }


def _incident_object(item: Incident) -> dict[str, Any]:
    return {
        "game": item.game,
        "entrant": item.entrant,
        "deal": item.deal,
        "trick": item.trick,
        "kind": item.kind,
        "cause": item.cause,
        "offered": item.offered,
    }


def _entry_object(entry: AuditEntry) -> dict[str, Any]:
    return {**entry.document(), "digest": entry.digest}


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _percent(share: float | None) -> str:
    return _figure(None if share is None else 100 * share, 1)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def ordinal(number: int) -> str:
    """Return `1st`, `2nd` and so on, for small numbers."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _item(line: str) -> str:
    """Make an item of a list in Markdown, as deep as the line is indented."""
    text = line.lstrip()
    return f"{line[: len(line) - len(text)]}- {escaped(text)}" if text else ""
