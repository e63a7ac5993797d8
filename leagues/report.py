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

__all__ = ["FORMATS", "foot_lines", "head_lines", "ordinal", "table_lines"]

_MARKS: Final = {
    "*": "* anchor, rated 1500",
    ">": "> won against everybody, always",
    "<": "< never won against anybody",
    "!": "! not joined with the rest by wins and losses",
}


def as_text(standings: Standings) -> str:
    """Write aligned columns for people."""
    parts = [
        *head_lines(standings),
        "",
        *table_lines(standings),
        *foot_lines(standings),
    ]
    return "\n".join(parts) + "\n"


def as_markdown(standings: Standings) -> str:
    """Write a table in Markdown, with the head and the foot as lists."""
    names = _columns(standings)
    sides = [":--" if name == "Entrant" else "--:" for name in names]
    table = [
        names,
        sides,
        *([_escaped(c.strip()) for c in _cells(standings, r)] for r in standings.rows),
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
        "players": league.players,
        "unit": UNIT,
        "luck": league.luck,
        "open_deals": league.practice_seed is not None,
        "practice_seed": league.practice_seed,
        "commitment": league.commitment,
        "secret": league.secret or None,
        "roster": list(league.entrants),
        "anchor": league.anchor,
        "suspended": list(league.suspended),
        "trusted": list(league.trusted),
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
    """Say in a few lines which league it is."""
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
    if league.trusted:
        lines.append(f"Trusted, without a sandbox: {', '.join(league.trusted)}")
    lines += [f"Suspended: {text}" for text in league.suspended]
    return lines


def foot_lines(standings: Standings) -> list[str]:
    """
    Explain the marks, sum up the faults, and say how the deals can be checked.

    Each part has a blank line before it.
    """
    lines: list[str] = []
    marks = {row.mark for row in standings.rows}
    explained = [text for mark, text in _MARKS.items() if mark in marks]
    if explained:
        lines += ["", "; ".join(explained)]
    faulted = [r for r in standings.rows if sum(r.faults.values()) or r.given_up]
    for row in faulted:
        lines += ["", _faults_line(row), *_incident_lines(standings, row.entrant)]
    league = standings.league
    lines += ["", f"Commitment {league.commitment}"]
    if league.secret and league.practice_seed is None:
        lines.append(f"Secret {league.secret}")
    return [*lines, f"Digest of records {standings.digest}"]


def table_lines(standings: Standings, *, width: int | None = None) -> list[str]:
    """
    Write the table in aligned columns: their names, then a line an entrant.

    Args:
        width: how many characters a line should have at most; columns are left
            out until the lines fit, or until only what matters most is left.
    """
    table = [_columns(standings), *(_cells(standings, row) for row in standings.rows)]
    lines = _aligned(table)
    for name in _less_wanted(standings):
        if width is None or max(map(len, lines)) <= width:
            break
        index = table[0].index(name)
        table = [line[:index] + line[index + 1 :] for line in table]
        lines = _aligned(table)
    return lines


def _less_wanted(standings: Standings) -> list[str]:
    """Name the columns that a narrow table does without, the first one first."""
    is_whole = not any(row.given_up for row in standings.rows)
    between = [ordinal(place) for place in range(2, standings.league.players)]
    return [
        *(["Given up"] if is_whole else []),
        *("Deals", *reversed(_rates(standings)), *between, "Score%"),
    ]


def _rates(standings: Standings) -> list[str]:
    """Name the columns of what was taken in a hundred deals, where there is any."""
    league = standings.league
    moon = ["Moon%"] if league.has_moon else []
    return [*moon, *(["QS%"] if league.has_queen else [])]


def _columns(standings: Standings) -> list[str]:
    """Name the columns of a table for people."""
    places = [ordinal(place) for place in range(1, standings.league.players + 1)]
    return [
        *("#", "Entrant", "Elo", "Pts/deal", "Games", "Deals", "Score%"),
        *places,
        *_rates(standings),
        *("Faults", "Given up"),
    ]


def _cells(standings: Standings, row: StandingsRow) -> list[str]:
    """Write one row of a table for people, a text for each of the columns."""
    shares = [
        f"{100 * count / row.games:.0f}" if row.games else "-" for count in row.places
    ]
    figures = {"Moon%": row.moons_per_100_deals, "QS%": row.queens_percent}
    rates = [_figure(figures[name], 1) for name in _rates(standings)]
    return [
        str(row.rank),
        row.entrant,
        _figure(row.elo, 1) + (row.mark or " "),
        _figure(row.points_per_deal, 3),
        str(row.games),
        str(row.deals),
        _figure(None if row.score is None else 100 * row.score, 1),
        *shares,
        *rates,
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
        "offered": item.offered,
    }


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
        f"  {kind}: {cause}, in {_games(items)}, first {_place(standings, items[0])}"
        for (kind, cause), items in sorted(groups.items(), key=_by_count)
    ]


def _by_count(group: tuple[tuple[str, str], list[Incident]]) -> tuple[int, str, str]:
    (kind, cause), items = group
    return (-len(items), kind, cause)


def _games(items: Sequence[Incident]) -> str:
    count = len({item.game for item in items})
    return "1 game" if count == 1 else f"{count} games"


def _place(standings: Standings, item: Incident) -> str:
    place = "pass" if item.trick == 0 else f"trick {item.trick}"
    if item.trick > standings.league.tricks:
        place = "moon choice"
    offered = f" ({item.offered})" if item.offered else ""
    return f"{standings.league.name}-{item.game}, deal {item.deal}, {place}{offered}"


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def ordinal(number: int) -> str:
    """Return `1st`, `2nd` and so on, for small numbers."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _item(line: str) -> str:
    """Make an item of a list in Markdown, as deep as the line is indented."""
    text = line.lstrip()
    return f"{line[: len(line) - len(text)]}- {_escaped(text)}" if text else ""


def _escaped(cell: str) -> str:
    """Keep Markdown from taking a name's underscores and bars for its own."""
    for special in "\\|_*<>!":
        cell = cell.replace(special, f"\\{special}")
    return cell
