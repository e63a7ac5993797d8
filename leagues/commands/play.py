"""`arena play`: a bot against house bots, with a transcript."""

import secrets
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, TextIO

import trio
import typer

from arena.commands.rules import PlayersOption, chosen_rules
from arena.excerpt import shown
from arena.record import Record, write_record
from arena.rules import RuleSet
from arena.spec import TimeControl
from arena.terminal import (
    DATA_DEFAULT,
    WRONG,
    CommandError,
    DataOption,
    ProgressBar,
    epilog,
    print_note,
    progress_bar,
)
from arena.transcript import compact, transcript
from leagues.commands.play_summary import print_summary
from leagues.commands.running import run_arena
from leagues.commands.stopping import StoppedError, end_on_signals
from leagues.config import Sandboxing, is_name
from leagues.programs.processes import (
    START_SECONDS,
    ProgramFailure,
    find_program,
    log_excerpt,
    start_problem,
    stdio_command,
)
from leagues.programs.sandbox import View
from leagues.programs.sparring import Sparring, SparringPlan, open_sparring

_TABLES_MAX = 16
_AGAINST = "careful,ducker,lowest,dodger,daring,random"
"""Who plays at a table of seven; a smaller one has the first of them."""


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
            "arena play --rules cancellation --players 7 -- python mybot.py",
            "arena play --rules party --rule target=50 --rule moon=add -- ./mybot",
            "arena play --stdio -- awk -W interactive -f lowest.awk",
            "arena play --no-clock -- python -m pdb mybot.py",
            wrong="the bot had faults or its program ended",
        ),
        context_settings={"allow_interspersed_args": False},
    )(_play)


def _play(
    command: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND", help="The bot and its arguments, after --."),
    ],
    *,
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME…",
            help="The house bots, from the left; too few come several times.",
        ),
    ] = _AGAINST,
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="How many.")
    ] = 1,
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Decides the deals; the same seed, the same deals."
        ),
    ] = "",
    rules: Annotated[
        str,
        typer.Option(metavar="PRESET", help="Which rules; `arena rules list` has all."),
    ] = "arena",
    players: PlayersOption = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="OPTION=VALUE", help="Change an option; repeatable."),
    ] = None,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What the bot is called.")
    ] = "mybot",
    stdio: Annotated[
        bool, typer.Option("--stdio", help="The bot reads and writes JSON lines.")
    ] = False,
    clock: Annotated[
        bool,
        typer.Option("--clock/--no-clock", help="Without: wait for ever, to debug."),
    ] = True,
    sandbox: Annotated[
        Sandboxing,
        typer.Option(help="Run the bot as a league with that sandbox does."),
    ] = Sandboxing.NONE,
    form: Annotated[
        Form | None,
        typer.Option("--transcript", help="By default full for one game."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", metavar="FILE", help="Where the records go, as JSON lines."),
    ] = None,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Play a bot against house bots and show every deal.

    The arena starts the bot's program and tells it where to dial in. What the
    bot prints goes to a log. Each fault is explained where it happened. Nothing
    is rated.
    """
    plan = _plan(
        command,
        against=against,
        seed=seed or str(secrets.randbelow(10**6)),
        rules=chosen_rules(rules, players, rule or ()),
        name=name,
        is_stdio=stdio,
        has_clock=clock,
    )
    if sandbox != Sandboxing.NONE:
        plan = _enclosed(plan, command, data=data)
    folder = data / "play"
    file = output or folder / f"{name}-{plan.series}.jsonl"
    form = form or (Form.FULL if games == 1 else Form.COMPACT)
    log = None if plan.is_attached else folder / f"{name}.log"
    try:
        played, failure = _play_and_write(plan, games, folder, file, form)
    except StoppedError:
        if log and (excerpt := log_excerpt(log)):
            print_note(excerpt)
        raise
    is_fine = print_summary(
        plan, played.records, failure, file=file, log=log, is_full=form == Form.FULL
    )
    log_note = f"   log of {name}: {log}" if log else ""
    print_note(f"records: {file}{log_note}")
    print_note(f"the same deals again: --seed {plan.seed}")
    if not is_fine:
        raise typer.Exit(WRONG)


def _plan(
    command: list[str],
    *,
    against: str,
    seed: str,
    rules: RuleSet,
    name: str,
    is_stdio: bool,
    has_clock: bool,
) -> SparringPlan:
    for option, text in (("--name", name), ("--seed", seed)):
        if not is_name(text):
            raise CommandError(
                f"{option}: {shown(text)} is none; expected 1 to 40 letters, digits, "
                "dots, dashes and underscores, a letter or digit first"
            )
    if problem := start_problem(command):
        raise CommandError(
            f"{problem}; expected the bot's command after --, for example: "
            "arena play -- python mybot.py"
        )
    return SparringPlan(
        bot=name,
        command=stdio_command(command) if is_stdio else tuple(command),
        opponents=_opponents(against, seats=rules.players - 1),
        rules=rules,
        seed=seed,
        time_control=TimeControl() if has_clock else TimeControl(turn_limit_ms=0),
        start_seconds=START_SECONDS if has_clock else float("inf"),
        is_attached=not has_clock,
    )


def _enclosed(plan: SparringPlan, command: list[str], *, data: Path) -> SparringPlan:
    """Return the plan with the bot in a sandbox; it sees the working directory."""
    if plan.is_attached:
        raise CommandError(
            "--sandbox: without a clock the bot has this terminal, which is none; "
            "leave out --no-clock or --sandbox"
        )
    view = View(Path.cwd(), hidden=(data.absolute(),))
    program = find_program(command)
    assert program is not None
    if problem := view.problem(program):
        raise CommandError(f"--sandbox: {problem}")
    return replace(plan, view=view)


def _opponents(against: str, *, seats: int) -> tuple[str, ...]:
    """Return a house bot for each seat, the named ones in turn."""
    from hearts.house import BOTS

    names = tuple(name.strip() for name in against.split(","))
    known = ", ".join(BOTS)
    for name in names:
        if name not in BOTS:
            raise CommandError(
                f"--against: {shown(name)} is no house bot; there are: {known}"
            )
    if len(names) > seats and against != _AGAINST:
        raise CommandError(
            f"--against: {len(names)} names, but the table has {seats} more seats"
        )
    return tuple(islice(cycle(names), seats))


class _Games:
    """The finished games, printed and written in the order of their numbers."""

    def __init__(self, file: TextIO, form: Form) -> None:
        self.records: list[Record] = []
        self.count = 0
        """How many have finished, those that wait for an earlier one included."""
        self._file = file
        self._form = form
        self._waiting: dict[int, Record] = {}

    def add(self, number: int, record: Record) -> None:
        self.count += 1
        self._waiting[number] = record
        while record_next := self._waiting.pop(len(self.records) + 1, None):
            self.records.append(record_next)
            self._file.write(write_record(record_next) + "\n")
            self._file.flush()
            if self._form == Form.FULL:
                typer.echo(transcript(record_next))
            elif self._form == Form.COMPACT:
                typer.echo(compact(record_next))


def _play_and_write(
    plan: SparringPlan, games: int, folder: Path, file: Path, form: Form
) -> tuple[_Games, ProgramFailure | None]:
    """Play all games into a file of records; say how the bot's program ended."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{plan.bot}.log").unlink(missing_ok=True)
        with file.open("w", encoding="ascii") as written:
            played = _Games(written, form)
            return played, _run(plan, games, folder, played)
    except OSError as error:
        message = f"{error.filename or file}: can't be written: {error.strerror}"
        raise CommandError(message) from None
    finally:
        # Nothing was played: nothing is left behind.
        with suppress(OSError):
            if file.is_file() and not file.stat().st_size:
                file.unlink()


def _run(
    plan: SparringPlan, games: int, folder: Path, played: _Games
) -> ProgramFailure | None:
    """Play all games; return how the bot's program ended, if it did."""

    async def run() -> ProgramFailure | None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(end_on_signals)
            async with open_sparring(plan, logs=folder) as sparring:
                tables = min(await sparring.wait_until_present(), games, _TABLES_MAX)
                nursery.start_soon(_tell_first_late_turn, sparring)
                # A bar would write over what a debugger shows.
                with progress_bar(
                    "games", total=games, is_shown=not plan.is_attached
                ) as bar:
                    await _play_all(sparring, games, tables, played, bar)
            nursery.cancel_scope.cancel()
        return next((f for f in sparring.failures if f.bot == plan.bot), None)

    return run_arena(run)


async def _tell_first_late_turn(sparring: Sparring) -> None:
    """Say at once that a bot is too slow: a game may last long, and has one end."""
    fault = await sparring.first_late_turn()
    seconds = sparring.plan.time_control.turn_limit_ms / 1000
    place = f"trick {fault.trick}" if fault.trick else "the pass"
    print_note(
        f"{sparring.plan.bot} did not answer in time in deal {fault.deal}, {place} "
        f"({seconds:g} s a turn)"
    )


async def _play_all(
    sparring: Sparring, games: int, tables: int, played: _Games, bar: ProgressBar
) -> None:
    """Play games side by side, the next one whenever a table is free."""
    numbers = iter(range(1, games + 1))

    async def fill_table() -> None:
        for number in numbers:
            played.add(number, await sparring.play(number))
            bar.update(played.count)

    async with trio.open_nursery() as nursery:
        for _ in range(tables):
            nursery.start_soon(fill_table)
