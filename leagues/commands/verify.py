"""`arena verify`: replays records through the engine and names what is wrong."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.commands.records import (
    NO_RECORD,
    Entry,
    EntryError,
    each_once,
    record_entries,
)
from arena.excerpt import shown
from arena.record import Record
from arena.rotations import RotationCheck
from arena.stand_in import STAND_INS
from arena.terminal import (
    WRONG,
    CommandError,
    JsonOption,
    ProgressBar,
    counted,
    epilog,
    print_error,
    print_json,
    progress_bar,
)
from arena.verify import SECRET_BYTES, VerifyError, check_secret, verify
from leagues.commands.plans import ReadPlans, read_plans

_SHOWN_MAX = 20


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "verify",
        epilog=epilog(
            "arena verify games.jsonl",
            "arena games export demo | arena verify -",
            "arena verify --secret 5f0c... friday.jsonl",
            "arena verify --secret 5f0c... --schedule schedule.json records.jsonl",
            "arena verify --secret 5f0c... --schedule schedule.json "
            "--audit standings.json records.jsonl",
            "arena verify --as-dealt mine.txt",
            wrong="a record is wrong",
        ),
    )(_verify)


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing that is wrong with a record."""

    file: str
    line: int
    message: str
    game: str | None = None
    deal: int | None = None
    trick: int | None = None
    seat: int | None = None

    def value(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Verdict:
    """What was found in all files."""

    as_dealt: bool = False
    """Whether the hands are taken from the records."""
    secret: bytes = b""
    """The secret of the league that all games are of; empty when it is not known."""
    plans: ReadPlans | None = None
    """What that league has settled, when it is known."""
    game_count: int = 0
    """Games that are right."""
    deal_count: int = 0
    """Their deals."""
    findings: list[Finding] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    """Where each game was seen first."""
    rotations: RotationCheck[tuple[str, int]] = field(default_factory=RotationCheck)
    """The games that are right, to be compared by block."""

    def judge(self, entry: Entry) -> None:
        """Check one record and note the first thing that is wrong with it."""
        try:
            record = entry.read()
            if self.secret:
                check_secret(record, self.secret)
            if self.plans:
                self.plans.check(record)
            verify(record, _stand_in(record), as_dealt=self.as_dealt)
            self._count(record, entry)
        except EntryError as error:
            self.findings.append(Finding(entry.file, error.line, str(error)))
        except VerifyError as error:
            place = (error.game, error.deal, error.trick, error.seat)
            self.findings.append(Finding(entry.file, entry.line, str(error), *place))

    def close(self) -> None:
        """Compare the games of each block, after the last one."""
        for (file, line), error in self.rotations.problems():
            self.game_count -= 1
            self.findings.append(Finding(file, line, str(error), error.game))

    def _count(self, record: Record, entry: Entry) -> None:
        first = self.places.setdefault(record.game, entry.place)
        if first != entry.place:
            reason = f"the game stands twice, first in {first}"
            raise VerifyError(game=record.game, reason=reason)
        self.game_count += 1
        self.deal_count += len(record.deals)
        if not self.as_dealt:
            self.rotations.add(record, (entry.file, entry.line))


def _stand_in(record: Record) -> Any:
    if record.stand_in in STAND_INS:
        return STAND_INS[record.stand_in]
    known = ", ".join(STAND_INS)
    reason = (
        f"the stand-in {shown(record.stand_in)} is not one of this version's: {known}"
    )
    raise VerifyError(game=record.game, reason=reason)


def _verify(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="JSON lines or notation; - reads stdin."),
    ],
    *,
    as_dealt: Annotated[
        bool,
        typer.Option(
            "--as-dealt",
            help="Take the hands and the first dealer from the file, not the seed.",
        ),
    ] = False,
    secret: Annotated[
        str,
        typer.Option(
            metavar="HEX",
            help="The secret of the league, which its standings reveal at its end.",
        ),
    ] = "",
    schedule: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --secret: what the league had settled, as `arena league "
            "schedule` prints it and a closed league has it in schedule.json.",
        ),
    ] = None,
    commitment: Annotated[
        str,
        typer.Option(
            metavar="HEX",
            help="With --schedule: the commitment that you have noted before.",
        ),
    ] = "",
    audit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --schedule: the standings in JSON, whose audit log has the "
            "commitments of plans that were made anew.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """
    Check records: replay each game and name the first thing that is wrong.

    Hands are dealt again from the seed, every pass and play is checked against
    the rules, faults against what the arena must have played, then points,
    totals, places and the hash. Games of a block, dealt from the same cards, must be
    one seating in its rotations, or the two bots of a match in all arrangements. With
    --secret the seeds themselves are worked out from the secret of the league, block
    and attempt; with --schedule too the commitment is, which the league published
    before its first game, and games must seat whom it settled then. Where it planned
    anew later, --audit has to name each later plan, and games must seat whom the plans
    did that were in force from their start on. With --as-dealt, games that were dealt
    by hand or by another engine are checked in all the rest. Times stand outside the
    hash and follow from nothing, so nobody can check them.
    """
    files = each_once(files)
    verdict = Verdict(as_dealt, _secret(secret, as_dealt=as_dealt))
    _settle(verdict, schedule, audit, noted=commitment.strip().lower())
    total = sum(path.stat().st_size for path in files if path.is_file())
    with progress_bar("verified", total=total, unit="bytes") as bar:
        for entry in _entries(files, bar):
            verdict.judge(entry)
    verdict.close()
    if not verdict.game_count and not verdict.findings:
        raise CommandError(f"{_names(files)}: {NO_RECORD}")
    if as_json:
        _print_value(verdict)
    else:
        _print_text(verdict, files)
    if verdict.findings:
        raise typer.Exit(WRONG)


def _secret(text: str, *, as_dealt: bool) -> bytes:
    """Read the secret of a league; empty when there is none."""
    if not text:
        return b""
    if as_dealt:
        raise CommandError("--as-dealt takes hands from the file, --secret deals them")
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * SECRET_BYTES}}}", text):
        raise CommandError(
            f"--secret: {shown(text)} is no secret; expected {2 * SECRET_BYTES} "
            "hexadecimal digits, as at the foot of a finished league's standings"
        )
    return bytes.fromhex(text)


def _settle(
    verdict: Verdict, file: Path | None, audit: Path | None, *, noted: str
) -> None:
    """Work out the commitments of a league, and note what is wrong with them."""
    if file is None:
        for option, given in (("--commitment", noted), ("--audit", audit)):
            if given:
                raise CommandError(f"{option} goes with --schedule")
        return
    if not verdict.secret:
        raise CommandError("--schedule goes with --secret, which commitments hide")
    known = read_plans(file, verdict.secret, audit=audit, noted=noted)
    verdict.plans = known
    verdict.findings += [Finding(str(file), 1, text) for text in known.problems]


def _entries(files: Sequence[Path], bar: ProgressBar) -> Iterator[Entry]:
    done = 0
    for path in files:
        for entry in record_entries(path):
            yield entry
            done += entry.size
            bar.update(done)


def _print_value(verdict: Verdict) -> None:
    plans = verdict.plans
    print_json(
        {
            "games_right": verdict.game_count,
            "deals_right": verdict.deal_count,
            "blocks_right": verdict.rotations.whole + verdict.rotations.arranged,
            "blocks_incomplete": verdict.rotations.partial,
            "has_secret": bool(verdict.secret),
            "commitment": plans.commitments[-1] if plans else None,
            "commitments": list(plans.commitments) if plans else [],
            "audit_head": plans.head or None if plans else None,
            "is_right": not verdict.findings,
            "wrong": [finding.value() for finding in verdict.findings],
        }
    )


def _print_text(verdict: Verdict, files: Sequence[Path]) -> None:
    for finding in verdict.findings[:_SHOWN_MAX]:
        print_error(f"{finding.file}:{finding.line}: {finding.message}")
    for line in verdict.plans.lines() if verdict.plans else ():
        typer.echo(line)
    count = len(verdict.findings)
    if count > _SHOWN_MAX:
        more = counted(count - _SHOWN_MAX, "more wrong record")
        print_error(f"{more}; --json names all")
    games = counted(verdict.game_count, "game")
    right = f"{games}, {counted(verdict.deal_count, 'deal')}"
    result = f"{count} wrong; {right} right" if count else f"{right}: all right"
    typer.echo(f"{_names(files)}: {result}{_blocks_text(verdict)}")


def _blocks_text(verdict: Verdict) -> str:
    """Say what was checked beyond single games."""
    whole, partial = verdict.rotations.whole, verdict.rotations.partial
    text = f"; {counted(whole, 'block')} in all rotations" if whole else ""
    if arranged := verdict.rotations.arranged:
        text += f"; {counted(arranged, 'block')} in all arrangements"
    if partial:
        text += f"; {counted(partial, 'block')} not whole"
    if verdict.secret and not verdict.findings:
        text += "; all dealt from the secret"
    if verdict.plans and not verdict.findings:
        text += f" and seated as {verdict.plans.text}"
    return text


def _names(files: Sequence[Path]) -> str:
    return ", ".join(map(str, files))
