"""`arena league`: plays leagues and tells how they stand."""

import secrets
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated

import trio
import typer

from arena.listen import Listen
from arena.server import Server, open_server
from arena.streams import forget_unwritten
from arena.terminal import (
    DATA_DEFAULT,
    FINE,
    USAGE,
    WRONG,
    CommandError,
    DataOption,
    JsonOption,
    counted,
    data_option,
    epilog,
    print_columns,
    print_error,
    print_json,
    print_note,
)
from leagues.appeals import appeals_of
from leagues.commands import appeals, audit, schedule
from leagues.commands import standings as standings_command
from leagues.commands.close import EXAMPLES as CLOSE_EXAMPLES
from leagues.commands.close import close
from leagues.commands.data import reading
from leagues.commands.lift import EXAMPLES as LIFT_EXAMPLES
from leagues.commands.lift import lift
from leagues.commands.listening import (
    HostOption,
    InsecureOption,
    TlsCertOption,
    TlsClientCaOption,
    TlsKeyOption,
    chosen_listen,
)
from leagues.commands.live import Display, display
from leagues.commands.observing import (
    OBSERVING_DEFAULT,
    LogFormat,
    LogFormatOption,
    LogLevel,
    LogLevelOption,
    MetricsOption,
    Observing,
    chosen_observing,
    serve_metrics,
)
from leagues.commands.plan import EXAMPLES as PLAN_EXAMPLES
from leagues.commands.plan import plan_ as plan
from leagues.commands.report import EXAMPLES as REPORT_EXAMPLES
from leagues.commands.report import report
from leagues.commands.running import (
    announce,
    bot_tokens,
    keep_fresh,
    logging_to,
    place_text,
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
from leagues.config import ConfigError, EntrantKind, LeagueConfig, Suspended
from leagues.excuses import EXCUSES_MAX
from leagues.programs.processes import ProgramFailure
from leagues.programs.sandbox import Sandboxes
from leagues.running.hosting import (
    Hosted,
    check_programs,
    host_league,
    sandboxes_for,
    started_names,
)
from leagues.running.runner import Outcome
from leagues.running.started import StartedTokens, TokensUnion
from leagues.standings import load_ratings
from leagues.storage.bots import BotTokens
from leagues.storage.league_file import read_league
from leagues.storage.library import StoreLibrary
from leagues.storage.store import Store

app = typer.Typer(help="Play leagues and see how they stand.", no_args_is_help=True)
appeals.add_to(app)
audit.add_to(app)
schedule.add_to(app)
standings_command.add_to(app)

_FAREWELL_SECONDS = 0.2
"""How long bots have to hear that a league is over before their calls end."""
PORT_DEFAULT = 50051
"""Where bots look for an arena when nobody tells them."""

GiveUpOption = Annotated[
    bool,
    typer.Option(
        "--give-up-broken",
        help="Play on without a command that never connects, instead of stopping.",
    ),
]


@app.command(
    "run",
    epilog=epilog(
        "arena league run friday.toml",
        "arena league run friday.toml --data /srv/arena --port 50051",
        "arena league run friday.toml --metrics 9464 --log-format json",
        wrong="games are left to play, or a program would not stay alive",
        stopped=SECOND_SIGNAL,
        passing=MAY_PASS,
    ),
)
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The league file.")],
    *,
    host: HostOption = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65535,
            help="Where bots dial in; by default 50051, or any free port when the "
            "arena starts all bots itself.",
        ),
    ] = None,
    tls_cert: TlsCertOption = None,
    tls_key: TlsKeyOption = None,
    tls_client_ca: TlsClientCaOption = None,
    insecure: InsecureOption = False,
    drain: DrainOption = DRAIN_SECONDS,
    give_up_broken: GiveUpOption = False,
    metrics: MetricsOption = "",
    log_format: LogFormatOption = LogFormat.TEXT,
    log_level: LogLevelOption = LogLevel.INFO,
    data: DataOption = DATA_DEFAULT,
) -> None:
    r"""
    Play a league to its end, then print its standings.

    Run again after any stop, however hard, it goes on where it stopped: every
    finished game is safe. Ctrl-C, SIGTERM or a terminal that is closed lets running
    games end for a minute, as does the league's deadline; a second signal does not.
    A command that never connects stops the run, so that it can be mended.

    A league file has name = "friday", games = 60 and for each bot [\[entrant]] with
    house = "careful" (or random, lowest, ducker, dodger, daring), or with name = "ada",
    command = "python ada.py" and owner = "Ada L.", each on a line of its own; README.md
    shows one.
    """
    hosted = read_hosted(file)
    if port is None:
        port = PORT_DEFAULT if takes_bots(hosted.config) else 0
    listen = chosen_listen(
        host,
        port,
        certificate=tls_cert,
        key=tls_key,
        client_ca=tls_client_ca,
        allows_insecure=insecure,
    )
    observing = chosen_observing(
        metrics, log_format, log_level, allows_insecure=insecure
    )
    outcome, failures = play_league(
        data,
        hosted,
        listen=listen,
        observing=observing,
        command=f"arena league run {file}",
        drain_seconds=drain,
        gives_up_broken=give_up_broken,
    )
    raise typer.Exit(report_outcome(data, outcome, failures))


@app.command("list", epilog=epilog("arena league list", "arena league list --json"))
def list_(*, as_json: JsonOption = False, data: DataOption = DATA_DEFAULT) -> None:
    """List the leagues, the newest first."""
    with reading(data) as store:
        leagues = store.leagues()
        pauses = {
            one.name: appeals_of(store.decisions(one.name)).pause for one in leagues
        }
    paused = {name: pause.reason for name, pause in pauses.items() if pause}
    if as_json:
        print_json(
            [
                {
                    "name": league.name,
                    "state": league.state,
                    "paused": paused.get(league.name),
                    "games_finished": league.games_finished,
                    "games_planned": league.games_planned,
                    "kind": "ladder" if league.ladder else "league",
                    "rules": league.facts().rules,
                    "entrants": list(league.entrants),
                    "open_deals": league.is_open,
                    "commitment": league.commitment.hex(),
                    "created": league.created,
                }
                for league in leagues
            ]
        )
        return
    print_columns(
        ("League", "State", "Games", "Rules", "Created", "Entrants"),
        [
            (
                league.name,
                league.state + (", paused" if league.name in paused else ""),
                league.count_text,
                league.facts().rules,
                league.created,
                ", ".join(league.entrants),
            )
            for league in leagues
        ],
    )


app.command("lift", epilog=epilog(*LIFT_EXAMPLES))(lift)
app.command("plan", epilog=epilog(*PLAN_EXAMPLES))(plan)
app.command("report", epilog=epilog(*REPORT_EXAMPLES))(report)
app.command("close", epilog=epilog(*CLOSE_EXAMPLES))(close)


def read_hosted(file: Path) -> Hosted:
    """
    Read a league file and check that its programs exist.

    Raises:
        CommandError: Something is wrong with the file.
    """
    try:
        config = read_league(file, houses=house_names())
        hosted = Hosted(config, file.absolute().parent)
        check_programs([hosted])
    except ConfigError as error:
        raise CommandError(str(error)) from None
    except ValueError as error:
        raise CommandError(f"{file}: {error}") from None
    return hosted


def dial_in_names(config: LeagueConfig) -> tuple[str, ...]:
    """Return the entrants that the arena does not start itself."""
    kind = EntrantKind.BOT
    return tuple(entrant.name for entrant in config.entrants if entrant.kind == kind)


def takes_bots(config: LeagueConfig) -> bool:
    """Tell whether bots dial in that the arena does not start."""
    return config.is_for_all or bool(dial_in_names(config))


def house_names() -> Collection[str]:
    """Return the names of the house bots."""
    from hearts.house import BOTS

    return tuple(BOTS)


def play_league(
    data: Path,
    hosted: Hosted,
    *,
    listen: Listen,
    command: str,
    observing: Observing = OBSERVING_DEFAULT,
    drain_seconds: float = DRAIN_SECONDS,
    gives_up_broken: bool = False,
    showing: AbstractContextManager[Display] | None = None,
) -> tuple[Outcome, list[ProgramFailure]]:
    """
    Own the data directory, open an arena and play a league in it.

    Args:
        data: The directory.
        hosted: The league.
        listen: Where the arena listens.
        command: What others are told that owns the directory.
        observing: How it is watched.
        drain_seconds: How long running games have to end once it is to stop.
        gives_up_broken: Whether it goes on without a program that never connects.
        showing: Where its progress is shown; by default as any league's.
    """
    failures: list[ProgramFailure] = []
    # Its standings will be worked out, and no turn shall wait for that.
    load_ratings()

    async def main() -> Outcome:
        with (
            Store.open(data, command=command) as store,
            logging_to(data, observing),
            showing or display(dial_in_names(hosted.config)) as shown,
            sandboxes_for([hosted]) as sandboxes,
        ):

            def fail(failure: ProgramFailure) -> None:
                failures.append(failure)
                what = consequence(hosted.config, failure, gives_up_broken)
                shown.say(f"error: {failure}\n{what}")

            stopping = Stopping(seconds=drain_seconds, say=shown.say)
            async with _opened(
                store, hosted, listen, shown, stopping, sandboxes
            ) as opened:
                server, started, bots = opened
                with serve_metrics(server, observing.metrics, say=shown.say):
                    return await host_league(
                        server,
                        store,
                        hosted,
                        tokens=started,
                        sandboxes=sandboxes,
                        drain=stopping.drain,
                        drain_seconds=drain_seconds,
                        gives_up_broken=gives_up_broken,
                        on_progress=lambda progress: shown.update(
                            with_tokens(progress, bots, data)
                        ),
                        on_failure=fail,
                        on_note=shown.say,
                    )

    return run_arena(main), failures


def consequence(
    config: LeagueConfig, failure: ProgramFailure, gives_up_broken: bool
) -> str:
    """Say what becomes of a league whose program would not stay alive."""
    if config.match is not None:
        # It has neither a file nor an option to play on without a bot.
        if failure.has_connected:
            return f"The games of {failure.bot} are not played any more."
        return f"The match stops, since {failure.bot} has never connected."
    if failure.has_connected or gives_up_broken:
        if config.suspension.games == Suspended.LEAVE_OUT:
            return f"The games of {failure.bot} are left out in this run."
        return f"The seats of {failure.bot} are given up."
    return (
        f"The league stops, since {failure.bot} has never connected: mend its program "
        "or its entry in the league file and run the league again, or play on without "
        "it with --give-up-broken."
    )


@asynccontextmanager
async def _opened(
    store: Store,
    hosted: Hosted,
    listen: Listen,
    shown: Display,
    stopping: Stopping,
    sandboxes: Sandboxes | None,
) -> AsyncIterator[tuple[Server, StartedTokens, BotTokens]]:
    """Open an arena for a league, with all that goes on beside its games."""
    started = StartedTokens()
    operator_token = secrets.token_urlsafe(32)
    bots = bot_tokens(store, [hosted])
    name = hosted.config.name
    async with (
        open_server(
            tokens=TokensUnion(started, bots),
            host=listen.host,
            port=listen.port,
            tls=listen.tls,
            program_sockets=sandboxes.sockets if sandboxes else (),
            library=StoreLibrary(store),
            operator_token=operator_token,
        ) as server,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(stopping.wait_for_signals, server)
        announce(store, server, operator_token)
        if takes_bots(hosted.config):
            shown.say(f"League {name}: bots dial in {place_text(server)}")
        await trio.to_thread.run_sync(store.open_league, hosted.config)
        nursery.start_soon(shown.keep, store, name)
        nursery.start_soon(keep_fresh, bots, store)
        yield server, started, bots
        stopping.tell_end(server)
        if takes_bots(hosted.config):
            how = "stops for now" if stopping.drain.is_set() else "is over"
            for bot in server.presence().keys() - started_names([hosted]):
                server.tell(bot, f"league {name} {how}")
            await trio.sleep(_FAREWELL_SECONDS)
        nursery.cancel_scope.cancel()


def _print_standings(name: str, data: Path) -> None:
    """Print the standings of a league that was played, if they can be written."""
    try:
        standings_command.standings(name, data=data)
    except OSError as error:
        # The league is played all the same.
        forget_unwritten(sys.stdout)
        print_error(
            f"the standings can't be written here: {error.strerror}; "
            f"`arena league standings {name}{data_option(data)}` prints them again"
        )


def _missing(data: Path, outcome: Outcome) -> int:
    """Count what is left; not what is void for good, or of an entrant that is out."""
    league = outcome.league
    if outcome.reason == "finished":
        return 0
    if league.ladder is not None:
        # Whoever comes next plays them, and there is no end anyway.
        return 0
    with reading(data) as store:
        left = len(store.missing_games(league.name))
    return left or league.games_planned - league.games_finished


def report_outcome(data: Path, outcome: Outcome, failures: list[ProgramFailure]) -> int:
    """Print the standings and how the run ended; return the exit code."""
    name = outcome.league.name
    if outcome.league.games_finished:
        _print_standings(name, data)
    missing = _missing(data, outcome)
    for bot in outcome.unexcused:
        print_note(
            f"{bot} was lost along with others {EXCUSES_MAX} times; after that its "
            "losses counted as its own"
        )
    for stuck in outcome.stuck:
        print_error(f"game {name}-{stuck.number} was set aside: {stuck.reason}")
    if missing:
        why = {
            "deadline": "the deadline has come",
            "drained": "the run was stopped",
            "broken": "a program never connected",
            "suspended": "their bots are suspended",
            "appealed": "the host has decided so as the run ended",
        }
        print_error(
            f"{counted(missing, 'game')} of league {name} left to play: "
            f"{why.get(outcome.reason, 'they broke down')}; running it again goes on"
        )
    if outcome.league.ladder is not None and outcome.reason != "finished":
        print_note(f"ladder {name} stops for now; running it again goes on")
    for failure in failures:
        where = f": see {failure.log}" if failure.log.exists() else ""
        print_error(f"bot {failure.bot!r} {failure.ending}{where}")
    option = data_option(data)
    print_note(
        f"logs: {data / 'logs' / name}   games: arena games list {name}{option}   "
        f"records: arena games export {name}{option} -o {name}.jsonl"
    )
    if outcome.reason == "broken":
        return USAGE
    return WRONG if missing or failures else FINE
