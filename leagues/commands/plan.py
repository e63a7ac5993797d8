"""`arena league plan`: what a league will be, before anything starts."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path
from time import time
from typing import Annotated, Any, Final

import typer

from arena.rules import RuleSet
from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    counted,
    print_json,
)
from leagues.appeals import EXCLUDED, NO_APPEALS
from leagues.blocks import NONE, blocks_of, planned
from leagues.commands.data import reading
from leagues.config import ConfigError, LeagueConfig
from leagues.luck import GAMES_MAX, may_rotate, rotated_games
from leagues.normal_form import STAYS, in_order
from leagues.plan_text import Duration, plan_text
from leagues.reports.words import listed
from leagues.rules_line import rules_line
from leagues.scheduling.balance import Seating
from leagues.scheduling.plan import Plan, plan, rounds_of
from leagues.scheduling.stops import Stops
from leagues.storage.database import FILE_NAME
from leagues.storage.league import League, LeagueChanged, changes_of
from leagues.storage.league_file import read_league
from leagues.storage.league_owners import OwnerError, with_owners
from leagues.storage.moments import moment_of
from leagues.storage.pace import Pace, pace_of, turns_per_deal
from leagues.storage.roster import Draft, draft

__all__ = ["EXAMPLES", "plan_"]

EXAMPLES: Final = (
    "arena league plan friday.toml",
    "arena league plan friday.toml --games 1000 --turns-per-second 300",
    "arena league plan friday.toml --rounds 3",
    "arena league plan friday.toml --format json",
)
TURNS_PER_SECOND: Final = 2000
"""What is assumed where nothing was measured: bots that hardly think."""
_GAMES_TRIED: Final = 8


class PlanFormat(StrEnum):
    """How plans are written."""

    TEXT = "text"
    JSON = "json"


def plan_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The league file.")],
    *,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=GAMES_MAX,
            help="So many games instead of those of the file.",
        ),
    ] = None,
    turns_per_second: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            min=0.001,
            help="How fast it is played; by default as measured in this data "
            f"directory, else {TURNS_PER_SECOND} are assumed.",
        ),
    ] = None,
    rounds: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Also print the tables of the first N rounds."
        ),
    ] = 0,
    form: Annotated[
        PlanFormat, typer.Option("--format", help="How it is written.")
    ] = PlanFormat.TEXT,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Tell what a league will be, before anything starts.

    How many games everybody plays and how evenly, how surely its ratings will tell the
    entrants apart, and how long it takes. Nothing is stored and nobody is started. Of
    a league that exists already the games are those it has.
    """
    config, drafted, pace = _stored(_read(file), data, file)
    league = drafted.league if drafted else None
    moved = drafted.agenda.appeals if drafted else NO_APPEALS
    finished = league.games_finished if league else 0
    duration = _duration(config, pace, turns_per_second)
    if config.until and not games:
        until = _until(config, league)
        games = _in_time(config, league, until.timestamp() - time(), duration)
        duration = replace(duration, until=f"{until.astimezone():%Y-%m-%d %H:%M}")
    found, seatings = _planned(config, league, games or config.games, out=moved.out)
    duration = replace(duration, seconds=duration.seconds * (found.games - finished))
    tables = rounds_of(seatings, found.design, rotations=found.rotations)[:rounds]
    rotated = None
    if league is None and config.luck == NONE and may_rotate(config.entrants):
        rotated = rotated_games(found.games, seats=config.rules.players)
    if form == PlanFormat.JSON:
        summary = _summary(config, found, duration, finished, tables)
        summary["rotated_games"] = rotated and asdict(rotated)
        print_json(summary | {"came_and_went": moved.came_and_went})
        return
    text = plan_text(
        found,
        duration,
        name=config.name,
        rules=rules_line(config.rules),
        anchor=config.anchor,
        finished=finished,
        rotated=rotated,
        moves=_moves(league, moved.came_and_went),
        owned=_owned(config),
    )
    typer.echo(text, nl=False)
    for number, seated in enumerate(tables, start=1):
        typer.echo(f"\nRound {number}")
        for names in _named(config, seated):
            typer.echo(f"  {', '.join(names)}")


def _read(file: Path) -> LeagueConfig:
    from hearts.house import BOTS

    try:
        config = read_league(file, houses=tuple(BOTS))
    except ConfigError as error:
        raise CommandError(str(error)) from None
    if config.ladder is not None:
        raise CommandError(
            f"{file}: a ladder has no plan: its games follow from who comes; once it "
            f"is played, `arena league report {config.name} balance` tells how even "
            "it is"
        )
    return config


def _stored(
    config: LeagueConfig, data: Path, file: Path
) -> tuple[LeagueConfig, Draft | None, Pace | None]:
    """Return what the store adds to the file, the league, if it exists, and the pace.

    The league is as it will be with this file, also when entrants come or go. The store
    knows whose the bots are that dial in, and how fast leagues like it were played.
    """
    if not (data / FILE_NAME).exists():
        return config, None, None
    with reading(data) as store:
        league = next((one for one in store.leagues() if one.name == config.name), None)
        known = league.entrants if league else ()
        if gone := [
            one for one in known if one not in {e.name for e in config.entrants}
        ]:
            raise CommandError(
                f"league {config.name} exists, and {file} lacks {listed(gone)} of its "
                f"entrants: {STAYS}; a league without them needs another name"
            )
        try:
            with store.database.read() as connection:
                config = with_owners(connection, config, league)
                if league:
                    changes_of(league, config)
                drafted = draft(connection, league, config) if league else None
        except (LeagueChanged, OwnerError) as error:
            raise CommandError(str(error)) from None
        if drafted:
            config = in_order(config, drafted.league.entrants)
        return config, drafted, pace_of(store, config.rules, name=config.name)


def _planned(
    config: LeagueConfig,
    league: League | None,
    games: int,
    *,
    out: Collection[str] = (),
) -> tuple[Plan, list[Seating]]:
    """Plan a league as it would be stored, or after the games that are stored.

    Its figures are without those who are out.
    """
    entrants, seats = len(config.entrants), config.rules.players
    rotations = blocks_of(config.luck, seats=seats).size
    plan_games = partial(
        planned,
        entrants,
        games=-(-games // rotations) * rotations,
        seats=seats,
        luck=config.luck,
        owners=config.owners,
    )
    fresh = plan_games()
    seatings = plan_games(begun=league.seatings) if league else fresh
    if config.until:
        # What is planned beyond its time is not played.
        seatings = seatings[: len(fresh)]
    found = plan(
        seatings,
        entrants=entrants,
        seats=seats,
        rotations=rotations,
        owners=config.owners,
        is_anchored=config.anchor is not None,
        is_own=seatings[: len(fresh)] == fresh,
        among=[n for n, one in enumerate(config.entrants) if one.name not in out],
    )
    return found, seatings


def _moves(league: League | None, came_and_went: Mapping[str, str]) -> list[str]:
    """Say who came and went, and how many games each has in the end."""
    if league is None:
        return []
    games = Counter(chain.from_iterable(league.seatings))
    numbers = {name: number for number, name in enumerate(league.entrants)}
    return [
        f"{name} {what}: {counted(games[numbers[name]], 'game')}."
        for name, what in came_and_went.items()
        if what != EXCLUDED
    ]


def _owned(config: LeagueConfig) -> list[tuple[str, list[str]]]:
    """Return the owners with bots that never meet, and the names of these."""
    owners, names = config.owners, [one.name for one in config.entrants]
    return [
        (owners.of(own[0]), [names[one] for one in own])
        for own in owners.groups(range(len(names)))
    ]


def _until(config: LeagueConfig, league: League | None) -> datetime:
    """Return when the time of a league is over."""
    if league and league.until:
        return datetime.fromisoformat(league.until)
    try:
        return moment_of(config.until, now=datetime.now(UTC))
    except ValueError as error:
        place = config.until_at or f"league {config.name}"
        raise CommandError(f"{place}: {error}") from None


def _in_time(
    config: LeagueConfig, league: League | None, seconds: float, game: Duration
) -> int:
    """Return after how many games a league ends that has so much time left.

    Args:
        config: The league's file.
        league: The league, if it exists.
        seconds: How much time is left.
        game: How long a game takes.
    """
    finished = league.games_finished if league else 0
    block = blocks_of(config.luck, seats=config.rules.players).size
    most = min(config.games, finished + max(block, int(seconds / game.seconds)))
    _, seatings = _planned(config, league, most)
    stops = Stops(seatings[: most - most % block], block=block)
    return stops.best(most) or stops.first(1) or block


def _duration(
    config: LeagueConfig, pace: Pace | None, turns_per_second: float | None
) -> Duration:
    """Estimate how long a game takes, where others are played beside it."""
    if pace:
        measured = f"measured in {counted(pace.games, 'game')} of league {pace.league}"
        deals, length_source = pace.deals_per_game, measured
        speed, speed_source = pace.turns_per_second, measured
    else:
        deals = _tried_deals(config.rules)
        length_source = f"tried in {_GAMES_TRIED} games of house bots"
        speed = TURNS_PER_SECOND
        speed_source = (
            "assumed, for bots that hardly think; --turns-per-second says better"
        )
    if turns_per_second:
        speed, speed_source = turns_per_second, "as told"
    turns = deals * turns_per_deal(config.rules)
    return Duration(
        seconds=turns / speed,
        turns_per_game=turns,
        turns_per_second=speed,
        length_source=length_source,
        speed_source=speed_source,
    )


def _tried_deals(rules: RuleSet) -> float:
    """Return how many deals a game has, from a few between house bots."""
    from hearts.local import play

    table = {"preset": rules.preset, "players": rules.players, **rules.overrides}
    results = play(["careful"] * rules.players, games=_GAMES_TRIED, rules=table)
    return sum(len(result.points) for result in results) / len(results)


def _named(config: LeagueConfig, seatings: Sequence[Seating]) -> list[tuple[str, ...]]:
    return [tuple(config.entrants[one].name for one in seating) for seating in seatings]


def _summary(
    config: LeagueConfig,
    found: Plan,
    duration: Duration,
    finished: int,
    tables: Sequence[Sequence[Seating]],
) -> dict[str, Any]:
    """Return the plan for programs."""
    summary: dict[str, Any] = {
        "league": config.name,
        "entrants": [one.name for one in config.entrants],
        "players": config.rules.players,
        "rotations": found.rotations,
        "method": found.design.method.value if found.is_own else "stored",
        "games": found.games,
        "games_finished": finished,
        "rounds": found.rounds,
        "tables_per_round": found.design.tables,
        "even_games": found.even_games,
        "counts": asdict(found.ranges),
        "worst_spreads": asdict(found.worst),
        "kept_apart": dict(_owned(config)),
        "anchor": config.anchor,
        "precision": asdict(found.precision) if found.precision else None,
        "gap_games": _gaps(found.gap_games),
        "gap_games_among_all": _gaps(found.gap_games_among_all),
        "duration": asdict(duration),
    }
    if tables:
        summary["first_rounds"] = [_named(config, seated) for seated in tables]
    return summary


def _gaps(gap_games: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    return [{"elo": gap, "games": games} for gap, games in gap_games]
