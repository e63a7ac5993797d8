"""`arena serve`: the arena for bots that dial in."""

import secrets
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import trio
import typer

from arena.listen import Listen
from arena.server import Server, open_server
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    epilog,
    print_note,
)
from leagues.commands.league import (
    PORT_DEFAULT,
    GiveUpOption,
    consequence,
    dial_in_names,
    read_hosted,
)
from leagues.commands.listening import (
    HostOption,
    InsecureOption,
    TlsCertOption,
    TlsClientCaOption,
    TlsKeyOption,
    chosen_listen,
)
from leagues.commands.live import WaitingNote
from leagues.commands.observing import (
    LogFormat,
    LogFormatOption,
    LogLevel,
    LogLevelOption,
    MetricsOption,
    chosen_observing,
    serve_metrics,
)
from leagues.commands.running import (
    announce,
    bot_tokens,
    keep_fresh,
    logging_to,
    place_text,
    print_place,
    run_arena,
    with_tokens,
)
from leagues.commands.stopping import (
    DRAIN_SECONDS,
    MAY_PASS,
    SECOND_SIGNAL,
    DrainOption,
    Stopping,
)
from leagues.programs.guarded import NotStartedError
from leagues.programs.processes import ProgramFailure
from leagues.programs.sandbox import Sandboxes
from leagues.running.hosting import Hosted, check_programs, host_league, sandboxes_for
from leagues.running.practice import is_practice_house, keep_practice_tables
from leagues.running.runner import Progress, UnableEntrantError
from leagues.running.started import StartedTokens, TokensUnion
from leagues.storage.bots import BotTokens
from leagues.storage.league_owners import OwnerError
from leagues.storage.library import StoreLibrary
from leagues.storage.store import LeagueChanged, LeagueOverError, Store

_Play: TypeAlias = Callable[[Server, Hosted, StartedTokens], Awaitable[None]]
"""Plays one of the leagues."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Where an arena listens; `metrics` may be nowhere."""

    bots: Listen
    metrics: tuple[str, int] | None


_PROGRESS_SECONDS = 30.0


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "serve",
        epilog=epilog(
            "arena serve",
            "arena serve --league friday.toml --league sunday.toml",
            "arena serve --host 0.0.0.0 --tls-cert arena-tls/server.pem "
            "--tls-key arena-tls/server-key.pem",
            "arena serve --metrics 9464 --log-format json",
            stopped=SECOND_SIGNAL,
            passing=MAY_PASS,
        ),
    )(_serve)


def _serve(
    *,
    host: HostOption = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="0 is any free one.")
    ] = PORT_DEFAULT,
    league: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A league to play; repeat for more."),
    ] = None,
    practice: Annotated[
        bool, typer.Option("--practice/--no-practice", help="Seat bots that practise.")
    ] = True,
    give_up_broken: GiveUpOption = False,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    tls_client_ca: TlsClientCaOption = None,
    insecure: InsecureOption = False,
    drain: DrainOption = DRAIN_SECONDS,
    metrics: MetricsOption = "",
    log_format: LogFormatOption = LogFormat.TEXT,
    log_level: LogLevelOption = LogLevel.INFO,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Run the arena until it is stopped: practice tables, leagues, records.

    Bots dial in with the token that `arena bot add` gave them. A bot that asks
    for practice plays house bots at once, unrated. Ctrl-C, SIGTERM or a terminal that
    is closed lets running games end for a minute and starts no more; a second signal
    ends them at once.
    """
    listen = chosen_listen(
        host,
        port,
        certificate=tls_cert,
        key=tls_key,
        client_ca=tls_client_ca,
        allows_insecure=insecure,
    )
    leagues = [read_hosted(file) for file in league or ()]
    _check_leagues(leagues)
    observing = chosen_observing(
        metrics, log_format, log_level, allows_insecure=insecure
    )

    async def main() -> None:
        with (
            Store.open(data, command="arena serve") as store,
            logging_to(data, observing),
            sandboxes_for(leagues) as sandboxes,
        ):
            stopping = Stopping(seconds=drain)
            bots = bot_tokens(store, leagues)
            play = partial(
                _play,
                store=store,
                bots=bots,
                stopping=stopping,
                gives_up_broken=give_up_broken,
                sandboxes=sandboxes,
            )
            sockets = tuple(sandboxes.sockets) if sandboxes else ()
            listening = replace(listen, program_sockets=sockets)
            places = _Places(listening, observing.metrics)
            await _run(
                store, bots, leagues, play, places, stopping, has_practice=practice
            )

    run_arena(main)


def _check_leagues(leagues: list[Hosted]) -> None:
    names = [hosted.config.name for hosted in leagues]
    for name in names:
        if names.count(name) > 1:
            raise CommandError(f"league {name!r} stands in two of the files")
    try:
        check_programs(leagues)
    except ValueError as error:
        raise CommandError(str(error)) from None


async def _run(
    store: Store,
    bots: BotTokens,
    leagues: list[Hosted],
    play: _Play,
    places: _Places,
    stopping: Stopping,
    *,
    has_practice: bool,
) -> None:
    listen, started = places.bots, StartedTokens()
    operator_token = secrets.token_urlsafe(32)
    async with (
        open_server(
            tokens=TokensUnion(started, bots),
            host=listen.host,
            port=listen.port,
            tls=listen.tls,
            program_sockets=listen.program_sockets,
            library=StoreLibrary(store),
            operator_token=operator_token,
        ) as server,
        AsyncExitStack() as stack,
        trio.open_nursery() as background,
    ):
        announce(store, server, operator_token)
        stack.enter_context(serve_metrics(server, places.metrics))
        # Standard output, so that a program which starts the arena can read it.
        print_place(f"arena {place_text(server)}")
        print_note(f"data: {store.directory}   Ctrl-C stops")
        background.start_soon(keep_fresh, bots, store)
        background.start_soon(stopping.wait_for_signals, server)
        names = {e.name for hosted in leagues for e in hosted.config.entrants}
        if not any(hosted.config.is_for_all for hosted in leagues):
            background.start_soon(tell_unseated, server, frozenset(names))
        if has_practice:
            background.start_soon(_practise, server, store, started, stopping.drain)
        await _play_until_drained(server, leagues, play, started, stopping)
        background.cancel_scope.cancel()
    stopping.tell_end(server)


async def tell_unseated(server: Server, entrants: frozenset[str]) -> None:
    """Tell bots that no league of this arena has a seat for, until cancelled."""
    told: set[str] = set()
    while True:
        here = {
            bot
            for bot in server.presence()
            if bot not in entrants and not is_practice_house(bot)
        }
        for bot in sorted(here - told):
            server.tell(
                bot,
                f"no league here has a seat for {bot}; to play house bots ask for "
                "practice (HEARTS_PRACTICE=1)",
            )
        told = here
        await server.presence_changed()


async def _practise(
    server: Server, store: Store, tokens: StartedTokens, drain: trio.Event
) -> None:
    logs = store.directory / "logs" / "practice"
    await trio.Path(logs).mkdir(parents=True, exist_ok=True)
    await keep_practice_tables(server, tokens=tokens, logs=logs, drain=drain)


async def _play_until_drained(
    server: Server,
    leagues: list[Hosted],
    play: _Play,
    tokens: StartedTokens,
    stopping: Stopping,
) -> None:
    """Play the leagues; return when the arena is to stop and games had their time."""
    async with trio.open_nursery() as games:
        for hosted in leagues:
            games.start_soon(play, server, hosted, tokens)
        await stopping.drain.wait()
    # What still runs is practice.
    with trio.move_on_at(stopping.deadline):
        await server.wait_until_idle()


async def _play(
    server: Server,
    hosted: Hosted,
    tokens: StartedTokens,
    *,
    store: Store,
    bots: BotTokens,
    stopping: Stopping,
    gives_up_broken: bool,
    sandboxes: Sandboxes | None,
) -> None:
    """Play one of the leagues; one that can't be played does not stop the others."""
    name = hosted.config.name
    lines = _ProgressLines(dial_in_names(hosted.config))

    def fail(failure: ProgramFailure) -> None:
        what = consequence(hosted.config, failure, gives_up_broken)
        print_note(f"error: {failure}\n{what}")

    try:
        outcome = await host_league(
            server,
            store,
            hosted,
            tokens=tokens,
            sandboxes=sandboxes,
            drain=stopping.drain,
            drain_seconds=stopping.seconds,
            gives_up_broken=gives_up_broken,
            on_progress=lambda progress: lines.update(
                with_tokens(progress, bots, store.directory)
            ),
            on_failure=fail,
            on_note=lambda text: print_note(f"league {name}: {text}"),
        )
    except (
        LeagueChanged,
        LeagueOverError,
        NotStartedError,
        OwnerError,
        UnableEntrantError,
    ) as error:
        print_note(f"error: {error}")
        return
    league = outcome.league
    planned = "" if league.ladder else f" of {league.games_planned}"
    count = f"{league.games_finished}{planned} games"
    print_note(f"league {name}: {outcome.reason}, {count}")


class _ProgressLines:
    """Says now and then how far a league has come."""

    def __init__(self, dial_in: Iterable[str]) -> None:
        self._waiting = WaitingNote(dial_in)
        self._last_time = float("-inf")

    def update(self, progress: Progress) -> None:
        if text := self._waiting.text(progress):
            print_note(f"league {text}")
            return
        now = trio.current_time()
        if now - self._last_time >= _PROGRESS_SECONDS:
            self._last_time = now
            waiting = progress.waiting_text()
            print_note(
                f"league {progress.league}: {progress.count_text}, "
                f"{progress.running} running"
                + (f", paused: {progress.paused}" if progress.paused else "")
                + (f", waiting for {waiting}" if waiting else "")
            )
