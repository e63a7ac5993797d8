"""The roster of a league: who joins, who has withdrawn, and what that means for games.

Whoever stands in the league file and has no number yet has joined. Then, or when
somebody has withdrawn or is back, the games that are left are planned anew
(`leagues.replanning`), by whoever owns the directory, since nobody else knows which
games run. Who came and that it was planned anew are entries of the audit log, the
latter with the commitment of the same secret to the new roster and schedule. Former
schedules are kept, so that every commitment can be worked out again.
"""

import getpass
import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import sqlalchemy as sa

from arena.commitment import Settled
from arena.record import RulesRecord
from leagues.appeals import Agenda, appeals_of
from leagues.audit import REASON_MAX, Action, AuditEntry
from leagues.config import LeagueConfig
from leagues.normal_form import in_order, normalised
from leagues.replanning import planned_anew
from leagues.scheduling.balance import Seating
from leagues.seeds import commitment_to
from leagues.storage import schema
from leagues.storage.audit_rows import (
    add_entries,
    finished_games,
    now,
    read_agenda,
    read_audit,
)
from leagues.storage.league import League, packed, unpacked

__all__ = [
    "CommittedPlan",
    "Draft",
    "committed_plans",
    "draft",
    "is_due",
    "is_left",
    "join",
    "seat_anew",
    "settled_plans",
    "user_name",
]

ARENA: Final = "the arena"
"""Who plans anew: nobody decides it, it follows."""
_NAMED_MAX: Final = REASON_MAX - 60
"""How many characters may name those who came and went."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A league as it is once it is run with some file."""

    league: League
    agenda: Agenda


def join(connection: sa.Connection, league: League, entrants: Collection[str]) -> None:
    """Enter into the audit log who has joined."""
    add_entries(connection, league, _entries(entrants))


def _entries(joining: Collection[str]) -> list[AuditEntry]:
    by, time = user_name(), now()
    return [
        AuditEntry(Action.JOIN, "added to the league file", by, time, entrant=name)
        for name in joining
    ]


def draft(connection: sa.Connection, league: League, config: LeagueConfig) -> Draft:
    """Tell what a league will be when it is run with this file; nothing is stored."""
    config = in_order(config, league.entrants)
    names = tuple(entrant.name for entrant in config.entrants)
    joins = _entries(names[len(league.entrants) :])
    agenda = read_agenda(connection, league)
    appeals = appeals_of((*agenda.appeals.entries, *joins))
    agenda = replace(agenda, appeals=appeals)
    form = normalised(config, before=league.form)
    league = replace(league, form=form, entrants=names)
    if is_due(league, agenda):
        seatings = _anew(connection, league, agenda, running=())
        league = replace(league, seatings=tuple(seatings))
    return Draft(league, agenda)


def seat_anew(
    connection: sa.Connection, league: League, *, running: Collection[int] = ()
) -> bool:
    """Plan the games anew that are left, where that is due; tell whether it was.

    Args:
        connection: Of a transaction that writes.
        league: The league as it is stored.
        running: Games that stay as they are, with their blocks: those that run.
    """
    agenda = read_agenda(connection, league)
    if not is_due(league, agenda, running=running):
        return False
    seatings = _anew(connection, league, agenda, running=running)
    anew = len(_left(league, agenda, running))
    _store(connection, league, agenda, seatings, anew=anew)
    return True


def _anew(
    connection: sa.Connection,
    league: League,
    agenda: Agenda,
    *,
    running: Collection[int],
) -> list[Seating]:
    """Plan all games that have not begun."""
    left = _left(league, agenda, running)
    kept = set(range(1, 1 + len(league.seatings))).difference(left)
    over = finished_games(connection, league.id) | set(running)
    excluded = agenda.appeals.excluded.keys()
    return planned_anew(
        league.seatings,
        kept=kept,
        counted=[n for n in over if excluded.isdisjoint(league.seats(n))],
        players=_players(league, agenda),
        entrants=len(league.entrants),
        blocks=league.blocks,
        owners=league.apart,
        late=_late(league, agenda),
    )


def _players(league: League, agenda: Agenda) -> list[int]:
    """Return the numbers of those who take part from now on."""
    out = agenda.appeals.out
    return [n for n, name in enumerate(league.entrants) if name not in out]


def _late(league: League, agenda: Agenda) -> list[int]:
    """Return the numbers of those among them who have joined late, or are back."""
    appeals = agenda.appeals
    late = (appeals.joined.keys() | appeals.returning) - appeals.out
    return [n for n, name in enumerate(league.entrants) if name in late]


def is_due(league: League, agenda: Agenda, *, running: Collection[int] = ()) -> bool:
    """Tell whether games are to be planned anew, and can be.

    Where those who are left can't fill a table, nothing more is played with those who
    have withdrawn (`Agenda.wanted`). A ladder plans by itself, for whoever is there.
    """
    if agenda.appeals.end is not None:
        return False
    left = _left(league, agenda, running)
    gone = agenda.appeals.withdrawn.keys()
    if not agenda.appeals.returning:
        left = [n for n in left if not gone.isdisjoint(league.seats(n))]
    if not left or league.match is not None or league.ladder is not None:
        return False
    players = _players(league, agenda)
    return league.apart.tables(players, len(league.seatings[0])) > 0


def is_left(league: League, agenda: Agenda) -> bool:
    """Tell whether a league has games to play; a ladder may always get some."""
    if league.ladder is not None:
        return league.state != "finished" and agenda.appeals.end is None
    return bool(agenda.wanted(league.seats)) or is_due(league, agenda)


def _left(league: League, agenda: Agenda, running: Collection[int]) -> list[int]:
    """Return the games of which nothing has begun, with their blocks."""
    block = league.blocks.block
    missing = set(agenda.missing).difference(running)
    kept = (n for n in range(1, 1 + len(league.seatings)) if n not in missing)
    begun = set(map(block, kept))
    return [number for number in sorted(missing) if block(number) not in begun]


def _store(
    connection: sa.Connection,
    league: League,
    agenda: Agenda,
    seatings: list[Seating],
    *,
    anew: int,
) -> None:
    mark = commitment_to(
        league.secret,
        seatings,
        league=league.name,
        roster=league.entrants,
        rules=league.values["rules"],
    )
    reason = f"{_why(agenda)}; {anew} of {len(seatings)} games are seated anew"
    entry = AuditEntry(Action.PLAN, reason, ARENA, now(), commitment=mark.hex())
    log = add_entries(connection, league, [entry])
    table, former = schema.leagues, schema.plans
    connection.execute(
        sa.insert(former),
        {
            "league_id": league.id,
            "entry": log[-1].number,
            "schedule": packed(league.seatings),
        },
    )
    connection.execute(
        sa.update(table)
        .where(table.c.id == league.id)
        .values(schedule=packed(seatings))
    )


def _why(agenda: Agenda) -> str:
    """Say who has come and gone since it was planned the last time."""
    appeals = agenda.appeals
    since = max(
        (entry.number for entry in appeals.entries if entry.action == Action.PLAN),
        default=0,
    )
    new = [name for name, entry in appeals.joined.items() if entry.number > since]
    gone = [name for name, entry in appeals.withdrawn.items() if entry.number > since]
    back = sorted(appeals.returning.difference(new))
    moves = [(new, "joined"), (gone, "withdrew"), (back, "came back")]
    parts = [f"{', '.join(names)} {verb}" for names, verb in moves if names]
    text = ", ".join(parts) or "games broke off that had begun before a withdrawal"
    if len(text) > _NAMED_MAX:
        text = ", ".join(f"{len(names)} {verb}" for names, verb in moves if names)
    return text


@dataclass(frozen=True, slots=True)
class CommittedPlan:
    """A schedule to which a league was committed at some time."""

    entry: int
    """The entry of the audit log with the commitment; 0 for that before the first
    game."""
    commitment: bytes
    roster: tuple[str, ...]
    seatings: tuple[Seating, ...]


def committed_plans(connection: sa.Connection, league: League) -> list[CommittedPlan]:
    """Return all plans that a league has had, the first one first."""
    if league.ladder is not None:
        # Nobody knows who comes, so it is committed to its deals.
        return [CommittedPlan(0, league.commitment, (), ())]
    table = schema.plans
    query = (
        sa.select(table.c.schedule)
        .where(table.c.league_id == league.id)
        .order_by(table.c.entry)
    )
    schedules = [*map(unpacked, connection.execute(query).scalars()), league.seatings]
    entries = read_audit(connection, league.id)
    marks = [(0, league.commitment)] + [
        (entry.number, bytes.fromhex(entry.commitment))
        for entry in entries
        if entry.action == Action.PLAN
    ]
    joined = [entry.number for entry in appeals_of(entries).joined.values()]
    return [
        CommittedPlan(
            entry=entry,
            commitment=mark,
            roster=league.entrants[: _count(league, joined, entry)],
            seatings=seatings,
        )
        for (entry, mark), seatings in zip(marks, schedules, strict=True)
    ]


def settled_plans(
    connection: sa.Connection, league: League
) -> list[tuple[Settled, bytes]]:
    """Return what a league has settled, each time with what it has published of it."""
    rules = RulesRecord(**league.values["rules"])
    return [
        (Settled(league.name, plan.roster, rules, plan.seatings), plan.commitment)
        for plan in committed_plans(connection, league)
    ]


def _count(league: League, joined: Collection[int], entry: int) -> int:
    """Return how many entrants there were at an entry of the audit log."""
    return len(league.entrants) - sum(number > entry for number in joined)


def user_name() -> str:
    """Return the name of the operating system's user, or the number."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"user {os.getuid()}"
