"""The plans of a league as `arena verify` takes them, held against its audit log."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.commands.opened import opened
from arena.commitment import Plans, Settled, read_schedule
from arena.document import DocumentError
from arena.excerpt import shown
from arena.record import Record
from arena.terminal import CommandError
from leagues.audit import Action, AuditEntry
from leagues.commands.audit import evidence_of
from leagues.evidence import Evidence, log_problem

__all__ = ["ReadPlans", "read_plans"]


@dataclass(frozen=True, slots=True)
class ReadPlans:
    """What a league has settled, as files tell it."""

    plans: Plans
    commitments: tuple[str, ...]
    """Of each plan, as it was worked out, in hexadecimal."""
    entries: tuple[AuditEntry, ...] = ()
    """Those of the audit log that settle the later plans."""
    head: str = ""
    """The head of that log; empty where none was given."""
    problems: tuple[str, ...] = ()
    """What is wrong with the plans themselves."""

    def check(self, record: Record) -> None:
        """
        Check a record against the plans; the last one where no log says since when.

        Raises:
            VerifyError: It is not of one of their games.
        """
        settled = self.plans.settled
        if len(settled) == len(self.plans.since) + 1:
            self.plans.check(record)
        else:
            settled[-1].check(record, when="in the last plan")

    @property
    def text(self) -> str:
        """What is to be said of games that are seated so."""
        if len(self.commitments) == 1:
            return f"settled, commitment {self.commitments[0]}"
        return f"the {len(self.commitments)} plans settle"

    def lines(self) -> Iterator[str]:
        """List the plans, where there are several."""
        if len(self.commitments) == 1:
            return
        yield f"{len(self.commitments)} plans of league {self.plans.settled[0].league}:"
        for number, mark in enumerate(self.commitments, start=1):
            when = "before the first game"
            if number > 1:
                when = "not in an audit log"
                if entry := next(iter(self.entries[number - 2 : number - 1]), None):
                    when = f"entry {entry.number} of the audit log, {entry.time}"
            yield f"  {number}. commitment {mark}, {when}"
        if self.head:
            yield f"Head of the audit log {self.head}: is it one that was noted?"


def read_plans(
    file: Path, secret: bytes, *, audit: Path | None, noted: str
) -> ReadPlans:
    """
    Read the plans of a league, and work out what each commits it to.

    Args:
        file: A schedule.
        secret: That of the league.
        audit: Its standings in JSON, which each later plan needs.
        noted: A commitment that somebody has noted; empty where nobody has.

    Raises:
        CommandError: A file can't be read, or there are several plans and no log.
    """
    with opened(file, expected="a schedule in JSON") as text:
        try:
            known = read_schedule(text.read())
        except DocumentError as error:
            raise CommandError(f"{file}: {error}") from None
    settled = [one for one, _ in known]
    found = tuple(one.commitment(secret).hex() for one in settled)
    published = [mark.hex() for _, mark in known]
    problems = [
        f"the commitment {said} does not hold: the secret, the roster, the rules and "
        f"this schedule come to {mark}"
        for said, mark in zip(published, found, strict=True)
        if said != mark
    ]
    if noted and noted not in published:
        problems.append(
            f"the commitment {noted}, which you have noted, is none of these"
        )
    if len(settled) > 1 and audit is None:
        raise CommandError(
            f"{file}: of its {len(settled)} plans only the first was settled before "
            "the first game, and an audit log has the others: give --audit FILE, the "
            "league's standings in JSON (standings.json of a closed league, else "
            "arena league standings --format json)"
        )
    evidence = evidence_of(audit) if audit else None
    entries = _entries(evidence)
    problems += _log_problems(settled, published, evidence, entries)
    is_known = len(entries) == len(settled) - 1
    plans = Plans(
        settled,
        since=[entry.time for entry in entries] if is_known else (),
        void=_void(evidence),
    )
    problems += plans.problems()
    head = evidence.audit_head if evidence else ""
    return ReadPlans(plans, found, entries, head, tuple(problems))


def _entries(evidence: Evidence | None) -> tuple[AuditEntry, ...]:
    """Return the entries that plan anew."""
    entries = evidence.entries if evidence else ()
    return tuple(entry for entry in entries if entry.action == Action.PLAN)


def _void(evidence: Evidence | None) -> frozenset[str]:
    entries = evidence.entries if evidence else ()
    return frozenset(entry.record for entry in entries if entry.action == Action.VOID)


def _log_problems(
    settled: list[Settled],
    published: list[str],
    evidence: Evidence | None,
    entries: tuple[AuditEntry, ...],
) -> Iterator[str]:
    """Say what keeps the later plans from being those of the audit log."""
    if evidence is None:
        return
    if evidence.league != settled[0].league:
        yield f"the audit log is of league {shown(evidence.league)}"
    if problem := log_problem(evidence):
        yield problem
    logged = [entry.commitment for entry in entries]
    if len(logged) != len(published) - 1:
        yield (
            f"the audit log has {len(logged)} plans after the first, but this file has "
            f"{len(published) - 1}"
        )
    for number, (mark, entry) in enumerate(
        zip(published[1:], entries, strict=False), start=2
    ):
        if mark != entry.commitment:
            yield (
                f"the commitment {mark} of plan {number} is not that of entry "
                f"{entry.number} of the audit log, {entry.commitment}"
            )
