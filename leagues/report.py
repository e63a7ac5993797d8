"""Standings as text: for people, for programs, for spreadsheets, for web pages.

`FORMATS` names them: `text`, `json`, `csv` and `md`. Every format is a function
from standings to a text that ends with a line end.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from leagues.standings import UNIT, Incident, Standings, StandingsRow

__all__ = ["FORMATS", "cells", "columns", "foot_lines", "head_lines"]

INCIDENTS_SHOWN: Final = 20
"""How many faults a text for people lists; the other formats have all."""

_MARKS: Final = {
    "*": "* anchor, rated 1500",
    ">": "> won against everybody, always",
    "<": "< never won against anybody",
    "!": "! not joined with the rest by wins and losses",
}


def as_text(standings: Standings) -> str:
    """Write aligned columns for people."""
    names = columns(standings)
    lines = _aligned([names, *(cells(row) for row in standings.rows)])
    parts = [
        *head_lines(standings),
        "",
        *lines,
        *foot_lines(standings),
    ]
    return "\n".join(parts) + "\n"


def as_markdown(standings: Standings) -> str:
    """Write a table in Markdown, with the head and the foot as lists."""
    names = columns(standings)
    sides = [":--" if name == "Entrant" else "--:" for name in names]
    table = [
        names,
        sides,
        *([_escaped(c.strip()) for c in cells(r)] for r in standings.rows),
    ]
    head, *facts = head_lines(standings)
    parts = [
        f"# {head}",
        "",
        *(f"- {fact}" for fact in facts),
        "",
        *(f"| {' | '.join(line)} |" for line in table),
    ]
    parts += [f"- {_escaped(line)}" if line else "" for line in foot_lines(standings)]
    return "\n".join(parts) + "\n"


def as_csv(standings: Standings) -> str:
    """Write one line an entrant, after a line of column names."""
    file = io.StringIO()
    rows = [_flat_row(row) for row in standings.rows]
    writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def as_json(standings: Standings) -> str:
    """Write one JSON object, with all that standings hold."""
    league = standings.league
    document = {
        "league": league.name,
        "state": league.state,
        "rules": league.rules,
        "rules_hash": league.rules_hash,
        "unit": UNIT,
        "luck": league.luck,
        "open_deals": league.practice_seed is not None,
        "practice_seed": league.practice_seed,
        "commitment": league.commitment,
        "secret": league.secret or None,
        "roster": list(league.entrants),
        "anchor": league.anchor,
        "games_finished": standings.games_finished,
        "games_planned": league.games_planned,
        "records_digest": standings.digest,
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


def head_lines(standings: Standings) -> list[str]:
    """Say in a few lines which league it is and how its deals can be checked."""
    league = standings.league
    count = f"{standings.games_finished} of {league.games_planned} games"
    lines = [
        f"League {league.name}: {league.state}, {count}",
        f"Rules {league.rules}, {league.rules_hash[:16]}; unit: {UNIT}; "
        f"luck: {league.luck}",
    ]
    if league.practice_seed is not None:
        lines.append(
            f"Open deals, not for competition; practice seed {league.practice_seed!r}"
        )
    lines.append(f"Commitment {league.commitment}")
    if league.secret and league.practice_seed is None:
        lines.append(f"Secret {league.secret}")
    return [*lines, f"Records {standings.digest}"]


def foot_lines(standings: Standings) -> list[str]:
    """Explain the marks and list the faults, with a blank line before each part."""
    lines: list[str] = []
    marks = {row.mark for row in standings.rows}
    explained = [text for mark, text in _MARKS.items() if mark in marks]
    if explained:
        lines += ["", "; ".join(explained)]
    faulted = [r for r in standings.rows if sum(r.faults.values()) or r.given_up]
    lines += [""] * bool(faulted) + [_faults_line(row) for row in faulted]
    if standings.incidents:
        lines.append("")
        shown = standings.incidents[-INCIDENTS_SHOWN:]
        if earlier := len(standings.incidents) - len(shown):
            lines.append(f"{earlier} earlier ones stand in the JSON; the latest:")
        lines += [_incident_line(standings, item) for item in shown]
    return lines


def columns(standings: Standings) -> list[str]:
    """Name the columns of a table for people."""
    places = [_ordinal(place) for place in range(1, standings.league.players + 1)]
    return [
        *("#", "Entrant", "Elo", "Pts/deal", "Games", "Deals", "Score%"),
        *places,
        *("Moon%", "QS%", "Faults", "Given up"),
    ]


def cells(row: StandingsRow) -> list[str]:
    """Write one row of a table for people, a text for each of `columns`."""
    shares = [
        f"{100 * count / row.games:.0f}" if row.games else "-" for count in row.places
    ]
    return [
        str(row.rank),
        row.entrant,
        _figure(row.elo, 1) + (row.mark or " "),
        _figure(row.points_per_deal, 3),
        str(row.games),
        str(row.deals),
        _figure(None if row.score is None else 100 * row.score, 1),
        *shares,
        _figure(row.moons_per_100_deals, 1),
        _figure(row.queens_percent, 1),
        str(sum(row.faults.values())),
        str(row.given_up),
    ]


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Pad the cells, names to the left and figures to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index == 1 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    ]


def _flat_row(row: StandingsRow) -> dict[str, Any]:
    """Write a row with one plain value a column; empty where there is none."""
    flat = _row_object(row)
    places = flat.pop("places")
    faults = flat.pop("faults")
    flat |= {f"place_{place}": count for place, count in enumerate(places, start=1)}
    flat |= {f"faults_{kind}": count for kind, count in faults.items()}
    flat["given_up"] = flat.pop("given_up")
    return flat


def _row_object(row: StandingsRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "entrant": row.entrant,
        "elo": row.elo,
        "mark": row.mark,
        "games": row.games,
        "deals": row.deals,
        "points_per_deal": _rounded(row.points_per_deal),
        "score": _rounded(row.score),
        "places": list(row.places),
        "moons_per_100_deals": _rounded(row.moons_per_100_deals),
        "queens_percent": _rounded(row.queens_percent),
        "faults": dict(row.faults),
        "given_up": row.given_up,
    }


def _incident_object(item: Incident) -> dict[str, Any]:
    return {
        "game": item.game,
        "entrant": item.entrant,
        "deal": item.deal,
        "trick": item.trick,
        "kind": item.kind,
        "cause": item.cause,
    }


def _faults_line(row: StandingsRow) -> str:
    kinds = [f"{count} {kind}" for kind, count in row.faults.items() if count]
    ends = f"; given up in {row.given_up} of {row.games} games" if row.given_up else ""
    return f"Faults of {row.entrant}: {', '.join(kinds) or 'none'}{ends}"


def _incident_line(standings: Standings, item: Incident) -> str:
    tricks = 52 // standings.league.players
    place = "pass" if item.trick == 0 else f"trick {item.trick}"
    if item.trick > tricks:
        place = "moon choice"
    game = f"{standings.league.name}-{item.game}"
    return (
        f"{game}, deal {item.deal}, {place}: {item.entrant} {item.kind}: {item.cause}"
    )


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _escaped(cell: str) -> str:
    """Keep Markdown from taking a name's underscores and bars for its own."""
    for special in "\\|_*<>!":
        cell = cell.replace(special, f"\\{special}")
    return cell
