"""The results of a league as one page: everything in it, and nothing from elsewhere.

Names and owners are their authors' own, and may be meant to do harm: the template
escapes whatever it is given, has no script, and forbids the browser to load anything.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from leagues.incidents import Incident
from leagues.reports.checks import checks_of
from leagues.reports.crosstable import crosstable, scores_of
from leagues.reports.document import Rows, Table, figure, percent
from leagues.reports.faults import faults
from leagues.reports.seats import seats
from leagues.reports.source import Source
from leagues.reports.standings import ordinal
from leagues.reports.standings_foot import (
    OWNERS_APART,
    incident_place,
    mark_lines,
    older_versions,
    others_of_owners,
    proof_lines,
    too_few_line,
)
from leagues.reports.standings_head import head_lines
from leagues.reports.worst_deals import WorstDeal
from leagues.standings import Standings, StandingsRow

__all__ = ["PageFile", "results_page", "told_apart"]

_INCIDENTS_MAX: Final = 10
"""How many faults of a bot are told; the standings for programs have all."""
_BAR_WIDTH: Final = 240
_BAR_EDGE: Final = 4


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file beside the page."""

    name: str
    what: str


def results_page(
    standings: Standings,
    source: Source,
    *,
    worst: Callable[[str], Sequence[WorstDeal]],
    files: Sequence[PageFile],
) -> str:
    """Return the page as HTML.

    Args:
        standings: Of the league.
        source: The same games, for reports.
        worst: Returns the worst deals of an entrant.
        files: What lies beside the page.
    """
    head, *facts = head_lines(standings)
    rows = _rows(standings, source, worst)
    parts = _parts(rows, standings)
    seats_report, table, faulty = seats(source), crosstable(source), faults(source)
    has_faults = any(sum(r.faults.values()) or r.given_up for r in standings.rows)
    return _template().render(
        league=standings.league.name,
        head=head,
        summary=table.summary,
        alarm=seats_report.alarm,
        facts=facts,
        anchor=standings.anchor,
        places=[f"{ordinal(n)} %" for n in range(1, standings.league.players + 1)],
        rows=rows,
        shown=parts[0],
        others=parts[1],
        older=parts[2],
        marks=mark_lines(standings.short),
        more_marks=[
            mark
            for mark in mark_lines(standings.rows)
            if mark not in mark_lines(standings.short)
        ],
        few=too_few_line(standings),
        apart=OWNERS_APART if standings.owners_apart else "",
        has_line=any(row["is_apart"] for _, row in chain(*parts)),
        grid=_grid(source, {row.entrant: row.rank for row in standings.rows}),
        crosstable=table,
        seats=seats_report,
        faults=faulty if has_faults else None,
        faults_table=replace(faulty.data, rows=_with_faults(faulty.data)),
        audit=[entry.line for entry in standings.appeals.entries],
        files=files,
        checks=checks_of(standings),
        proofs=proof_lines(standings),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("leagues.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    return environment.get_template("results.html")


def _rows(
    standings: Standings,
    source: Source,
    worst: Callable[[str], Sequence[WorstDeal]],
) -> list[Mapping[str, Any]]:
    """Return what is told of each bot: those of the short form, then the rest."""
    left_out = others_of_owners(standings), older_versions(standings)
    tables = [
        [row for row in standings.rows if row.entrant in names] for names in left_out
    ]
    bars = _Bars(standings)
    ranks = {row.entrant: row.rank for row in standings.rows}
    return [
        {
            **_figures(row, before=before),
            "rank": ranks[row.entrant],
            "bar": bars.of(row),
            **told_apart(source, row.entrant),
            **_incidents(standings, row.entrant),
            "worst": [_worst(standings, deal) for deal in worst(row.entrant)],
        }
        for table in (standings.short, *tables)
        for before, row in zip((None, *table), table, strict=False)
    ]


def _parts(
    rows: Sequence[Mapping[str, Any]], standings: Standings
) -> list[list[tuple[int, Mapping[str, Any]]]]:
    """Part the rows into the short form, more bots of its owners, older versions."""
    places = iter(enumerate(rows, start=1))
    sizes = len(standings.short), len(others_of_owners(standings)), len(rows)
    return [list(islice(places, size)) for size in sizes]


def _figures(row: StandingsRow, *, before: StandingsRow | None) -> dict[str, Any]:
    """Return what the table says of a bot, as texts."""
    shares = [percent(n / row.games, 0) if row.games else "-" for n in row.places]
    is_apart = bool(
        before and before.tier and row.tier and before.tier.last < row.tier.first
    )
    return {
        "name": row.entrant,
        "owner": row.owner,
        "more": row.more,
        "tier": "-" if row.tier is None else str(row.tier),
        "is_apart": is_apart,
        "elo": _text(row.elo, 0) + row.mark,
        "half_width": _text(row.half_width or None, 0),
        "points": _text(row.points_per_deal, 2),
        "points_half_width": _text(row.points_half_width, 2),
        "score": "-" if row.score is None else percent(row.score, 0),
        "games": row.games,
        "places": shares,
        "faults": sum(row.faults.values()),
    }


def _text(value: float | None, digits: int) -> str:
    return "-" if value is None else figure(value, digits)


class _Bars:
    """Ratings with their intervals as bars, all on one scale."""

    def __init__(self, standings: Standings) -> None:
        ends = [
            (row.elo - (row.half_width or 0), row.elo + (row.half_width or 0))
            for row in standings.rows
            if row.elo is not None
        ]
        self._low = min((low for low, _ in ends), default=0.0)
        high = max((high for _, high in ends), default=1.0)
        self._scale = (_BAR_WIDTH - 2 * _BAR_EDGE) / max(high - self._low, 1.0)
        self._has_zero = standings.anchor is not None

    def of(self, row: StandingsRow) -> Mapping[str, Any] | None:
        """Return where the bar of a row lies, in the picture's own units."""
        if row.elo is None:
            return None
        half = row.half_width or 0
        low, high = self._at(row.elo - half), self._at(row.elo + half)
        told = f"{row.elo:.0f}" + (f" plus or minus {half:.0f}" if half else "")
        return {
            "low": f"{low:.1f}",
            "width": f"{high - low:.1f}",
            "middle": f"{self._at(row.elo) - 1.5:.1f}",
            "zero": f"{self._at(1500):.1f}" if self._has_zero else None,
            "label": told,
        }

    def _at(self, elo: float) -> float:
        return _BAR_EDGE + (elo - self._low) * self._scale


def _grid(source: Source, ranks: Mapping[str, int]) -> list[Mapping[str, Any]]:
    """Return the crosstable: a rank, a name and the cells of each row."""
    score = scores_of(source)

    def cell(row: int, column: int) -> Mapping[str, str]:
        if row == column:
            return {"text": "", "kind": "self"}
        kind = "better" if row < column else "worse"
        is_apart = source.differs[row, column]
        return {
            "text": percent(float(score[row, column]), 0),
            "kind": kind if is_apart else "",
        }

    everyone = range(len(source.ranked))
    return [
        {
            "rank": ranks[name],
            "name": name,
            "cells": [cell(row, column) for column in everyone],
        }
        for row, name in enumerate(source.ranked)
    ]


def told_apart(source: Source, name: str) -> Mapping[str, list[str]]:
    """Sort the others into those it is better and worse than, and the rest."""
    found: dict[str, list[str]] = {"beats": [], "loses": [], "open": []}
    if name in source.ranked:
        own = source.ranked.index(name)
        for at, other in enumerate(source.ranked):
            if at != own:
                way = "beats" if own < at else "loses"
                found[way if source.differs[own, at] else "open"].append(other)
    return found


def _incidents(standings: Standings, name: str) -> Mapping[str, Any]:
    mine = [item for item in standings.incidents if item.entrant == name]
    return {
        "incidents": [_incident(standings, item) for item in mine[:_INCIDENTS_MAX]],
        "incidents_more": max(0, len(mine) - _INCIDENTS_MAX),
    }


def _incident(standings: Standings, item: Incident) -> str:
    return f"{incident_place(standings, item)}: {item.kind}, {item.cause}"


def _with_faults(table: Table) -> Rows:
    """Return the rows of those that have had any."""
    found = zip(table.rows, table.objects(), strict=True)
    return tuple(row for row, named in found if named["games_with_faults"])


def _worst(standings: Standings, deal: WorstDeal) -> Mapping[str, Any]:
    """Return a deal in words; names in it are escaped like all the rest."""
    notes = [f"passed {deal.passed}"] if deal.passed else []
    notes += [f"{deal.shooter} shot the moon"] if deal.shooter else []
    return {
        "place": f"{standings.league.game_name(deal.number)}, deal {deal.deal}",
        "points": deal.points,
        "others": ", ".join(map(str, deal.others)),
        "note": "; ".join(notes),
        "hand": deal.hand,
    }
