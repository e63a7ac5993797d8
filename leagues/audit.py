"""
The audit log of a league: what its host has decided about its results, and why.

Each entry is chained by hash to the one before, so whoever has noted the head of the
log, which stands below all standings, can tell later whether anything before it was
changed, left out or put in. The chain begins with SHA-256 over "hearts/1/audit" and the
league's name; each entry makes it SHA-256 over the 32 bytes so far and the canonical
JSON (UTF-8, sorted keys, no blanks) of the entry without its digest:

    {"action": "void", "by": "ada", "entrant": "", "game": 17, "number": 1,
     "reason": "the network was down", "record": HEX, "replay": true,
     "time": "2026-03-01T12:00:00Z"}

An entry that says that games were planned anew has one member more, `"commitment":
HEX`: that of the secret to the new schedule, as `leagues.seeds.commitment` defines it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from arena.document import DocumentError, Node, canonical_json
from arena.excerpt import shown

__all__ = [
    "BY_MAX",
    "REASON_MAX",
    "ROSTER_ACTIONS",
    "Action",
    "AuditEntry",
    "Fault",
    "chained",
    "checked_text",
    "first_fault",
    "genesis",
    "head_of",
    "read_entry",
]

REASON_MAX: Final = 300
"""How many characters a reason may have."""
BY_MAX: Final = 60
"""How many characters the name of whoever decides may have."""
_NAME_MAX: Final = 200
_COUNT_MAX: Final = 2**31 - 1
_TIME: Final = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z"


class Action(StrEnum):
    """What the host of a league can decide."""

    PAUSE = "pause"
    """No more games start."""
    RESUME = "resume"
    """They do again."""
    VOID = "void"
    """A finished game does not count."""
    EXCLUDE = "exclude"
    """The games of an entrant do not count, and no more of them are played."""
    REINSTATE = "reinstate"
    """They count again, and are played; or whoever has withdrawn plays again."""
    WITHDRAW = "withdraw"
    """An entrant plays no more; what it has played counts."""
    JOIN = "join"
    """An entrant has come in that the league file did not have before."""
    PLAN = "plan"
    """The games that are left are seated anew, since entrants came or went."""
    END = "end"
    """The league is finished with what is played."""


ROSTER_ACTIONS: Final = frozenset({Action.WITHDRAW, Action.REINSTATE})
"""Those after which games may have to be planned anew."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One decision."""

    action: Action
    reason: str
    by: str
    """Who decided it."""
    time: str
    """When, in UTC and to the second: `2026-03-01T12:00:00Z`."""
    entrant: str = ""
    """Whom it is about: who is excluded, for example, or has joined."""
    game: int = 0
    """The number of the game that is void, from 1."""
    record: str = ""
    """The hash of that game's record."""
    is_replayed: bool = False
    """Whether that game is played again."""
    commitment: str = ""
    """That of the secret to games that are planned anew, in hexadecimal."""
    number: int = 0
    """From 1, in the order of the log."""
    digest: str = ""
    """The end of the chain, in hexadecimal."""

    def document(self) -> dict[str, Any]:
        """Return what is hashed, as JSON knows it."""
        document = {
            "action": self.action.value,
            "by": self.by,
            "entrant": self.entrant,
            "game": self.game,
            "number": self.number,
            "reason": self.reason,
            "record": self.record,
            "replay": self.is_replayed,
            "time": self.time,
        }
        if self.commitment:
            document["commitment"] = self.commitment
        return document

    @property
    def text(self) -> str:
        """What was decided, in a few words."""
        if self.action == Action.VOID:
            again = "played again" if self.is_replayed else "not played again"
            return f"void game {self.game}, {again}"
        if self.action == Action.PLAN:
            return f"plan anew, commitment {self.commitment}"
        return f"{self.action} {self.entrant}".rstrip()

    @property
    def line(self) -> str:
        """The entry in one line, for people."""
        return f"{self.number}. {self.time} {self.text}, by {self.by}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Fault:
    """The first entry of a log that is not what it should be."""

    number: int
    """Its place in the log, from 1."""
    reason: str


def checked_text(text: str, *, what: str, length_max: int) -> str:
    """Return a text that may be shown anywhere, without blanks around it.

    Raises:
        ValueError: It is empty, too long, or has characters that can't be printed.
    """
    text = text.strip()
    if not text:
        raise ValueError(f"{what} is empty; expected a few words")
    if len(text) > length_max:
        raise ValueError(
            f"{what} has {len(text)} characters; expected at most {length_max}"
        )
    for letter in text:
        # No line ends and controls, no characters that turn the line around.
        if not letter.isprintable():
            raise ValueError(
                f"{what} has the character {shown(letter)}, which can't be printed; "
                "expected one line of text"
            )
    return text


def genesis(league: str) -> str:
    """Return where the chain of a league begins, in hexadecimal."""
    return sha256(b"hearts/1/audit" + league.encode()).hexdigest()


def chained(entry: AuditEntry, *, number: int, before: str) -> AuditEntry:
    """Return an entry with its place in the log.

    Args:
        entry: The entry.
        number: Its number.
        before: The head of the log without it.
    """
    placed = replace(entry, number=number)
    text = canonical_json(placed.document()).encode()
    return replace(placed, digest=sha256(bytes.fromhex(before) + text).hexdigest())


def head_of(league: str, entries: Sequence[AuditEntry]) -> str:
    """Return the head of a log, in hexadecimal."""
    return entries[-1].digest if entries else genesis(league)


def first_fault(league: str, entries: Iterable[AuditEntry]) -> Fault | None:
    """Find the first entry that was changed, or that follows one that is gone."""
    before = genesis(league)
    for number, entry in enumerate(entries, start=1):
        if entry.number != number:
            return Fault(number, f"it has the number {entry.number}")
        if chained(entry, number=number, before=before).digest != entry.digest:
            return Fault(number, "its digest does not follow from it and those before")
        before = entry.digest
    return None


def read_entry(node: Node) -> AuditEntry:
    """Read an entry as a file of standings has it.

    Raises:
        DocumentError: It is none; the path says where.
    """
    names = ("action", "by", "digest", "entrant", "game", "number", "reason")
    more = ("commitment",) if "commitment" in node.entries() else ()
    at = node.members(*names, "record", "replay", "time", *more)
    return AuditEntry(
        action=Action(at["action"].word(*Action)),
        reason=_printable(at["reason"], REASON_MAX),
        by=_printable(at["by"], BY_MAX),
        time=at["time"].text(len(_TIME), pattern=_TIME, expected="a time in UTC"),
        entrant=""
        if at["entrant"].value == ""
        else _printable(at["entrant"], _NAME_MAX),
        game=at["game"].number(0, _COUNT_MAX),
        record=at["record"].hexadecimal(32) if at["record"].value else "",
        is_replayed=at["replay"].flag(),
        commitment=at["commitment"].hexadecimal(32) if more else "",
        number=at["number"].number(1, _COUNT_MAX),
        digest=at["digest"].hexadecimal(32),
    )


def _printable(node: Node, length_max: int) -> str:
    """Read a text that may be shown anywhere: whoever wrote it may mean harm."""
    text = node.text(length_max)
    try:
        checked_text(text, what="it", length_max=length_max)
    except ValueError as error:
        raise DocumentError(path=node.path, reason=str(error)) from None
    return text
