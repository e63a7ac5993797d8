"""
Hosting: a league together with the programs of its entrants.

    async with open_server(tokens=tokens) as server:
        outcome = await host_league(server, store, hosted, tokens=tokens)

The runner plays the games; here the programs that the arena itself starts are
kept running as long as there is something to play.
"""

import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from arena.server import Server
from leagues.blocks import NONE
from leagues.config import Entrant, EntrantKind, LeagueConfig, Sandboxing
from leagues.programs.processes import (
    Program,
    ProgramFailure,
    find_program,
    house_command,
    open_programs,
    start_problem,
    stdio_command,
)
from leagues.programs.sandbox import Sandboxes, View, open_sandboxes
from leagues.running.inhibitor import kept_awake
from leagues.running.renewal import Renewals
from leagues.running.runner import Outcome, Progress, run_league
from leagues.running.silence import watch_silence
from leagues.running.started import StartedTokens
from leagues.running.suspensions import Suspensions
from leagues.storage.roster import is_left
from leagues.storage.store import Store

__all__ = [
    "Hosted",
    "MissingProgramError",
    "check_programs",
    "host_league",
    "sandboxes_for",
    "started_names",
]


_LEAVE_SECONDS = 5.0
"""How long it may take until the arena sees that an ended program is gone."""


class MissingProgramError(ValueError):
    """A command that names no program."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """A league and where its file lies, which is where its commands run."""

    config: LeagueConfig
    folder: Path


def started_names(leagues: Iterable[Hosted]) -> frozenset[str]:
    """Return the names under which the arena starts programs for these leagues."""
    return frozenset(
        entrant.name
        for league in leagues
        for entrant in league.config.entrants
        if entrant.kind != EntrantKind.BOT
    )


def check_programs(leagues: Sequence[Hosted]) -> None:
    """
    Refuse commands that can't be started, and names that mean two programs.

    Raises:
        MissingProgramError: There is no such program.
        ValueError: A program that the arena starts has the name of an entrant of
            another league, so that it could not tell whose session is whose.
    """
    known: dict[str, tuple[str, Program | None]] = {}
    for league in leagues:
        for entrant in league.config.entrants:
            where = f"league {league.config.name}, entrant {entrant.name!r}"
            _check_command(entrant, league, where)
            program = None
            if entrant.kind != EntrantKind.BOT:
                program = _program(entrant, league)
            if entrant.name not in known:
                known[entrant.name] = (where, program)
                continue
            place, other = known[entrant.name]
            if other is not None or program is not None:
                # Two processes of one name would take each other's games over.
                raise ValueError(
                    f"{where}: {place} has this name too; give one of them another "
                    "name, or play the leagues one after the other"
                )


def _check_command(entrant: Entrant, league: Hosted, where: str) -> None:
    if entrant.kind != EntrantKind.COMMAND:
        return
    folder = league.folder / entrant.directory
    if not folder.is_dir():
        raise MissingProgramError(f"{where}: {folder} is no directory")
    if problem := start_problem(entrant.command, folder=folder):
        raise MissingProgramError(f"{where}: {problem}")
    if entrant.sandbox != Sandboxing.NONE:
        program = find_program(entrant.command, folder=folder)
        assert program is not None
        view = _view(entrant, league, ())
        if view is not None and (problem := view.problem(program)):
            raise MissingProgramError(f"{where}: {problem}")


@contextmanager
def sandboxes_for(leagues: Iterable[Hosted]) -> Iterator[Sandboxes | None]:
    """
    Make what the sandboxes of these leagues share; `None` when they have none.

    Raises:
        SandboxError: There can be no sandbox on this machine.
    """
    entrants = [one for league in leagues for one in league.config.entrants]
    inside = [one.name for one in entrants if one.sandbox != Sandboxing.NONE]
    if not inside:
        yield None
        return
    with open_sandboxes(inside) as sandboxes:
        yield sandboxes


async def host_league(
    server: Server,
    store: Store,
    hosted: Hosted,
    *,
    tokens: StartedTokens,
    sandboxes: Sandboxes | None = None,
    drain: trio.Event | None = None,
    drain_seconds: float = math.inf,
    gives_up_broken: bool = False,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_failure: Callable[[ProgramFailure], None] = lambda failure: None,
    on_note: Callable[[str], None] = lambda text: None,
) -> Outcome:
    """
    Play a league with its programs.

    Args:
        server: Plays the games.
        store: Keeps them; its owner is this process.
        hosted: The league.
        tokens: Where the programs' secrets come from; the server must know it.
        sandboxes: Where programs with a sandbox run; the server must listen at its
            socket.
        drain: Once it is set no more games are started; those running end.
        drain_seconds: How long they have for it, also after the deadline.
        gives_up_broken: Whether a program that never connected is given up like
            one that did. Else it ends the run as `broken`: what is wrong is most
            likely its command, and no league should be final because of that.
        on_progress: Called when a game starts or ends, or bots come or go.
        on_failure: Called when a program would not stay alive.
        on_note: Called with what else the host should know.

    Raises:
        LeagueChanged: The league exists with another form.
        StoreError: A game cannot be stored.
        NotStartedError: The machine lets a program not run, which is no entrant's
            doing: no seats are given up, and the next run goes on.
    """
    config = hosted.config
    suspensions, broken = Suspensions(), trio.Event()

    def fail(failure: ProgramFailure) -> None:
        if failure.has_connected or gives_up_broken or failure.bot in suspensions.idle:
            suspensions.lose(failure.bot)
        else:
            broken.set()
        on_failure(failure)

    run = partial(
        run_league,
        *(server, store, config),
        suspensions=suspensions,
        drain=drain,
        drain_seconds=drain_seconds,
        broken=broken,
        on_progress=on_progress,
        on_note=on_note,
    )
    gone = await trio.to_thread.run_sync(_gone, store, config)
    if gone is None:
        return await run()
    logs = store.directory / "logs" / config.name
    await trio.Path(logs).mkdir(parents=True, exist_ok=True)
    opened = open_programs(
        _programs(hosted, store),
        address=server.address,
        socket=server.socket,
        tokens=tokens,
        logs=logs,
        on_failure=fail,
        on_note=on_note,
        start_seconds=config.start_seconds,
        sandboxes=sandboxes,
        resting=gone,
    )
    async with opened as renewals, kept_awake(f"league {config.name}"):
        run = partial(run, renew=_renewing(server, config, renewals))
        return await _with_watches(run, server, suspensions, renewals, say=on_note)


def _gone(store: Store, config: LeagueConfig) -> frozenset[str] | None:
    """Return who has withdrawn and plays no more; `None` where no games are left."""
    league = store.open_league(config)
    agenda = store.agenda(config.name)
    if not is_left(league, agenda):
        return None
    wanted = agenda.wanted(league.seats)
    needed = {bot for number in wanted for bot in league.seats(number)}
    return frozenset(agenda.appeals.withdrawn) - needed


async def _with_watches(
    run: Callable[[], Awaitable[Outcome]],
    server: Server,
    suspensions: Suspensions,
    renewals: Renewals,
    *,
    say: Callable[[str], None],
) -> Outcome:
    """Run a league, end programs that hang, and start those that rest in time.

    These are the programs of those who had withdrawn and are back.
    """

    async def call_back() -> None:
        # The run says who has withdrawn, before anything else.
        while renewals.resting:
            await suspensions.changed()
            if suspensions.withdrawn is not None:
                renewals.call(renewals.resting - suspensions.withdrawn)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(watch_silence, server, renewals, say=say))
        nursery.start_soon(call_back)
        outcome = await run()
        nursery.cancel_scope.cancel()
    return outcome


def _renewing(
    server: Server, config: LeagueConfig, renewals: Renewals
) -> Callable[[], Awaitable[None]] | None:
    """Return what starts the programs of a league afresh that could remember a deal.

    House bots answer from the turn alone; `None` where there are no others, or where
    games have deals of their own.
    """
    bots = {one.name for one in config.entrants if one.kind == EntrantKind.COMMAND}
    if config.luck == NONE or not bots:
        return None

    async def renew() -> None:
        async with renewals.ended(bots):
            # No game shall be begun with a session whose program is gone.
            with trio.move_on_after(_LEAVE_SECONDS):
                while server.presence().keys() & bots:
                    await server.presence_changed()

    return renew


def _programs(hosted: Hosted, store: Store) -> list[Program]:
    """Return the programs that the arena starts for a league."""
    return [
        _program(entrant, hosted, hidden=(store.directory,))
        for entrant in hosted.config.entrants
        if entrant.kind != EntrantKind.BOT
    ]


def _program(
    entrant: Entrant, league: Hosted, *, hidden: tuple[Path, ...] = ()
) -> Program:
    if entrant.kind == EntrantKind.HOUSE:
        return Program(entrant.name, house_command(entrant.house), owner=entrant.owner)
    is_stdio = entrant.protocol == "stdio"
    return Program(
        entrant.name,
        stdio_command(entrant.command) if is_stdio else entrant.command,
        owner=entrant.owner,
        folder=league.folder / entrant.directory,
        restarts_max=entrant.max_restarts,
        limits=entrant.limits,
        view=_view(entrant, league, hidden),
    )


def _view(entrant: Entrant, league: Hosted, hidden: tuple[Path, ...]) -> View | None:
    """Return what a sandboxed program sees; `None` for one without a sandbox.

    Directories of other entrants are hidden, unless it runs in one of them itself.
    """
    if entrant.sandbox == Sandboxing.NONE:
        return None
    own = (league.folder / entrant.directory).resolve()
    others = {
        (league.folder / other.directory).resolve()
        for other in league.config.entrants
        if other.kind == EntrantKind.COMMAND
    }
    return View(
        folder=own,
        readable=tuple(league.folder / path for path in entrant.readable),
        hidden=(*hidden, *sorted(others - {own, *own.parents})),
    )
