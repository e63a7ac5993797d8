"""
Evidence: what somebody has of a league, checked against its audit log and its chains.

Whoever has a league's standings as JSON, the records of its games and those of its void
games can check them anywhere: whether the log is whole, whether the records are those
that the standings were made of, and whether every void game is the one that was played.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.document import DocumentError, Node, parse_document
from arena.record import Record, record_hash
from leagues.audit import Action, AuditEntry, first_fault, genesis, head_of, read_entry
from leagues.claimed import ClaimedTable, read_table
from leagues.standings import records_digest

__all__ = ["Evidence", "altered", "log_problem", "read_evidence", "record_problems"]

_NAME_MAX = 60
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_COUNT_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a league's standings say that can be checked."""

    league: str
    entries: tuple[AuditEntry, ...]
    """The audit log."""
    audit_head: str
    records_digest: str
    games_finished: int
    table: ClaimedTable | None = None
    """The figures, which follow from the games and which no hash covers."""


def read_evidence(text: str) -> Evidence:
    """Read standings in JSON.

    Raises:
        DocumentError: They are none, or of a version without an audit log.
    """
    at = parse_document(text).entries()
    for name in ("league", "audit", "audit_head", "records_digest", "games_finished"):
        if name not in at:
            reason = f"the key {name!r} is missing; expected standings in JSON"
            raise DocumentError(path="", reason=reason)
    return Evidence(
        league=at["league"].text(_NAME_MAX, pattern=_NAME, expected="a league's name"),
        entries=_entries(at["audit"]),
        audit_head=at["audit_head"].hexadecimal(32),
        records_digest=at["records_digest"].hexadecimal(32),
        games_finished=at["games_finished"].number(0, _COUNT_MAX),
        table=read_table(at),
    )


def _entries(node: Node) -> tuple[AuditEntry, ...]:
    return tuple(map(read_entry, node.items()))


def log_problem(evidence: Evidence, *, noted: Sequence[str] = ()) -> str:
    """Say what is wrong with an audit log first; empty when nothing is.

    Args:
        evidence: With the log.
        noted: Heads of the log that somebody has noted earlier, in hexadecimal.
    """
    entries = evidence.entries
    if fault := first_fault(evidence.league, entries):
        return f"entry {fault.number} of the audit log is wrong: {fault.reason}"
    if head_of(evidence.league, entries) != evidence.audit_head:
        return f"the audit log has lost its end: entry {len(entries) + 1} is missing"
    known = {genesis(evidence.league), *(entry.digest for entry in entries)}
    for head in noted:
        if head not in known:
            return (
                f"the audit log has no entry with the digest {head}: since that was "
                "noted, the log was made anew"
            )
    return ""


def record_problems(
    evidence: Evidence,
    *,
    hashes: Mapping[int, str] | None = None,
    void: Collection[str] | None = None,
) -> Iterator[str]:
    """Say what is wrong with the records of games, as far as there are any.

    Args:
        evidence: What the standings say.
        hashes: The hash of each finished game's record, by the game's number.
        void: The hashes of the records of void games.
    """
    if hashes is not None:
        if len(hashes) != evidence.games_finished:
            yield (
                f"there are records of {len(hashes)} games, but "
                f"{evidence.games_finished} are finished"
            )
        elif _digest(hashes) != evidence.records_digest:
            yield "the records are not those of the standings: their digest differs"
    if void is not None:
        for entry in evidence.entries:
            if entry.action == Action.VOID and entry.record not in void:
                yield (
                    f"the record of game {entry.game}, which entry {entry.number} of "
                    "the audit log made void, is missing or changed"
                )


def altered(record: Record) -> bool:
    """Tell whether a record was changed since it was written."""
    return record_hash(record) != record.hash


def _digest(hashes: Mapping[int, str]) -> str:
    return records_digest(hashes[number] for number in sorted(hashes))
