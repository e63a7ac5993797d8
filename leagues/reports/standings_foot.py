"""The lines below a table of standings: marks, faults, decisions, and how to check."""

from collections.abc import Iterable, Mapping
from typing import Final

from leagues.blocks import NONE
from leagues.incidents import Incident
from leagues.reports.words import counted
from leagues.scheduling.precision import precision
from leagues.standings import UNIT, Standings, StandingsRow

__all__ = [
    "OWNERS_APART",
    "foot_lines",
    "incident_place",
    "mark_lines",
    "older_versions",
    "others_of_owners",
    "proof_lines",
    "too_few_line",
]

_MARKS: Final = {
    "*": (
        "* anchor, set to 1500; each +/- is that of the distance from it, so several "
        "may miss together"
    ),
    ">": "> won against everybody, always: how far above the rest it is, nobody knows",
    "<": "< never won against anybody: how far below the rest it is, nobody knows",
    "!": "! not joined with the rest by wins and losses: its rating is a guess",
    "?": "? too few games for an error",
}
_MORE: Final = "The best bot of each owner; {} more in the full form (--full)"
_GAP: Final = 200
"""Blocks are too few that tell apart only who is further apart than so many Elo, which
is finishing ahead three times in four."""
_LIVE: Final = (
    "(Live): a running Elo of the last games, to look at only; it hangs on their order "
    "and counts for nothing"
)
_TIERS: Final = (
    "Tiers: entrants without a tier in common are really different; "
    "the order of the others may be luck"
)
OWNERS_APART: Final = (
    "Bots of one owner never met: points, scores and places are not corrected for whom "
    "a bot has met, but Elo and tiers are; compare by these"
)
"""What to know of a table where who owns a weak bot too was spared it."""


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
        apart = [OWNERS_APART] if standings.owners_apart else []
        few = [text] if (text := too_few_line(standings)) else []
        lines += ["", _TIERS, *few, *apart, *mark_lines(standings.short)]
    if older := older_versions(standings):
        names = ", ".join(older)
        lines += ["", f"Older versions, left out above (--full shows them): {names}"]
    faulted = [r for r in standings.rows if sum(r.faults.values()) or r.given_up]
    for row in faulted:
        lines += ["", _faults_line(row), *_incident_lines(standings, row.entrant)]
    if entries := standings.appeals.entries:
        lines += ["", "Audit log:", *(f"  {entry.line}" for entry in entries)]
    return [*lines, "", *proof_lines(standings)]


def too_few_line(standings: Standings) -> str:
    """Say where games share their deals that so few blocks tell nobody apart.

    The games of such a league look like many, but it is blocks that count.
    """
    league = standings.league
    rows = [row for row in standings.rows if row.blocks]
    is_one_tier = len({row.tier for row in rows}) == 1
    # Which of a match is better, its own report tells.
    if league.luck == NONE or league.match is not None or not is_one_tier:
        return ""
    least = min(row.blocks for row in rows)
    most = max(row.blocks for row in rows)
    found = precision(
        max(row.games for row in rows),
        blocks=most,
        entrants=len(rows),
        seats=league.players,
        is_anchored=False,
    )
    if found is not None and found.gap_among_all < _GAP:
        return ""
    each = str(most) if least == most else f"{least} to {most}"
    return f"Too few blocks ({each} each) to tell anybody apart"


def mark_lines(rows: Iterable[StandingsRow]) -> list[str]:
    """Explain the marks that a table has."""
    marks = {mark for row in rows for mark in row.mark}
    return [text for mark, text in _MARKS.items() if mark in marks]


def proof_lines(standings: Standings) -> list[str]:
    """Say by what deals and records can be checked, and ratings be compared."""
    league = standings.league
    draws = "1 draw" if standings.prior == 1 else f"{standings.prior:g} draws"
    lines = [
        f"Ratings from {counted(standings.blocks, 'block')}; only others of unit "
        f"{UNIT}, prior {draws} and rules {league.rules_hash[:16]} compare with them"
    ]
    lines += [f"Commitment {league.commitment}"] if league.commitment else []
    if league.secret and league.practice_seed is None:
        lines.append(f"Secret {league.secret}")
    lines.append(f"Digest of records {standings.digest}")
    if league.commitment:
        # Games from files come without what their host has decided.
        lines.append(f"Head of the audit log {standings.audit_head}")
    return lines


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
        f"  {kind}: {cause}, in {counted(len({one.game for one in items}), 'game')}, "
        f"first {incident_place(standings, items[0])}"
        for (kind, cause), items in sorted(groups.items(), key=_by_count)
    ]


def _by_count(group: tuple[tuple[str, str], list[Incident]]) -> tuple[int, str, str]:
    (kind, cause), items = group
    return (-len(items), kind, cause)


def incident_place(standings: Standings, item: Incident) -> str:
    """Say where in a game something happened, and what was offered there."""
    place = "pass" if item.trick == 0 else f"trick {item.trick}"
    if item.trick > standings.league.tricks:
        place = "moon choice"
    offered = f" ({item.offered})" if item.offered else ""
    game = standings.league.game_name(item.game)
    return f"{game}, deal {item.deal}, {place}{offered}"
