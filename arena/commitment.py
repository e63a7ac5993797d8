"""
Commitments: what a league settles before its first game, checked after the last one.

A league publishes a commitment when it is made, and its secret when it is finished. The
commitment is SHA-256 over "hearts/1/commitment", the 32 bytes of the secret, and the
canonical JSON (UTF-8, sorted keys, no blanks) of

    {"league": NAME, "roster": [NAME, ...],
     "rules": {"hash": HEX, "overrides": {...}, "players": N, "preset": NAME},
     "schedule": [[ENTRANT, ...], ...]}

where the schedule has, for each game, the entrants by seat as numbers from 0 in the
order of the roster. So whoever learns the secret can check that deals, roster, schedule
and rules were settled beforehand. A ladder, which seats whoever comes, has settled its
deals and rules alone, with an empty roster and schedule.

A file of it is JSON with all that was settled, one after the other where a league has
settled its schedule anew, the one that is in force last:

    {"format": "hearts-schedule/1", "settled": [{"commitment": HEX, "league": …}, …]}

Such a file agrees with itself, whoever wrote it. Only the first plan was settled
before the first game; the audit log has the commitments and times of all later ones,
so `Plans` holds games against those that were in force from their start on.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final

from arena.document import Node, canonical_json, parse_document
from arena.excerpt import cut, printable
from arena.record import Record, RulesRecord, rules_from
from arena.replay import VerifyError
from arena.rotations import game_number

__all__ = ["FORMAT", "Plans", "Settled", "read_schedule", "write_schedule"]

FORMAT: Final = "hearts-schedule/1"
_ENTRANTS_MAX: Final = 100_000
_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z")
_SECOND: Final = len("2026-03-01T12:00:00")
_KEYS: Final = ("commitment", "league", "roster", "rules", "schedule")


@dataclass(frozen=True, slots=True)
class Settled:
    """What a league settles before its first game, apart from its secret."""

    league: str
    roster: tuple[str, ...]
    rules: RulesRecord
    schedule: Sequence[tuple[int, ...]]
    """For each game the entrants by seat, as numbers from 0."""

    def document(self) -> dict[str, Any]:
        """Return what the commitment covers, as JSON knows it."""
        return {
            "league": self.league,
            "roster": list(self.roster),
            "rules": asdict(self.rules),
            "schedule": [list(seating) for seating in self.schedule],
        }

    def commitment(self, secret: bytes) -> bytes:
        """Return what is published of it, and of a secret."""
        text = canonical_json(self.document()).encode()
        return sha256(b"hearts/1/commitment" + secret + text).digest()

    def check(self, record: Record, *, when: str = "before the first game") -> None:
        """
        Check that a record is of one of these games.

        Args:
            record: The record.
            when: When this was settled, for errors.

        Raises:
            VerifyError: It is of another league, has other rules, or seats other bots.
        """
        number = _number(record, self.league)
        seats = expected = ", ".join(seat.bot for seat in record.seats)
        if not number or (self.roster and number > len(self.schedule)):
            reason = f"the schedule of league {self.league} has no such game"
            raise VerifyError(game=record.game, reason=reason)
        if self.roster:
            entrants = self.schedule[number - 1]
            expected = ", ".join(self.roster[entrant] for entrant in entrants)
        problem = ""
        if record.rules.hash != self.rules.hash:
            problem = f"its rules are {record.rules.hash}, expected {self.rules.hash}"
        elif seats != expected:
            problem = f"it seats {cut(seats)}, expected {cut(expected)}"
        if problem:
            reason = f"{printable(problem)}, as was settled {when}"
            raise VerifyError(game=record.game, reason=reason)


@dataclass(frozen=True, slots=True)
class Plans:
    """All that a league has settled, one after the other."""

    settled: Sequence[Settled]
    """The first one before the first game."""
    since: Sequence[str] = ()
    """Since when each of the others is in force, in UTC and to the second."""
    void: Collection[str] = ()
    """The hashes of the records that do not count, whose games may be seated anew."""

    def problems(self) -> Iterator[str]:
        """Say what no league changes when it plans anew, and these plans do."""
        first = self.settled[0]
        before = first.roster
        for number, plan in enumerate(self.settled[1:], start=2):
            if plan.league != first.league:
                yield f"plan {number} is of another league than plan 1"
            if plan.rules != first.rules:
                yield f"plan {number} has other rules than plan 1"
            if plan.roster[: len(before)] != before:
                yield f"plan {number} has lost entrants of plan {number - 1}"
            before = plan.roster

    def check(self, record: Record) -> None:
        """
        Check that a record is of one of the games of the plans in force.

        Those are the one in force when the game began and all that came after it, since
        whoever plans anew keeps the games that have begun. A game that does not count
        may be seated anew.

        Raises:
            VerifyError: It is of another league, has other rules, or seats other bots.
        """
        first = self._in_force(record)
        after = first + 1 if record.hash in self.void else len(self.settled)
        for number in range(first, after):
            self.settled[number].check(record, when=self._when(number))

    def _in_force(self, record: Record) -> int:
        """Return which plan was in force when a game began, from 0."""
        begun = record.times.started
        if not self.since:
            return 0
        if not _TIME.fullmatch(begun):
            reason = "nobody can tell under which plan it began: it has no time of that"
            raise VerifyError(game=record.game, reason=reason)
        # In the same second it may have begun after: then it is as the later plan says.
        return sum(time[:_SECOND] <= begun[:_SECOND] for time in self.since)

    def _when(self, number: int) -> str:
        """Say when a plan was settled, from 0."""
        if not number:
            return "before the first game"
        return f"in plan {number + 1}, in force since {self.since[number - 1]}"


def _number(record: Record, league: str) -> int:
    """Return the number of a game of a league; 0 when it is none."""
    try:
        return game_number(record) if record.league == league else 0
    except ValueError:
        return 0


def write_schedule(settled: Iterable[tuple[Settled, bytes]]) -> str:
    """
    Return a file of all that a league has settled.

    Args:
        settled: With the commitments that were published.
    """
    documents = [
        {"commitment": commitment.hex(), **one.document()}
        for one, commitment in settled
    ]
    return canonical_json({"format": FORMAT, "settled": documents}) + "\n"


def read_schedule(text: str) -> list[tuple[Settled, bytes]]:
    """
    Read a file of all that a league has settled.

    Raises:
        DocumentError: It is none; the path says where.
    """
    root = parse_document(text)
    root.entries().get("format", Node(None, "format")).word(FORMAT)
    documents = root.members("format", "settled")["settled"]
    found = [_settled(item) for item in documents.items()]
    if not found:
        documents.fail("expected at least one item")
    return found


def _settled(node: Node) -> tuple[Settled, bytes]:
    at = node.members(*_KEYS)
    roster = tuple(item.text(200) for item in at["roster"].items())
    rules = rules_from(at["rules"])
    last = min(len(roster), _ENTRANTS_MAX) - 1
    settled = Settled(
        league=at["league"].text(200),
        roster=roster,
        rules=rules,
        schedule=tuple(
            tuple(entrant.number(0, last) for entrant in seating.items(rules.players))
            for seating in at["schedule"].items()
        ),
    )
    return settled, bytes.fromhex(at["commitment"].hexadecimal(32))
