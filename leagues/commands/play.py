"""`arena play`: a bot against three house bots, with a transcript."""

import secrets
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from textwrap import indent
from typing import Annotated

import trio
import typer

from arena.record import Fault, Record, write_record
from arena.rules import RulesError, RuleSet, parse_rules
from arena.spec import TimeControl
from arena.terminal import (
    DATA_DEFAULT,
    WRONG,
    CommandError,
    DataOption,
    ProgressBar,
    counted,
    epilog,
    print_error,
    print_note,
    progress_bar,
)
from arena.transcript import compact, transcript
from leagues.processes import ProgramFailure, find_program, log_tail, stdio_command
from leagues.sparring import Sparring, SparringError, SparringPlan, open_sparring

_TABLES_MAX = 16


class Form(StrEnum):
    """How much of each game is printed."""

    FULL = "full"
    COMPACT = "compact"
    NONE = "none"


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "play",
        epilog=epilog(
            "arena play -- python mybot.py",
            "arena play --games 20 --against careful,careful,ducker -- ./mybot",
            "arena play --stdio -- awk -f mybot.awk",
            "arena play --no-clock -- python -m pdb mybot.py",
            wrong="the bot had faults or its program ended",
        ),
        context_settings={"allow_interspersed_args": False},
    )(_play)


def _play(
    command: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND…", help="The bot and its arguments, after --."),
    ],
    *,
    against: Annotated[
        str, typer.Option(metavar="NAME,NAME,NAME", help="The house bots.")
    ] = "careful,ducker,lowest",
    games: Annotated[int, typer.Option(min=1, max=10_000, help="How many.")] = 1,
    seed: Annotated[
        str, typer.Option(help="Decides the deals; the same seed, the same deals.")
    ] = "",
    rules: Annotated[
        list[str] | None,
        typer.Option(metavar="PRESET or NAME=VALUE", help="Rules; repeat for more."),
    ] = None,
    name: Annotated[str, typer.Option(help="What the bot is called.")] = "mybot",
    stdio: Annotated[
        bool, typer.Option("--stdio", help="The bot reads and writes JSON lines.")
    ] = False,
    clock: Annotated[
        bool,
        typer.Option("--clock/--no-clock", help="Without: wait for ever, to debug."),
    ] = True,
    form: Annotated[
        Form | None,
        typer.Option("--transcript", help="By default full for one game."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", help="Where the records go, as JSON lines.")
    ] = None,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Play a bot against three house bots and show every deal.

    The arena starts the bot's program and tells it where to dial in. What the
    bot prints goes to a log. Each fault is explained where it happened. Nothing
    is rated.
    """
    plan = _plan(
        command,
        against=against,
        seed=seed or str(secrets.randbelow(10**6)),
        rules=rules or [],
        name=name,
        is_stdio=stdio,
        has_clock=clock,
    )
    folder = data / "play"
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    log.unlink(missing_ok=True)
    if form is None:
        form = Form.FULL if games == 1 else Form.COMPACT
    records, failure = _run(plan, games, folder, form)
    file = output or folder / f"{name}-{plan.seed}.jsonl"
    file.write_text("".join(write_record(record) + "\n" for record in records))
    is_fine = _print_summary(plan, records, failure, log, form)
    print_note(f"records: {file}   log of {name}: {log}")
    print_note(f"the same deals again: --seed {plan.seed}")
    if not is_fine:
        raise typer.Exit(WRONG)


def _plan(
    command: list[str],
    *,
    against: str,
    seed: str,
    rules: list[str],
    name: str,
    is_stdio: bool,
    has_clock: bool,
) -> SparringPlan:
    if find_program(command) is None:
        raise CommandError(
            f"{command[0]!r} is no program that can be started; expected the bot's "
            "command after --, for example: arena play -- python mybot.py"
        )
    return SparringPlan(
        bot=name,
        command=stdio_command(command) if is_stdio else tuple(command),
        opponents=_opponents(against),
        rules=_rules(rules),
        seed=seed,
        time_control=TimeControl() if has_clock else TimeControl(turn_limit_ms=0),
        start_seconds=60.0 if has_clock else float("inf"),
    )


def _opponents(against: str) -> tuple[str, ...]:
    from hearts.house import BOTS

    names = tuple(name.strip() for name in against.split(","))
    known = ", ".join(BOTS)
    for name in names:
        if name not in BOTS:
            raise CommandError(
                f"--against: {name!r} is no house bot; there are: {known}"
            )
    if len(names) != 3:
        raise CommandError(
            f"--against: {len(names)} names; expected three of {known}, with commas"
        )
    return names


def _rules(words: list[str]) -> RuleSet:
    options: dict[str, object] = {}
    for word in words:
        option, equals, value = word.partition("=")
        options[option if equals else "preset"] = value if equals else word
    try:
        return parse_rules(options)
    except RulesError as error:
        raise CommandError(f"--rules: {error}") from None


def _run(
    plan: SparringPlan, games: int, folder: Path, form: Form
) -> tuple[list[Record], ProgramFailure | None]:
    """Play all games; return the records by number, and how the bot ended if it did."""
    records: dict[int, Record] = {}

    async def run() -> ProgramFailure | None:
        async with open_sparring(plan, logs=folder) as sparring:
            tables = min(await sparring.wait_until_present(), games, _TABLES_MAX)
            with progress_bar("games", total=games) as bar:
                await _play_all(sparring, games, tables, records, bar, form)
            return next((f for f in sparring.failures if f.bot == plan.bot), None)

    try:
        failure = trio.run(run)
    except* SparringError as group:
        message = str(group.exceptions[0])
        raise CommandError(message, exit_code=WRONG) from None
    return [records[number] for number in sorted(records)], failure


async def _play_all(
    sparring: Sparring,
    games: int,
    tables: int,
    records: dict[int, Record],
    bar: ProgressBar,
    form: Form,
) -> None:
    """Play games side by side and print each one in the order of their numbers."""
    numbers = iter(range(1, games + 1))
    printed = 0

    async def fill_table() -> None:
        nonlocal printed
        for number in numbers:
            records[number] = await sparring.play(number)
            bar.update(len(records))
            while printed + 1 in records:
                printed += 1
                _print_game(records[printed], form)

    async with trio.open_nursery() as nursery:
        for _ in range(tables):
            nursery.start_soon(fill_table)


def _print_game(record: Record, form: Form) -> None:
    if form != Form.NONE:
        text = transcript(record) if form == Form.FULL else compact(record)
        typer.echo(text)


def _print_summary(
    plan: SparringPlan,
    records: list[Record],
    failure: ProgramFailure | None,
    log: Path,
    form: Form,
) -> bool:
    """Print how the bot did; return whether it had no fault."""
    places = [_seat_value(plan, record, record.places or ()) for record in records]
    faults = [
        fault
        for record in records
        for fault in record.faults
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
        where = (
            "! marks each one above"
            if form == Form.FULL
            else "--transcript full shows where"
        )
        print_error(f"{plan.bot} had {_fault_kinds(faults)}; {where}")
        if tail := log_tail(log):
            print_note(f"the log of {plan.bot} ends:\n{indent(tail, '    ')}")
    return failure is None and not faults


def _seat_value(plan: SparringPlan, record: Record, values: Sequence[int]) -> int:
    return values[[seat.bot for seat in record.seats].index(plan.bot)]


def _fault_kinds(faults: list[Fault]) -> str:
    kinds = sorted({fault.kind for fault in faults})
    return ", ".join(
        counted(sum(f.kind == kind for f in faults), f"{kind} answer") for kind in kinds
    )
