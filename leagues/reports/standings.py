"""Standings as text: for people, for programs, for spreadsheets, for web pages.

`FORMATS` names them: `text`, `json`, `csv` and `md`. Every format is a function
from standings to a text that ends with a line end.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from arena.excerpt import cut, printable
from leagues.audit import AuditEntry
from leagues.reports.formats import escaped
from leagues.reports.standings_head import head_lines
from leagues.standings import UNIT, Incident, Standings, StandingsRow

__all__ = [
    "FORMATS",
    "as_text",
    "foot_lines",
    "full_form",
    "incident_place",
    "mark_lines",
    "older_versions",
    "others_of_owners",
    "ordinal",
    "proof_lines",
    "table_lines",
]

_MARKS: Final = {
    "*": "* anchor, rated 1500; +/- is that of the distance from it",
    ">": "> won against everybody, always: how far above the rest it is, nobody knows",
    "<": "< never won against anybody: how far below the rest it is, nobody knows",
    "!": "! not joined with the rest by wins and losses: its rating is a guess",
    "?": "? too few games for an error",
}
_MORE: Final = "The best bot of each owner; {} more in the full form (--full)"
_LIVE: Final = (
    "(Live): a running Elo of the last games, to look at only; it hangs on their order "
    "and counts for nothing"
)
_TIERS: Final = (
    "Tiers: entrants without a tier in common are really different; "
    "the order of the others may be luck"
)


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
    file = io.StringIO()
    heads = {"records_digest": standings.digest, "audit_head": standings.audit_head}
    rows = [{**_flat_row(row), **heads} for row in standings.rows]
    names = rows[0].keys() if rows else heads.keys()
    writer = csv.DictWriter(file, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


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
    """Return the same with all rows in the formats for people."""
    return replace(standings, short=standings.rows)


def older_versions(standings: Standings) -> list[str]:
    """Name the older versions that the short form leaves out."""
    return [row.entrant for row in _left_out(standings) if not row.is_newest]


def others_of_owners(standings: Standings) -> list[str]:
    """Name who is left out of the short form since its owner has a better bot."""
    return [row.entrant for row in _left_out(standings) if row.is_newest]


def _left_out(standings: Standings) -> list[StandingsRow]:
    shown = {row.entrant for row in standings.short}
    return [row for row in standings.rows if row.entrant not in shown]


def foot_lines(
    standings: Standings, *, live: Mapping[str, float] | None = None
) -> list[str]:
    """
    Explain the marks, sum up the faults, and say how the deals can be checked.

    Each part has a blank line before it.
    """
    lines = [] if live is None else ["", _LIVE]
    if others := others_of_owners(standings):
        lines += ["", _MORE.format(len(others))]
    if standings.games_finished:
        lines += ["", _TIERS, *mark_lines(standings)]
    if older := older_versions(standings):
        names = ", ".join(older)
        lines += ["", f"Older versions, left out above (--full shows them): {names}"]
    faulted = [r for r in standings.rows if sum(r.faults.values()) or r.given_up]
    for row in faulted:
        lines += ["", _faults_line(row), *_incident_lines(standings, row.entrant)]
    if entries := standings.appeals.entries:
        lines += ["", "Audit log:", *(f"  {entry.line}" for entry in entries)]
    return [*lines, "", *proof_lines(standings)]


def mark_lines(standings: Standings) -> list[str]:
    """Explain the marks that the table has."""
    marks = {mark for row in standings.short for mark in row.mark}
    return [text for mark, text in _MARKS.items() if mark in marks]


def proof_lines(standings: Standings) -> list[str]:
    """Say by what the deals and the records can be checked."""
    league = standings.league
    lines = [f"Commitment {league.commitment}"] if league.commitment else []
    if league.secret and league.practice_seed is None:
        lines.append(f"Secret {league.secret}")
    lines.append(f"Digest of records {standings.digest}")
    if league.commitment:
        # Games from files come without what their host has decided.
        lines.append(f"Head of the audit log {standings.audit_head}")
    return lines


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
        _Column("los", "LOS%", lambda row: _percent(row.los)),
        _Column("points", "Pts/deal", lambda row: _figure(row.points_per_deal, 3)),
        _Column(
            "points_half_width", "+/-", lambda row: _figure(row.points_half_width, 3)
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
    # Older stores and files of strangers may have whatever they like.
    lambda row: cut(printable(row.owner)) + (f" (+{row.more})" if row.more else ""),
)
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

    return _Column(ordinal(place), ordinal(place), cell)


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


def _faults_line(row: StandingsRow) -> str:
    kinds = [f"{count} {kind}" for kind, count in row.faults.items() if count]
    ends = f"; given up in {row.given_up} of {row.games} games" if row.given_up else ""
    return f"Faults of {row.entrant}: {', '.join(kinds) or 'none'}{ends}"


def _incident_lines(standings: Standings, entrant: str) -> list[str]:
    """Sum up an entrant's faults: what they were, in how many games, the first."""
    groups: dict[tuple[str, str], list[Incident]] = {}
    for item in standings.incidents:
        if item.entrant == entrant:
            groups.setdefault((item.kind, item.cause), []).append(item)
    return [
        f"  {kind}: {cause}, in {_games(items)}, first "
        f"{incident_place(standings, items[0])}"
        for (kind, cause), items in sorted(groups.items(), key=_by_count)
    ]


def _by_count(group: tuple[tuple[str, str], list[Incident]]) -> tuple[int, str, str]:
    (kind, cause), items = group
    return (-len(items), kind, cause)


def _games(items: Sequence[Incident]) -> str:
    count = len({item.game for item in items})
    return "1 game" if count == 1 else f"{count} games"


def incident_place(standings: Standings, item: Incident) -> str:
    """Say where in a game something happened, and what was offered there."""
    place = "pass" if item.trick == 0 else f"trick {item.trick}"
    if item.trick > standings.league.tricks:
        place = "moon choice"
    offered = f" ({item.offered})" if item.offered else ""
    return f"{standings.league.name}-{item.game}, deal {item.deal}, {place}{offered}"


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
