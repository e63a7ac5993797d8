"""How a bot did in the games of `arena play`: places, faults, where to look next."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import typer

from arena.record import Fault, Record
from arena.terminal import counted, print_columns, print_error, print_note
from arena.verdict import UNKNOWN, Verdict, verdicts
from leagues.programs.processes import ProgramFailure, log_excerpt
from leagues.programs.sparring import SparringPlan
from leagues.reports.standings import ordinal

__all__ = ["print_summary"]


def print_summary(
    plan: SparringPlan,
    records: Sequence[Record],
    failure: ProgramFailure | None,
    *,
    file: Path,
    log: Path | None,
    is_full: bool,
) -> bool:
    """
    Print how the bot did; return whether it had no fault.

    Args:
        failure: how the bot's program ended, if it did.
        file: where the records are.
        log: the log of the bot; `None` when it has none.
        is_full: whether every trick has been printed already.
    """
    if len(records) > 1:
        _print_table(plan, records)
    places = [_place(plan.bot, record) for record in records]
    faults = [
        (fault, verdict)
        for record in records
        for fault, verdict in verdicts(record)
        if record.seats[fault.seat].bot == plan.bot
    ]
    mean = sum(places) / len(places)
    typer.echo(
        f"{plan.bot}: {counted(len(places), 'game')}, {places.count(1)} won, "
        f"mean place {mean:.2f}, {counted(len(faults), 'fault')}"
    )
    if failure is not None:
        print_error(str(failure))
    elif faults:
        _explain(plan, faults, log, is_full=is_full)
    if not is_full and (hint := _where_to_look(plan, records, file)):
        print_note(hint)
    return failure is None and not faults


def _print_table(plan: SparringPlan, records: Sequence[Record]) -> None:
    """Print a row for each bot of the table, the best mean place first."""
    deals = sum(len(record.deals) for record in records)
    rows = []
    seats = len(plan.names())
    for name in plan.names():
        places = [_place(name, record) for record in records]
        points = sum(_value(name, record, record.totals or ()) for record in records)
        counts = [str(places.count(place)) for place in range(1, seats + 1)]
        mean = sum(places) / len(places)
        rows.append((mean, (name, *counts, f"{mean:.2f}", f"{points / deals:.2f}")))
    heads = ("Bot", *map(ordinal, range(1, seats + 1)), "Mean place", "Pts/deal")
    print_columns(heads, [cells for _, cells in sorted(rows)])
    typer.echo()


def _explain(
    plan: SparringPlan,
    faults: Sequence[tuple[Fault, Verdict]],
    log: Path | None,
    *,
    is_full: bool,
) -> None:
    """Say what the faults were, what they may come from, and what the log says."""
    kinds = [fault.kind for fault, _ in faults]
    counts = [counted(kinds.count(kind), f"{kind} answer") for kind in sorted({*kinds})]
    where = "? marks each one above" if is_full else "the transcript shows where"
    print_error(f"{plan.bot} had {', '.join(counts)}; {where}")
    late = [verdict for fault, verdict in faults if fault.kind == "late"]
    if late:
        seconds = plan.time_control.turn_limit_ms / 1000
        text = f"{counted(len(late), 'turn')} had no answer within {seconds:g} s"
        if told := [verdict.words for verdict in late if verdict.kind != UNKNOWN]:
            print_note(f"{text}; the first of them: {told[0]}")
        else:
            print_note(
                f"{text}: does {plan.bot} think too long, or, as a bot of lines, not "
                "flush its output?"
            )
    if log and (excerpt := log_excerpt(log)):
        print_note(excerpt)


def _where_to_look(plan: SparringPlan, records: Sequence[Record], file: Path) -> str:
    """Return how to read the worst game trick by trick; empty when all were won."""
    worst = max(records, key=lambda record: _place(plan.bot, record))
    place = _place(plan.bot, worst)
    if place == 1:
        return ""
    return (
        f"{worst.game}, where {plan.bot} came in place {place}, trick by trick:\n"
        f"  arena replay {shlex.quote(str(file))} --game {worst.game} --transcript full"
    )


def _place(bot: str, record: Record) -> int:
    return _value(bot, record, record.places or ())


def _value(bot: str, record: Record, values: Sequence[int]) -> int:
    return values[[seat.bot for seat in record.seats].index(bot)]
