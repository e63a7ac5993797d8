"""`arena match`: two bots against each other, until it is clear which is better."""

import shlex
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.commands.rules import PlayersOption, chosen_rules
from arena.excerpt import shown
from arena.listen import Listen
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
    print_error,
    print_json,
    print_note,
)
from leagues.blocks import blocks_of
from leagues.commands.data import reading
from leagues.commands.league import house_names, play_league
from leagues.commands.match_choice import named_match, next_match
from leagues.commands.match_live import match_display
from leagues.commands.match_sides import read_sides
from leagues.commands.stopping import (
    DRAIN_SECONDS,
    MAY_PASS,
    SECOND_SIGNAL,
    DrainOption,
)
from leagues.config import LeagueConfig, is_name
from leagues.entrants import Entrant, EntrantKind
from leagues.match import ALPHA, BETA, Claims
from leagues.match_config import blocks_for, match_config
from leagues.match_score import MatchResult
from leagues.programs.processes import ProgramFailure, log_excerpt
from leagues.programs.sandbox import SandboxError, check
from leagues.reports.formats import FORMATS
from leagues.reports.match import match_facts, match_report, verdict_words
from leagues.rules_line import rules_line
from leagues.running.hosting import Hosted, check_programs
from leagues.running.runner import Outcome
from leagues.storage.league import League
from leagues.storage.match_stored import match_result

_SEED_LENGTH_MAX: Final = 200


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "match",
        epilog=epilog(
            "arena match careful ducker --sprt 0,0.1",
            'arena match "python mybot.py" careful --sprt 0,0.1',
            'arena match new="python mybot.py" old="python v1/mybot.py" --sprt 0,0.1',
            'arena match "python mybot.py" careful --blocks 50 --json',
            wrong="games are left to play, or a program would not stay alive",
            stopped=SECOND_SIGNAL,
            passing=MAY_PASS,
        ),
    )(_match)


def _match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="The bot that may be better: [NAME=]HOUSE-BOT or COMMAND."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The bot to compare it with.")],
    *,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="D0,D1",
            help="Test whether A is better by the effect D1 rather than D0, and end "
            "as soon as that is clear.",
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="How often the test may end with D1 though D0 is true."
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="How often it may end with D0 though D1 is true."
        ),
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="How many blocks it is, or at most with --sprt."
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(metavar="PRESET", help="Which rules; `arena rules list` has all."),
    ] = "arena",
    players: PlayersOption = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="OPTION=VALUE", help="Change an option; repeatable."),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Decides the deals and turn.random, so that the same command plays "
            "the same games; by default deals are secret.",
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="What its league is called; by default A-B, A-B-2 …"
        ),
    ] = "",
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Commands read and write JSON lines.")
    ] = False,
    drain: DrainOption = DRAIN_SECONDS,
    as_json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Find out which of two bots is better: "is my new version better?"

    A and B share the table, two seats each, and play the same deals in all six
    arrangements: a block. With --sprt 0,0.1 the match ends as soon as it is clear
    whether A is better, by an effect of 0.1 (the mean of the blocks by their spread)
    rather than 0; without it all blocks are played.

    A bot is the name of a house bot or a command in quotes, with a name before it if
    you like. Commands run in a sandbox, which needs bubblewrap: they must not remember
    deals that come again.

    A match that was stopped goes on when the same command is given again. It is a
    league in the data directory like any other, with records and reports.
    """
    chosen = chosen_rules(rules, players, rule or ())
    claims = _claims(sprt, alpha, beta)
    folder = Path.cwd()
    sides = read_sides(
        (a, b),
        houses=tuple(house_names()),
        is_stdio=stdio,
        data=data,
        folder=folder,
    )

    def config(name: str) -> LeagueConfig:
        try:
            return match_config(
                name,
                sides,
                rules=chosen,
                blocks=blocks or blocks_for(claims),
                claims=claims,
                practice_seed=_seed(seed),
            )
        except ValueError as error:
            raise CommandError(str(error)) from None

    if name:
        made = named_match(data, config(_name(name)))
    else:
        made = next_match(data, sides, config)
    outcome, failures = _play(data, made, folder)
    raise typer.Exit(
        _report(data, outcome, failures, as_json=as_json, is_named=bool(name))
    )


def _claims(sprt: str | None, alpha: float | None, beta: float | None) -> Claims | None:
    """Read what is to be tested."""
    if sprt is None:
        for option, value in (("--alpha", alpha), ("--beta", beta)):
            if value is not None:
                raise CommandError(f"{option} is for --sprt D0,D1 only")
        return None
    for option, value in (("--alpha", alpha), ("--beta", beta)):
        if value is not None and not 0 < value < 0.5:
            raise CommandError(
                f"{option} {value:g}: expected a number above 0 and below 0.5"
            )
    try:
        d0, d1 = map(float, sprt.split(","))
        return Claims(
            d0,
            d1,
            alpha=ALPHA if alpha is None else alpha,
            beta=BETA if beta is None else beta,
        )
    except ValueError as error:
        problem = "" if "convert" in str(error) or "unpack" in str(error) else error
        expected = "expected two effects, such as 0,0.1"
        raise CommandError(f"--sprt {shown(sprt)}: {problem or expected}") from None


def _seed(text: str) -> str | None:
    if len(text) > _SEED_LENGTH_MAX:
        raise CommandError(f"--seed: expected up to {_SEED_LENGTH_MAX} characters")
    return text or None


def _name(text: str) -> str:
    if not is_name(text):
        raise CommandError(
            f"--name: {shown(text)} is none; expected 1 to 40 letters, digits, dots, "
            "dashes and underscores, a letter or digit first"
        )
    return text


def _play(
    data: Path, config: LeagueConfig, folder: Path
) -> tuple[Outcome, list[ProgramFailure]]:
    match, hosted = config.match, Hosted(config, folder)
    assert match is not None
    _check(hosted)
    one, other = (
        side if side == entrant.house else f"{side} ({_text(entrant)})"
        for side, entrant in zip(match.sides, _firsts(config), strict=True)
    )
    size = blocks_of(config.luck, seats=config.rules.players).size
    most = "at most " if match.claims else ""
    print_note(
        f"Match {config.name}: {one} against {other}, {rules_line(config.rules)}, "
        f"{most}{counted(config.games // size, 'block')} of {size} games"
    )
    return play_league(
        data,
        hosted,
        listen=Listen(port=0),
        command="arena match",
        showing=match_display(config.name, is_fixed=match.claims is None),
    )


def _firsts(config: LeagueConfig) -> tuple[Entrant, Entrant]:
    """Return an entrant of each side."""
    return config.entrants[0], config.entrants[-1]


def _text(entrant: Entrant) -> str:
    return entrant.house or shlex.join(entrant.command)


def _check(hosted: Hosted) -> None:
    """See that all programs can be started, each where it forgets deals."""
    try:
        check_programs([hosted])
        if any(one.kind == EntrantKind.COMMAND for one in hosted.config.entrants):
            check()
    except SandboxError as error:
        raise CommandError(
            "a match plays the same deals in every arrangement, and a bot that "
            "remembers them knows all hands; so commands run in a sandbox, and there "
            f"is none here: {error}"
        ) from None
    except ValueError as error:
        raise CommandError(str(error)) from None


def _report(
    data: Path,
    outcome: Outcome,
    failures: list[ProgramFailure],
    *,
    as_json: bool,
    is_named: bool,
) -> int:
    """Print what the match came to; return the exit code."""
    league = outcome.league
    with reading(data) as store:
        result = match_result(store, league)
    if as_json:
        print_json(_facts(league, result))
    elif result.blocks:
        typer.echo(FORMATS["text"](match_report(league.name, result)), nl=False)
    else:
        typer.echo(" ".join(verdict_words(result)))
    option = data_option(data)
    missing = league.state != "finished"
    if missing:
        print_error(_rest(league, is_named=is_named, has_failed=bool(failures)))
    for stuck in outcome.stuck:
        print_error(f"game {league.name}-{stuck.number} was set aside: {stuck.reason}")
    for failure in failures:
        where = f": see {failure.log}" if failure.log.exists() else ""
        print_error(f"bot {failure.bot!r} {failure.ending}{where}")
        if excerpt := log_excerpt(failure.log):
            print_note(excerpt)
    print_note(
        f"logs: {data / 'logs' / league.name}   "
        f"records: arena games export {league.name}{option} -o {league.name}.jsonl   "
        f"again: arena league report {league.name} match{option}"
    )
    if outcome.reason == "broken":
        return USAGE
    return WRONG if missing or failures else FINE


def _rest(league: League, *, is_named: bool, has_failed: bool) -> str:
    """Say what happens to a match that is not over."""
    text = f"match {league.name} is not over; the same command again goes on"
    if not has_failed:
        return text
    mended = "has to have another --name" if is_named else "begins a new match"
    return (
        f"{text} with it, as long as the files that it names are as they are: with a "
        f"program that was mended it {mended}"
    )


def _facts(league: League, result: MatchResult) -> dict[str, object]:
    words = " ".join(verdict_words(result))
    return {"match": league.name, "summary": words, **match_facts(result)}
